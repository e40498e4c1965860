"""Patch constant, input and output signatures.

    // Name                 Index   Mask Register SysValue  Format   Used
    // -------------------- ----- ------ -------- -------- ------- ------
    // SV_Position              0   xyzw        0      POS   float       <
    // m1:TEXCOORD              0   xy          1     NONE  min16f   x   <
    // SV_Depth                 0    N/A   oDepth    DEPTH   float    YES

Each component has its own column, so that rows end with blanks. `Used` are the components that the
program reads of an input or writes of an output; for outputs the file stores the complement. If any
stream is above 0, all rows name their stream. Source: listings of fxc.
"""

from functools import lru_cache

from .....isa.linked import LinkedLine
from .....tuples import NamedTuple
from .....vocab.d3d import PIXEL_OUTPUTS, ShaderKind
from ...parts.signature import INPUTS, OUTPUTS, PATCH_CONSTANTS, ProgramSignature
from .columns import Column, ColumnTable
from .generation import GENERATIONS, Generation
from .names import (
    COMPONENTS,
    PRECISIONS,
    REGISTERLESS,
    REGISTERLESS_OTHER,
    SYSTEM_VALUES,
)

NO_REGISTER = 0xFFFFFFFF
MASKS = ["".join("xyzw"[i] if bits >> i & 1 else " " for i in range(4)) for bits in range(16)]
NOWHERE = "N/A"  # in the column Mask of a row without a register
USED, UNUSED = "YES", " NO"  # in the column Used of a row without a register
TABLES = {
    width: ColumnTable(
        Column("Name", 20, left=True),
        Column("Index", 5),
        Column("Mask", 6),
        Column("Register", 8),
        Column("SysValue", 8),
        Column("Format", width),
        Column("Used", 6),
    )
    for width in {generation.format_width for generation in GENERATIONS.values()}
}


class SignatureTable(NamedTuple):
    """A signature table: its title, its parts, and the stages that write its registers."""

    title: str
    parts: tuple[str, ...]
    writers: frozenset[ShaderKind]  # the other stages read them


SIGNATURES = (  # in the order of the listing
    SignatureTable("Patch Constant", PATCH_CONSTANTS[::-1], frozenset({ShaderKind.HULL})),
    SignatureTable("Input", INPUTS[::-1], frozenset()),
    SignatureTable("Output", OUTPUTS[::-1], frozenset(ShaderKind)),
)
HEADING = "{} signature:"
NO_ROWS = "no {}"  # the title again


def lines(
    signature: ProgramSignature, title: str, stage: int, written: bool, generation: Generation
) -> list[str]:
    """Return the lines of the table `title`; `written` if the shader writes these registers."""
    width = generation.format_width
    found = ["//", f"// {HEADING.format(title)}", "//", *TABLES[width].heads]
    elements = signature.elements
    if not elements:
        found.append(f"// {NO_ROWS.format(title)}")
        return found
    streams = any(element.stream for element in elements)
    outputs = written and stage == ShaderKind.PIXEL
    for at, element in enumerate(elements):
        name = f"m{element.stream}:{element.name}" if streams else element.name
        value = element.system_value
        if not value and outputs:
            value = PIXEL_OUTPUTS.get(element.name.lower(), value)
        mask = element.mask & 15
        used = mask & (~element.rw_mask if written else element.rw_mask)
        kind, precision = element.component_type, element.min_precision or 0
        place = element.index, element.register
        row = _row(width, name, *place, value, kind, precision, mask, used)
        found.append(LinkedLine(row, f"elements[{at}]"))
    found.append("//")
    return found


@lru_cache(maxsize=1 << 12)  # shaders share their signatures with the stages around them
def _row(
    width: int,
    name: str,
    index: int,
    register: int,
    value: int,
    component_type: int,
    min_precision: int,
    mask: int,
    used: int,
) -> str:
    """Return a row of the table whose column Format has this width."""
    meaning = SYSTEM_VALUES.get(value) or str(int(value))
    kind = PRECISIONS.get(min_precision) or COMPONENTS.get(component_type)
    if kind is None:
        kind = str(int(component_type))
    if register == NO_REGISTER:
        components, place = NOWHERE, REGISTERLESS.get(value, REGISTERLESS_OTHER)
        use = USED if used else UNUSED
    else:
        components, place, use = MASKS[mask], str(register), MASKS[used]
    return TABLES[width].row(name, index, components, place, meaning, kind, use)
