"""Signatures of a listing: first of the parts, then of the metadata.

    ; Name                 Index   Mask Register SysValue  Format   Used
    ; -------------------- ----- ------ -------- -------- ------- ------
    ; SV_Position              0   xyzw        0      POS   float   xyzw
    ; m1:TEXCOORD              0   xy          1     NONE    fp16   x
    ; SV_Depth                 0    N/A   oDepth    DEPTH   float    YES

    ; Name                 Index             InterpMode DynIdx
    ; -------------------- ----- ---------------------- ------
    ; SV_Position              0          noperspective

A cell that is too wide moves the rest of its row. Components of inputs are used if the part marks
them as read; components of outputs, unless the part marks them as never written. The mask does not
matter.

Source: listings of dxc; DXC dxcdisassembler.cpp for rows that no listing has.
"""

from ....isa.linked import LinkedLine
from ....programs.dxil.shaderinfo import DxilSignatureElement
from ....vocab.d3d import D3DName, RegisterComponentType
from ....vocab.dxil import DxilInterpolation
from ..parts.signature import ProgramSignature, SignatureElement
from .buffers import NodePaths, no_paths

__all__ = ["metadata_lines", "part_lines"]

TITLES = "Name                 Index   Mask Register SysValue  Format   Used"
RULE = "-------------------- ----- ------ -------- -------- ------- ------"
METADATA_TITLES = "Name                 Index             InterpMode DynIdx"
METADATA_RULE = "-------------------- ----- ---------------------- ------"
NO_REGISTER = 0xFFFF_FFFF
SYSTEM_VALUES = {
    D3DName.CLIP_DISTANCE: "CLIPDST",
    D3DName.CULL_DISTANCE: "CULLDST",
    D3DName.POSITION: "POS",
    D3DName.RENDER_TARGET_ARRAY_INDEX: "RTINDEX",
    D3DName.VIEWPORT_ARRAY_INDEX: "VPINDEX",
    D3DName.VERTEX_ID: "VERTID",
    D3DName.PRIMITIVE_ID: "PRIMID",
    D3DName.INSTANCE_ID: "INSTID",
    D3DName.IS_FRONT_FACE: "FFACE",
    D3DName.SAMPLE_INDEX: "SAMPLE",
    D3DName.TARGET: "TARGET",
    D3DName.DEPTH: "DEPTH",
    D3DName.DEPTH_GREATER_EQUAL: "DEPTHGE",
    D3DName.DEPTH_LESS_EQUAL: "DEPTHLE",
    D3DName.COVERAGE: "COVERAGE",
    D3DName.INNER_COVERAGE: "INNERCOV",
    D3DName.STENCIL_REF: "STENCILREF",
    D3DName.FINAL_QUAD_EDGE_TESSFACTOR: "QUADEDGE",
    D3DName.FINAL_QUAD_INSIDE_TESSFACTOR: "QUADINT",
    D3DName.FINAL_TRI_EDGE_TESSFACTOR: "TRIEDGE",
    D3DName.FINAL_TRI_INSIDE_TESSFACTOR: "TRIINT",
    D3DName.FINAL_LINE_DETAIL_TESSFACTOR: "LINEDET",
    D3DName.FINAL_LINE_DENSITY_TESSFACTOR: "LINEDEN",
    D3DName.BARYCENTRICS: "BARYCEN",
    D3DName.SHADINGRATE: "SHDINGRATE",
    D3DName.CULLPRIMITIVE: "CULLPRIM",
}
COMPONENTS = {
    RegisterComponentType.FLOAT32: "float",
    RegisterComponentType.SINT32: "int",
    RegisterComponentType.UINT32: "uint",
    RegisterComponentType.UINT16: "uint16",
    RegisterComponentType.SINT16: "int16",
    RegisterComponentType.FLOAT16: "fp16",
    RegisterComponentType.UINT64: "uint64",
    RegisterComponentType.SINT64: "int64",
    RegisterComponentType.FLOAT64: "double",
}
# What stands for the register of outputs without one, with the blanks before it.
REGISTERLESS = {
    "sv_depth": "   oDepth",
    "sv_depthgreaterequal": " oDepthGE",
    "sv_depthlessequal": " oDepthLE",
    "sv_coverage": "    oMask",
    "sv_stencilref": "    oStencilRef",
}
PRIMITIVE, SPECIAL = "   primID", "  special"
INTERPOLATIONS = {
    DxilInterpolation.UNDEFINED: "",
    DxilInterpolation.CONSTANT: "nointerpolation",
    DxilInterpolation.LINEAR: "linear",
    DxilInterpolation.LINEAR_CENTROID: "centroid",
    DxilInterpolation.LINEAR_NOPERSPECTIVE: "noperspective",
    DxilInterpolation.LINEAR_NOPERSPECTIVE_CENTROID: "noperspective centroid",
    DxilInterpolation.LINEAR_SAMPLE: "sample",
    DxilInterpolation.LINEAR_NOPERSPECTIVE_SAMPLE: "noperspective sample",
}


def part_lines(title: str, signature: ProgramSignature, is_input: bool) -> list[str]:
    """Return the table of a signature part."""
    lines = [";", f"; {title} signature:", ";", f"; {TITLES}", f"; {RULE}"]
    elements = signature.elements
    if not elements:
        return [*lines, "; no parameters"]
    streams = any(each.stream for each in elements)
    lines += [
        LinkedLine(_row(each, is_input, streams), f"elements[{at}]")
        for at, each in enumerate(elements)
    ]
    return [*lines, ";"]


def _mask(bits: int) -> str:
    return "".join(letter if bits >> at & 1 else " " for at, letter in enumerate("xyzw"))


def _row(element: SignatureElement, is_input: bool, streams: bool) -> str:
    name = f"m{element.stream}:{element.name:<17}" if streams else f"{element.name:<20}"
    used = element.rw_mask if is_input else ~element.rw_mask & 0xFF
    value = element.system_value
    if element.register == NO_REGISTER:
        register = REGISTERLESS.get(
            element.name.lower(), PRIMITIVE if value == D3DName.PRIMITIVE_ID else SPECIAL
        )
        place = f"    N/A{register}"
        use = "    YES" if used else "     NO"
    else:
        place = f"   {_mask(element.mask)} {element.register:>8}"
        use = f"   {_mask(used)}"
    meaning = SYSTEM_VALUES.get(value, "NONE")  # type: ignore[call-overload]
    component = COMPONENTS.get(element.component_type, "unknown")  # type: ignore[call-overload]
    return f"; {name} {element.index:>5}{place}{meaning:>9}{component:>8}{use}"


def metadata_lines(
    title: str, elements: list[DxilSignatureElement], paths: NodePaths = no_paths
) -> list[str]:
    """Return the table of a signature of the metadata, linked by `paths`; none if it is empty."""
    if not elements:
        return []
    lines = [";", f"; {title} signature:", ";", f"; {METADATA_TITLES}", f"; {METADATA_RULE}"]
    for each in elements:
        index = each.indices[0] if each.indices else 0
        mode = INTERPOLATIONS.get(each.interpolation, "invalid")  # type: ignore[call-overload]
        dynamic = _mask(each.dynamic_mask).replace(" ", "")
        line = f"; {each.name:<20} {index:>5} {mode:>22}   {dynamic:>4}"
        lines.append(LinkedLine(line, *paths(each.node)))
    return lines
