"""The tables and the code of Aon9, the program for feature level 9.

    // Constant buffer to DX9 shader constant mappings: …
    // Runtime generated constant mappings: …
    // Sampler/Resource to DX9 shader sampler mappings: …
    // Level9 shader bytecode:
    //
        vs_2_0                                              programs.d3d9
        …

    // approximately 12 instruction slots used

A table without rows is not printed. Source: 87 listings, with their containers.
"""

from collections.abc import Iterator, Sequence

from .....errors import FormatError, LimitError
from .....isa.linked import LinkedLine, relinked
from .....limits import Limits
from .....programs.d3d9.code import Code
from .....programs.d3d9.text import linked_lines, slots_line
from .....programs.tpf.text.literals import Library
from ...parts.level9 import ConstantMapping, Level9Program
from .columns import Column, ColumnTable

__all__ = ["lines"]

CONSTANTS = ColumnTable(
    Column("Target Reg", 10, True),
    Column("Buffer", 7, True),
    Column("Start Reg", 9),
    Column("# of Regs", 9),
    Column("Data Conversion", 22),
)
GENERATED = ColumnTable(Column("Target Reg", 10, True), Column("Constant Description", 50))
SAMPLERS = ColumnTable(
    Column("Target Sampler", 14, True),
    Column("Source Sampler", 15, True),
    Column("Source Resource", 16, True),
    end=" ",
)
CONSTANT_TITLE = "Constant buffer to DX9 shader constant mappings:"
GENERATED_TITLE = "Runtime generated constant mappings:"
SAMPLER_TITLE = "Sampler/Resource to DX9 shader sampler mappings:"
CONVERSIONS = {0: "FLT"}
DESCRIPTIONS = {0: "Vertex Shader position offset"}


def lines(value: Level9Program, limits: Limits, library: Library) -> list[str]:
    """Return the lines about the part, linked to its fields; none if its code is malformed."""
    try:
        code = Code.decode(value.tokens, limits)
    except (FormatError, LimitError):
        return []
    wide = library < Library.UCRT  # older libraries print exponents with three digits
    found = [*_tables(value), "//", "// Level9 shader bytecode:", "//"]
    found += relinked(linked_lines(code, wide_exponents=wide), lambda each: f"tokens.{each}")
    return [*found, "", slots_line(code)]


def _tables(value: Level9Program) -> Iterator[str]:
    rows = [
        LinkedLine(
            CONSTANTS.row(
                f"c{each.target}", f"cb{each.buffer}", each.start, each.count, _conversion(each)
            ),
            f"constants[{i}]",
        )
        for i, each in enumerate(value.constants)
    ]
    yield from _table(CONSTANT_TITLE, CONSTANTS, rows)
    rows = [
        LinkedLine(
            GENERATED.row(f"c{each.target}", DESCRIPTIONS.get(each.kind, f"kind {each.kind}")),
            f"runtime_constants[{i}]",
        )
        for i, each in enumerate(value.runtime_constants)
    ]
    yield from _table(GENERATED_TITLE, GENERATED, rows)
    rows = [
        LinkedLine(
            SAMPLERS.row(f"s{each.target}", f"s{each.sampler}", f"t{each.texture}"),
            f"samplers[{i}]",
        )
        for i, each in enumerate(value.samplers)
    ]
    yield from _table(SAMPLER_TITLE, SAMPLERS, rows)


def _table(title: str, table: ColumnTable, rows: Sequence[str]) -> list[str]:
    """Return the lines of a table; none without rows."""
    if not rows:
        return []
    titles, rule = table.heads
    return ["//", f"// {title}", "//", titles.rstrip(), rule, *rows, "//"]


def _conversion(mapping: ConstantMapping) -> str:
    """Return the conversions of the four components: `( FLT, FLT, FLT, FLT)`."""
    return f"( {', '.join(CONVERSIONS.get(each, str(each)) for each in mapping.conversions)})"
