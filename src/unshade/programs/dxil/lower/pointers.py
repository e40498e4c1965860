"""Lowering of addresses, loads and stores in memory that a program declares itself.

%p = getelementptr …, i32 0, i32 %n              (element %n, byte 0)
%x = load float, float* %p                       a load of the element
%y = atomicrmw add i32 addrspace(3)* %q, i32 1   an atomic operation of shared memory
"""

from collections.abc import Iterable

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.memory import Space
from ....ir.ops import OPS
from ....ir.types import BOOL, I8, I32, Type
from ..model.constants import ConstantExpression
from ..model.instructions import (
    AtomicRMWInst,
    CompareExchangeInst,
    LoadInst,
    StoreInst,
)
from ..model.types import ArrayType, DxilType, PointerType, StructType, VectorType
from ..model.values import DxilValue, GlobalVariable
from ..tables.llvm_enumerations import ATOMIC_OPERATIONS, CASTS
from .bound import ResourceObject
from .handles import element_of
from .memories import DeclaredMemories, stored
from .values import PointerValue, Result, parts_of, scalar_type

__all__ = ["MOVES", "Pointers"]

MOVES = ("bitcast", "addrspacecast")
LARGEST_COPY = 1 << 14  # bytes
ATOMICS = {
    "xchg": OPS.atomic_xchg, "add": OPS.atomic_add, "and": OPS.atomic_and, "or": OPS.atomic_or,
    "xor": OPS.atomic_xor, "max": OPS.atomic_imax, "min": OPS.atomic_imin,
    "umax": OPS.atomic_umax, "umin": OPS.atomic_umin,
}  # fmt: skip


class Pointers(DeclaredMemories):
    """Lowering of addresses, loads and stores."""

    def initialise(self, variables: Iterable[GlobalVariable]) -> None:
        """Append stores of the initial values of a lane's variables."""
        for variable in variables:
            pointer = self.global_(variable)
            if pointer.memory is None or pointer.memory.space is not Space.LOCAL:
                continue
            for at, type, bits in self.scalars(variable):
                place = self.moved(pointer, at)
                self.store(place, constant(bits, type))

    # ------------------------------------------------------------ addresses

    def moved(self, pointer: PointerValue, by: int) -> PointerValue:
        """Return a pointer advanced by a number of bytes."""
        if not by:
            return pointer
        b = self.b
        elements, rest = divmod(by, pointer.stride)
        element = _plus(b, pointer.element, constant(elements, I32))
        byte = _plus(b, pointer.byte, constant(rest, I32))
        return replace(pointer, element=element, byte=byte)

    def indexed(self, pointer: PointerValue, index: Value, size: int) -> PointerValue:
        """Return a pointer a number of values of this size further."""
        if index.op is OPS.const:
            number = index.attr
            if number >> index.type.bits - 1:
                number -= 1 << index.type.bits
            return self.moved(pointer, number * size)
        b = self.b
        if index.type != I32:
            index = b.iconv(index, type=I32)
        scale, rest = divmod(size, pointer.stride)
        if rest:
            step = index if size == 1 else b.imul(index, size)
            return replace(pointer, byte=_plus(b, pointer.byte, step))
        step = index if scale == 1 else b.imul(index, scale)
        return replace(pointer, element=_plus(b, pointer.element, step))

    def address(
        self, base: Result, source: DxilType, indices: list[DxilValue], at: int = 0
    ) -> PointerValue:
        """Return the pointer that a getelementptr of memory computes."""
        if not isinstance(base, PointerValue):
            raise UnsupportedError("a part of a value that is not memory cannot be run yet")
        values, layout = self.values, self.values.layout
        type = source
        pointer = base
        for number, each in enumerate(indices[at:], at):
            if number == 0:
                pointer = self.indexed(pointer, values.scalar(each), layout.size(type))
            elif isinstance(type, StructType):
                field = values.integer(each)
                parts = parts_of(type)
                if not 0 <= field < len(parts):
                    raise UnsupportedError(f"expected a field below {len(parts)}, got {field}")
                pointer = self.moved(pointer, layout.offsets(type)[field])
                type = parts[field]
            elif isinstance(type, ArrayType | VectorType):
                type = type.element
                pointer = self.indexed(pointer, values.scalar(each), layout.size(type))
            else:
                raise UnsupportedError(f"an index into {type!s:.40} cannot be run yet")
        return pointer

    def part(self, base: Result, source: DxilType, indices: list[DxilValue]) -> Result:
        """Return the target of a getelementptr: a pointer, or a resource selected among several."""
        if isinstance(base, ResourceObject):
            values = self.values
            return element_of(base, source, [values.scalar(each) for each in indices], values)
        return self.address(base, source, indices)

    def pointer(self, value: DxilValue) -> Result:
        """Return a pointer operand: a value, a global, or a constant expression of one."""
        if isinstance(value, GlobalVariable):
            return self.values.get(value) if value in self.values.globals else self.global_(value)
        if isinstance(value, ConstantExpression):
            if value.opcode == "cast" and CASTS[value.detail] in MOVES:
                return self.pointer(value.arguments[0])
            if value.opcode == "getelementptr":
                first, *indices = value.arguments
                source = value.source_type
                if source is None:
                    assert isinstance(first.type, PointerType)
                    source = first.type.pointee
                return self.part(self.pointer(first), source, indices)
            raise UnsupportedError(f"a constant {value.opcode} cannot be run yet")
        return self.values.get(value)

    # ------------------------------------------------------------ accesses

    def place(self, value: DxilValue) -> PointerValue:
        """Return the place that an access names."""
        found = self.pointer(value)
        if not isinstance(found, PointerValue):
            raise UnsupportedError(f"an access to {value.type!s:.40} cannot be run yet")
        return found

    def load(self, place: PointerValue, type: Type) -> Value:
        """Append a load of a scalar."""
        b = self.b
        if place.memory is None:
            return self._chosen(place, type)
        found = b.load(place.memory, place.element, place.byte, stored(type))
        return b.ine(found, 0) if type == BOOL else found

    def _chosen(self, place: PointerValue, type: Type) -> Value:
        """Append a read of the variable of an element; 0 if the element does not exist."""
        b, element = self.b, place.element
        if element.op is OPS.const:
            inside = element.attr < len(place.variables)
            return b.get(place.variables[element.attr]) if inside else constant(0, type)
        found = constant(0, type)
        for at, each in enumerate(place.variables):
            found = b.select(b.ieq(element, at), b.get(each), found)
        return found

    def store(self, place: PointerValue, value: Value) -> None:
        """Append a store of a scalar."""
        b = self.b
        if place.memory is None:
            if place.element.attr < len(place.variables):
                b.set(place.variables[place.element.attr], value)
            return
        if value.type == BOOL:
            value = b.select(value, constant(1, I8), constant(0, I8))
        b.store(place.memory, place.element, place.byte, value)

    def read(self, place: PointerValue, type: DxilType) -> Result:
        """Append a load of a value; an aggregate takes a load for each scalar."""
        scalar = scalar_type(type)
        if scalar is not None:
            return self.load(place, scalar)
        return tuple(self.read(self.moved(place, at), part) for at, part in self.placed(type))

    def write(self, place: PointerValue, type: DxilType, value: Result) -> None:
        """Append a store of a value."""
        if isinstance(value, Value):
            self.store(place, value)
            return
        for (at, part), each in zip(self.placed(type), value, strict=True):
            self.write(self.moved(place, at), part, each)

    def copy(self, source: PointerValue, target: PointerValue, type: DxilType) -> None:
        """Append a copy of a value, scalar by scalar."""
        if self.values.layout.size(type) > LARGEST_COPY:
            raise UnsupportedError(f"a copy of {type!s:.40} cannot be run yet")
        waiting = [(0, type)]
        while waiting:
            at, part = waiting.pop()
            if scalar_type(part) is not None:
                self.write(self.moved(target, at), part, self.read(self.moved(source, at), part))
            else:
                waiting += reversed([(at + by, each) for by, each in self.placed(part)])

    def placed(self, type: DxilType) -> list[tuple[int, DxilType]]:
        """Return the parts of a type with their offsets."""
        parts = parts_of(type)
        if isinstance(type, StructType):
            return [*zip(self.values.layout.offsets(type), parts, strict=True)]
        size = self.values.layout.size(parts[0]) if parts else 0
        return [(size * at, part) for at, part in enumerate(parts)]

    def load_instruction(self, instruction: LoadInst) -> Result:
        """Lower a load."""
        return self.read(self.place(instruction.pointer), instruction.type)

    def store_instruction(self, instruction: StoreInst) -> None:
        """Lower a store."""
        value = instruction.value
        self.write(self.place(instruction.pointer), value.type, self.values.get(value))

    def exchange(self, instruction: AtomicRMWInst) -> Value:
        """Lower an atomicrmw."""
        name = ATOMIC_OPERATIONS[instruction.operation]
        b, value = self.b, self.values.scalar(instruction.value)
        if name == "sub":
            name, value = "add", b.ineg(value)
        op = ATOMICS.get(name)
        if op is None:
            raise UnsupportedError(f"atomicrmw {name} cannot be run yet")
        place = self._shared(instruction.pointer)
        assert place.memory is not None
        return b.make(op, place.element, place.byte, value, attr=place.memory)

    def compare_exchange(self, instruction: CompareExchangeInst) -> tuple[Value, Value]:
        """Lower a cmpxchg: the old value, and whether it was the expected one."""
        b = self.b
        expected, new = (self.values.scalar(e) for e in (instruction.compare, instruction.new))
        place = self._shared(instruction.pointer)
        old = b.make(OPS.atomic_cas, place.element, place.byte, new, expected, attr=place.memory)
        return old, b.ieq(old, expected)

    def _shared(self, value: DxilValue) -> PointerValue:
        place = self.place(value)
        if place.memory is None:
            raise UnsupportedError("an atomic operation on a variable cannot be run yet")
        return place


def _plus(b: Builder, one: Value, other: Value) -> Value:
    """Return a sum, without an operation if it is known."""
    if other.op is OPS.const:
        if not other.attr:
            return one
        if one.op is OPS.const:
            return constant(one.attr + other.attr, I32)
    elif one.op is OPS.const and not one.attr:
        return other
    found: Value = b.iadd(one, other)
    return found
