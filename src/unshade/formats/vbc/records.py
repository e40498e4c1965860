"""Records of VBC: a header, the reflection of a program, and a SPIR-V module for each stage.

    +0   "VBC", version 1, type 1 (graphics)
    +5   u16 × 5    words of the modules: vert, tesc, tese, geom, frag; 0 without the stage
    +15  u16 × 5    sizes of the descriptor tables
    +25  u32 n      vertex inputs        n × 8 bytes
         u32 n      fragment outputs     n × 8 bytes
         u32 n      bindings             n × 8 bytes
         u16 size   uniform block: 0 without one, else stages and members
         u32 n      subpass inputs       n × 4 bytes
         SPIR-V of each stage, up to the end of the file

Nothing is aligned, and all numbers are little-endian. The compiler of the repository builds a
record of 4 bytes for a subpass input, but writes its own C++ object instead, whose layout depends
on the standard library. `form` is the form of these records, which the size of the file determines.

Source: VSL's wiki page "Reflection Info" and its compiler, c110b1b; Vega's loader, 48214ce; 67
files.
"""

from ...enums import IntEnum
from ...wire import (
    Nested,
    Record,
    TaggedUnion,
    array,
    blob,
    derived,
    field,
    magic,
    nested,
    padding,
    switch,
    text,
    u8,
    u16,
    u32,
    u64,
    unknown,
)
from .spelling import STAGES

__all__ = [
    "BaseType",
    "BufferInfo",
    "DescriptorTableSizes",
    "LibcxxSubpass",
    "LibstdcxxSubpass",
    "MsvcSubpass",
    "PipelineType",
    "SlotBinding",
    "StageVariable",
    "SubpassForm",
    "SubpassInput",
    "SubpassRecord",
    "TexelInfo",
    "TexelRank",
    "TexelType",
    "UniformBlock",
    "UniformMember",
    "VbcFile",
]

SOURCE = 'VSL\'s wiki page "Reflection Info" and its compiler, checked on files'
OBJECTS = "VSL's compiler, whose object is written as it is in memory"


class PipelineType(IntEnum):
    """The kind of program."""

    GRAPHICS = 1


class BaseType(IntEnum):
    """The type of a variable: numeric for inputs, outputs and members, else a binding."""

    VOID = 0
    BOOLEAN = 1
    SIGNED = 2
    UNSIGNED = 3
    FLOAT = 4
    SAMPLER = 5
    IMAGE = 6
    RO_BUFFER = 7
    RW_BUFFER = 8
    RO_TEXELS = 9
    RW_TEXELS = 10
    SUBPASS_INPUT = 11
    UNIFORM = 12
    STRUCT = 13


class TexelRank(IntEnum):
    """The dimension of a sampled or storage image, or of a texel buffer."""

    D1 = 0
    D2 = 1
    D3 = 2
    D1_ARRAY = 3
    D2_ARRAY = 4
    CUBE = 5
    BUFFER = 6


class TexelType(IntEnum):
    """The type of the components of a texel: an enumeration distinct from `BaseType`."""

    SIGNED = 0
    UNSIGNED = 1
    FLOAT = 2
    UNORM = 3
    SNORM = 4


class SubpassForm(IntEnum):
    """The form of the records of subpass inputs: as documented, or an object of a C++ compiler."""

    DOCUMENTED = 0
    LIBSTDCXX = 1
    LIBCXX = 2
    MSVC = 3


class DescriptorTableSizes(Record, source=SOURCE):
    """Sizes of the descriptor arrays in set 0, by binding."""

    samplers: u16 = field("binding 0: combined image samplers", default=8192)
    images: u16 = field("binding 1: storage images", default=128)
    buffers: u16 = field("binding 2: storage buffers", default=512)
    ro_texels: u16 = field("binding 3: uniform texel buffers", default=128)
    rw_texels: u16 = field("binding 4: storage texel buffers", default=128)


class StageVariable(Record, source=SOURCE):
    """A vertex input or a fragment output."""

    location: u8 = field("first location")
    base: u8 = field("type of the components", enum=BaseType)
    rows: u8 = field("components of a vector, rows of a matrix", default=1)
    columns: u8 = field("columns of a matrix; otherwise 1", default=1)
    count: u8 = field("elements of an array; otherwise 1", default=1)
    unused: bytes = padding("zeros", 3)


class BufferInfo(Record, source=SOURCE):
    """The contents of a storage buffer."""

    size: u16 = field("bytes of an element")
    unused: bytes = padding("zeros", 2)


class TexelInfo(Record, source=SOURCE):
    """The texels of a sampler, an image or a texel buffer."""

    rank: u8 = field("dimension", enum=TexelRank)
    type: u8 = field("type of the components", enum=TexelType)
    size: u8 = field("bytes of a component: 4, or 1 or 2 for UNORM and SNORM", default=4)
    count: u8 = field("components: 1, 2 or 4; always 4 for SAMPLER and RO_TEXELS", default=4)


class SlotBinding(Record, source=SOURCE):
    """A resource that the application binds to a slot."""

    slot: u8 = field("number, by which the application binds it")
    base: u8 = field("kind of resource", enum=BaseType)
    stages: u16 = field("stages that use it: the bits of VkShaderStageFlags", spell=STAGES)
    data: TexelInfo | BufferInfo = switch(
        "by the kind of resource", "base", {7: BufferInfo, 8: BufferInfo}, other=TexelInfo
    )


class UniformMember(Record, source=SOURCE):
    """A member of the uniform block."""

    name_size: u8 | None = derived("bytes of the name", "size(name)")
    name: str = text("name, without a NUL", "name_size")
    offset: u16 = field("offset in the block, in bytes")
    base: u8 = field("type of the components", enum=BaseType)
    rows: u8 = field("components of a vector, rows of a matrix", default=1)
    columns: u8 = field("columns of a matrix; otherwise 1", default=1)
    count: u8 = field("elements of an array; otherwise 1", default=1)


class UniformBlock(Record, source=SOURCE):
    """The uniform block: set 1, binding 0. The record ends after `size` if that is 0."""

    size: u16 = field("bytes; 0 without a uniform block")
    stages: u16 = field("stages that use it", spell=STAGES, when="size", default=0)
    member_count: u32 | None = derived("number of members", "len(members)", when="size")
    members: list[UniformMember] = array(
        "in the order of the declaration", UniformMember, count="member_count", when="size"
    )


class SubpassInput(Record, source=SOURCE):
    """A subpass input: set 2, with its index as the binding."""

    type: u8 = field("type of the components", enum=TexelType)
    count: u8 = field("components; 4 in all files", default=4)
    unused: bytes = padding("zeros", 2)


class LibstdcxxSubpass(Record, source=f"{OBJECTS}; observed, 64-bit libstdc++"):
    """A subpass input as an object of libstdc++."""

    name_pointer: u64 = field("address of the name in the compiler's memory")
    name_size: u64 = field("bytes of the name")
    name: bytes = blob("the name and a NUL if it has 15 bytes or fewer", 16, opaque=False)
    index: u32 = field("index of the subpass input")
    unused: u32 = unknown("padding of the object: any bytes")
    format_pointer: u64 = field("address of the format in the compiler's memory")


class LibcxxSubpass(Record, source=f"{OBJECTS}; computed, no sample is known"):
    """A subpass input as an object of libc++."""

    name: bytes = blob("string object", 24, opaque=False)
    index: u32 = field("index of the subpass input")
    unused: u32 = unknown("padding of the object: any bytes")
    format_pointer: u64 = field("address of the format in the compiler's memory")


class MsvcSubpass(Record, source=f"{OBJECTS}; computed, no sample is known"):
    """A subpass input as an object of Microsoft's library."""

    name: bytes = blob("the name and a NUL if it has 15 bytes or fewer", 16, opaque=False)
    name_size: u64 = field("bytes of the name")
    name_capacity: u64 = field("15 if the name is in the object")
    index: u32 = field("index of the subpass input")
    unused: u32 = unknown("padding of the object: any bytes")
    format_pointer: u64 = field("address of the format in the compiler's memory")


SubpassRecord = SubpassInput | LibstdcxxSubpass | LibcxxSubpass | MsvcSubpass


class VbcFile(Record, params=("form",), source=SOURCE):
    """The whole file."""

    magic: bytes = magic("`VBC`", b"VBC")
    version: u8 = field("1; older layouts have the same number", default=1)
    type: u8 = field("kind of program", enum=PipelineType, default=1)
    vert_words: u16 | None = derived("32-bit words of the vertex module", "len(vert) // 4")
    tesc_words: u16 | None = derived("of the tessellation control module", "len(tesc) // 4")
    tese_words: u16 | None = derived("of the tessellation evaluation module", "len(tese) // 4")
    geom_words: u16 | None = derived("of the geometry module", "len(geom) // 4")
    frag_words: u16 | None = derived("of the fragment module", "len(frag) // 4")
    tables: DescriptorTableSizes = nested("sizes of the descriptor tables", DescriptorTableSizes)
    input_count: u32 | None = derived("number of vertex inputs", "len(inputs)")
    inputs: list[StageVariable] = array(
        "vertex inputs, in the order of the declaration", StageVariable, count="input_count"
    )
    output_count: u32 | None = derived("number of fragment outputs", "len(outputs)")
    outputs: list[StageVariable] = array(
        "fragment outputs, in the order of the declaration",
        StageVariable,
        count="output_count",
    )
    binding_count: u32 | None = derived("number of bindings", "len(bindings)")
    bindings: list[SlotBinding] = array(
        "resources, in the order of the declaration", SlotBinding, count="binding_count"
    )
    uniform: UniformBlock = nested("the uniform block", UniformBlock)
    subpass_count: u32 | None = derived("number of subpass inputs", "len(subpasses)")
    subpasses: list[SubpassRecord] = array(
        "subpass inputs",
        TaggedUnion(
            "form",
            {
                SubpassForm.DOCUMENTED: Nested(SubpassInput),
                SubpassForm.LIBSTDCXX: Nested(LibstdcxxSubpass),
                SubpassForm.LIBCXX: Nested(LibcxxSubpass),
                SubpassForm.MSVC: Nested(MsvcSubpass),
            },
        ),
        count="subpass_count",
    )
    vert: bytes = blob("SPIR-V of the vertex stage", "4 * vert_words")
    tesc: bytes = blob("SPIR-V of the tessellation control stage", "4 * tesc_words")
    tese: bytes = blob("SPIR-V of the tessellation evaluation stage", "4 * tese_words")
    geom: bytes = blob("SPIR-V of the geometry stage", "4 * geom_words")
    frag: bytes = blob("SPIR-V of the fragment stage", "4 * frag_words")
