"""CTAB: the comment with the names, types and registers of constants and samplers.

    +0   u32 size of this header, 28   +4  u32 name of the compiler   +8  u32 version token
    +12  u32 count, u32 offset         constants
    +20  u32 flags of the compiler     +24 u32 profile

Offsets are relative to the first byte after the letters `CTAB`. fxc sorts constants by name.

Source: the documentation of d3dx9shader.h (D3DXSHADER_CONSTANTTABLE, D3DXSHADER_CONSTANTINFO,
D3DXSHADER_TYPEINFO, D3DXSHADER_STRUCTMEMBERINFO).
"""

from ...enums import IntEnum, member_of
from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...vocab.d3d import VariableClass, VariableType
from ...wire import Array, CString, Nested, Record, derived, field, pointer, read, u16, u32
from .code import Code

__all__ = [
    "CONSTANT_SETS",
    "ConstantSet",
    "ConstantTable",
    "ConstantType9",
    "constant_table",
    "scalar_name",
]

TAG = "CTAB"
MOST_REGISTERS = 0x10000  # of all constants: eight times those of the float constants
SCALARS = {
    VariableType.SAMPLER: "sampler", VariableType.SAMPLER1D: "sampler1D",
    VariableType.SAMPLER2D: "sampler2D", VariableType.SAMPLER3D: "sampler3D",
    VariableType.SAMPLERCUBE: "samplerCUBE",
}  # fmt: skip


class ConstantSet(IntEnum):
    """The register file of a constant (D3DXREGISTER_SET)."""

    BOOL = 0
    INT4 = 1
    FLOAT4 = 2
    SAMPLER = 3


CONSTANT_SETS = {
    ConstantSet.BOOL: "b", ConstantSet.INT4: "i", ConstantSet.FLOAT4: "c", ConstantSet.SAMPLER: "s",
}  # fmt: skip


class StructMember(Record):
    """A member of a structure. 8 bytes."""

    name: str = pointer("name", CString(), default="")
    type: "ConstantType9" = pointer("type", Nested("ConstantType9"), share=True)


class ConstantType9(Record):
    """The type of a constant. 16 bytes."""

    type_class: u16 = field("class: scalar, vector, matrix, …", enum=VariableClass)
    type: u16 = field("type of the components", enum=VariableType)
    rows: u16 = field("rows of a matrix; otherwise 1")
    columns: u16 = field("components of a vector, or columns of a matrix")
    elements: u16 = field("array size, 1 if not an array")
    member_count: u16 | None = derived("number of members", "len(members)")
    members: list[StructMember] = pointer(
        "members of a structure",
        Array(Nested(StructMember), count="member_count"),
        loose=True,
    )


class ConstantRow(Record):
    """A constant. 20 bytes."""

    name: str = pointer("name in the source", CString(), default="")
    register_set: u16 = field("register file", enum=ConstantSet)
    register: u16 = field("first register")
    count: u16 = field("number of registers that the code uses")
    reserved: u16 = field("0")
    type: ConstantType9 = pointer("type", Nested(ConstantType9), share=True)
    default: u32 = field("offset of the default value; 0 for none")


class ConstantTable(Record, source="d3dx9shader.h"):
    """The contents of a CTAB comment."""

    size: u32 = field("size of this header in bytes", default=28)
    creator: str | None = pointer("name of the compiler", CString(), null=0)
    version: u32 = field("version token of the program")
    count: u32 | None = derived("number of constants", "len(constants)")
    constants: list[ConstantRow] = pointer(
        "constants", Array(Nested(ConstantRow), count="count"), loose=True
    )
    flags: u32 = field("flags of the compiler")
    target: str | None = pointer("profile", CString(), null=0)


def constant_table(code: Code, limits: Limits = DEFAULT) -> ConstantTable | None:
    """Return the constants of a program; None if it names none, or in a malformed comment.

    A comment is malformed, too, if its constants have more registers than any program has.
    """
    comment = code.comment(TAG)
    if comment is None:
        return None
    try:
        found = read(ConstantTable, comment.data[len(TAG) :], limits=limits)
    except (FormatError, LimitError):
        return None
    return found if sum(each.count for each in found.constants) <= MOST_REGISTERS else None


def scalar_name(number: int) -> str:
    """Return the name of a type of components in HLSL: `float`, `samplerCUBE`."""
    found = member_of(VariableType, number)
    if found is None:
        return f"type{number}"
    return SCALARS.get(found, found.name.lower())
