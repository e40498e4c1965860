"""Lowering of resources and handles.

    createHandle(i32 57, i8 1, i32 0, i32 3)      range 0 of the UAVs, register 3
    createHandleFromBinding(i32 217, {1, 4, 0, 1}, …)  the range u1 to u4 in space 0
    createHandleFromHeap(i32 218, i32 %n, …)      descriptor %n; annotateHandle gives its kind
    createHandleForLib(i32 160, %struct.T %1)     the variable that the object is loaded from

A handle is a number that selects a resource among several. Only those are bound that a program
uses: one for a constant index, all registers of the range otherwise. The length of unbounded ranges
and of heaps with such indices must be specified. Descriptors of a heap are bound by their numbers:
heap3. An index may select a descriptor for several kinds of resources; each is a separate resource.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, DxilResourceProperties.h.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.specialisation import Specialisation
from ....ir.transforms.dynamic_indexing import each_of, several_of
from ....ir.types import I32, Type
from ....vocab.d3d import UNBOUNDED
from ....vocab.dxil import DxilResourceKind
from ....vocab.slots import ResourceSlot
from ..model.constants import integer_of
from ..model.instructions import CallInst
from ..model.types import ArrayType, DxilType, StructType
from ..model.values import DxilValue
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilResource, DxilResources
from .bound import BoundResource, Handle, HeapIndex, ResourceObject
from .calls import Handlers, OperationCall
from .resources import (
    CBUFFER,
    HEAP,
    PREFIXES,
    SAMPLER,
    SHAPES,
    UAV,
    DeclaredResources,
    heap_name,
    heap_slot,
    name_of,
    slot_of,
)
from .values import Result, Values

__all__ = ["Handles", "element_of"]

UNPLACED = 0xFFFF_FFFF  # register of a resource of a library that is not linked
K = DxilResourceKind


class Handles:
    """The resources of an entry point, and their handles."""

    def __init__(
        self, values: Values, resources: DxilResources, specialisation: Specialisation
    ) -> None:
        self.values = values
        self.b = values.builder
        self.specialisation = specialisation
        self.ranges: dict[tuple[int, int], DxilResource] = {}
        self.declared = DeclaredResources(self.b, specialisation)
        self.unplaced: dict[int, DxilResource] = {}  # by class: the one that has no register yet
        for each in resources.all:
            self.ranges[each.group, each.id] = each
            if (variable := each.global_variable) is not None:
                values.globals[variable] = ResourceObject(each, constant(each.lower, I32))

    # ------------------------------------------------------------ handles

    def created(self, group: int, number: int, index: Value) -> Handle:
        """Return the handle of register `index` of a range, given its class and number."""
        found = self.ranges.get((group, number))
        if found is None:
            raise UnsupportedError(f"no such range of resources: {PREFIXES[group & 3]} {number}")
        return self.handle(found, index)

    def from_binding(self, lower: int, space: int, group: int, index: Value) -> Handle:
        """Return the handle of register `index` of the range that contains register `lower`."""
        return self.handle(self._binding(lower, 0, space, group), index)

    def _binding(self, lower: int, _: int, space: int, group: int) -> DxilResource:
        """Return the range that contains a register."""
        for each in self.ranges.values():
            if (each.group, each.space) == (group, space) and each.contains(lower):
                return each
        raise UnsupportedError(
            f"no range of resources contains {PREFIXES[group & 3]}{lower} in space {space}"
        )

    def handle(self, found: DxilResource, index: Value) -> Handle:
        """Return the handle of a register of a range."""
        made, first = self.registers(found, index.attr if index.op is OPS.const else None)
        return self._of(made, index, first)

    def registers(
        self, found: DxilResource, number: int | None
    ) -> tuple[dict[int, BoundResource], int]:
        """Return the resources of a register, or of all of a range (None), and the first number."""
        other = self.unplaced.setdefault(found.group, found) if found.lower == UNPLACED else found
        if other is not found:
            raise UnsupportedError(
                f"{found.name} and {other.name} have no register yet: compile the library with"
                " -auto-binding-space, or link it"
            )
        numbers: Sequence[int] = (number,) if number is not None else ()
        if number is None:
            numbers = range(found.lower, found.lower + self._length(found))
        return dict(self.declared.register(found, each) for each in numbers), next(iter(numbers), 0)

    def _of(self, made: dict[int, BoundResource], index: Value, first: int) -> Handle:
        """Return a handle of resources with successive keys; `first` is the number of the first."""
        key = next(iter(made))
        if index.op is OPS.const:
            return Handle(made, constant(key, I32))
        shift = key - first
        return Handle(made, self.b.iadd(index, shift) if shift else index)

    def _length(self, found: DxilResource) -> int:
        slot = slot_of(found, found.lower)
        return self._checked(name_of(found, found.lower), slot, found.registers)

    def _checked(self, name: str, slot: ResourceSlot, registers: int) -> int:
        declared = None if registers == UNBOUNDED else registers
        return self.specialisation.array_length(slot, name, declared)

    def annotated(self, heap: HeapIndex, properties: Sequence[int]) -> Handle:
        """Return the handle of a descriptor in a heap, by the properties in the program."""
        number = heap.index.attr if heap.index.op is OPS.const else None
        made, first = self.descriptors(heap.samplers, number, properties)
        return self._of(made, heap.index, first)

    def descriptors(
        self, samplers: bool, number: int | None, properties: Sequence[int]
    ) -> tuple[dict[int, BoundResource], int]:
        """Return the resources of a descriptor, or of all (None), and the first's number."""
        flags, second = properties
        kind = flags & 0xFF
        group = SAMPLER if samplers else CBUFFER if kind == K.CBUFFER else flags >> 12 & 1
        typed = kind in SHAPES
        described = DxilResource(
            group, HEAP, self._nothing(), "", int(samplers), 0, UNBOUNDED, kind,
            has_counter=group == UAV and bool(flags >> 15 & 1),
            size=second if kind == K.CBUFFER else 0,
            component_type=second & 0xFF if typed else None,
            samples=second >> 16 & 0xFF if typed else 0,
            stride=second if kind == K.STRUCTURED_BUFFER else None,
        )  # fmt: skip
        numbers: Sequence[int] = (number,) if number is not None else ()
        if number is None:
            name = heap_name(samplers, 0)
            numbers = range(self._checked(name, heap_slot(samplers, 0), UNBOUNDED))
        made = dict(self.declared.descriptor(described, samplers, each) for each in numbers)
        return made, next(iter(numbers), 0)

    def _nothing(self) -> DxilValue:
        nothing = DxilValue(StructType(None, []))
        return next((each.variable for each in self.ranges.values()), nothing)

    # ------------------------------------------------------------ choices

    def select(
        self, handle: Handle, make: Callable[[BoundResource], Sequence[Value]], *types: Type
    ) -> list[Value]:
        """Append the code for each resource that a handle may select; 0 if out of range."""
        if handle.which.op is OPS.const:
            return [*make(handle.resources[handle.which.attr])]
        nothing = [constant(0, each) for each in types]
        resources = handle.resources
        return several_of(self.b, handle.which, resources, lambda at: make(resources[at]), nothing)

    def each(self, handle: Handle, do: Callable[[BoundResource], object]) -> None:
        """Append effects that depend on the resource of a handle."""
        each_of(self.b, handle.which, handle.resources, lambda at: do(handle.resources[at]))

    # ------------------------------------------------------------ calls

    def widen(self, creation: CallInst) -> None:
        """Note that the resources of a handle have atomic operations of 64 bits."""
        op = operation_of(creation)
        arguments = arguments_of(creation, op) if op is not None else {}
        if op is not None and op.name == "CreateHandle":
            integer = self.values.integer
            key = integer(arguments["resourceClass"]), integer(arguments["rangeId"])
            self.declared.wide.add(key)
        elif op is not None and op.name == "CreateHandleFromBinding":
            lower, _, space, group = self._numbers(arguments["bind"], 4)
            for key, each in self.ranges.items():
                if (each.group, each.space) == (group, space) and each.contains(lower):
                    self.declared.wide.add(key)
        elif op is not None and op.name == "CreateHandleFromHeap":
            self.declared.wide.add((UAV, HEAP))

    def possible(self, creation: CallInst) -> Handle | HeapIndex:
        """Return a handle for every resource that a call may select, before the call is lowered."""
        op = operation_of(creation)
        arguments = arguments_of(creation, op) if op is not None else {}
        number = integer_of(arguments.get("index"))
        zero = constant(0, I32)
        found: DxilResource | None = None
        match op.name if op is not None else "":
            case "CreateHandle":
                integer = self.values.integer
                key = integer(arguments["resourceClass"]), integer(arguments["rangeId"])
                found = self.ranges.get(key)
            case "CreateHandleFromBinding":
                found = self._binding(*self._numbers(arguments["bind"], 4))
            case "CreateHandleFromHeap":
                return HeapIndex(zero, bool(self.values.integer(arguments["samplerHeap"])))
            case "AnnotateHandle" if isinstance(arguments["res"], CallInst):
                inner = self.possible(arguments["res"])
                if isinstance(inner, Handle):
                    return inner
                heap = operation_of(arguments["res"])
                assert heap is not None
                number = integer_of(arguments_of(arguments["res"], heap)["index"])
                properties = self._numbers(arguments["props"], 2)
                made, _ = self.descriptors(inner.samplers, number, properties)
                return Handle(made, zero)
        if found is None:
            raise UnsupportedError("a phi of this handle cannot be run yet")
        return Handle(self.registers(found, number)[0], zero)

    def _numbers(self, value: DxilValue, count: int) -> list[int]:
        """Return the numbers of a constant structure."""
        found = self.values.get(value)
        if not isinstance(found, tuple) or len(found) != count:
            raise UnsupportedError(f"expected a structure of {count} numbers")
        return [number_of(each) for each in found]

    def _from_binding_call(self, call: OperationCall) -> Handle:
        lower, _, space, group = self._numbers(call["bind"], 4)
        return self.from_binding(lower, space, group, call.scalar("index"))

    def _for_library(self, call: OperationCall) -> Handle:
        found = self.values.get(call["Resource"])
        if not isinstance(found, ResourceObject):
            raise UnsupportedError("a handle of a value that is not a resource cannot be run yet")
        return self.handle(found.resource, found.index)

    def _annotate(self, call: OperationCall) -> Handle:
        found = self.values.get(call["res"])
        if isinstance(found, HeapIndex):
            return self.annotated(found, self._numbers(call["props"], 2))
        if not isinstance(found, Handle):
            raise UnsupportedError("a property of a value that is not a handle cannot be run yet")
        return found

    OPERATIONS: ClassVar[Handlers] = {
        "CreateHandle": lambda self, call: self.created(
            call.integer("resourceClass"), call.integer("rangeId"), call.scalar("index")
        ),
        "CreateHandleFromBinding": _from_binding_call,
        "CreateHandleFromHeap": lambda self, call: HeapIndex(
            call.scalar("index"), bool(call.integer("samplerHeap"))
        ),
        "CreateHandleForLib": _for_library,
        "AnnotateHandle": _annotate,
    }


def element_of(
    base: ResourceObject, type: DxilType, indices: list[Value], values: Values
) -> ResourceObject:
    """Return the object that a getelementptr of an array of resources leads to."""
    b = values.builder
    index = base.index
    for each in indices[1:]:
        if not isinstance(type, ArrayType):
            break
        type = type.element
        count = 1
        inner = type
        while isinstance(inner, ArrayType):
            count *= inner.count
            inner = inner.element
        step = each if count == 1 else b.imul(each, count)
        index = (
            b.iadd(index, step)
            if step.op is not OPS.const or index.op is not OPS.const
            else (constant(index.attr + step.attr, I32))
        )
    return ResourceObject(base.resource, index)


def number_of(value: Result) -> int:
    """Return a number that has to be a constant."""
    if not isinstance(value, Value) or value.op is not OPS.const:
        raise UnsupportedError("expected a constant operand, got a value")
    found: int = value.attr
    return found
