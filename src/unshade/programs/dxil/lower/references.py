"""References that depend on the path: handles and pointers as numbers, and their possible targets.

    %h = phi %dx.types.Handle [ %a, %x ], [ %b, %y ]     a phi of keys of the resources of %a and %b
    %p = phi float addrspace(3)* [ %c, %x ], [ %d, %y ]   phis of element and byte, of one memory

A phi in a loop is lowered before its operands, so its possible targets are found by following
operands to the calls that create handles, and to the base variables of pointers.
"""

from collections.abc import Iterator, Sequence

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.types import I32, Type
from ..model.constants import ConstantExpression, ConstantNull, UndefinedValue
from ..model.instructions import AllocaInst, CallInst, Instruction, PhiInst
from ..model.types import DxilType, PointerType, StructType
from ..model.values import DxilValue, GlobalVariable
from .bound import BoundResource, Handle, HeapIndex, ResourceObject
from .handles import Handles
from .pointers import Pointers
from .values import PointerValue, Result

__all__ = ["References", "flat", "is_reference", "selected"]

HANDLE = "dx.types.Handle"


def is_reference(type: DxilType) -> bool:
    """Return whether values of a type are pointers or handles."""
    return isinstance(type, PointerType) or (isinstance(type, StructType) and type.name == HANDLE)


def flat(value: Result) -> list[Value]:
    """Return the numbers that a value consists of."""
    match value:
        case Value():
            return [value]
        case tuple():
            return [scalar for each in value for scalar in flat(each)]
        case Handle():
            return [value.which]
        case HeapIndex() | ResourceObject():
            return [value.index]
        case PointerValue() if value.memory is not None:
            return [value.element, value.byte]
    raise UnsupportedError(f"a value that depends on the path cannot be run: {value!r:.40}")


def selected(b: Builder, condition: Value, one: Result, other: Result) -> Result:
    """Append a choice between two references."""
    first, second = flat(one), flat(other)

    if _root(one) != _root(other):
        raise UnsupportedError("a choice between different memories cannot be run yet")
    numbers = [b.select(condition, x, y) for x, y in zip(first, second, strict=True)]
    return _made(one, numbers, {**_resources(one), **_resources(other)})


def _resources(value: Result) -> dict[int, BoundResource]:
    return dict(value.resources) if isinstance(value, Handle) else {}


def _root(value: Result) -> object:
    """Return the property that two references must share."""
    match value:
        case PointerValue():
            return value.memory
        case ResourceObject():
            return value.resource
        case HeapIndex():
            return value.samplers
    return type(value)


def _made(like: Result, numbers: Sequence[Value], resources: dict[int, BoundResource]) -> Result:
    """Return a reference of other numbers."""
    match like:
        case Handle():
            return Handle(resources, numbers[0])
        case HeapIndex():
            return HeapIndex(numbers[0], like.samplers)
        case ResourceObject():
            return ResourceObject(like.resource, numbers[0])
    element, byte = numbers
    return PointerValue(like.memory, element, byte, stride=like.stride)


class References:
    """Handles and pointers that are phis, with their possible targets."""

    def __init__(self, pointers: Pointers, handles: Handles) -> None:
        self.pointers = pointers
        self.handles = handles

    def types(self, type: DxilType) -> list[Type]:
        """Return the types of the numbers that a reference consists of."""
        return [I32, I32] if isinstance(type, PointerType) else [I32]

    def joined(self, phi: PhiInst, numbers: Sequence[Value]) -> Result:
        """Return the reference that a phi yields, from its numbers."""
        examples = [self._example(each) for each in sources(phi)]
        if not examples:
            raise UnsupportedError("a phi of no pointer or handle cannot be run")
        first = examples[0]
        if any(_root(each) != _root(first) for each in examples):
            raise UnsupportedError("a phi of pointers to different memories cannot be run yet")
        resources: dict[int, BoundResource] = {}
        for each in examples:
            resources |= _resources(each)
        count = len(flat(first))
        return _made(first, numbers[:count], resources)

    def _example(self, value: DxilValue) -> Result:
        """Return a reference to the origin of a reference."""
        known = self.pointers.values.frames[-1].get(value)
        if known is not None:
            return known
        if isinstance(value, GlobalVariable):
            return self.pointers.pointer(value)
        if isinstance(value, AllocaInst):
            return self.pointers.reserved(value)
        if isinstance(value, CallInst):
            return self.handles.possible(value)
        raise UnsupportedError(f"a phi of type {value.type!s:.40} cannot be run yet")


def sources(phi: PhiInst) -> Iterator[DxilValue]:
    """Yield the origins of the operands of a phi: variables, and calls that create handles."""
    seen: set[DxilValue] = set()
    waiting: list[DxilValue] = [phi]
    while waiting:
        each = waiting.pop()
        if each in seen or isinstance(each, UndefinedValue | ConstantNull):
            continue
        seen.add(each)
        match each:
            case Instruction() if each.bases:
                waiting += each.bases
            case ConstantExpression() if each.arguments:
                waiting.append(each.arguments[0])
            case _:
                yield each
