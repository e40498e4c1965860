"""RDEF: the resources of a shader by name: bindings, buffers, variables, types.

    +0   u32 buffer count    +4  u32 buffers        +8  u32 binding count   +12 u32 bindings
    +16  u8 minor, u8 major  +18 u16 stage          +20 u32 flags           +24 u32 creator
    +28  from 5.0: tag `RD11` (5.1: 13 13 44 25) and seven words, six of them record sizes

Everything else hangs on offsets from the start of the part. fxc places depth first: a table, then
what its first row names, and so on; a type stands behind all that it refers to. Equal texts, types,
member lists and default values share a place. Types of structured-buffer elements are not shared
with those of constant buffers, and each array variable has a type of its own.

Source: RenderDoc dxbc_container.cpp, SlimShader Chunks/Rdef; the order of things worked out from
files, where it reproduces every one of them.
"""

from enum import IntEnum

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
from ..packing import spans_with_components
from .kind import RecordKind


class RdefTarget(IntEnum):
    """The stage that RDEF states, as a half word."""

    PIXEL = 0xFFFF
    VERTEX = 0xFFFE
    GEOMETRY = 0x4753
    HULL = 0x4853
    DOMAIN = 0x4453
    COMPUTE = 0x4353


def _type_scope(target: "RdefType", trail: Trail) -> object:
    """Which equal types may be one record.

    The type of a buffer's variable is never one with the type of a structure's member or of a
    structured buffer's element. An array type belongs to its declaration.
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
    """Whether the variable that `trail` comes from has a type of the kind that globals have."""
    buffer = trail.up(2)
    if buffer is None or not isinstance(buffer.record, RdefBuffer):
        return True
    if buffer.record.kind == BufferType.RESOURCE_BIND_INFO:
        return False
    # uniform parameters of the entry point: as plain as members from fxc 10 on
    root = buffer.up(2)
    params = buffer.record.name == "$Params"
    return not (params and root is not None and fxc.modern(root.record.creator))


class RdefMember(Record, params=("major",)):
    """A member of a structure."""

    name: str = pointer("name", CString(), default="")
    type: "RdefType" = pointer(
        "type", Nested("RdefType", major="major"), inward=True, share=True, scope=_type_scope
    )
    offset: u32 = field("bytes from the start of the structure")


class RdefType(Record, params=("major",)):
    """The type of a variable or member."""

    variable_class: u16 = field("scalar, vector, matrix, …", enum=VariableClass)
    variable_type: u16 = field("type of a component", enum=VariableType)
    rows: u16 = field("rows of a matrix, else 1")
    columns: u16 = field("components of a vector or row")
    elements: u16 = field("array size, 0 for no array")
    member_count: u16 | None = derived("members of a structure", "len(members)")
    members: list[RdefMember] = pointer(
        "members of a structure or class",
        Array(Nested(RdefMember, major="major"), count="member_count"),
        null=0,
        present="variable_class == 5 or variable_class == 6",
        inward=True,
        share=True,
    )
    sub_type: "RdefType | None" = pointer(
        "an interface pointer's interface, a class's base",
        Nested("RdefType", major="major"),
        null=0,
        inward=True,
        share=True,
        scope=_type_scope,
        when="major >= 5",
    )
    base_class: "RdefType | None" = pointer(
        "a class's base class",
        Nested("RdefType", major="major"),
        null=0,
        order=-1,
        inward=True,
        share=True,
        scope=_type_scope,
        when="major >= 5",
    )
    interface_count: u32 | None = derived(
        "interfaces that a class implements", "len(interfaces)", when="major >= 5"
    )
    interfaces: "list[RdefInterface]" = pointer(
        "those interfaces",
        Array(Nested("RdefInterface", major="major"), count="interface_count"),
        null=0,
        order=-1,
        inward=True,
        share=True,
        when="major >= 5",
    )
    name: str | None = pointer("name in the source", CString(), null=0, order=-2, when="major >= 5")


class RdefInterface(Record, params=("major",)):
    """An interface in the list of those that a class implements."""

    type: RdefType = pointer(
        "the interface", Nested(RdefType, major="major"), inward=True, share=True, scope=_type_scope
    )


class RdefVariable(Record, params=("major",)):
    """A variable of a buffer."""

    name: str = pointer("name", CString(), default="")
    offset: u32 = field("bytes from the start of the buffer")
    size: u32 = field("bytes")
    flags: u32 = field("1 placed by packoffset, 2 used, 4 interface pointer, 8 interface parameter")
    type: RdefType = pointer(
        "type", Nested(RdefType, major="major"), inward=True, share=True, scope=_type_scope
    )
    default_value: bytes | None = pointer("initial value", Blob("size"), null=0, share=True)
    start_texture: u32 = field("first texture it uses", default=0, when="major >= 5")
    texture_size: u32 = field("textures it uses", default=0, when="major >= 5")
    start_sampler: u32 = field("first sampler it uses", default=0, when="major >= 5")
    sampler_size: u32 = field("samplers it uses", default=0, when="major >= 5")


class RdefBuffer(Record, params=("major",)):
    """A constant buffer, a texture buffer, or what a structured buffer holds."""

    name: str = pointer("name", CString(), default="")
    variable_count: u32 | None = derived("number of variables", "len(variables)")
    variables: list[RdefVariable] = pointer(
        "variables", Array(Nested(RdefVariable, major="major"), count="variable_count")
    )
    size: u32 = field("bytes; of constant and texture buffers a multiple of 16")
    flags: u32 = field("1 placed by register()")
    kind: u32 = field("what the buffer is", enum=BufferType)


class RdefBinding(Record, params=("spaced",)):
    """One resource, and the registers that it takes."""

    name: str = pointer("name", CString(), default="")
    kind: u32 = field("what is bound", enum=InputType)
    return_type: u32 = field("what a read gives", enum=ResourceReturnType)
    dimension: u32 = field("shape of the resource", enum=SrvDimension)
    sample_count: u32 = field("samples; structured: the stride; 0xFFFFFFFF not applicable")
    bind_point: u32 = field("first register")
    bind_count: u32 = field("registers; 0 is unbounded (5.1)")
    flags: u32 = field(
        "1 placed by register(), 2 comparison sampler, 12 components - 1, shifted by 2"
    )
    space: u32 = field("register space", default=0, when="spaced")
    id: u32 = field("number of the range that the program's operands use", default=0, when="spaced")


class RdefSizes(Record):
    """The words that 5.0 added: a tag, and the sizes of the records of this part."""

    tag: u32 = field("`RD11` (0x31314452), for 5.1 0x25441313")
    header_size: u32 = field("60")
    buffer_size: u32 = field("24")
    binding_size: u32 = field("32, for 5.1 40")
    variable_size: u32 = field("40")
    type_size: u32 = field("36")
    member_size: u32 = field("12")
    interface_slots: u32 = field("interface slots that the shader has")


class ResourceDefinition(Record, source="RenderDoc dxbc_container.cpp (RDEFHeader)"):
    """The whole part."""

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
    minor: u8 = field("shader model, minor")
    major: u8 = field("shader model, major")
    target: u16 = field("stage", enum=RdefTarget)
    flags: u32 = field("compile flags (D3DCOMPILE_*)")
    creator: str = pointer("the compiler, in its own words", CString(), default="")
    sizes: RdefSizes | None = nested(
        "tag and record sizes", RdefSizes, default=None, when="major >= 5"
    )

    def rename(self, path: str, name: str) -> None:
        """Give what a path names another name: a buffer, a variable, a member, a resource.

        rename("Light.colour", "tint"); `naming` has the rules. UsageError lists the names there
        are.
        """
        from ..renaming import rename

        rename(self, path, name)


class ResourceDefinitionKind(RecordKind):
    """The part, whose initial values are what the types of their variables say."""

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        return with_padding(spans_with_components(trace(self.record, data)), data, pad)


PART = ResourceDefinitionKind(ResourceDefinition)
