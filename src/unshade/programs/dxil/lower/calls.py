"""Calls of functions dx.op, as passed to handlers.

    class Waves:
        OPERATIONS = {"WaveReadLaneAt": lambda self, call: self.read(call.scalar("value"), …)}

A handler is a function of its owner and an `OperationCall`, which returns the result; None for
void.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.types import Type
from ..model.constants import UndefinedValue
from ..model.instructions import CallInst
from ..model.types import DxilType, StructType, VectorType
from ..model.values import DxilValue
from ..operation_types import OVERLOAD
from ..tables.dxil_operations import Op
from .bound import Handle
from .values import Result, Values

__all__ = ["Handlers", "OperationCall", "Owner"]

Handlers: TypeAlias = Mapping[str, Callable[[Any, "OperationCall"], Result]]


class Owner(Protocol):
    """A class with handlers."""

    OPERATIONS: ClassVar[Handlers]


class OperationCall:
    """A call of an operation; `wanted` are the components of the result that are used.

    In a call with vectors, operands and result are taken for one `element`; `elements` returns all.
    """

    __slots__ = ("arguments", "element", "instruction", "op", "values", "wanted")

    def __init__(
        self,
        values: Values,
        instruction: CallInst,
        op: Op,
        arguments: Mapping[str, DxilValue],
        wanted: Sequence[int],
    ) -> None:
        self.values = values
        self.instruction = instruction
        self.op = op
        self.arguments = arguments
        self.wanted = wanted
        self.element = 0

    def at(self, element: int) -> "OperationCall":
        """Return the same call, for one element of its vectors."""
        found = OperationCall(self.values, self.instruction, self.op, self.arguments, self.wanted)
        found.element = element
        return found

    @property
    def count(self) -> int:
        """The number of elements, if the overload is a vector; otherwise 0."""
        for each in self.op.operands:
            value = self.arguments.get(each.name)
            if each.type == OVERLOAD and value is not None and isinstance(value.type, VectorType):
                return value.type.count
        return 0

    def __getitem__(self, name: str) -> DxilValue:
        found = self.arguments.get(name)
        if found is None:
            raise UnsupportedError(f"{self.op.name}: expected an operand {name}, got none")
        return found

    def scalar(self, name: str) -> Value:
        """Return an operand that is a number, or its element."""
        value = self[name]
        if not isinstance(value.type, VectorType):
            return self.values.scalar(value)
        return self.elements(name)[self.element]

    def elements(self, name: str) -> tuple[Value, ...]:
        """Return the elements of a vector operand, or a number as a single element."""
        found = self.values.get(self[name])
        return found if isinstance(found, tuple) else (self.values.scalar(self[name]),)

    def scalars(self, *names: str) -> list[Value]:
        """Return operands that are numbers."""
        return [self.scalar(name) for name in names]

    def given(self, *names: str) -> list[Value]:
        """Return the operands without undefined operands at the end; other undefined ones are 0."""
        given = [self.arguments[name] for name in names if name in self.arguments]
        while given and isinstance(given[-1], UndefinedValue):
            given.pop()
        return [self.values.scalar(each) for each in given]

    def integer(self, name: str) -> int:
        """Return an operand that has to be a constant."""
        return self.values.integer(self[name])

    def handle(self, name: str) -> Handle:
        """Return an operand that is a handle."""
        found = self.values.get(self[name])
        if not isinstance(found, Handle):
            raise UnsupportedError(f"{self.op.name}: expected a handle, got {found!r:.40}")
        return found

    @property
    def parts(self) -> int:
        """The number of parts of the result."""
        type = self.instruction.type
        return len(type.elements or ()) if isinstance(type, StructType) else 1

    @property
    def type(self) -> Type:
        """The type of the result, or of its first part if it has several."""
        type: DxilType = self.instruction.type
        if isinstance(type, StructType) and type.elements:
            type = type.elements[0]
        return self.values.type(type.element if isinstance(type, VectorType) else type)
