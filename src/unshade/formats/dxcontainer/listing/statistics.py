"""What the listing takes from STAT: sample frequency, tessellation, and the last line.

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

Hull shaders have both tables, domain shaders the first. Without STAT there is none of it, and the
last line counts 0 instructions. Source: listings of fxc.
"""

from ....vocab.d3d import ShaderKind
from ..parts.stat import Statistics
from .names import DOMAINS, OUTPUT_PRIMITIVES, PARTITIONINGS


def lines(statistics: Statistics, stage: int) -> list[str]:
    """What stands before the program."""
    if stage == ShaderKind.PIXEL and statistics.is_sample_frequency:
        return ["// Pixel Shader runs at sample frequency", "//"]
    if stage not in (ShaderKind.HULL, ShaderKind.DOMAIN) or statistics.control_points is None:
        return []
    domain = DOMAINS.get(statistics.tessellator_domain, "")
    found = [
        "// Tessellation Domain   # of control points",
        "// -------------------- --------------------",
        f"// {domain:<20} {statistics.control_points:>20}",
        "//",
    ]
    if stage == ShaderKind.HULL:
        primitive = OUTPUT_PRIMITIVES.get(statistics.hs_output_primitive, "")
        partitioning = PARTITIONINGS.get(statistics.hs_partitioning, "")
        found += [
            "// Tessellation Output Primitive  Partitioning Type ",
            "// ------------------------------ ------------------",
            f"// {primitive:<30} {partitioning:<18}",
            "//",
        ]
    return found


def last_line(statistics: Statistics | None) -> str:
    """How many instructions the compiler counted; the plural also for one."""
    count = statistics.instruction_count if statistics is not None else 0
    return f"// Approximately {count} instruction slots used"
