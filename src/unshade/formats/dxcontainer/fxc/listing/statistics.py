"""The lines of a listing that STAT provides: sample frequency, tessellation, instruction count.

    // Pixel Shader runs at sample frequency
    //
    // Tessellation Domain   # of control points
    // -------------------- --------------------
    // Quadrilateral                          16
    //
    // Tessellation Output Primitive  Partitioning Type <
    // ------------------------------ ------------------
    // Clockwise Triangles            Integer           <
    //

Hull shaders have both tables, domain shaders the first. Without STAT these are missing, and the
last line counts 0 instructions. Source: listings of fxc.
"""

from .....isa.linked import LinkedLine
from .....vocab.d3d import ShaderKind
from ...parts.stat import ShaderStatistics
from .columns import Column, ColumnTable
from .names import DOMAINS, OUTPUT_PRIMITIVES, PARTITIONINGS

SAMPLE_FREQUENCY = "Pixel Shader runs at sample frequency"
DOMAIN_TABLE = ColumnTable(
    Column("Tessellation Domain", 20, left=True), Column("# of control points", 20)
)
OUTPUT_TABLE = ColumnTable(
    Column("Tessellation Output Primitive", 30, left=True),
    Column("Partitioning Type", 18, left=True),
)
LAST_LINE = "Approximately {} instruction slots used"


def lines(statistics: ShaderStatistics, stage: int) -> list[str]:
    """Return the lines before the program."""
    if stage == ShaderKind.PIXEL and statistics.is_sample_frequency:
        return [LinkedLine(f"// {SAMPLE_FREQUENCY}", "is_sample_frequency"), "//"]
    if stage not in (ShaderKind.HULL, ShaderKind.DOMAIN) or statistics.control_points is None:
        return []
    domain = _named(DOMAINS, statistics.tessellator_domain)
    row = DOMAIN_TABLE.row(domain, statistics.control_points)
    linked = LinkedLine(row, "tessellator_domain", "control_points")
    found = [*DOMAIN_TABLE.heads, linked, "//"]
    if stage == ShaderKind.HULL:
        primitive = _named(OUTPUT_PRIMITIVES, statistics.hs_output_primitive)
        partitioning = _named(PARTITIONINGS, statistics.hs_partitioning)
        row = OUTPUT_TABLE.row(primitive, partitioning)
        linked = LinkedLine(row, "hs_output_primitive", "hs_partitioning")
        found += [*OUTPUT_TABLE.heads, linked, "//"]
    return found


def _named(names: dict[int, str], number: int | None) -> str:
    return "" if number is None else names.get(number, "")


def last_line(statistics: ShaderStatistics | None) -> str:
    """Return the line with the number of instructions, "1 instruction slots" included."""
    count = statistics.instruction_count if statistics is not None else 0
    line = f"// {LAST_LINE.format(count)}"
    return LinkedLine(line, "instruction_count") if statistics is not None else line
