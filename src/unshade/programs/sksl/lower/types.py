"""Values of SkSL as scalars of `ir`: a value is a list with one scalar for each component.

    half4         r g b a                       four f32: the raster pipeline has no narrow floats
    float2x3      columns, each from the top    six f32
    S[2]          the members of the first element, then of the second
    int, short    i32            uint, ushort   i32            bool  bool

Source: Skia's raster pipeline, in which a value is a row of slots of 32 bits.
"""

from ....errors import UnsupportedError
from ....ir.types import BOOL, F32, I32, Type
from ..tree import ArrayDataType, DataType, NumberKind, StructDataType, TypeKind

__all__ = ["MOST_SCALARS", "is_unsigned", "member_offset", "scalar_of", "scalars_of"]

MOST_SCALARS = 1 << 14  # scalars of one value
SCALARS = {
    NumberKind.FLOAT: F32,
    NumberKind.SIGNED: I32,
    NumberKind.UNSIGNED: I32,
    NumberKind.BOOL: BOOL,
}
HELD = (TypeKind.SCALAR, TypeKind.VECTOR, TypeKind.MATRIX, TypeKind.LITERAL)


def scalar_of(type_: DataType) -> Type:
    """Return the type of the components of a scalar, vector or matrix."""
    found = SCALARS.get(type_.resolved.number)
    if found is None or type_.resolved.kind not in HELD:
        raise UnsupportedError(f"values of type {type_.name} cannot be run")
    return found


def scalars_of(type_: DataType) -> list[Type]:
    """Return the types of the scalars of a value; UnsupportedError if there are too many."""
    type_ = type_.resolved
    if type_.kind is TypeKind.VOID:
        return []
    if type_.slots > MOST_SCALARS:
        raise UnsupportedError(f"a value of type {type_.name} has more than {MOST_SCALARS} scalars")
    if isinstance(type_, ArrayDataType):
        return scalars_of(type_.component) * max(type_.columns, 0)
    if isinstance(type_, StructDataType):
        return [each for member in type_.members for each in scalars_of(member.type)]
    return [scalar_of(type_)] * type_.slots


def is_unsigned(type_: DataType) -> bool:
    """Return True for unsigned integers and their vectors."""
    return type_.resolved.number is NumberKind.UNSIGNED


def member_offset(type_: StructDataType, index: int) -> int:
    """Return the number of scalars before a member."""
    return sum(each.type.slots for each in type_.members[:index])
