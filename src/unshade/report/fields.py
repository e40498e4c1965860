"""The fields in which two files differ: the bytes before and after, and the lines that show them.

Fields are paired by their paths. Instructions of aligned lines are paired whatever their index, so
that an added instruction does not make all later instructions differ.

    SHEX.instructions[12].opcode      SHEX.instructions[13].opcode
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ..analysis.diff import Diff, ProgramDiff
from ..errors import UnshadeError
from ..screens.hexdump import value_text
from ..screens.text import visible
from ..shader import Shader
from ..tuples import NamedTuple
from ..wire.spans import Span

__all__ = ["FieldPair", "field_pairs", "listed_lines"]

LONGEST = 120  # letters of a value
STEP = re.compile(r"(?:\.[^.\[]*|\[[^\]]*\])$")  # the last step of a path
Line = tuple[int, int]  # number of the program, row of its alignment


class FieldPair(NamedTuple):
    """A field that differs; one side is None if only the other has it."""

    before: Span | None
    after: Span | None
    line: Line | None = None

    @property
    def path(self) -> str:
        """The path, in the first file if it is there."""
        one = self.before or self.after
        assert one is not None
        return one.path


def field_pairs(before: Shader, after: Shader, found: Diff) -> list[FieldPair]:
    """Return the fields whose bytes differ, in the order of the first file, then added ones."""
    lines = [_lines(shader, found.programs, side) for side, shader in enumerate((before, after))]
    there = {line: path for path, line in lines[0].items()}
    ours, theirs = _spans(before), _spans(after)
    data, other = before.to_bytes(), after.to_bytes()
    paired: dict[str, Span] = {}
    for path, span in theirs.items():
        group, line = _line_of(path, lines[1])
        own = there.get(line) if line is not None else None
        if own is not None:
            path = own + path[len(group) :]  # noqa: PLW2901
        elif line is not None:
            path = f"+{path}"  # noqa: PLW2901  of a line that only the second file has
        paired[path] = span
    made = []
    for path, span in ours.items():
        _, line = _line_of(path, lines[0])
        match = paired.pop(path, None)
        if match is None or _bits(data, span) != _bits(other, match):
            made.append(FieldPair(span, match, line))
    for span in paired.values():
        made.append(FieldPair(None, span, _line_of(span.path, lines[1])[1]))
    return made


def _spans(shader: Shader) -> dict[str, Span]:
    """Return the fields by path, padding left out; later ones of a path get a number."""
    found: dict[str, Span] = {}
    for span in shader.spans():
        path, number = span.path, 1
        while path in found:
            number += 1
            path = f"{span.path}#{number}"
        found[path] = span
    return found


def _bits(data: bytes, span: Span) -> tuple[int, int]:
    """Return the width of a field and its bits."""
    whole = int.from_bytes(data[span.offset : span.offset + span.length], "little")
    low, width = span.bits or (0, 8 * span.length)
    return width, whole >> low & ((1 << width) - 1)


def shown(data: bytes, span: Span | None) -> tuple[str, str]:
    """Return the value of a field, and its bytes in hexadecimal."""
    if span is None:
        return "", ""
    text = visible(value_text(span)) if span.value is not None else ""
    raw = data[span.offset : span.offset + min(span.length, LONGEST // 3)].hex(" ")
    return text[:LONGEST] + "…" * (len(text) > LONGEST), raw


# ---------------------------------------------------------------- lines


def _lines(shader: Shader, programs: Sequence[ProgramDiff], side: int) -> dict[str, Line]:
    """Return the row of an alignment that shows each group of fields."""
    found: dict[str, Line] = {}
    try:
        text = shader.disassemble().split("\n")
        paths = shader.line_paths()
    except UnshadeError:
        return found
    start = 0
    for number, program in enumerate(programs):
        alignment = program.alignment
        lines = (alignment.before, alignment.after)[side]
        rows = {row[side]: at for at, row in enumerate(alignment.rows) if row[side] is not None}
        first = listed_lines(text, lines, start)
        if first is None:
            continue
        start = first + len(lines)
        moved = alignment.moves if side == 0 else {}
        stays = {row[1]: at for at, row in enumerate(alignment.rows) if row[1] is not None}
        for at, path in enumerate(paths[first:start]):
            if path:
                row = stays[moved[at]] if at in moved else rows[at]
                found.setdefault(path[0], (number, row))
    return found


def listed_lines(text: Sequence[str], lines: Sequence[str], start: int) -> int | None:
    """Return where the lines of a program begin in a listing, None if they are not in it.

    Single lines may differ: those whose difference only the exact dialect shows.
    """
    last = len(text) - len(lines)
    for first in range(start, last + 1):
        same = sum(x.strip() == y.strip() for x, y in zip(text[first:], lines, strict=False))
        if lines and 2 * same > len(lines):
            return first
    return None


def _line_of(path: str, lines: Mapping[str, Line]) -> tuple[str, Line | None]:
    """Return the group around a field that a line shows, and the line."""
    for group in _groups(path):
        if group in lines:
            return group, lines[group]
    return "", None


def _groups(path: str) -> Iterator[str]:
    while path:
        yield path
        step = STEP.search(path)
        path = path[: step.start()] if step else ""
