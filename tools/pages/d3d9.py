"""Documentation page about Direct3D 9 programs."""

from tools.pages.markdown import block, enum_table, filled, word_table
from tools.pages.records import markdown
from unshade.programs.d3d9.constants import ConstantTable
from unshade.programs.d3d9.debug import DebugComment
from unshade.programs.d3d9.tables.ops import OPS, Op
from unshade.programs.d3d9.tables.tokens import (
    CommentToken,
    ComparisonControl,
    DeclarationToken,
    DeclarationUsage,
    DestinationParameter,
    InstructionToken,
    ParameterToken,
    RegisterType,
    SourceModifier,
    SourceParameter,
    TextureKind,
    Version,
)
from unshade.programs.d3d9.verify import VERSIONS

WORDS = (
    Version, InstructionToken, ParameterToken, DestinationParameter, SourceParameter,
    DeclarationToken, CommentToken,
)  # fmt: skip
ENUMS = (RegisterType, DeclarationUsage, TextureKind, SourceModifier, ComparisonControl)


def page() -> str:
    """Return the page with its tables filled in."""
    tokens = [line for each in WORDS for line in (*word_table(each), "")]
    enums = [line for each in ENUMS for line in (*enum_table(each), "")]
    rows = ["| opcode | name | operands | vertex | pixel | slots | meaning |"]
    rows += ["|---|---|---|---|---|---|---|", *map(_row, OPS)]
    return filled(
        __file__,
        {
            "tokens": "\n".join(tokens).rstrip(),
            "enums": "\n".join(enums).rstrip(),
            "operations": "\n".join(rows),
            "constants": markdown(ConstantTable).rstrip(),
            "debug": markdown(DebugComment).rstrip(),
            "example": block(EXAMPLE),
        },
    )


EXAMPLE = """\
0xffff0200                                      ps_2_0
0x0200001f 0x90000000 0xa00f0800                dcl_2d s0
0x03000042 0x800f0000 0xb0e40000 0xa0e40800     texld r0, t0, s0
0x02000001 0x800f0800 0x80e40000                mov oC0, r0
0x0000ffff                                      the end"""


def _row(op: Op) -> str:
    spans = (_span(each) for each in VERSIONS.get(op.name, (None, None)))
    vertex, pixel = spans
    return (
        f"| 0x{op.code:x} | `{op.name}` | {' '.join(op.operands)} | {vertex} | {pixel} |"
        f" {op.slots or ''} | {op.doc} |"
    )


def _span(versions: tuple[tuple[int, int], tuple[int, int]] | None) -> str:
    if versions is None:
        return ""
    (major, minor), (last, end) = versions
    first = f"{major}.{'x' if (major, minor) == (2, 1) else minor}"
    return f"from {first}" if end == 0xFF and last == 3 else f"{first} to {last}.{end}"
