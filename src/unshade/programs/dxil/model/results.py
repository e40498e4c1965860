"""Types of results that follow from the types of operands.

    icmp, fcmp       i1, or a vector of i1                       comparison
    cmpxchg          the value in memory, and whether it matched exchange
    shufflevector    a vector as long as the mask                shuffle
    getelementptr    a pointer, or a vector of pointers          address
    extractvalue     a part of the aggregate                     part

Functions return None where operands cannot have such types; callers report the error. `inner`
raises FormatError.

Source: LLVM 3.7's public language reference.
"""

from collections.abc import Iterable

from ....errors import FormatError
from .types import ArrayType, DxilType, PointerType, StructType, VectorType
from .typetable import TypeTable

__all__ = ["address", "comparison", "exchange", "inner", "part", "scalar", "shuffle"]


def scalar(type: DxilType) -> DxilType:
    """Return the element of a vector, or the type itself."""
    return type.element if isinstance(type, VectorType) else type


def comparison(types: TypeTable, operand: DxilType) -> DxilType:
    """Return the type of a comparison of two values of a type."""
    boolean = types.integer(1)
    return types.vector(operand.count, boolean) if isinstance(operand, VectorType) else boolean


def exchange(types: TypeTable, compared: DxilType) -> DxilType:
    """Return the type of a compare-exchange of a value of a type."""
    return types.literal([compared, types.integer(1)])


def shuffle(types: TypeTable, left: DxilType, mask: DxilType) -> DxilType | None:
    """Return the type of a shuffle; None if an operand is not a vector."""
    if not isinstance(left, VectorType) or not isinstance(mask, VectorType):
        return None
    return types.vector(mask.count, left.element)


def address(
    types: TypeTable, pointee: DxilType, pointer: DxilType, indices: Iterable[DxilType]
) -> DxilType | None:
    """Return the type of the address of a part; None if the base is not a pointer.

    Args:
        types: The types of the module.
        pointee: The type of the part.
        pointer: The type of the base, a pointer or a vector of pointers.
        indices: The types of the indices; each may be a vector.
    """
    base = scalar(pointer)
    if not isinstance(base, PointerType):
        return None
    found = types.pointer(pointee, base.space)
    for each in (pointer, *indices):
        if isinstance(each, VectorType):
            return types.vector(each.count, found)
    return found


def part(type: DxilType, index: object) -> DxilType | None:
    """Return the type of a part of an aggregate; None if it does not have that part.

    The index of an array or vector may be anything, the index of a structure is an integer.
    """
    if isinstance(type, ArrayType | VectorType):
        return type.element
    if isinstance(type, StructType) and isinstance(index, int):
        elements = type.elements or ()
        if 0 <= index < len(elements):
            return elements[index]
    return None


def inner(type: DxilType, indices: Iterable[object]) -> DxilType:
    """Return the type of the part of an aggregate that indices lead to."""
    for index in indices:
        found = part(type, index)
        if found is None:
            raise FormatError(f"expected an element of {type!s:.40}, got {index!r:.20}")
        type = found
    return type
