"""IFCE: which classes each interface slot may hold (dynamic linkage). Some documents spell it ICFE.

    +0  u32 instance count   +4  u32 class count   +8  u32 slot count   +12 u32 slots in all
    +16 u32 instances        +20 u32 classes       +24 u32 slots        +28 8 bytes never written

The tables stand first (slots, classes, instances), then the lists of the slots, the names of the
instances, the names of the classes; all of it aligned.
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
from .kind import RecordKind


class ClassType(Record):
    """A class that implements an interface. 12 bytes."""

    name: str = pointer("name", CString(), align=4, default="")
    id: u16 = field("number of the class; 10.1 stores 0, the listing counts rows")
    constant_buffer_stride: u16 = field("registers that an instance takes of its buffer")
    texture_count: u16 = field("textures that an instance takes")
    sampler_count: u16 = field("samplers that an instance takes")


class ClassInstance(Record):
    """A global instance of a class. 16 bytes."""

    name: str = pointer("name", CString(), align=4, default="")
    type: u16 = field("number of the class")
    elements: u16 = field("1; more for an array of instances")
    constant_buffer: u16 = field("constant buffer, 0xFFFF for none")
    constant_buffer_offset: u16 = field("first register in it, 0xFFFF for none")
    texture: u16 = field("first texture, 0xFFFF for none")
    sampler: u16 = field("first sampler, 0xFFFF for none")


class InterfaceVariable(Record):
    """One interface variable and the classes that it may be. 16 bytes."""

    span: u32 = field("slots that it takes (array size)")
    count: u32 | None = derived("classes it may be", "len(type_ids)")
    type_ids: list[int] = pointer("numbers of the classes", Array(U16, count="count"))
    table_ids: list[int] = pointer("function tables, one for each class", Array(U32, count="count"))


class ClassLinkage(Record, source="SlimShader Chunks/Ifce"):
    """The whole part."""

    instance_count: u32 | None = derived("number of instances", "len(instances)")
    class_count: u32 | None = derived("number of classes", "len(classes)")
    slot_count: u32 | None = derived("number of interface variables", "len(slots)")
    slot_total: u32 = field("slots in all: the sum of the spans")
    instances: list[ClassInstance] = pointer(
        "instances", Array(Nested(ClassInstance), count="instance_count"), later=2
    )
    classes: list[ClassType] = pointer(
        "classes", Array(Nested(ClassType), count="class_count"), order=-1, later=3
    )
    slots: list[InterfaceVariable] = pointer(
        "interface variables",
        Array(Nested(InterfaceVariable), count="slot_count"),
        order=-2,
        later=1,
    )
    noise: bytes = blob("never written by the compiler: what its memory held", 8, default=bytes(8))


PART = RecordKind(ClassLinkage)
