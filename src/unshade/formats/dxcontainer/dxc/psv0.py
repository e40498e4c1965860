"""PSV0 as dxc writes it for a program.

    !{i32 0, !"COLOR", i8 9, …}          an element of the inputs
    !{i32 0, %t* undef, !"t", i32 0, …}  a resource
    4, !{i32 8, i32 8, i32 1}            threads of a group
    storeOutput(…, %x)                   masks of outputs that depend on inputs

The whole part is derived from metadata and code. `validator` is the version that the program is
meant for; later ones read more fields.

Source: microsoft/DirectXShaderCompiler, PSV0 parts of its shaders; DxilPipelineStateValidation.h.
"""

from typing import Any

from ....limits import Limits
from ....programs.dxil.code import Code
from ....programs.dxil.datalayout import DataLayout
from ....programs.dxil.dependence import Dependence, dependence_of, vectors
from ....programs.dxil.model.module import DxilModule
from ....programs.dxil.shaderinfo import (
    DxilEntryPoint,
    DxilResource,
    DxilShader,
    DxilSignatureElement,
    read_shader,
)
from ....vocab.d3d import UNBOUNDED, RegisterComponentType, ShaderKind
from ....vocab.dxil import DxilComponentType, DxilInterpolation, DxilResourceKind, DxilSemantic
from ....wire import Record, write
from ..parts.psv0 import (
    SIZES,
    STAGE_INFO,
    AmplificationInfo,
    DomainInfo,
    GeometryInfo,
    HullInfo,
    MeshInfo,
    NoStageInfo,
    PipelineStateValidation,
    PixelInfo,
    PsvElement,
    PsvResource,
    PsvResourceType,
    UnknownStageInfo,
    VertexInfo,
)

__all__ = ["DERIVED", "MASKS", "changes", "psv0_of"]

SHARED_SPACE = 3  # address space of memory of a thread group
USES_VIEW_ID = 1 << 21
ANY_LANES = 0xFFFF_FFFF
LAST = 0xFFFF_FFFF  # register
ALLOCATED = 0x40
SRV, UAV, CBUFFER, SAMPLER = range(4)
STREAMS = 4
EXTENDED, THREADS, ENTRY, SHARED = 2, 2, 3, 4  # versions that bring fields
GROUPS = (ShaderKind.COMPUTE, ShaderKind.MESH, ShaderKind.AMPLIFICATION)
# The first validator that knows each size of the runtime information.
VALIDATORS = ((1, 0), (1, 1), (1, 6), (1, 8), (1, 10))
MASKS = (
    *(f"view_outputs_{stream}" for stream in range(STREAMS)),
    "view_patch",
    *(f"dependencies_{stream}" for stream in range(STREAMS)),
    "patch_dependencies",
    "dependencies_on_patch",
)
DERIVED = (
    *("stage_info", "min_wave_lanes", "max_wave_lanes", "stage", "uses_view_id"),
    *("max_vertex_count", "patch_vectors", "mesh_topology", "input_vectors"),
    *(f"output_vectors_{stream}" for stream in range(STREAMS)),
    *("threads_x", "threads_y", "threads_z", "entry_point", "group_shared_bytes"),
    *("resources", "inputs", "outputs", "patch"),
    *MASKS,
)
C, K, T = DxilComponentType, DxilResourceKind, PsvResourceType
COMPONENTS: dict[int, int] = {
    C.I1: RegisterComponentType.UINT32,
    C.I16: RegisterComponentType.SINT16,
    C.U16: RegisterComponentType.UINT16,
    C.I32: RegisterComponentType.SINT32,
    C.U32: RegisterComponentType.UINT32,
    C.I64: RegisterComponentType.SINT64,
    C.U64: RegisterComponentType.UINT64,
    C.F16: RegisterComponentType.FLOAT16,
    C.F32: RegisterComponentType.FLOAT32,
    C.F64: RegisterComponentType.FLOAT64,
}
SRVS: dict[int, int] = {K.RAW_BUFFER: T.SRV_RAW, K.ACCELERATION_STRUCTURE: T.SRV_RAW,
        K.STRUCTURED_BUFFER: T.SRV_STRUCTURED}  # fmt: skip
UAVS: dict[int, int] = {K.RAW_BUFFER: T.UAV_RAW, K.STRUCTURED_BUFFER: T.UAV_STRUCTURED}
DEPTHS = (DxilSemantic.DEPTH, DxilSemantic.DEPTH_LESS_EQUAL, DxilSemantic.DEPTH_GREATER_EQUAL)
SAMPLES = (DxilInterpolation.LINEAR_SAMPLE, DxilInterpolation.LINEAR_NOPERSPECTIVE_SAMPLE)


def psv0_of(code: Code, size: int | None = None) -> PipelineStateValidation | None:
    """Return the contents of a program's PSV0; None for a library, which does not have a PSV0.

    Args:
        code: The program.
        size: Size of the runtime information; by default as in the validator's version.

    Raises:
        FormatError: The metadata is malformed.
        LimitError: The code takes more work than the limits allow.
    """
    module = code.read_module()
    shader = read_shader(module)
    if code.kind == ShaderKind.LIBRARY or not shader.entry_points:
        return None
    entry = shader.entry_points[0]
    if size is None:
        size = _size(shader)
    version = max((at for at, each in enumerate(SIZES) if each <= size), default=0)
    found = PipelineStateValidation(
        info_size=size,
        **_runtime(code, entry, version, _shared_size(module, code.limits)),
        resources=[_resource(each, version >= EXTENDED) for each in entry.resources.all],
    )
    if version:
        found.inputs, found.outputs, found.patch = (
            [_element(each) for each in elements] for elements in entry.signatures
        )
        _depend(found, dependence_of(code, entry, code.kind))
    return found


def changes(
    before: PipelineStateValidation, now: PipelineStateValidation, old: Code, new: Code
) -> dict[str, Any]:
    """Return the fields of PSV0 that an edit of its program changes, with their values.

    A field does not change if its value differed from dxc's before the edit, or was set since. If
    the number of registers changes, masks that would not fit change, too.

    Args:
        before: PSV0 before the edit.
        now: PSV0 after it.
        old: The program before the edit.
        new: The program after it.

    Raises:
        FormatError: The metadata of a program is malformed.
        LimitError: A program takes more work than the limits allow.
    """
    earlier, later = psv0_of(old, before.info_size), psv0_of(new, before.info_size)
    if earlier is None or later is None:
        return {}
    found = {}
    for name in DERIVED:
        value = getattr(later, name)
        if value == getattr(earlier, name):
            continue
        if getattr(before, name) == getattr(earlier, name) == getattr(now, name):
            found[name] = value
    if any(name.endswith("_vectors") or "_vectors_" in name for name in found):
        for name in MASKS:
            if isinstance(table := getattr(now, name), list):
                value = getattr(later, name)
                if len(table) != len(value):
                    found.setdefault(name, value)
    return found


def _size(shader: DxilShader) -> int:
    """Return the size of the runtime information that the shader's validator reads."""
    known = sum(shader.is_validated_by(*each) for each in VALIDATORS)
    return SIZES[max(known, 1) - 1]


def _runtime(code: Code, entry: DxilEntryPoint, version: int, shared: int) -> dict[str, Any]:
    """Return the runtime information of a version; `shared` is the size of shared memory."""
    properties = entry.properties
    inputs, outputs, patch = entry.signatures
    least, most = _lanes(properties.wave_size)
    info = _stage_info(code.kind, entry, shared)
    found: dict[str, Any] = {"min_wave_lanes": least, "max_wave_lanes": most}
    if not version:
        return found | {"stage_info": UnknownStageInfo(raw=write(info))}
    found |= {
        "stage_info": info,
        "stage": code.kind,
        "uses_view_id": int(bool(properties.flags & USES_VIEW_ID)),
        "input_vectors": vectors(inputs),
    }
    found |= {f"output_vectors_{each}": vectors(outputs, each) for each in range(STREAMS)}
    if properties.geometry is not None:
        found["max_vertex_count"] = properties.geometry.max_vertices
    else:
        found["patch_vectors"] = vectors(patch)
        found["mesh_topology"] = properties.mesh.topology if properties.mesh is not None else 0
    group = properties.mesh or properties.amplification
    threads = (*(properties.threads if group is None else group.threads), 0, 0, 0)
    if version >= THREADS:
        found["threads_x"], found["threads_y"], found["threads_z"], *_ = threads
    if version >= ENTRY:
        found["entry_point"] = entry.name
    if version >= SHARED and code.kind in GROUPS:
        found["group_shared_bytes"] = shared
    return found


def _lanes(sizes: tuple[int, ...]) -> tuple[int, int]:
    """Return the minimum and the maximum number of lanes of a wave."""
    if not sizes or not sizes[0]:
        return 0, ANY_LANES
    most = sizes[1] if len(sizes) > 1 else 0
    return sizes[0], most or sizes[0]


def _shared_size(module: DxilModule, limits: Limits) -> int:
    """Return the size of the memory that the threads of a group share, in bytes."""
    layout = DataLayout(module.data_layout, limits)
    shared = (each for each in module.variables if getattr(each.type, "space", 0) == SHARED_SPACE)
    return sum(layout.size(each.value_type) for each in shared)


def _stage_info(kind: int, entry: DxilEntryPoint, shared: int) -> Record:
    """Return the information for the stage."""
    found = STAGE_INFO.get(kind, NoStageInfo)()
    properties = entry.properties
    geometry, domain, hull = properties.geometry, properties.domain, properties.hull
    inputs, outputs, _ = entry.signatures
    position = int(any(each.semantic == DxilSemantic.POSITION for each in outputs))
    if isinstance(found, VertexInfo):
        found.output_position_present = position
    elif isinstance(found, PixelInfo):
        found.depth_output = int(any(each.semantic in DEPTHS for each in outputs))
        found.sample_frequency = int(
            any(
                each.interpolation in SAMPLES or each.semantic == DxilSemantic.SAMPLE_INDEX
                for each in inputs
            )
        )
    elif isinstance(found, GeometryInfo) and geometry is not None:
        found.input_primitive = geometry.input_primitive
        found.output_topology = geometry.topology
        found.output_stream_mask = geometry.streams
        found.output_position_present = position
    elif isinstance(found, HullInfo) and hull is not None:
        found.input_control_points = hull.input_control_points
        found.output_control_points = hull.output_control_points
        found.tessellator_domain = hull.domain
        found.tessellator_output_primitive = hull.output_primitive
    elif isinstance(found, DomainInfo) and domain is not None:
        found.input_control_points = domain.input_control_points
        found.output_position_present = position
        found.tessellator_domain = domain.domain
    elif isinstance(found, MeshInfo) and properties.mesh is not None:
        found.group_shared_bytes = shared
        found.payload_size = properties.mesh.payload_size
        found.max_output_vertices = properties.mesh.max_vertices
        found.max_output_primitives = properties.mesh.max_primitives
    elif isinstance(found, AmplificationInfo) and properties.amplification is not None:
        found.payload_size = properties.amplification.payload_size
    return found


def _resource(each: DxilResource, extended: bool) -> PsvResource:
    if each.group == UAV:
        type = (
            T.UAV_STRUCTURED_WITH_COUNTER if each.has_counter else UAVS.get(each.kind, T.UAV_TYPED)
        )
    elif each.group == SRV:
        type = SRVS.get(each.kind, T.SRV_TYPED)
    else:
        type = T.CBV if each.group == CBUFFER else T.SAMPLER
    unbounded = each.registers == UNBOUNDED
    found = PsvResource(
        type=type,
        space=each.space,
        lower_bound=each.lower,
        upper_bound=UNBOUNDED if unbounded else (each.lower + each.registers - 1) & LAST,
    )
    if extended:
        found.kind = K.SAMPLER if each.group == SAMPLER else each.kind
        found.flags = int(each.atomic64)
    return found


def _element(each: DxilSignatureElement) -> PsvElement:
    columns = each.columns & 15
    allocated = each.start_row >= 0
    if allocated:
        columns |= ALLOCATED | (each.start_column & 3) << 4
    return PsvElement(
        name=each.name if each.semantic == DxilSemantic.ARBITRARY else "",
        indices=list(each.indices[: each.rows]),
        start_row=each.start_row if allocated else 0,
        columns=columns,
        semantic=each.semantic,
        component_type=COMPONENTS.get(each.component_type, RegisterComponentType.UNKNOWN),
        interpolation=each.interpolation,
        dynamic=each.dynamic_mask & 15 | (each.stream & 3) << 4,
    )


def _depend(found: PipelineStateValidation, given: Dependence) -> None:
    """Set the masks of dependence that the record has."""
    for stream in range(STREAMS):
        if getattr(found, f"output_vectors_{stream}"):
            if found.uses_view_id:
                setattr(found, f"view_outputs_{stream}", given.view[stream])
            if found.input_vectors:
                setattr(found, f"dependencies_{stream}", given.inputs[stream])
    in_hull, in_domain = found.stage == ShaderKind.HULL, found.stage == ShaderKind.DOMAIN
    if found.patch_vectors:
        if found.uses_view_id and (in_hull or found.stage == ShaderKind.MESH):
            found.view_patch = given.patch_view
        if in_hull and found.input_vectors:
            found.patch_dependencies = given.patch_inputs
        if in_domain and found.output_vectors_0:
            found.dependencies_on_patch = given.from_patch
