"""Assembly of picasso source into a SHBIN, with the tables that picasso writes.

    ; ==== file 0.v.pica          one text may be several files
    …                             a unit: a DVLE, unless it contains .nodvle
    ; ==== file 1.g.pica
    …

    unit         DVLE
    constants    as declared                             type, number, value
    outputs      as declared                             meaning, register, components
    uniforms     by register: v, c, i, b                 `$` in a name becomes `.`
    entry        first word, and the word after the last

Source: the files of picasso 2.7.1, byte for byte.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ....dialect import checked_heading, only_options
from ....errors import UsageError
from ....isa.source import ErrorList, Source
from ....programs.pica.assembler import Assembly, Unit
from ....programs.pica.assembler import DeclaredConstant as Value
from ....programs.pica.assembler import assemble as assemble_code
from ....programs.pica.exact import EXACT as PROGRAM
from ....programs.pica.tables.registers import RegisterFile
from ....wire import read
from ..records import (
    BoolValue,
    Constant,
    ConstantType,
    Dvlb,
    Dvle,
    Dvlp,
    FloatValue,
    IntValue,
    Output,
    ShaderType,
    Uniform,
)
from ..spelling import FILES
from .directives import DIRECTIVES, ExactDirectives, finish
from .markers import EXACT, SEPARATOR, WITHOUT_NOPS

if TYPE_CHECKING:
    from ..shader import Shbin

__all__ = ["assemble", "split"]

if TYPE_CHECKING:
    S = TypeVar("S", bound="Shbin")
else:  # a class in quotes would be compiled
    S = TypeVar("S")

FILE = re.compile(re.escape(SEPARATOR) + r"(\S.*?)[ \t]*", re.ASCII)
VERSION = 0x1002  # of a DVLE by picasso
MOST_WARNINGS = 64
FIRST = {letter: first for letter, first, _ in FILES}


def assemble(
    cls: type[S],
    sources: Sequence[Source],
    *,
    donor: S | None = None,
    nops: bool | None = None,
    **unknown: Any,
) -> S:
    """Assemble sources, each of which may contain several files.

    Args:
        cls: The class of the result.
        sources: The sources, in the order in which picasso would get them.
        donor: Not supported; must be None.
        nops: Insert the `nop`s that the hardware needs at ends of blocks, as picasso does without
            `-n`. The default is True, unless the text is exact or contains `; picasso -n`.

    Returns:
        The shader; the assembler's warnings are in its `diagnostics`.

    Raises:
        AssembleError: The source is invalid; the error lists every mistake.
        UsageError: An option is unknown, or a donor is given.
    """
    only_options("picasso text", unknown, ("nops",))
    if donor is not None:
        raise UsageError("expected no donor: a SHBIN is assembled from its text alone")
    headings = [_is_exact(source) for source in sources]
    exact = any(headings)
    pieces = [piece for source in sources for piece in split(source)]
    if nops is None:
        nops = not exact and not any(_without_nops(source) for source in sources)
    mistakes = ErrorList()
    assembly = assemble_code(
        [source for _, source in pieces], mistakes, nops=nops, exact=exact, directives=DIRECTIVES
    )
    mistakes.check()
    for (name, _), unit in zip(pieces, assembly.units, strict=True):
        unit.name = name
    record = container(assembly)
    shader = cls(record)
    shader.findings = [warning.diagnostic() for warning in assembly.warnings[:MOST_WARNINGS]]
    dvles = iter(record.dvles)
    directives = [
        (
            None if unit.without_dvle else next(dvles),
            unit.extra.get(ExactDirectives.KEY) or ExactDirectives(),
        )
        for unit in assembly.units
    ]
    return finish(shader, directives)


def split(source: Source) -> list[tuple[str, Source]]:
    """Split a text into files, each with its name; line numbers still refer to the text."""
    starts = [
        (number, found[1])
        for number, line in enumerate(source.lines)
        if line.startswith(SEPARATOR) and (found := FILE.fullmatch(line))
    ]
    if not starts:
        return [(source.name, source)]
    head = source.lines[: starts[0][0]]
    if any(line.strip() and not line.lstrip().startswith(";") for line in head):
        starts.insert(0, (0, source.name))
    ends = [number for number, _ in starts[1:]] + [len(source.lines)]
    return [
        (name, Source("\n" * start + "\n".join(source.lines[start:end]), source.name))
        for (start, name), end in zip(starts, ends, strict=True)
    ]


def _is_exact(source: Source) -> bool:
    return checked_heading(source, ";", EXACT, PROGRAM) is not None


def _without_nops(source: Source) -> bool:
    return WITHOUT_NOPS in source.lines[:2]


# ---------------------------------------------------------------- records


def container(assembly: Assembly) -> Dvlb:
    """Return the records that picasso would write."""
    descriptors = [each.high << 32 | each.word for each in assembly.descriptors]
    return Dvlb(
        dvlp=Dvlp(code=assembly.words, descriptors=descriptors),
        dvles=[_executable(unit) for unit in assembly.units if not unit.without_dvle],
    )


def _executable(unit: Unit) -> Dvle:
    geometry = unit.geometry
    return Dvle(
        version=VERSION,
        type=ShaderType.GEOMETRY if unit.stage == "geometry" else ShaderType.VERTEX,
        flags=int(unit.merge),
        main=unit.main,
        end=unit.end,
        input_mask=unit.input_mask,
        output_mask=unit.output_mask,
        geometry_mode=geometry.mode if geometry else 0,
        fixed_start=geometry.fixed_start if geometry else 0,
        variable_vertices=geometry.variable_vertices if geometry else 0,
        fixed_vertices=geometry.fixed_vertices if geometry else 0,
        constants=[
            read(Constant, each) if isinstance(each, bytes) else _constant(each)
            for each in unit.constants
        ],
        outputs=[
            read(Output, each)
            if isinstance(each, bytes)
            else Output(type=each.semantic, register=each.register, mask=each.mask)
            for each in unit.outputs
        ],
        uniforms=_uniforms(unit),
    )


def _constant(value: Value) -> Constant:
    number = value.register.number
    if value.file is RegisterFile.BOOL:
        return Constant(type=ConstantType.BOOL, id=number, data=BoolValue(value=value.values[0]))
    values = list(value.values)
    if value.file is RegisterFile.INTEGER:
        return Constant(type=ConstantType.INT, id=number, data=IntValue(value=values))
    return Constant(type=ConstantType.FLOAT, id=number, data=FloatValue(value=values))


def _uniforms(unit: Unit) -> list[Uniform]:
    found = []
    for each in unit.uniforms:
        start = FIRST[each.register.file] + each.register.number
        name = each.name.replace("$", ".")
        found.append(Uniform(symbol=name, start=start, end=start + each.count - 1))
    return sorted(found, key=lambda uniform: uniform.start)
