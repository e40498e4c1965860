"""Lowering of resources and handles.

    createHandle(i32 57, i8 1, i32 0, i32 3)      range 0 of the UAVs, register 3
    createHandleFromBinding(i32 217, {1, 4, 0, 1}, …)  the range u1 to u4 in space 0
    createHandleFromHeap(i32 218, i32 %n, …)      descriptor %n; annotateHandle states its kind
    createHandleForLib(i32 160, %struct.T %1)     the variable that the object is loaded from

A handle is the number of one of some resources. Only those are bound that a program uses: one for a
constant index, all registers of the range otherwise. The length of unbounded ranges and of heaps
with such indices must be specified. Descriptors of a heap are bound by their numbers: heap3.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, DxilResourceProperties.h.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.dynamic_indexing import each_of, several_of
from ....ir.kernel import Value
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Space
from ....ir.ops import OPS
from ....ir.specialisation import Specialisation
from ....ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32, I32, Type
from ....vocab.dxil import DxilComponentType, DxilResourceKind
from ....vocab.slots import MemoryPart, ResourceClass, ResourceSlot
from ..dxop import arguments_of, operation_of
from ..facts.words import RETURNS
from ..model.instructions import CallInst
from ..model.types import ArrayType, DxilType, StructType
from ..model.values import DxilValue, GlobalVariable
from ..shaderinfo import DxilResource, DxilResources
from .bound import BoundResource, Handle, HeapIndex, ResourceObject
from .calls import Handlers, OperationCall
from .values import Result, Values

__all__ = ["Handles", "element_of"]

SRV, UAV, CBUFFER, SAMPLER = range(4)
CLASSES = {
    SRV: ResourceClass.READ, UAV: ResourceClass.WRITE, CBUFFER: ResourceClass.CONSTANTS,
    SAMPLER: ResourceClass.SAMPLER,
}  # fmt: skip
PREFIXES = ("t", "u", "cb", "s")
UNBOUNDED = 0xFFFF_FFFF
MOST = 1024  # resources that one index may select among
ROW = TEXEL = 16
K = DxilResourceKind
SHAPES: dict[int, tuple[Shape, bool]] = {
    K.TEXTURE_1D: (Shape.D1, False),
    K.TEXTURE_2D: (Shape.D2, False),
    K.TEXTURE_2DMS: (Shape.D2, False),
    K.TEXTURE_3D: (Shape.D3, False),
    K.TEXTURE_CUBE: (Shape.CUBE, False),
    K.TEXTURE_1D_ARRAY: (Shape.D1, True),
    K.TEXTURE_2D_ARRAY: (Shape.D2, True),
    K.TEXTURE_2DMS_ARRAY: (Shape.D2, True),
    K.TEXTURE_CUBE_ARRAY: (Shape.CUBE, True),
    K.TYPED_BUFFER: (Shape.BUFFER, False),
    K.TBUFFER: (Shape.BUFFER, False),
}
MULTISAMPLED = frozenset({K.TEXTURE_2DMS, K.TEXTURE_2DMS_ARRAY})
C = DxilComponentType
INTEGERS = frozenset({C.I1, C.I16, C.U16, C.I32, C.U32, C.I64, C.U64})


class Handles:
    """The resources of an entry point, and handles of them."""

    def __init__(
        self, values: Values, resources: DxilResources, specialisation: Specialisation
    ) -> None:
        self.values = values
        self.b = values.builder
        self.specialisation = specialisation
        self.ranges: dict[tuple[int, int], DxilResource] = {}
        self.wide: set[tuple[int, int]] = set()  # ranges with atomics of 64 bits
        self.bound: dict[object, tuple[int, BoundResource]] = {}
        for each in resources.all:
            self.ranges[each.group, each.id] = each
            if isinstance(each.variable, GlobalVariable):
                index = constant(each.lower, I32)
                values.globals[each.variable] = ResourceObject(each, index)

    # ------------------------------------------------------------ handles

    def created(self, group: int, number: int, index: Value) -> Handle:
        """Return the handle of a register in a range."""
        found = self.ranges.get((group, number))
        if found is None:
            raise UnsupportedError(f"no such range of resources: {PREFIXES[group & 3]} {number}")
        return self.handle(found, index)

    def from_binding(self, lower: int, space: int, group: int, index: Value) -> Handle:
        """Return the handle of a register in the range that contains a register."""
        for each in self.ranges.values():
            if (each.group, each.space) == (group, space) and _contains(each, lower):
                return self.handle(each, index)
        raise UnsupportedError(
            f"no range of resources contains {PREFIXES[group & 3]}{lower} in space {space}"
        )

    def handle(self, found: DxilResource, index: Value) -> Handle:
        """Return the handle of a register of a range."""
        if index.op is OPS.const:
            numbers: Iterable[int] = (index.attr,)
        else:
            numbers = range(found.lower, found.lower + self._length(found))
        made = dict(self._resource(found, number) for number in numbers)
        return self._of(made, index, next(iter(numbers), 0))

    def _of(self, made: dict[int, BoundResource], index: Value, first: int) -> Handle:
        """Return a handle of resources with successive keys, `first` is the first one's number."""
        key = next(iter(made))
        if index.op is OPS.const:
            return Handle(made, constant(key, I32))
        shift = key - first
        return Handle(made, self.b.iadd(index, shift) if shift else index)

    def _length(self, found: DxilResource) -> int:
        slot = _slot(found, found.lower)
        return self._checked(_name(found, found.lower), slot, found.registers)

    def _checked(self, name: str, slot: ResourceSlot, registers: int) -> int:
        count = registers
        length = self.specialisation.length(slot, name)
        if length is not None:
            count = min(count, length)
        elif registers == UNBOUNDED:
            raise UnsupportedError(
                f"expected a length of the array {name}, which is unbounded and indexed:"
                f" use --length {name}=… (in Python lengths={{{name!r}: …}})"
            )
        if not 0 < count <= MOST:
            raise UnsupportedError(f"expected 1 to {MOST} resources from {name} on, got {count}")
        return count

    def annotated(self, heap: HeapIndex, kind: int, flags: int, second: int) -> Handle:
        """Return the handle of a descriptor in a heap, by the properties that a program states."""
        group = SAMPLER if heap.samplers else CBUFFER if kind == K.CBUFFER else flags >> 12 & 1
        typed = kind in SHAPES
        described = DxilResource(
            group, 0, self._nothing(), "", int(heap.samplers), 0, UNBOUNDED, kind,
            has_counter=group == UAV and bool(flags >> 15 & 1),
            size=second if kind == K.CBUFFER else 0,
            component_type=second & 0xFF if typed else None,
            samples=second >> 16 & 0xFF if typed else 0,
            stride=second if kind == K.STRUCTURED_BUFFER else None,
        )  # fmt: skip
        if heap.index.op is OPS.const:
            numbers: Iterable[int] = (heap.index.attr,)
        else:
            name = _heap_name(heap.samplers, 0)
            count = self._checked(name, _heap_slot(heap.samplers, 0), UNBOUNDED)
            numbers = range(count)
        made = dict(self._descriptor(described, heap.samplers, number) for number in numbers)
        return self._of(made, heap.index, next(iter(numbers), 0))

    def _nothing(self) -> DxilValue:
        return next((each.variable for each in self.ranges.values()), DxilValue(_EMPTY))

    # ------------------------------------------------------------ resources

    def _resource(self, found: DxilResource, number: int) -> tuple[int, BoundResource]:
        """Return the key of a register of a range, and the resource, which is declared once."""
        if not _contains(found, number):
            name = _name(found, number)
            raise UnsupportedError(f"{name} is outside of the range that the program states")
        known = self.bound.get((found.group, found.space, number))
        if known is None:
            made = self._declare(found, _name(found, number), _slot(found, number))
            known = len(self.bound), made
            self.bound[found.group, found.space, number] = known
        return known

    def _descriptor(
        self, found: DxilResource, samplers: bool, number: int
    ) -> tuple[int, BoundResource]:
        key = ("heap", samplers, number)
        known = self.bound.get(key)
        if known is None:
            name, slot = _heap_name(samplers, number), _heap_slot(samplers, number)
            known = self.bound[key] = len(self.bound), self._declare(found, name, slot)
        return known

    def _declare(self, found: DxilResource, name: str, slot: ResourceSlot) -> BoundResource:
        b = self.b
        written = found.group == UAV
        bounds = self.specialisation.bounds
        if found.group == SAMPLER:
            sampler = SamplerDeclaration(name, slot)
            b.kernel.samplers.append(sampler)
            made = LoweredResource(name, Form.SAMPLER, slot=slot)
            return BoundResource(made, sampler=sampler)
        if found.group == CBUFFER:
            made = LoweredResource(name, Form.CONSTANTS, ROW, size=found.size, slot=slot)
            memory = b.memory(name, Space.CONSTANT, ROW, slot=slot)
        elif found.kind in SHAPES:
            return self._typed(found, name, slot)
        elif found.kind == K.RAW_BUFFER:
            made = LoweredResource(name, Form.RAW, 4, written, slot=slot)
            stride = 8 if (found.group, found.id) in self.wide else 4
            memory = b.memory(name, Space.BUFFER, stride, writable=written, slot=slot)
            memory.raw = True
        elif found.kind == K.STRUCTURED_BUFFER:
            stride = max(found.stride or 0, 1)
            made = LoweredResource(name, Form.STRUCTURED, stride, written, slot=slot)
            memory = b.memory(name, Space.BUFFER, stride, writable=written, slot=slot)
        else:
            kind = K(found.kind).name.lower() if found.kind in {*K} else str(found.kind)
            raise UnsupportedError(f"{name}: a resource of kind {kind} cannot be run yet")
        if bounds is not None:
            memory.bounds = bounds
        return BoundResource(made, memory)

    def _typed(self, found: DxilResource, name: str, slot: ResourceSlot) -> BoundResource:
        b = self.b
        written = found.group == UAV
        shape, layered = SHAPES[found.kind]
        form = Form.TYPED if shape is Shape.BUFFER else Form.TEXTURE
        returns = RETURNS.get(found.component_type or C.F32)
        many = found.kind in MULTISAMPLED
        made = LoweredResource(
            name, form, TEXEL, written, (str(returns),) * 4, shape, layered, many, slot=slot
        )
        if form is Form.TYPED or written:
            memory = b.memory(name, Space.BUFFER, TEXEL, writable=written, slot=slot)
            sizes = None
            if form is Form.TEXTURE:
                sizes = b.memory(
                    f"{name}.shape", Space.CONSTANT, 4, slot=slot.of(MemoryPart.SHAPE),
                    internal=True,
                )  # fmt: skip
            return BoundResource(made, memory, sizes)
        type = I32 if found.component_type in INTEGERS else F32
        samples = max(1, found.samples) if many else 1
        texture = TextureDeclaration(name, shape, type, layered, samples, slot)
        b.kernel.textures.append(texture)
        return BoundResource(made, texture=texture)

    def counter(self, resource: BoundResource) -> Memory:
        """Return the hidden counter of a structured view."""
        if resource.counter is None:
            slot = resource.lowered.slot
            assert slot is not None
            name, slot = f"{resource.lowered.name}_counter", slot.of(MemoryPart.COUNTER)
            memory = self.b.memory(name, Space.BUFFER, 4, writable=True, slot=slot)
            resource.counter = memory
            made = LoweredResource(name, Form.COUNTER, 4, True, slot=slot)
            self.bound[name] = len(self.bound), BoundResource(made, memory)
        return resource.counter

    def resources(self) -> list[LoweredResource]:
        """Return all resources: constant buffers, samplers, SRVs, UAVs with their counters."""
        order = [each.kind for each in (_HEAP, *(_EXAMPLES[at] for at in (2, 3, 0, 1)))]
        found = [each.lowered for _, each in self.bound.values()]
        found.sort(
            key=lambda each: (
                order.index(each.slot.kind), each.slot.space, each.slot.number,
                each.form is Form.COUNTER,
            ) if each.slot is not None else (len(order), 0, 0, False)
        )  # fmt: skip
        return found

    # ------------------------------------------------------------ choices

    def select(
        self, handle: Handle, make: Callable[[BoundResource], Sequence[Value]], *types: Type
    ) -> list[Value]:
        """Append what depends on the resource of a handle; 0 for one that does not exist."""
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
            self.wide.add(key)
        elif op is not None and op.name == "CreateHandleFromBinding":
            lower, _, space, group = self._numbers(arguments["bind"], 4)
            for key, each in self.ranges.items():
                if (each.group, each.space) == (group, space) and _contains(each, lower):
                    self.wide.add(key)

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
            raise UnsupportedError("a handle of what is no resource cannot be run yet")
        return self.handle(found.resource, found.index)

    def _annotate(self, call: OperationCall) -> Handle:
        found = self.values.get(call["res"])
        if isinstance(found, HeapIndex):
            first, second = self._numbers(call["props"], 2)
            return self.annotated(found, first & 0xFF, first, second)
        if not isinstance(found, Handle):
            raise UnsupportedError("a property of what is no handle cannot be run yet")
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


_EMPTY = StructType(None, [])
_EXAMPLES = {at: ResourceSlot(kind, 0) for at, kind in CLASSES.items()}
_HEAP = ResourceSlot(ResourceClass.HEAP, 0)


def _contains(found: DxilResource, number: int) -> bool:
    offset = number - found.lower
    return offset >= 0 and (found.registers == UNBOUNDED or offset < found.registers)


def _slot(found: DxilResource, number: int) -> ResourceSlot:
    return ResourceSlot(CLASSES[found.group], number, found.space)


def _name(found: DxilResource, number: int) -> str:
    suffix = f"_space{found.space}" if found.space else ""
    return f"{PREFIXES[found.group]}{number}{suffix}"


def _heap_slot(samplers: bool, number: int) -> ResourceSlot:
    return ResourceSlot(ResourceClass.HEAP, number, int(samplers))


def _heap_name(samplers: bool, number: int) -> str:
    return f"{'sampler_' if samplers else ''}heap{number}"


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
