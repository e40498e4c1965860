"""Nodes of work graphs.

Source: DXC RDAT_LibraryTypes.inl.
"""

from typing import Any

from .....enums import IntEnum
from .....vocab.dxil import NodeLaunch
from .....wire import Record, field, rest, switch, u16, u32
from .references import numbers_of, text_of


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


class NodeId(Record):
    """A node of a work graph. 8 bytes."""

    name: str | None = text_of("name")
    index: u32 = field("index in an array of nodes")
    later: bytes = rest()


class NumberAttribute(Record):
    """An attribute with a number."""

    value: u32 = field("number; the index of a node for attributes that refer to one")


class ListAttribute(Record):
    """An attribute with up to three numbers."""

    values: list[int] = numbers_of("numbers of x, y and z; 1 where left out")


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
    attributes: list[int] = numbers_of("indices of attributes")
    later: bytes = rest()


class NodeShader(Record):
    """The shader of a node. 20 bytes."""

    launch: u32 = field("launch type", enum=NodeLaunch)
    group_shared_bytes: u32 = field("group-shared memory in bytes")
    attributes: list[int] = numbers_of("indices of function attributes")
    outputs: list[int] = numbers_of("indices of outputs")
    inputs: list[int] = numbers_of("indices of inputs")
    later: bytes = rest()
