"""Patch constant, input and output signatures.

    // Name                 Index   Mask Register SysValue  Format   Used
    // -------------------- ----- ------ -------- -------- ------- ------
    // SV_Position              0   xyzw        0      POS   float       <
    // m1:TEXCOORD              0   xy          1     NONE  min16f   x   <
    // SV_Depth                 0    N/A   oDepth    DEPTH   float    YES

Each component has its own column, so that rows end with blanks. `Used` are the components that the
program reads of an input or writes of an output; for outputs the file has the complement. If a row
has a stream above 0, all rows name their stream. Source: listings of fxc.
"""

from typing import NamedTuple

from .....vocab.d3d import PIXEL_OUTPUTS, ShaderKind
from ...parts.signature import ProgramSignature
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
    SignatureTable("Patch Constant", ("PCSG", "PSG1"), frozenset({ShaderKind.HULL})),
    SignatureTable("Input", ("ISGN", "ISG1"), frozenset()),
    SignatureTable("Output", ("OSGN", "OSG5", "OSG1"), frozenset(ShaderKind)),
)
HEADING = "{} signature:"
NO_ROWS = "no {}"  # the title again


def lines(
    title: str, signature: ProgramSignature, stage: int, written: bool, generation: Generation
) -> list[str]:
    """Return the lines of the table `title`; `written` if the shader writes these registers."""
    table = TABLES[generation.format_width]
    found = ["//", f"// {HEADING.format(title)}", "//", *table.heads]
    elements = signature.elements
    if not elements:
        found.append(f"// {NO_ROWS.format(title)}")
        return found
    streams = any(element.stream for element in elements)
    outputs = PIXEL_OUTPUTS if written and stage == ShaderKind.PIXEL else None
    for element in elements:
        name = f"m{element.stream}:{element.name}" if streams else element.name
        value = element.system_value
        if not value and outputs is not None:
            value = outputs.get(element.name.lower(), value)
        meaning = SYSTEM_VALUES.get(value) or str(int(value))
        kind = PRECISIONS.get(element.min_precision or 0) or COMPONENTS.get(element.component_type)
        if kind is None:
            kind = str(int(element.component_type))
        mask = element.mask & 15
        used = mask & (~element.rw_mask if written else element.rw_mask)
        if element.register == NO_REGISTER:
            components, register = NOWHERE, REGISTERLESS.get(value, REGISTERLESS_OTHER)
            use = USED if used else UNUSED
        else:
            components, register = MASKS[mask], str(element.register)
            use = MASKS[used]
        found.append(table.row(name, element.index, components, register, meaning, kind, use))
    found.append("//")
    return found
