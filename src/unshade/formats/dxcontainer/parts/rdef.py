"""RDEF: resource definitions by name: bindings, buffers, variables and types.

    +0   u32 buffer count    +4  u32 buffers        +8  u32 binding count   +12 u32 bindings
    +16  u8 minor, u8 major  +18 u16 stage          +20 u32 flags           +24 u32 creator
    +28  from 5.0: tag `RD11` (5.1: 13 13 44 25) and seven words, six of them record sizes

All offsets are relative to the start of the part. fxc lays the part out depth first: a table, then
everything that its first row refers to, then the second row's; a type follows all types that it
refers to. Equal strings, types, member lists and default values are stored once. Types of
structured-buffer elements are not shared with types of constant buffers, and each array variable
has a separate type.

Source: RenderDoc dxbc_container.cpp, SlimShader Chunks/Rdef; the layout was inferred from files and
reproduces all of them.
"""

from ....enums import IntEnum
from ....vocab import fxc
from ....vocab.d3d import (
    BufferType,
    InputType,
    ResourceReturnType,
    SrvDimension,
    VariableClass,
    VariableType,
)
from ....wire import (
    Array,
    Blob,
    CString,
    Nested,
    Record,
    Span,
    Trail,
    derived,
    field,
    nested,
    pointer,
    trace,
    u8,
    u16,
    u32,
)
from ....wire.spans import with_padding
from ..buffer_packing import spans_with_components
from .description import Category, PartDescription
from .kind import RecordKind


class RdefTarget(IntEnum):
    """Stage of the program, as a 16-bit code."""

    PIXEL = 0xFFFF
    VERTEX = 0xFFFE
    GEOMETRY = 0x4753
    HULL = 0x4853
    DOMAIN = 0x4453
    COMPUTE = 0x4353


def _type_scope(target: "RdefType", trail: Trail) -> object:
    """Return a key: types that are equal and have equal keys are stored as one record.

    The type of a buffer's variable is never shared with a structure's member or with a structured
    buffer's element. An array type belongs to its declaration.
    """
    holder = trail.record
    if isinstance(holder, RdefVariable):
        return _is_global(trail), id(holder) if target.elements else None
    members = trail.up(2)
    if isinstance(holder, RdefMember) and target.elements and members is not None:
        if members.memo is None:
            members.memo = tuple((m.name, m.offset) for m in members.record.members)
        return False, members.memo, str(trail.up(1))
    return False, None


def _is_global(trail: Trail) -> bool:
    """Return True if the variable at the end of `trail` has a type of the globals' kind."""
    buffer = trail.up(2)
    if buffer is None or not isinstance(buffer.record, RdefBuffer):
        return True
    if buffer.record.kind == BufferType.RESOURCE_BIND_INFO:
        return False
    # uniform parameters of the entry point: like members from fxc 10 on
    root = buffer.up(2)
    params = buffer.record.name == "$Params"
    return not (params and root is not None and fxc.modern(root.record.creator))


class RdefMember(Record, params=("major",)):
    """A member of a structure."""

    name: str = pointer("name", CString(), default="")
    type: "RdefType" = pointer(
        "type",
        Nested("RdefType", major="major"),
        children_first=True,
        share=True,
        scope=_type_scope,
    )
    offset: u32 = field("bytes from the start of the structure")


class RdefType(Record, params=("major",)):
    """The type of a variable or member."""

    variable_class: u16 = field("class of the type: scalar, vector, matrix, …", enum=VariableClass)
    variable_type: u16 = field("type of the components", enum=VariableType)
    rows: u16 = field("rows of a matrix; otherwise 1")
    columns: u16 = field("components of a vector, or of a matrix row")
    elements: u16 = field("array size; 0 if not an array")
    member_count: u16 | None = derived("number of members", "len(members)")
    members: list[RdefMember] = pointer(
        "members of a structure or class",
        Array(Nested(RdefMember, major="major"), count="member_count"),
        null=0,
        present="variable_class == 5 or variable_class == 6",
        children_first=True,
        share=True,
    )
    sub_type: "RdefType | None" = pointer(
        "interface of an interface pointer, or base of a class",
        Nested("RdefType", major="major"),
        null=0,
        children_first=True,
        share=True,
        scope=_type_scope,
        when="major >= 5",
    )
    base_class: "RdefType | None" = pointer(
        "base class of a class",
        Nested("RdefType", major="major"),
        null=0,
        order=-1,
        children_first=True,
        share=True,
        scope=_type_scope,
        when="major >= 5",
    )
    interface_count: u32 | None = derived(
        "number of interfaces that a class implements", "len(interfaces)", when="major >= 5"
    )
    interfaces: "list[RdefInterface]" = pointer(
        "interfaces that a class implements",
        Array(Nested("RdefInterface", major="major"), count="interface_count"),
        null=0,
        order=-1,
        children_first=True,
        share=True,
        when="major >= 5",
    )
    name: str | None = pointer("name in the source", CString(), null=0, order=-2, when="major >= 5")


class RdefInterface(Record, params=("major",)):
    """An interface that a class implements."""

    type: RdefType = pointer(
        "type of the interface",
        Nested(RdefType, major="major"),
        children_first=True,
        share=True,
        scope=_type_scope,
    )


class RdefVariable(Record, params=("major",)):
    """A variable of a buffer."""

    name: str = pointer("name", CString(), default="")
    offset: u32 = field("offset in the buffer, in bytes")
    size: u32 = field("size in bytes")
    flags: u32 = field(
        "1: placed by packoffset(), 2: used, 4: interface pointer, 8: interface parameter"
    )
    type: RdefType = pointer(
        "type", Nested(RdefType, major="major"), children_first=True, share=True, scope=_type_scope
    )
    default_value: bytes | None = pointer("initial value", Blob("size"), null=0, share=True)
    start_texture: u32 = field("first texture register used", default=0, when="major >= 5")
    texture_size: u32 = field("number of textures used", default=0, when="major >= 5")
    start_sampler: u32 = field("first sampler register used", default=0, when="major >= 5")
    sampler_size: u32 = field("number of samplers used", default=0, when="major >= 5")


class RdefBuffer(Record, params=("major",)):
    """A constant buffer, a texture buffer, or the element layout of a structured buffer."""

    name: str = pointer("name", CString(), default="")
    variable_count: u32 | None = derived("number of variables", "len(variables)")
    variables: list[RdefVariable] = pointer(
        "variables", Array(Nested(RdefVariable, major="major"), count="variable_count")
    )
    size: u32 = field("size in bytes; a multiple of 16 for constant and texture buffers")
    flags: u32 = field("1: placed by register()")
    kind: u32 = field("kind of the buffer", enum=BufferType)


class RdefBinding(Record, params=("spaced",)):
    """A resource, or an array of resources, and its registers."""

    name: str = pointer("name", CString(), default="")
    kind: u32 = field("kind of the resource", enum=InputType)
    return_type: u32 = field("type that a read returns", enum=ResourceReturnType)
    dimension: u32 = field("dimension of the resource", enum=SrvDimension)
    sample_count: u32 = field(
        "number of samples; for structured buffers the stride in bytes; 0xFFFFFFFF: not applicable"
    )
    bind_point: u32 = field("first register")
    bind_count: u32 = field("number of registers; 0: unbounded (5.1)")
    flags: u32 = field(
        "1: placed by register(), 2: comparison sampler, bits 2 and 3: number of components - 1"
    )
    space: u32 = field("register space", default=0, when="spaced")
    id: u32 = field("number of the range in the program's operands", default=0, when="spaced")


class RdefSizes(Record):
    """The words added in 5.0: a tag, the sizes of this part's records, and the interface slots."""

    tag: u32 = field("`RD11` (0x31314452); 0x25441313 in 5.1")
    header_size: u32 = field("size of the header: 60")
    buffer_size: u32 = field("size of a buffer record: 24")
    binding_size: u32 = field("size of a binding record: 32; 40 in 5.1")
    variable_size: u32 = field("size of a variable record: 40")
    type_size: u32 = field("size of a type record: 36")
    member_size: u32 = field("size of a member record: 12")
    interface_slots: u32 = field("number of interface slots of the shader")


class ResourceDefinition(Record, source="RenderDoc dxbc_container.cpp (RDEFHeader)"):
    """The RDEF part."""

    buffer_count: u32 | None = derived("number of buffers", "len(buffers)")
    buffers: list[RdefBuffer] = pointer(
        "buffers", Array(Nested(RdefBuffer, major="major"), count="buffer_count"), null=0
    )
    binding_count: u32 | None = derived("number of bindings", "len(bindings)")
    bindings: list[RdefBinding] = pointer(
        "bindings",
        Array(
            Nested(RdefBinding, spaced="major > 5 or (major == 5 and minor >= 1)"),
            count="binding_count",
        ),
        order=-1,
    )
    minor: u8 = field("minor version of the shader model")
    major: u8 = field("major version of the shader model")
    target: u16 = field("stage", enum=RdefTarget)
    flags: u32 = field("compile flags (D3DCOMPILE_*)")
    creator: str = pointer("name and version of the compiler", CString(), default="")
    sizes: RdefSizes | None = nested(
        "tag and record sizes", RdefSizes, default=None, when="major >= 5"
    )

    def rename(self, path: str, name: str) -> None:
        """Rename a buffer, a variable, a member or a resource.

        Args:
            path: Dotted path of the object to rename, such as "Light.colour".
            name: The new name, without its path.

        Raises:
            UsageError: The path does not exist, or a sibling already has the new name.
        """
        from ..renaming import rename

        rename(self, path, name)


class ResourceDefinitionKind(RecordKind):
    """The kind of RDEF, with a span for each component of an initial value."""

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        return with_padding(spans_with_components(trace(self.record, data)), data, pad)


PARTS = {
    "RDEF": PartDescription(
        "resource definitions",
        Category.REFLECTION,
        ResourceDefinitionKind(ResourceDefinition),
        loss="names, types and layout of constants and resources",
        fields={"creator": Category.COMPILER, "flags": Category.COMPILER},
    )
}
