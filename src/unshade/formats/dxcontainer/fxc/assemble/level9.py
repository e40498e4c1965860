"""The code of feature level 9 in a listing, and the tables before it: Aon9.

With a donor, the tables are the donor's; they say how a runtime sets the constants.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .....errors import FormatError, LimitError
from .....isa.source import ErrorList, Source
from .....programs.d3d9.assembler import assemble
from .....programs.d3d9.code import Code
from .....wire import write
from ...part import DxPart
from ...parts.level9 import ConstantMapping, Level9Program, RuntimeConstant, SamplerMapping
from ..listing.level9 import (
    CONSTANT_TITLE,
    CONVERSIONS,
    DESCRIPTIONS,
    GENERATED_TITLE,
    SAMPLER_TITLE,
)
from .comments import MARK, words

if TYPE_CHECKING:
    from ...shader import DxContainer

__all__ = ["part_of", "put"]

NUMBER = r"(\d{1,9})"
CONSTANT = re.compile(
    rf"c{NUMBER} cb{NUMBER} {NUMBER} {NUMBER} \( ?(\w+), (\w+), (\w+), (\w+)\)", re.ASCII
)
GENERATED = re.compile(rf"c{NUMBER} (.+)", re.ASCII)
SAMPLER = re.compile(rf"s{NUMBER} s{NUMBER} t{NUMBER}", re.ASCII)
KINDS = {text: number for number, text in DESCRIPTIONS.items()}
FORMATS = {text: number for number, text in CONVERSIONS.items()}
Row = ConstantMapping | RuntimeConstant | SamplerMapping


def part_of(source: Source, lines: range) -> Level9Program:
    """Return the part that a listing describes.

    Args:
        source: The listing.
        lines: The numbers of the lines with the code, from 1.

    Raises:
        AssembleError: A row of a table or the code is malformed.
    """
    errors = ErrorList()
    tables = _tables_of(source, lines[0], errors)
    code = assemble(source, errors, None, lines)
    errors.check()
    made = Level9Program(
        major=code.version.major,
        kind=code.version.kind,
        tokens=code.encode(),
        constants=tables[CONSTANT_TITLE],
        runtime_constants=tables[GENERATED_TITLE],
        samplers=tables[SAMPLER_TITLE],
    )
    made.size = len(write(made))
    return made


def _tables_of(source: Source, last: int, errors: ErrorList) -> Mapping[str, list[Any]]:
    """Return the rows of the tables before a line, by the titles of the tables."""
    found: dict[str, list[Any]] = {title: [] for title in TABLES}
    title = ""
    for number in range(1, last):
        line = source.lines[number - 1].strip()
        text = words(line.removeprefix(MARK))
        if text in TABLES:
            title = text
        elif not text and found.get(title):
            title = ""  # an empty line ends a table
        elif title and text and not text.startswith(("Target ", "---")):
            pattern, record, example = TABLES[title]
            row = pattern.fullmatch(text)
            value = None if row is None else record(*row.groups())
            if value is None:
                problem = f"expected a row such as {example!r}, got {text!r:.60}"
                errors.add(source.error(problem, number, width=len(line)))
            else:
                found[title].append(value)
    return found


def _constant(target: str, buffer: str, start: str, count: str, *formats: str) -> Row | None:
    """Return a mapping of constants; None if a number is too large or a conversion unknown."""
    conversions = [FORMATS.get(each, _byte(each)) for each in formats]
    numbers = [int(each) for each in (buffer, start, count, target)]
    if max(numbers) > 0xFFFF or None in conversions:
        return None
    return ConstantMapping(
        buffer=numbers[0], start=numbers[1], count=numbers[2], target=numbers[3],
        conversions=[each or 0 for each in conversions],
    )  # fmt: skip


def _byte(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 4 and int(text) < 0x100 else None


def _generated(target: str, description: str) -> Row | None:
    known = KINDS.get(description, -1)
    kind = int(description[5:]) if re.fullmatch(rf"kind {NUMBER}", description, re.ASCII) else known
    if not 0 <= kind <= 0xFFFF or int(target) > 0xFFFF:
        return None
    return RuntimeConstant(kind=kind, target=int(target))


def _sampler(target: str, sampler: str, texture: str) -> Row | None:
    if int(target) > 0xFFFF or max(int(sampler), int(texture)) > 0xFF:
        return None
    return SamplerMapping(sampler=int(sampler), texture=int(texture), target=int(target))


Reader = Callable[..., Row | None]
TABLES: dict[str, tuple[re.Pattern[str], Reader, str]] = {
    CONSTANT_TITLE: (CONSTANT, _constant, "c0 cb0 0 4 ( FLT, FLT, FLT, FLT)"),
    GENERATED_TITLE: (GENERATED, _generated, f"c0 {DESCRIPTIONS[0]}"),
    SAMPLER_TITLE: (SAMPLER, _sampler, "s0 s0 t0"),
}


def put(shader: "DxContainer", source: Source, lines: range) -> None:
    """Put the code of the lines into Aon9, which is added if there is none.

    Tokens are kept where their listing is the same.

    Args:
        shader: The container.
        source: The listing.
        lines: The numbers of the lines with the code, from 1.

    Raises:
        AssembleError: The code or, if Aon9 is added, a table is malformed, or Aon9 is unreadable.
    """
    part = shader.parts.get("Aon9")
    if part is None:
        shader.parts.insert(0, DxPart("Aon9", part_of(source, lines)))
        return
    value = part.value
    if not isinstance(value, Level9Program):
        raise source.error("expected a donor with a readable Aon9, or none", lines[0])
    errors = ErrorList()
    tokens = assemble(source, errors, _code_of(value), lines).encode()
    errors.check()
    value.size += len(tokens) - len(value.tokens)
    value.tokens = tokens


def _code_of(value: Level9Program) -> Code | None:
    try:
        return Code.decode(value.tokens)
    except (FormatError, LimitError):
        return None
