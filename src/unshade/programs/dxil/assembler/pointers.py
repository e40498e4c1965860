"""Pointers without a type of what they point to, which later versions of LLVM print.

    %2 = alloca [4 x float]
    store float 1.0, ptr %2        the first element: getelementptr of [4 x float]* to float*
    call void @f(ptr %2)           @f takes i8*: a bitcast

A pointer keeps the type that its definition gives it: that of an alloca, global, getelementptr or
argument of a function dx.op. Others point to i8. Where an instruction needs another type, the first
part of what it points to is taken, or the pointer is cast, by an instruction before it.
"""

from ..model.constants import ConstantNull, DxilConstant, UndefinedValue
from ..model.instructions import CastInst, GetElementPtrInst, Instruction
from ..model.types import ArrayType, DxilType, PointerType, StructType, VectorType
from ..model.values import DxilValue, GlobalValue
from ..tables.operations import CASTS
from .pool import ConstantPool
from .types import TypeParser

__all__ = ["OpaquePointers"]

BITCAST = next(number for number, name in CASTS.items() if name == "bitcast")
INBOUNDS = 1


class OpaquePointers(TypeParser):
    """A reader of texts whose pointers may lack a type."""

    pool: ConstantPool
    before: list[Instruction]  # what the instruction that is being read needs before it

    def interchangeable(self, one: DxilType, other: DxilType) -> bool:
        """Return True if values of two types may stand for each other in the text."""
        if one is other:
            return True
        pointers = isinstance(one, PointerType) and isinstance(other, PointerType)
        return self.opaque and pointers and getattr(one, "space", 0) == getattr(other, "space", 0)

    def coerced(self, value: DxilValue, type: DxilType) -> DxilValue:
        """Return a pointer as one of a type; any other value as it is."""
        if value.type is type or not self.interchangeable(value.type, type):
            return value
        if isinstance(value, ConstantNull):
            return self.pool.null(type)
        if isinstance(value, UndefinedValue):
            return self.pool.undefined(type)
        assert isinstance(type, PointerType)
        assert isinstance(value.type, PointerType)
        source = value.type.pointee
        zeros = [self.pool.null(self.types.integer(32))] * _steps(source, type.pointee)
        is_constant = isinstance(value, DxilConstant | GlobalValue)
        if is_constant and zeros:
            arguments = [value, *zeros]
            return self.pool.expression(type, "getelementptr", arguments, INBOUNDS, None, source)
        if is_constant:
            return self.pool.expression(type, "cast", [value], BITCAST)
        made: Instruction
        if zeros:
            made = GetElementPtrInst(
                type=type, source_type=source, pointer=value, indices=[*zeros], inbounds=INBOUNDS
            )
        else:
            made = CastInst(type=type, operation=BITCAST, value=value)
        self.before.append(made)
        return made

    def pointer_to(self, value: DxilValue, pointee: DxilType) -> DxilValue:
        """Return a pointer as one to a type."""
        if not self.opaque or not isinstance(value.type, PointerType):
            return value
        return self.coerced(value, self.types.pointer(pointee, value.type.space))


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
