"""Resource bindings of a listing, from metadata.

    ; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
    ; ------------------------------ ---------- ------- ----------- ------- -------------- ------
    ; tex                               texture     f32          2d      T0      t0,space2     1

A cell that is too wide moves the rest of its row. Source: listings of dxc.
"""

from collections.abc import Mapping

from ....isa.linked import LinkedLine
from ....programs.dxil.shaderinfo import DxilResource, DxilResources
from ....vocab.d3d import UNBOUNDED
from ....vocab.dxil import DxilResourceKind
from .buffers import NodePaths, no_paths

__all__ = ["binding_lines"]

TITLES = (
    "Name                                 Type  Format         Dim      ID      HLSL Bind  Count"
)
RULE = "------------------------------ ---------- ------- ----------- ------- -------------- ------"
SRV, UAV, CBUFFER, SAMPLER = range(4)
TYPES = ("texture", "UAV", "cbuffer", "sampler")
PREFIXES = ("T", "U", "CB", "S")
FORMATS = [
    "invalid",
    "i1",
    "i16",
    "u16",
    "i32",
    "u32",
    "i64",
    "u64",
    "f16",
    "f32",
    "f64",
    "snorm_f16",
    "unorm_f16",
    "snorm_f32",
    "unorm_f32",
    "snorm_f64",
    "unorm_f64",
    "p32i8",
    "p32u8",
]
DIMENSIONS = [
    "invalid",
    "1d",
    "2d",
    "2dMS",
    "3d",
    "cube",
    "1darray",
    "2darray",
    "2darrayMS",
    "cubearray",
    "buf",
    "rawbuf",
    "structbuf",
    "cbuffer",
    "sampler",
    "tbuffer",
    "ras",
    "fbtex2d",
    "fbtex2darray",
]


def binding_lines(
    resources: DxilResources,
    records: Mapping[tuple[int, int, int], str] | None = None,
    paths: NodePaths = no_paths,
) -> list[str]:
    """Return the table.

    Args:
        resources: The resources.
        records: Paths that rows are linked to, by group, space and first register.
        paths: Returns the paths of metadata, which rows are linked to after these.
    """
    rows = []
    for each in resources.all:
        path = (records or {}).get((each.group, each.space, each.lower))
        rows.append(LinkedLine(_row(each), *([path] if path else []), *paths(each.node)))
    return [";", "; Resource Bindings:", ";", f"; {TITLES}", f"; {RULE}", *rows, ";"]


def _row(resource: DxilResource) -> str:
    prefix = PREFIXES[resource.group]
    bind = f"{prefix.lower()}{resource.lower}"
    if resource.space:
        bind += f",space{resource.space}"
    count = "unbounded" if resource.registers == UNBOUNDED else str(resource.registers)
    identity = f"{prefix}{resource.id}"
    return (
        f"; {resource.name:<31}{TYPES[resource.group]:>10}{_format(resource):>8}"
        f"{_dimension(resource):>12}{identity:>8}{bind:>15}{count:>6}"
    )


def _format(resource: DxilResource) -> str:
    if resource.group in (CBUFFER, SAMPLER):
        return "NA"
    if resource.kind == DxilResourceKind.RAW_BUFFER:
        return "byte"
    if resource.kind == DxilResourceKind.STRUCTURED_BUFFER:
        return "struct"
    number = resource.component_type or 0
    return FORMATS[number] if number < len(FORMATS) else FORMATS[0]


def _dimension(resource: DxilResource) -> str:
    if resource.group in (CBUFFER, SAMPLER):
        return "NA"
    kind = resource.kind
    if kind in (DxilResourceKind.RAW_BUFFER, DxilResourceKind.STRUCTURED_BUFFER):
        if resource.group == SRV:
            return "r/o"
        return "r/w+cnt" if resource.has_counter else "r/w"
    name = DIMENSIONS[kind] if kind < len(DIMENSIONS) else DIMENSIONS[0]
    if kind in (DxilResourceKind.TEXTURE_2DMS, DxilResourceKind.TEXTURE_2DMS_ARRAY):
        return f"{name}{resource.samples or ''}"
    return name
