"""RDAT: runtime data of libraries: tables of functions, resources and subobjects.

    +0 u32 version (0x10)   +4 u32 count   +8 u32 offsets   tables …
    table:  u32 type   u32 size   then texts, lists of numbers or raw bytes,
            or   u32 count   u32 size of a record   records …

Records refer to texts by offset, to lists of numbers by index, to raw bytes by offset and size, and
to records of another table by index; 0xFFFFFFFF means none. Every table contains the size of its
records, and later versions only append fields. The tables from 13 on are experimental, those from
0x10001 are in PDBs (PDBI). No file with these tables was available: their layout follows the
sources.

Source: DXC DxilRuntimeReflection.h, RDAT_LibraryTypes.inl, RDAT_SubobjectTypes.inl,
RDAT_PdbInfoTypes.inl.
"""

from typing import Any

from ....enums import IntEnum
from ....wire import Nested, Pointer, Record, TaggedUnion, array, blob, derived, field, table, u32
from ....wire.codegen import fixed_size
from .description import Category, PartDescription
from .kind import RecordKind
from .runtime.library import RdatFunction, RdatResource
from .runtime.nodes import IoNode, NodeFunctionAttribute, NodeId, NodeIoAttribute, NodeShader
from .runtime.pdbs import PdbInfo, SubPdbInfo
from .runtime.references import BYTES, LISTS, TEXTS
from .runtime.stages import (
    AmplificationShaderInfo,
    ComputeShaderInfo,
    DomainShaderInfo,
    GeometryShaderInfo,
    HullShaderInfo,
    MeshShaderInfo,
    PixelShaderInfo,
    RdatSignatureElement,
    VertexShaderInfo,
)
from .runtime.subobjects import RdatSubobject


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
        """Return the records of the first table of that type; an empty list if there is none."""
        return next((each.records for each in self.tables if each.type == kind), [])


PARTS = {
    "RDAT": PartDescription(
        "runtime data", Category.INTERFACE, RecordKind(RuntimeData), by_dxc=True
    )
}
