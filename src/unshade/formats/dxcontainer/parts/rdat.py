"""RDAT: runtime data of libraries: tables of functions, resources and subobjects.

    +0 u32 version (0x10)   +4 u32 count   +8 u32 offsets   tables …
    table:  u32 type   u32 size   then texts, lists of numbers or raw bytes,
            or   u32 count   u32 size of a record   records …

Records refer to texts by offset, to lists of numbers by index, to raw bytes by offset and size, and
to records of another table by index; 0xFFFFFFFF means none. Every table states the size of its
records, and a later version only appends fields. The tables from 13 on are experimental, those from
0x10001 are in PDBs (PDBI). No file with these was at hand: their layout is that of the sources.

Source: DXC DxilRuntimeReflection.h, RDAT_LibraryTypes.inl, RDAT_SubobjectTypes.inl,
RDAT_PdbInfoTypes.inl.
"""

from enum import IntEnum
from typing import Any

from ....vocab.d3d import ShaderKind
from ....vocab.dxil import (
    DxilComponentType,
    DxilInterpolation,
    DxilResourceKind,
    DxilSemantic,
    MeshTopology,
    NodeLaunch,
)
from ....wire import (
    ByteTable,
    ListTable,
    Nested,
    Pointer,
    Record,
    Reference,
    TaggedUnion,
    TextTable,
    array,
    blob,
    derived,
    field,
    reference,
    rest,
    switch,
    table,
    u8,
    u16,
    u32,
)
from ....wire.codegen import fixed_size
from .kind import RecordKind

NONE = 0xFFFF_FFFF
TEXTS = TextTable(shared=True)
LISTS = ListTable()
BYTES = ByteTable()
_TEXT = Reference("strings", TEXTS)


class RdatTableType(IntEnum):
    """RuntimeDataPartType: the contents of a table."""

    STRINGS = 1
    INDEX_ARRAYS = 2
    RESOURCES = 3
    FUNCTIONS = 4
    RAW_BYTES = 5
    SUBOBJECTS = 6
    NODE_IDS = 7
    NODE_IO_ATTRIBUTES = 8
    NODE_FUNCTION_ATTRIBUTES = 9
    IO_NODES = 10
    NODE_SHADERS = 11
    SIGNATURE_ELEMENTS = 13
    VERTEX_SHADERS = 14
    PIXEL_SHADERS = 15
    HULL_SHADERS = 16
    DOMAIN_SHADERS = 17
    GEOMETRY_SHADERS = 18
    COMPUTE_SHADERS = 19
    MESH_SHADERS = 20
    AMPLIFICATION_SHADERS = 21
    PDB_INFO = 0x1_0001
    SUB_PDB_INFO = 0x1_0002


class RdatResourceClass(IntEnum):
    """DXIL::ResourceClass."""

    SRV = 0
    UAV = 1
    CBUFFER = 2
    SAMPLER = 3


class SubobjectKind(IntEnum):
    """DXIL::SubobjectKind."""

    STATE_OBJECT_CONFIG = 0
    GLOBAL_ROOT_SIGNATURE = 1
    LOCAL_ROOT_SIGNATURE = 2
    SUBOBJECT_TO_EXPORTS_ASSOCIATION = 8
    RAYTRACING_SHADER_CONFIG = 9
    RAYTRACING_PIPELINE_CONFIG = 10
    HIT_GROUP = 11
    RAYTRACING_PIPELINE_CONFIG_1 = 12


class HitGroupType(IntEnum):
    """DXIL::HitGroupType."""

    TRIANGLE = 0
    PROCEDURAL_PRIMITIVE = 1


class NodeFunctionAttributeKind(IntEnum):
    """NodeFuncAttribKind."""

    NONE = 0
    ID = 1
    NUM_THREADS = 2
    SHARE_INPUT_OF = 3
    DISPATCH_GRID = 4
    MAX_RECURSION_DEPTH = 5
    LOCAL_ROOT_ARGUMENTS_TABLE_INDEX = 6
    MAX_DISPATCH_GRID = 7


class NodeIoAttributeKind(IntEnum):
    """NodeAttribKind."""

    NONE = 0
    OUTPUT_ID = 1
    MAX_RECORDS = 2
    MAX_RECORDS_SHARED_WITH = 3
    RECORD_SIZE_IN_BYTES = 4
    RECORD_DISPATCH_GRID = 5
    OUTPUT_ARRAY_SIZE = 6
    ALLOW_SPARSE_NODES = 7
    RECORD_ALIGNMENT_IN_BYTES = 8
    MAX_RECORDS_PER_NODE = 9


def _text(doc: str) -> Any:
    return reference(doc, "strings", TEXTS, null=NONE)


def _list(doc: str) -> Any:
    return reference(doc, "index_arrays", LISTS, null=NONE)


def _texts(doc: str) -> Any:
    return reference(doc, "index_arrays", LISTS, of=_TEXT, null=NONE)


def _bytes(doc: str, length: str) -> Any:
    return reference(doc, "raw_bytes", BYTES, length=length, default=b"")


class RdatResource(Record):
    """A resource of the library. 32 bytes."""

    resource_class: u32 = field("class", enum=RdatResourceClass)
    kind: u32 = field("shape", enum=DxilResourceKind)
    id: u32 = field("number in its class")
    space: u32 = field("register space")
    lower_bound: u32 = field("first register")
    upper_bound: u32 = field("last register; 0xFFFFFFFF: unbounded")
    name: str | None = _text("name")
    flags: u32 = field(
        "1: globally coherent, 2: with a counter, 4: rasterizer ordered, 8: dynamically indexed,"
        " 16: used by 64-bit atomics"
    )
    later: bytes = rest()


class RdatFunction(Record, params=("extended",)):
    """A function of the library. 44 bytes, from validator version 1.8 on 52."""

    name: str | None = _text("mangled name")
    unmangled_name: str | None = _text("name in the source")
    resources: list[int] = _list("indices of the resources that it uses")
    dependencies: list[str] = _texts("names of functions that it calls from elsewhere")
    shader_kind: u32 = field("stage; LIBRARY for a function", enum=ShaderKind)
    payload_size: u32 = field("size of the payload, or of the parameter of a callable shader")
    attribute_size: u32 = field("size of the attributes of a hit shader")
    features: u32 = field("required features, bits 0 to 31 of SFI0")
    features_high: u32 = field(
        "features, bits 32 to 63 of SFI0; 0x100: uses derivatives, 0x200: requires a group"
    )
    stages: u32 = field("stages that may use it, one bit each, by the numbers of the stages")
    min_target: u32 = field("minimum target: u8 minor, u8 major, u16 stage")
    min_wave_lanes: u8 = field("minimum lanes of a wave; 0: any", default=0, when="extended")
    max_wave_lanes: u8 = field("maximum lanes of a wave; 0: any", default=0, when="extended")
    shader_flags: u16 = field(
        "1: entry point of a work graph, 2: has an output position, 4: writes the depth, 8: runs"
        " per sample, 16: uses SV_ViewID",
        default=0,
        when="extended",
    )
    shader_info: u32 = field(
        "index in the table of the stage; 0xFFFFFFFF: none", default=NONE, when="extended"
    )
    later: bytes = rest()


class StateObjectConfig(Record):
    """A configuration of a state object."""

    flags: u32 = field("1: local may depend on external, 2: external on local, 4: additions")


class RootSignatureBytes(Record):
    """A global or local root signature, as in RTS0."""

    data: bytes = _bytes("serialized root signature", "size")
    size: u32 | None = derived("size in bytes", "len(data)")


class ExportsAssociation(Record):
    """An association of a subobject with exports."""

    subobject: str | None = _text("name of the subobject")
    exports: list[str] = _texts("names of the exports")


class RaytracingShaderConfig(Record):
    """Sizes of payload and attributes."""

    max_payload_size: u32 = field("maximum size of the payload in bytes")
    max_attribute_size: u32 = field("maximum size of the attributes in bytes")


class RaytracingPipelineConfig(Record):
    """The recursion of a ray-tracing pipeline."""

    max_recursion_depth: u32 = field("maximum depth of TraceRay")


class HitGroup(Record):
    """A hit group."""

    type: u32 = field("kind of geometry", enum=HitGroupType)
    any_hit: str | None = _text("name of the any-hit shader")
    closest_hit: str | None = _text("name of the closest-hit shader")
    intersection: str | None = _text("name of the intersection shader")


class RaytracingPipelineConfig1(Record):
    """The recursion and flags of a ray-tracing pipeline."""

    max_recursion_depth: u32 = field("maximum depth of TraceRay")
    flags: u32 = field("0x100: skip triangles, 0x200: skip procedural primitives")


class UnknownSubobject(Record):
    """A subobject of an unknown kind."""


class RdatSubobject(Record):
    """A subobject of a state object. 24 bytes; the end is unused by most kinds."""

    kind: u32 = field("kind", enum=SubobjectKind)
    name: str | None = _text("name")
    content: Any = switch(
        "contents",
        "kind",
        {
            SubobjectKind.STATE_OBJECT_CONFIG: StateObjectConfig,
            SubobjectKind.GLOBAL_ROOT_SIGNATURE: RootSignatureBytes,
            SubobjectKind.LOCAL_ROOT_SIGNATURE: RootSignatureBytes,
            SubobjectKind.SUBOBJECT_TO_EXPORTS_ASSOCIATION: ExportsAssociation,
            SubobjectKind.RAYTRACING_SHADER_CONFIG: RaytracingShaderConfig,
            SubobjectKind.RAYTRACING_PIPELINE_CONFIG: RaytracingPipelineConfig,
            SubobjectKind.HIT_GROUP: HitGroup,
            SubobjectKind.RAYTRACING_PIPELINE_CONFIG_1: RaytracingPipelineConfig1,
        },
        other=UnknownSubobject,
    )
    later: bytes = rest("unused words of the union, or fields of a newer version")


class NodeId(Record):
    """A node of a work graph. 8 bytes."""

    name: str | None = _text("name")
    index: u32 = field("index in an array of nodes")
    later: bytes = rest()


class NumberAttribute(Record):
    """An attribute with a number."""

    value: u32 = field("number; the index of a node for attributes that refer to one")


class ListAttribute(Record):
    """An attribute with up to three numbers."""

    values: list[int] = _list("numbers of x, y and z; 1 where left out")


class DispatchGrid(Record):
    """The place of the grid size in a record."""

    byte_offset: u16 = field("offset in the record")
    component: u16 = field("bits 0 and 1: number of components; from bit 2 on: type")


class NodeFunctionAttribute(Record):
    """An attribute of a node's function. 8 bytes."""

    kind: u32 = field("kind", enum=NodeFunctionAttributeKind)
    content: Any = switch(
        "contents",
        "kind",
        {
            NodeFunctionAttributeKind.NUM_THREADS: ListAttribute,
            NodeFunctionAttributeKind.DISPATCH_GRID: ListAttribute,
            NodeFunctionAttributeKind.MAX_DISPATCH_GRID: ListAttribute,
        },
        other=NumberAttribute,
    )
    later: bytes = rest()


class NodeIoAttribute(Record):
    """An attribute of a node's input or output. 8 bytes."""

    kind: u32 = field("kind", enum=NodeIoAttributeKind)
    content: Any = switch(
        "contents",
        "kind",
        {NodeIoAttributeKind.RECORD_DISPATCH_GRID: DispatchGrid},
        other=NumberAttribute,
    )
    later: bytes = rest()


class IoNode(Record):
    """An input or output of a node. 8 bytes."""

    flags_and_kind: u32 = field("flags, and the kind of record")
    attributes: list[int] = _list("indices of attributes")
    later: bytes = rest()


class NodeShader(Record):
    """The shader of a node. 20 bytes."""

    launch: u32 = field("launch type", enum=NodeLaunch)
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    attributes: list[int] = _list("indices of function attributes")
    outputs: list[int] = _list("indices of outputs")
    inputs: list[int] = _list("indices of inputs")
    later: bytes = rest()


class RdatSignatureElement(Record):
    """An element of a signature. 16 bytes with alignment. Experimental."""

    name: str | None = _text("semantic name")
    indices: list[int] = _list("semantic index of each row")
    semantic: u8 = field("system value", enum=DxilSemantic)
    component_type: u8 = field("type of the components", enum=DxilComponentType)
    interpolation: u8 = field("interpolation", enum=DxilInterpolation)
    start_row: u8 = field("first register; 0xFF: none")
    columns_and_stream: u8 = field("bits 0, 1: columns - 1; 2, 3: first column; 4, 5: stream")
    masks: u8 = field("bits 0 to 3: components used; 4 to 7: dynamically indexed")
    later: bytes = rest()


class VertexShaderInfo(Record):
    """A vertex shader. Experimental."""

    inputs: list[int] = _list("indices of signature elements")
    outputs: list[int] = _list("indices of signature elements")
    view_outputs: bytes = _bytes("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    later: bytes = rest()


class PixelShaderInfo(Record):
    """A pixel shader. Experimental."""

    inputs: list[int] = _list("indices of signature elements")
    outputs: list[int] = _list("indices of signature elements")
    later: bytes = rest()


class HullShaderInfo(Record):
    """A hull shader. Experimental."""

    inputs: list[int] = _list("indices of signature elements")
    outputs: list[int] = _list("indices of signature elements")
    patch_constants: list[int] = _list("indices of signature elements")
    view_outputs: bytes = _bytes("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    view_patch: bytes = _bytes("mask of patch constants that depend on the view", "patch_size")
    patch_size: u32 | None = derived("size of the mask", "len(view_patch)")
    dependencies: bytes = _bytes("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    patch_dependencies: bytes = _bytes("masks of patch constants by input", "masks_size")
    masks_size: u32 | None = derived("size of the masks", "len(patch_dependencies)")
    input_control_points: u8 = field("number of input control points")
    output_control_points: u8 = field("number of output control points")
    tessellator_domain: u8 = field("domain")
    tessellator_output_primitive: u8 = field("primitive")
    later: bytes = rest()


class DomainShaderInfo(Record):
    """A domain shader. Experimental."""

    inputs: list[int] = _list("indices of signature elements")
    outputs: list[int] = _list("indices of signature elements")
    patch_constants: list[int] = _list("indices of signature elements")
    view_outputs: bytes = _bytes("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    dependencies: bytes = _bytes("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    patch_dependencies: bytes = _bytes("masks of outputs by patch constant", "masks_size")
    masks_size: u32 | None = derived("size of the masks", "len(patch_dependencies)")
    input_control_points: u8 = field("number of input control points")
    tessellator_domain: u8 = field("domain")
    later: bytes = rest()


class GeometryShaderInfo(Record):
    """A geometry shader. Experimental."""

    inputs: list[int] = _list("indices of signature elements")
    outputs: list[int] = _list("indices of signature elements")
    view_outputs: bytes = _bytes("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    dependencies: bytes = _bytes("masks of outputs by input", "dependencies_size")
    dependencies_size: u32 | None = derived("size of the masks", "len(dependencies)")
    input_primitive: u8 = field("input primitive")
    output_topology: u8 = field("output topology")
    max_vertex_count: u8 = field("maximum number of vertices")
    output_stream_mask: u8 = field("streams that are written, one bit each")
    later: bytes = rest()


class ComputeShaderInfo(Record):
    """A compute shader. Experimental."""

    threads: list[int] = _list("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    later: bytes = rest()


class MeshShaderInfo(Record):
    """A mesh shader. Experimental."""

    outputs: list[int] = _list("indices of signature elements")
    primitive_outputs: list[int] = _list("indices of signature elements")
    view_outputs: bytes = _bytes("mask of outputs that depend on the view", "view_size")
    view_size: u32 | None = derived("size of the mask", "len(view_outputs)")
    view_primitives: bytes = _bytes("mask of primitive outputs", "primitives_size")
    primitives_size: u32 | None = derived("size of the mask", "len(view_primitives)")
    threads: list[int] = _list("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    group_shared_bytes_by_view: u32 = field("group-shared memory that depends on the view")
    payload_size: u32 = field("size of the payload in bytes")
    max_output_vertices: u16 = field("maximum number of vertices")
    max_output_primitives: u16 = field("maximum number of primitives")
    mesh_topology: u8 = field("primitives", enum=MeshTopology)
    later: bytes = rest()


class AmplificationShaderInfo(Record):
    """An amplification shader. Experimental."""

    threads: list[int] = _list("threads of a group in x, y and z; 1 where left out")
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    payload_size: u32 = field("size of the payload in bytes")
    later: bytes = rest()


class PdbInfo(Record):
    """The description of a compilation in a PDB."""

    entry: str | None = _text("entry point")
    target: str | None = _text("target profile")
    main_file: str | None = _text("main source file")
    source_names: list[str] = _texts("names of the sources")
    source_contents: list[str] = _texts("texts of the sources")
    arguments: list[str] = _texts("arguments: name and value in turn")
    libraries: list[int] = _list("indices of the PDBs of linked libraries")
    library_names: list[str] = _texts("names of linked libraries")
    hash: bytes = _bytes("hash of the program", "hash_size")
    hash_size: u32 | None = derived("size of the hash", "len(hash)")
    pdb_name: str | None = _text("name of the PDB")
    toolchain_id: u32 = field("number of a custom tool chain")
    toolchain_data: bytes = _bytes("data of a custom tool chain", "toolchain_size")
    toolchain_size: u32 | None = derived("size of the data", "len(toolchain_data)")
    whole_dxil: bytes = _bytes("the container of the program", "dxil_size")
    dxil_size: u32 | None = derived("size of the container", "len(whole_dxil)")
    later: bytes = rest()


class SubPdbInfo(Record):
    """The PDB of a linked library."""

    data: bytes = _bytes("a PDB or container", "size")
    size: u32 | None = derived("size in bytes", "len(data)")
    later: bytes = rest()


# The record of each table of records.
_T = RdatTableType
RECORDS: dict[int, type[Record]] = {
    _T.RESOURCES: RdatResource,
    _T.FUNCTIONS: RdatFunction,
    _T.SUBOBJECTS: RdatSubobject,
    _T.NODE_IDS: NodeId,
    _T.NODE_IO_ATTRIBUTES: NodeIoAttribute,
    _T.NODE_FUNCTION_ATTRIBUTES: NodeFunctionAttribute,
    _T.IO_NODES: IoNode,
    _T.NODE_SHADERS: NodeShader,
    _T.SIGNATURE_ELEMENTS: RdatSignatureElement,
    _T.VERTEX_SHADERS: VertexShaderInfo,
    _T.PIXEL_SHADERS: PixelShaderInfo,
    _T.HULL_SHADERS: HullShaderInfo,
    _T.DOMAIN_SHADERS: DomainShaderInfo,
    _T.GEOMETRY_SHADERS: GeometryShaderInfo,
    _T.COMPUTE_SHADERS: ComputeShaderInfo,
    _T.MESH_SHADERS: MeshShaderInfo,
    _T.AMPLIFICATION_SHADERS: AmplificationShaderInfo,
    _T.PDB_INFO: PdbInfo,
    _T.SUB_PDB_INFO: SubPdbInfo,
}
NEW_FUNCTION = 52  # size of a function from validator version 1.8 on
SUBOBJECT = 24


def _size(kind: int, record: type[Record]) -> int:
    """Return the size of a record in a table of the newest version."""
    if kind == _T.SUBOBJECTS:
        return SUBOBJECT
    if kind in (_T.NODE_FUNCTION_ATTRIBUTES, _T.NODE_IO_ATTRIBUTES):
        return 8
    known = (("extended", True),) if record is RdatFunction else ()
    return -(-fixed_size(record.layout, known) // 4) * 4


_KINDS = str(tuple(int(kind) for kind in RECORDS))
_SIZES = str({int(kind): _size(kind, record) for kind, record in RECORDS.items()})
_CASES: dict[int, Nested] = {
    int(kind): Nested(record, extended=f"stride >= {NEW_FUNCTION}")
    if record is RdatFunction
    else Nested(record)
    for kind, record in RECORDS.items()
}


class RdatTable(Record):
    """A table: texts, lists, bytes, or records of one type."""

    type: u32 = field("contents", enum=RdatTableType)
    size: u32 | None = derived(
        "size in bytes, from here on",
        "size(strings) + size(index_arrays) + size(raw_bytes) + size(count) + size(stride)"
        " + size(records) + size(data)",
    )
    strings: list[str] = table("texts", TEXTS, "size", when="type == 1")
    index_arrays: list[int] = table("lists, each after its length", LISTS, "size", when="type == 2")
    raw_bytes: list[bytes] = table("raw bytes", BYTES, "size", when="type == 5")
    count: u32 | None = derived("number of records", "len(records)", when=f"type in {_KINDS}")
    stride: u32 | None = derived(
        "size of a record in bytes", f"{_SIZES}.get(type, 0)", when=f"type in {_KINDS}"
    )
    records: list[Any] = array(
        "records", TaggedUnion("type", _CASES), count="count", stride="stride",
        when=f"type in {_KINDS}",
    )  # fmt: skip
    data: bytes = blob("table of an unknown type", "size", when=f"type not in (1, 2, 5, *{_KINDS})")


class RuntimeData(Record, source="DXC DxilRuntimeReflection.h"):
    """The RDAT part."""

    version: u32 = field("version: 0x10", default=0x10)
    table_count: u32 | None = derived("number of tables", "len(tables)")
    tables: list[RdatTable] = array("tables", Pointer(Nested(RdatTable)), count="table_count")

    def records(self, kind: int) -> list[Any]:
        """Return the records of the first table of that type; an empty list without one."""
        return next((each.records for each in self.tables if each.type == kind), [])


PART = RecordKind(RuntimeData)
