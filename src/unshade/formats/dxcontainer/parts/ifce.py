"""IFCE: the classes that each interface slot may hold (dynamic linkage).

Some documents spell it ICFE.

    +0  u32 instance count   +4  u32 class count   +8  u32 slot count   +12 u32 total of slots
    +16 u32 instances        +20 u32 classes       +24 u32 slots        +28 8 uninitialised bytes

The tables come first (slots, classes, instances), followed by the lists of the slots, the names of
the instances and the names of the classes. Everything is aligned to 4 bytes.
Source: worked out from files and their listings; SlimShader Chunks/Ifce for the names.
"""

from ....wire import (
    U16,
    U32,
    Array,
    CString,
    Nested,
    Record,
    blob,
    derived,
    field,
    pointer,
    u16,
    u32,
)
from .description import Category, PartDescription
from .kind import RecordKind


class ClassType(Record):
    """A class that implements an interface. 12 bytes."""

    name: str = pointer("name", CString(), align=4, default="")
    id: u16 = field("class number; fxc 10.1 stores 0, listings print the index of the row")
    constant_buffer_stride: u16 = field("16-byte registers of its buffer that an instance occupies")
    texture_count: u16 = field("textures per instance")
    sampler_count: u16 = field("samplers per instance")


class ClassInstance(Record):
    """A global instance of a class. 16 bytes."""

    name: str = pointer("name", CString(), align=4, default="")
    type: u16 = field("index of the class")
    elements: u16 = field("array size; 1 for a single instance")
    constant_buffer: u16 = field("number of the constant buffer, or 0xFFFF for none")
    constant_buffer_offset: u16 = field("first register in that buffer, or 0xFFFF for none")
    texture: u16 = field("first texture register, or 0xFFFF for none")
    sampler: u16 = field("first sampler register, or 0xFFFF for none")


class InterfaceVariable(Record):
    """An interface variable and the classes that it may hold. 16 bytes."""

    span: u32 = field("number of slots: the array size")
    count: u32 | None = derived("number of classes that it may hold", "len(type_ids)")
    type_ids: list[int] = pointer("indices of the classes", Array(U16, count="count"))
    table_ids: list[int] = pointer(
        "numbers of the function tables, one per class", Array(U32, count="count")
    )


class ClassLinkage(Record, source="SlimShader Chunks/Ifce"):
    """The IFCE part: classes, their instances, and the interface variables that may hold them."""

    instance_count: u32 | None = derived("number of instances", "len(instances)")
    class_count: u32 | None = derived("number of classes", "len(classes)")
    slot_count: u32 | None = derived("number of interface variables", "len(slots)")
    slot_total: u32 = field("total number of slots: the sum of the spans")
    instances: list[ClassInstance] = pointer(
        "class instances", Array(Nested(ClassInstance), count="instance_count"), placed_after=2
    )
    classes: list[ClassType] = pointer(
        "classes", Array(Nested(ClassType), count="class_count"), order=-1, placed_after=3
    )
    slots: list[InterfaceVariable] = pointer(
        "interface variables",
        Array(Nested(InterfaceVariable), count="slot_count"),
        order=-2,
        placed_after=1,
    )
    noise: bytes = blob("uninitialised memory of the compiler", 8, default=bytes(8))


PARTS = dict.fromkeys(
    ("IFCE", "ICFE"),
    PartDescription("interfaces", Category.INTERFACE, RecordKind(ClassLinkage)),
)
