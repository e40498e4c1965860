"""Values of a program while it is lowered.

    i32, float, i1          a `Value`; undef is 0
    structures, vectors     a tuple of their parts; arrays exist in memory only
    pointers                a `PointerValue`: a place in a memory, or a variable
    handles                 a `Handle` (handles.py)

Values belong to a call of a function: calls are lowered in place, each with its own values.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.memory import Memory, Var
from ....ir.types import BOOL, FLOATS, INTEGERS, Type
from ..datalayout import DataLayout
from ..model.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    DxilConstant,
    UndefinedValue,
    integer_of,
)
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..model.values import DxilValue

__all__ = ["PointerValue", "Result", "Values", "scalar_type"]

MOST_PARTS = 1 << 12  # of a structure that is a value
Result: TypeAlias = Any  # a Value, a tuple of Results, a PointerValue or a Handle


@dataclass(frozen=True, slots=True)
class PointerValue:
    """A place in a memory, or in a small array whose scalars are variables."""

    memory: Memory | None
    element: Value
    byte: Value
    variables: tuple[Var, ...] = ()
    stride: int = 0


def scalar_type(type: DxilType) -> Type | None:
    """Return the type of a scalar; None if operations do not support it."""
    if isinstance(type, IntegerType):
        return BOOL if type.width == 1 else INTEGERS.get(type.width)
    if isinstance(type, FloatType):
        return FLOATS.get(type.width)
    return None


class Values:
    """The values of the functions that are being lowered, the innermost last."""

    def __init__(self, builder: Builder, layout: DataLayout) -> None:
        self.builder = builder
        self.layout = layout
        self.frames: list[dict[DxilValue, Result]] = [{}]
        self.globals: dict[DxilValue, Result] = {}
        self.expression: Callable[[ConstantExpression], Result] = _refused

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Keep the values of a function in the context."""
        self.frames.append({})
        yield
        self.frames.pop()

    def set(self, value: DxilValue, result: Result) -> None:
        """Set the lowered form of a value."""
        self.frames[-1][value] = result

    def type(self, type: DxilType) -> Type:
        """Return the type of a scalar."""
        found = scalar_type(type)
        if found is None:
            raise UnsupportedError(f"values of type {type!s:.40} cannot be run yet")
        return found

    def get(self, value: DxilValue) -> Result:
        """Return the lowered form of a value."""
        found = self.frames[-1].get(value)
        if found is None:
            found = self.globals.get(value)
        return self._constant(value) if found is None else found

    def scalar(self, value: DxilValue) -> Value:
        """Return a value that is a scalar."""
        found = self.get(value)
        if not isinstance(found, Value):
            raise UnsupportedError(f"expected a number, got a value of type {value.type!s:.40}")
        return found

    def integer(self, value: DxilValue | None) -> int:
        """Return an operand that has to be a constant; undef is 0."""
        number = integer_of(value)
        if number is not None:
            return number
        if value is None or isinstance(value, UndefinedValue):
            return 0
        raise UnsupportedError("expected a constant operand, got a value")

    def _constant(self, value: DxilValue) -> Result:
        type = value.type
        if isinstance(value, ConstantNull | UndefinedValue):
            return self.zero(type)
        match value:
            case ConstantInt():
                return constant(value.value, self.type(type))
            case ConstantFloat():
                return constant(value.bits, self.type(type))
            case ConstantAggregate():
                return tuple(self.get(each) for each in value.elements)
            case ConstantData() if isinstance(type, ArrayType | VectorType):
                element = self.type(type.element)
                return tuple(constant(each, element) for each in value.elements)
            case ConstantExpression():
                return self.expression(value)
        if not isinstance(value, DxilConstant):
            raise UnsupportedError("a value is used where it is not defined")
        raise UnsupportedError(f"a value of type {type!s:.40} cannot be run yet")

    def zero(self, type: DxilType) -> Result:
        """Return the zero of a type."""
        scalar = scalar_type(type)
        if scalar is not None:
            return constant(0, scalar)
        return tuple(self.zero(each) for each in parts_of(type))


def _refused(value: ConstantExpression) -> Result:
    """Refuse an operation on constants, where no instructions are lowered."""
    raise UnsupportedError(f"a constant {value.opcode} cannot be run yet")


def parts_of(type: DxilType) -> list[DxilType]:
    """Return the types of the parts of a value that has several."""
    if isinstance(type, StructType) and type.elements is not None:
        return type.elements
    if isinstance(type, VectorType) and type.count <= MOST_PARTS:
        return [type.element] * type.count
    if isinstance(type, ArrayType) and type.count <= MOST_PARTS:
        return [type.element] * type.count
    if isinstance(type, PointerType):
        raise UnsupportedError("a null pointer cannot be run yet")
    raise UnsupportedError(f"values of type {type!s:.40} cannot be run yet")
