"""PSV0: the data that the runtime compares with the pipeline before it compiles a DXIL program.

    +0 u32 size of the runtime information (24, 36, 48, 52 or 56)   +4 runtime information
    u32 resource count   [u32 size of a row   rows]
    from 36 on:  u32 size   texts      u32 count   semantic indices
                 [u32 size of an element   elements: inputs, outputs, patch constants]
                 masks of outputs that depend on the view      tables of masks: a row for each
                 component of an input, with the outputs that depend on it

A mask has four bits for each vector (register) of a signature, in whole words of 32 bits. Source:
DXC DxilPipelineStateValidation.h, LLVM DXContainer.h and DirectX/DXContainer.rst.
"""

from collections.abc import Iterator
from typing import Any

from ....enums import IntEnum, member_of
from ....errors import FormatError
from ....vocab.d3d import (
    D3DPrimitive,
    PrimitiveTopology,
    RegisterComponentType,
    ShaderKind,
    TessellatorDomain,
    TessellatorOutputPrimitive,
)
from ....vocab.dxil import DxilInterpolation, DxilResourceKind, DxilSemantic, MeshTopology
from ....wire import (
    Integer,
    Nested,
    Record,
    TextTable,
    WordTable,
    array,
    blob,
    derived,
    field,
    integer,
    padding,
    reference,
    rest,
    switch,
    table,
    u8,
    u16,
    u32,
)
from ....wire.codegen import Arguments
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind
from .masks import COLUMNS, COMPONENTS, DYNAMIC, component_names

SIZES = (24, 36, 48, 52, 56)  # of the runtime information, by version
STAGE_AT = 4 + 24  # offset of the stage in the part
UNKNOWN_STAGE = 255  # version 0 does not say
TEXTS = TextTable(shared=False)
INDICES = WordTable()


class PsvResourceType(IntEnum):
    """PSVResourceType: how a resource is accessed."""

    INVALID = 0
    SAMPLER = 1
    CBV = 2
    SRV_TYPED = 3
    SRV_RAW = 4
    SRV_STRUCTURED = 5
    UAV_TYPED = 6
    UAV_RAW = 7
    UAV_STRUCTURED = 8
    UAV_STRUCTURED_WITH_COUNTER = 9


class VertexInfo(Record):
    """The part of the runtime information for vertex shaders. 16 bytes."""

    output_position_present: u8 = field("1: there is an output SV_Position")
    unused: bytes = padding("rest of the 16 bytes", 15)


class HullInfo(Record):
    """The part for hull shaders. 16 bytes."""

    input_control_points: u32 = field("number of input control points")
    output_control_points: u32 = field("number of output control points")
    tessellator_domain: u32 = field("domain", enum=TessellatorDomain)
    tessellator_output_primitive: u32 = field("primitive", enum=TessellatorOutputPrimitive)


class DomainInfo(Record):
    """The part for domain shaders. 16 bytes."""

    input_control_points: u32 = field("number of input control points")
    output_position_present: u8 = field("1: there is an output SV_Position")
    unused: bytes = padding("alignment", 3)
    tessellator_domain: u32 = field("domain", enum=TessellatorDomain)
    unused_2: bytes = padding("rest of the 16 bytes", 4)


class GeometryInfo(Record):
    """The part for geometry shaders. 16 bytes."""

    input_primitive: u32 = field("input primitive", enum=D3DPrimitive)
    output_topology: u32 = field("output topology", enum=PrimitiveTopology)
    output_stream_mask: u32 = field("streams that are written, one bit each")
    output_position_present: u8 = field("1: there is an output SV_Position")
    unused: bytes = padding("alignment", 3)


class PixelInfo(Record):
    """The part for pixel shaders. 16 bytes."""

    depth_output: u8 = field("1: the shader writes the depth")
    sample_frequency: u8 = field("1: the shader runs once per sample")
    unused: bytes = padding("rest of the 16 bytes", 14)


class MeshInfo(Record):
    """The part for mesh shaders. 16 bytes."""

    group_shared_bytes: u32 = field("group-shared memory in bytes")
    group_shared_bytes_by_view: u32 = field("group-shared memory that depends on the view, bytes")
    payload_size: u32 = field("size of the payload in bytes")
    max_output_vertices: u16 = field("maximum number of vertices")
    max_output_primitives: u16 = field("maximum number of primitives")


class AmplificationInfo(Record):
    """The part for amplification shaders. 16 bytes."""

    payload_size: u32 = field("size of the payload in bytes")
    unused: bytes = padding("rest of the 16 bytes", 12)


class NoStageInfo(Record):
    """The part for stages without information. 16 bytes."""

    unused: bytes = padding("no information", 16)


class UnknownStageInfo(Record):
    """The part in version 0, which does not contain the stage. 16 bytes."""

    raw: bytes = blob("as for one of the stages", 16, default=bytes(16))


StageInfo = (
    VertexInfo
    | HullInfo
    | DomainInfo
    | GeometryInfo
    | PixelInfo
    | MeshInfo
    | AmplificationInfo
    | NoStageInfo
    | UnknownStageInfo
)
STAGE_INFO: dict[int, type[Record]] = {
    ShaderKind.PIXEL: PixelInfo,
    ShaderKind.VERTEX: VertexInfo,
    ShaderKind.GEOMETRY: GeometryInfo,
    ShaderKind.HULL: HullInfo,
    ShaderKind.DOMAIN: DomainInfo,
    ShaderKind.MESH: MeshInfo,
    ShaderKind.AMPLIFICATION: AmplificationInfo,
}


class PsvResource(Record, params=("extended",)):
    """A resource that the program uses, as a range of registers."""

    type: u32 = field("how it is accessed", enum=PsvResourceType)
    space: u32 = field("register space")
    lower_bound: u32 = field("first register")
    upper_bound: u32 = field("last register; 0xFFFFFFFF: unbounded")
    kind: u32 = field(
        "shape", enum=DxilResourceKind, default=DxilResourceKind.INVALID, when="extended"
    )
    flags: u32 = field("1: used by 64-bit atomics", default=0, when="extended")
    later: bytes = rest()


class PsvElement(Record):
    """An element of a signature. 16 bytes."""

    name: str = reference("semantic name; empty for system values", "strings", TEXTS)
    indices: list[int] = reference("semantic index of each row", "indices", INDICES, length="rows")
    rows: u8 | None = derived("number of rows", "len(indices)")
    start_row: u8 = field("first register, if it is allocated")
    columns: u8 = field(
        "bits 0 to 3: number of components, 4 and 5: first component, 6: allocated", spell=COLUMNS
    )
    semantic: u8 = field("system value", enum=DxilSemantic)
    component_type: u8 = field("type of the components", enum=RegisterComponentType)
    interpolation: u8 = field("interpolation", enum=DxilInterpolation)
    dynamic: u8 = field(
        "bits 0 to 3: components that are dynamically indexed, 4 and 5: stream", spell=DYNAMIC
    )
    reserved: u8 = padding("reserved")
    later: bytes = rest()

    def mask(self) -> int:
        """Return the components that the element has in its first row, as bits; x is bit 0."""
        count, start = self.columns & 15, self.columns >> 4 & 3
        return ((1 << count) - 1) << (start if self.columns & 0x40 else 0) & 15

    @property
    def allocated(self) -> bool:
        """True if it has registers."""
        return bool(self.columns & 0x40)

    @property
    def stream(self) -> int:
        """Stream of a geometry shader's output."""
        return self.dynamic >> 4 & 3


_MASK = "4 * (({} + 7) // 8)"  # bytes of a mask for so many vectors


def _view_mask(vectors: str, when: str) -> Any:
    doc = "components of outputs that depend on the view, such as `0.xy 3.w`"
    size = _MASK.format(vectors)
    return integer(doc, size, spell=COMPONENTS, when=f"version >= 1 and uses_view_id and {when}")


def _dependencies(inputs: str, outputs: str, when: str = "version >= 1") -> Any:
    doc = f"for each component of `{inputs}`, the components of `{outputs}` that depend on it"
    size = _MASK.format(outputs)
    when = f"{when} and {inputs} and {outputs}"
    return array(doc, Integer(size), count=f"4 * {inputs}", spell=COMPONENTS, when=when)


class PipelineStateValidation(
    Record, params=("shader", "version"), source="DXC DxilPipelineStateValidation.h"
):
    """The PSV0 part."""

    info_size: u32 = field("size of the runtime information: 24 for version 0, 36, 48, 52, 56")
    stage_info: StageInfo = switch(
        "information for the stage",
        "shader",
        {**STAGE_INFO, UNKNOWN_STAGE: UnknownStageInfo},
        other=NoStageInfo,
    )
    min_wave_lanes: u32 = field("minimum number of lanes of a wave; 0: any")
    max_wave_lanes: u32 = field("maximum number of lanes of a wave; 0xFFFFFFFF: any")
    stage: u8 = field("stage", enum=ShaderKind, default=0, when="version >= 1")
    uses_view_id: u8 = field("1: the program uses SV_ViewID", default=0, when="version >= 1")
    max_vertex_count: u16 = field(
        "maximum number of vertices of a geometry shader",
        default=0,
        when=f"version >= 1 and shader == {ShaderKind.GEOMETRY:d}",
    )
    patch_vectors: u8 = field(
        "registers of the patch constants, or of a mesh shader's primitive outputs",
        default=0,
        when=f"version >= 1 and shader != {ShaderKind.GEOMETRY:d}",
    )
    mesh_topology: u8 = field(
        "primitives of a mesh shader",
        enum=MeshTopology,
        default=0,
        when=f"version >= 1 and shader != {ShaderKind.GEOMETRY:d}",
    )
    input_count: u8 | None = derived("number of inputs", "len(inputs)", when="version >= 1")
    output_count: u8 | None = derived("number of outputs", "len(outputs)", when="version >= 1")
    patch_count: u8 | None = derived(
        "number of patch constants, or of a mesh shader's primitive outputs", "len(patch)",
        when="version >= 1",
    )  # fmt: skip
    input_vectors: u8 = field("registers of the inputs", default=0, when="version >= 1")
    output_vectors_0: u8 = field("registers of stream 0", default=0, when="version >= 1")
    output_vectors_1: u8 = field("registers of stream 1", default=0, when="version >= 1")
    output_vectors_2: u8 = field("registers of stream 2", default=0, when="version >= 1")
    output_vectors_3: u8 = field("registers of stream 3", default=0, when="version >= 1")
    threads_x: u32 = field("threads of a group in x", default=0, when="version >= 2")
    threads_y: u32 = field("threads of a group in y", default=0, when="version >= 2")
    threads_z: u32 = field("threads of a group in z", default=0, when="version >= 2")
    entry_point: str = reference(
        "name of the entry point", "strings", TEXTS, order=1, default="", when="version >= 3"
    )
    group_shared_bytes: u32 = field("group-shared memory in bytes", default=0, when="version >= 4")
    later: bytes = blob(
        "runtime information of a newer version", f"info_size - {SIZES}[version]",
        when=f"info_size > {SIZES}[version]",
    )  # fmt: skip
    resource_count: u32 | None = derived("number of resources", "len(resources)")
    resource_size: u32 | None = derived(
        "size of a resource in bytes", "24 if version >= 2 else 16", when="resource_count > 0"
    )
    resources: list[PsvResource] = array(
        "resources",
        Nested(PsvResource, extended="resource_size >= 24"),
        count="resource_count",
        stride="resource_size",
        when="resource_count > 0",
    )
    string_size: u32 | None = derived(
        "size of the texts in bytes", "size(strings)", when="version >= 1"
    )
    strings: list[str] = table("texts", TEXTS, "string_size", when="version >= 1")
    index_count: u32 | None = derived(
        "number of semantic indices", "size(indices) // 4", when="version >= 1"
    )
    indices: list[int] = table("semantic indices", INDICES, "index_count", when="version >= 1")
    element_size: u32 | None = derived(
        "size of an element in bytes", "16",
        when="version >= 1 and input_count + output_count + patch_count > 0",
    )  # fmt: skip
    inputs: list[PsvElement] = array(
        "inputs", Nested(PsvElement), count="input_count", stride="element_size",
        when="version >= 1 and input_count > 0",
    )  # fmt: skip
    outputs: list[PsvElement] = array(
        "outputs", Nested(PsvElement), count="output_count", stride="element_size",
        when="version >= 1 and output_count > 0",
    )  # fmt: skip
    patch: list[PsvElement] = array(
        "patch constants, or primitive outputs of a mesh shader", Nested(PsvElement),
        count="patch_count", stride="element_size", when="version >= 1 and patch_count > 0",
    )  # fmt: skip
    view_outputs_0: int = _view_mask("output_vectors_0", "output_vectors_0")
    view_outputs_1: int = _view_mask("output_vectors_1", "output_vectors_1")
    view_outputs_2: int = _view_mask("output_vectors_2", "output_vectors_2")
    view_outputs_3: int = _view_mask("output_vectors_3", "output_vectors_3")
    view_patch: int = _view_mask(
        "patch_vectors", f"shader in ({ShaderKind.HULL:d}, {ShaderKind.MESH:d}) and patch_vectors"
    )
    dependencies_0: list[int] = _dependencies("input_vectors", "output_vectors_0")
    dependencies_1: list[int] = _dependencies("input_vectors", "output_vectors_1")
    dependencies_2: list[int] = _dependencies("input_vectors", "output_vectors_2")
    dependencies_3: list[int] = _dependencies("input_vectors", "output_vectors_3")
    patch_dependencies: list[int] = _dependencies(
        "input_vectors", "patch_vectors", f"version >= 1 and shader == {ShaderKind.HULL:d}"
    )
    dependencies_on_patch: list[int] = _dependencies(
        "patch_vectors", "output_vectors_0", f"version >= 1 and shader == {ShaderKind.DOMAIN:d}"
    )

    def described(self) -> Iterator[str]:
        """Yield sentences such as "output 2.xy depends on input 0.x, 3.w"."""
        for stream in range(4):
            outputs = f"output {stream}:" if stream else "output "
            view = getattr(self, f"view_outputs_{stream}")
            yield from _sentences(outputs, "input ", getattr(self, f"dependencies_{stream}"), view)
        yield from _sentences("patch constant ", "input ", self.patch_dependencies, self.view_patch)
        yield from _sentences("output ", "patch constant ", self.dependencies_on_patch, 0)


def _sentences(outputs: str, inputs: str, table: list[int], view: int) -> Iterator[str]:
    """Yield one sentence for each set of components of an output with the same dependencies."""
    by_output: dict[int, int] = {}  # component of an output: the components of inputs
    for component, mask in enumerate(table):
        for at in range(mask.bit_length()):
            if mask >> at & 1:
                by_output[at] = by_output.get(at, 0) | 1 << component
    whole = max(by_output, default=-1) + 1
    for vector in range(max(-(-whole // 4), -(-view.bit_length() // 4))):
        groups: dict[tuple[int, bool], int] = {}
        for bit in range(4):
            at = 4 * vector + bit
            cause = by_output.get(at, 0), bool(view >> at & 1)
            if any(cause):
                groups[cause] = groups.get(cause, 0) | 1 << at
        for (mask, on_view), components in groups.items():
            causes = [f"{inputs}{component_names(mask).replace(' ', ', ')}"] if mask else []
            causes += ["the view"] if on_view else []
            yield f"{outputs}{component_names(components)} depends on {' and '.join(causes)}"


def arguments_of(size: int, stage: int) -> Arguments:
    """Return the arguments of the record for this size of the runtime information."""
    if size < SIZES[0]:
        raise FormatError(
            f"expected at least {SIZES[0]} bytes of runtime information, got {size}",
            path="info_size",
        )
    version = max(i for i, each in enumerate(SIZES) if each <= size)
    shader = len(ShaderKind) if member_of(ShaderKind, stage) is None else stage
    return ("shader", shader if version else UNKNOWN_STAGE), ("version", version)


def _for_data(_: str, data: bytes) -> Arguments:
    stage = data[STAGE_AT] if len(data) > STAGE_AT else 0
    return arguments_of(int.from_bytes(data[:4].ljust(4, b"\xff"), "little"), stage)


def _for_value(_: str, value: Any) -> Arguments:
    if not isinstance(value, dict):
        return arguments_of(value.info_size, value.stage)
    size, stage = value.get("info_size"), value.get("stage", 0)
    named = ShaderKind.__members__.get(stage) if isinstance(stage, str) else stage
    if not isinstance(size, int) or not isinstance(named, int):
        raise FormatError("expected info_size and stage", path="PSV0")
    return arguments_of(size, int(named))


PARTS = {
    "PSV0": PartDescription(
        "pipeline state validation",
        Category.INTERFACE,
        RecordKind(PipelineStateValidation, for_data=_for_data, for_value=_for_value),
        by_dxc=True,
        llvm=LlvmForm("PSVInfo", "pipeline:FORM"),
    )
}
