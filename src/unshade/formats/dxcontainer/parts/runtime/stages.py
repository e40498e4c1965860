"""Signature elements and information of stages. Experimental.

No file with these tables was at hand. Source: DXC RDAT_LibraryTypes.inl.
"""

from .....vocab.d3d import (
    D3DPrimitive,
    PrimitiveTopology,
    TessellatorDomain,
    TessellatorOutputPrimitive,
)
from .....vocab.dxil import DxilComponentType, DxilInterpolation, DxilSemantic, MeshTopology
from .....wire import Record, derived, field, rest, u8, u16, u32
from .references import bytes_of, numbers_of, text_of


class RdatSignatureElement(Record):
    """An element of a signature. 16 bytes with alignment. Experimental."""

    name: str | None = text_of("semantic name")
    indices: list[int] = numbers_of("semantic index of each row")
    semantic: u8 = field("system value", enum=DxilSemantic)
    component_type: u8 = field("type of the components", enum=DxilComponentType)
    interpolation: u8 = field("interpolation", enum=DxilInterpolation)
    start_row: u8 = field("first register; 0xFF: none")
    columns_and_stream: u8 = field("bits 0, 1: columns - 1; 2, 3: first column; 4, 5: stream")
    masks: u8 = field("bits 0 to 3: components used; 4 to 7: dynamically indexed")
    later: bytes = rest()


class VertexShaderInfo(Record):
    """A vertex shader. Experimental."""

    inputs: list[int] = numbers_of("indices of signature elements")
    outputs: list[int] = numbers_of("indices of signature elements")
    view_outputs: bytes = bytes_of("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    later: bytes = rest()


class PixelShaderInfo(Record):
    """A pixel shader. Experimental."""

    inputs: list[int] = numbers_of("indices of signature elements")
    outputs: list[int] = numbers_of("indices of signature elements")
    later: bytes = rest()


class HullShaderInfo(Record):
    """A hull shader. Experimental."""

    inputs: list[int] = numbers_of("indices of signature elements")
    outputs: list[int] = numbers_of("indices of signature elements")
    patch_constants: list[int] = numbers_of("indices of signature elements")
    view_outputs: bytes = bytes_of("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    view_patch: bytes = bytes_of("mask of patch constants that depend on the view", "patch_size")
    patch_size: u32 | None = derived("size of the mask", "len(view_patch)")
    dependencies: bytes = bytes_of("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    patch_dependencies: bytes = bytes_of("masks of patch constants by input", "masks_size")
    masks_size: u32 | None = derived("size of the masks", "len(patch_dependencies)")
    input_control_points: u8 = field("number of input control points")
    output_control_points: u8 = field("number of output control points")
    tessellator_domain: u8 = field("domain", enum=TessellatorDomain)
    tessellator_output_primitive: u8 = field("primitive", enum=TessellatorOutputPrimitive)
    later: bytes = rest()


class DomainShaderInfo(Record):
    """A domain shader. Experimental."""

    inputs: list[int] = numbers_of("indices of signature elements")
    outputs: list[int] = numbers_of("indices of signature elements")
    patch_constants: list[int] = numbers_of("indices of signature elements")
    view_outputs: bytes = bytes_of("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    dependencies: bytes = bytes_of("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    patch_dependencies: bytes = bytes_of("masks of outputs by patch constant", "masks_size")
    masks_size: u32 | None = derived("size of the masks", "len(patch_dependencies)")
    input_control_points: u8 = field("number of input control points")
    tessellator_domain: u8 = field("domain", enum=TessellatorDomain)
    later: bytes = rest()


class GeometryShaderInfo(Record):
    """A geometry shader. Experimental."""

    inputs: list[int] = numbers_of("indices of signature elements")
    outputs: list[int] = numbers_of("indices of signature elements")
    view_outputs: bytes = bytes_of("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    dependencies: bytes = bytes_of("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    input_primitive: u8 = field("input primitive", enum=D3DPrimitive)
    output_topology: u8 = field("output topology", enum=PrimitiveTopology)
    max_vertex_count: u8 = field("maximum number of vertices")
    output_stream_mask: u8 = field("streams that are written, one bit each")
    later: bytes = rest()


class ComputeShaderInfo(Record):
    """A compute shader. Experimental."""

    threads: list[int] = numbers_of("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    later: bytes = rest()


class MeshShaderInfo(Record):
    """A mesh shader. Experimental."""

    outputs: list[int] = numbers_of("indices of signature elements")
    primitive_outputs: list[int] = numbers_of("indices of signature elements")
    view_outputs: bytes = bytes_of("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    view_primitives: bytes = bytes_of("mask of primitive outputs", "primitives_size")
    primitives_size: u32 | None = derived("size of the mask", "len(view_primitives)")
    threads: list[int] = numbers_of("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    group_shared_bytes_by_view: u32 = field("group-shared memory that depends on the view")
    payload_size: u32 = field("size of the payload in bytes")
    max_output_vertices: u16 = field("maximum number of vertices")
    max_output_primitives: u16 = field("maximum number of primitives")
    mesh_topology: u8 = field("primitives", enum=MeshTopology)
    later: bytes = rest()


class AmplificationShaderInfo(Record):
    """An amplification shader. Experimental."""

    threads: list[int] = numbers_of("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    payload_size: u32 = field("size of the payload in bytes")
    later: bytes = rest()
