"""Opaque pointers, which later versions of LLVM print.

    %2 = alloca [4 x float]
    store float 1.0, ptr %2        the first element: getelementptr of [4 x float]* to float*
    call void @f(ptr %2)           @f takes i8*: a bitcast

A pointer keeps the pointee type of its definition: an alloca, a global, a getelementptr, or an
argument of a function dx.op. Others point to i8. Where an instruction needs another type, an
instruction is inserted before it that selects the first part of the pointee, or casts the pointer.
"""

from ..model.constants import ConstantNull, DxilConstant, UndefinedValue
from ..model.instructions import CastInst, GetElementPtrInst, Instruction
from ..model.types import ArrayType, DxilType, PointerType, StructType, VectorType
from ..model.values import DxilValue, GlobalValue
from ..tables.llvm_enumerations import CASTS
from .scope import TextScope

__all__ = ["cast_type", "coerced", "interchangeable", "pointer_to"]

BITCAST = next(number for number, name in CASTS.items() if name == "bitcast")
INBOUNDS = 1


def interchangeable(scope: TextScope, one: DxilType, other: DxilType) -> bool:
    """Return True if the text may use values of two types interchangeably."""
    if one is other:
        return True
    pointers = isinstance(one, PointerType) and isinstance(other, PointerType)
    return scope.opaque and pointers and getattr(one, "space", 0) == getattr(other, "space", 0)


def coerced(scope: TextScope, value: DxilValue, type: DxilType) -> DxilValue:
    """Return a pointer converted to a type; any other value unchanged."""
    if value.type is type or not interchangeable(scope, value.type, type):
        return value
    if isinstance(value, ConstantNull):
        return scope.pool.null(type)
    if isinstance(value, UndefinedValue):
        return scope.pool.undefined(type)
    assert isinstance(type, PointerType)
    assert isinstance(value.type, PointerType)
    source = value.type.pointee
    zeros = [scope.pool.null(scope.types.integer(32))] * _steps(source, type.pointee)
    is_constant = isinstance(value, DxilConstant | GlobalValue)
    if is_constant and zeros:
        arguments = [value, *zeros]
        return scope.pool.expression(type, "getelementptr", arguments, INBOUNDS, None, source)
    if is_constant:
        return scope.pool.expression(type, "cast", [value], BITCAST)
    made: Instruction
    if zeros:
        made = GetElementPtrInst(
            type=type, source_type=source, pointer=value, indices=[*zeros], inbounds=INBOUNDS
        )
    else:
        made = CastInst(type=type, operation=BITCAST, value=value)
    scope.before.append(made)
    return made


def pointer_to(scope: TextScope, value: DxilValue, pointee: DxilType) -> DxilValue:
    """Return a pointer converted to a pointer to a type."""
    if not scope.opaque or not isinstance(value.type, PointerType):
        return value
    return coerced(scope, value, scope.types.pointer(pointee, value.type.space))


def cast_type(scope: TextScope, value: DxilValue, type: DxilType) -> DxilType:
    """Return the type of a cast: a pointer to another address space keeps its pointee type."""
    of = value.type
    if scope.opaque and isinstance(of, PointerType) and isinstance(type, PointerType):
        return scope.types.pointer(of.pointee, type.space)
    return type


def _steps(type: DxilType, wanted: DxilType) -> int:
    """Return the number of indices that lead to the first part of a type; 0 if none do."""
    steps = 1
    while type is not wanted:
        match type:
            case StructType(elements=[first, *_]):
                type = first
            case ArrayType() | VectorType():
                type = type.element
            case _:
                return 0
        steps += 1
    return steps
