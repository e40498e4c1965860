"""Patch constant, input and output signatures.

    // Name                 Index   Mask Register SysValue  Format   Used
    // -------------------- ----- ------ -------- -------- ------- ------
    // SV_Position              0   xyzw        0      POS   float       <
    // m1:TEXCOORD              0   xy          1     NONE  min16f   x   <
    // SV_Depth                 0    N/A   oDepth    DEPTH   float    YES

Each component has its own column, so that rows end with blanks. Inputs are used where the program
reads them, outputs where it writes them; the file has the complement for outputs. As soon as one
row is of a stream above 0, all rows name theirs. Source: listings of fxc.
"""

from ....vocab.d3d import ShaderKind
from ..parts.signature import Signature
from .generation import Generation
from .names import (
    COMPONENTS,
    PIXEL_OUTPUTS,
    PRECISIONS,
    REGISTERLESS,
    REGISTERLESS_OTHER,
    SYSTEM_VALUES,
)

NO_REGISTER = 0xFFFFFFFF
MASKS = ["".join("xyzw"[i] if bits >> i & 1 else " " for i in range(4)) for bits in range(16)]


def lines(
    title: str, signature: Signature, stage: int, written: bool, generation: Generation
) -> list[str]:
    """The table called `title` ("Input"); `written` where the shader writes these registers."""
    width = generation.format_width
    word = "Format"
    found = [
        "//",
        f"// {title} signature:",
        "//",
        f"// Name                 Index   Mask Register SysValue {word:>{width}}   Used",
        f"// -------------------- ----- ------ -------- -------- {'-' * width} ------",
    ]
    elements = signature.elements
    if not elements:
        found.append(f"// no {title}")
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
            place = REGISTERLESS.get(value, REGISTERLESS_OTHER)
            use = " YES" if used else "  NO"
        else:
            place = f"  {MASKS[mask]} {element.register:>8}"
            use = MASKS[used]
        found.append(
            f"// {name:<20} {element.index:>5} {place} {meaning:>8} {kind:>{width}}   {use}"
        )
    found.append("//")
    return found
