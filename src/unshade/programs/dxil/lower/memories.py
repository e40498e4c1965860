"""Memory that a program declares itself: variables, arrays, shared memory, tables.

    %1 = alloca [4 x float]                          local memory "%1": elements of 4 bytes
    @g = addrspace(3) global [64 x i32]              shared memory "g"
    @t = internal constant [3 x float] […]           table "t"

Elements of a memory are the scalars of its type, if all have one size; otherwise the elements of
the outermost array, or the whole value. Scalars and short arrays become variables of `ir` if they
are only loaded and stored.
"""

from collections.abc import Iterable

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.memory import Memory, Space
from ....ir.types import BOOL, I8, I32, Type
from ....ir.unique_names import UniqueNames
from ..exported import source_name
from ..model.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantString,
)
from ..model.instructions import AllocaInst
from ..model.types import ArrayType, DxilType, StructType, VectorType
from ..model.values import GlobalVariable
from .scans import array_of
from .values import PointerValue, Values, scalar_type
from .variables import Naming, name_memory

__all__ = ["DeclaredMemories", "pointer_to", "stored"]

SHARED = 3  # address space
LARGEST = 1 << 20  # bytes of a memory


def stored(type: Type) -> Type:
    """Return the type of a scalar in memory."""
    return I8 if type == BOOL else type


class DeclaredMemories:
    """The memories of a program's variables, declared when they are first used."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.b = values.builder
        kernel = self.b.kernel
        self.names = UniqueNames(kernel.memories, kernel.textures, kernel.samplers)
        self.kept: dict[AllocaInst, PointerValue] = {}  # allocated for phis, before their lowering

    # ------------------------------------------------------------ memories

    def stride(self, type: DxilType) -> int:
        """Return the size of an element of a memory of a type."""
        sizes = self._sizes(type)
        if len(sizes) == 1:
            return sizes.pop()
        if isinstance(type, ArrayType):
            type = type.element
        return max(self.values.layout.size(type), 1)

    def _sizes(self, root: DxilType) -> set[int]:
        """Return the sizes of the scalars in a type."""
        found: set[int] = set()
        seen: set[DxilType] = set()
        waiting = [root]
        while waiting:
            type = waiting.pop()
            if type in seen:
                continue
            seen.add(type)
            scalar = scalar_type(type)
            if scalar is not None:
                found.add(self.values.layout.size(type))
            elif isinstance(type, ArrayType | VectorType):
                waiting.append(type.element)
            elif isinstance(type, StructType):
                waiting += type.elements or ()
            else:
                raise UnsupportedError(f"memory of type {type!s:.40} cannot be run yet")
        return found

    def memory(
        self, name: str, space: Space, type: DxilType, *, internal: bool = False
    ) -> PointerValue:
        """Create a memory for a value of a type; return a pointer to it."""
        size = self.values.layout.size(type)
        if size > LARGEST:
            raise UnsupportedError(f"expected at most {LARGEST} bytes of {name}, got {size}")
        stride = self.stride(type)
        memory = self.b.memory(
            self.names.unique(name), space, stride, max(-(-size // stride), 1), internal=internal
        )
        return pointer_to(memory)

    def variable(
        self, name: str, type: Type, count: int, size: int, gives: Naming | None = None
    ) -> PointerValue:
        """Create variables for scalars; return a pointer to the first."""
        zero = constant(0, I32)
        made = []
        for at in range(count):
            index = [] if count == 1 else [f"[{at}]"]
            source = gives(8 * size * at) if gives is not None else None
            label = self.b.names.unique("".join([name, *index]))
            made.append(self.b.var(label, type, gives=source))
        return PointerValue(None, zero, zero, tuple(made), size)

    def alloca(
        self, instruction: AllocaInst, name: str, *, plain: bool, gives: Naming | None = None
    ) -> PointerValue:
        """Create the memory of an alloca; variables if it is `plain` (scans).

        `gives` returns the name in the source of the scalar at a bit.
        """
        if instruction in self.kept:
            return self.kept.pop(instruction)
        count = self.values.integer(instruction.count)
        if count != 1:
            raise UnsupportedError(f"alloca of {count} values cannot be run yet")
        type = instruction.allocated_type
        if plain:
            element, scalars = array_of(type)
            size = self.values.layout.size(element)
            return self.variable(name, self.values.type(element), scalars, size, gives)
        made = self.memory(name, Space.LOCAL, type)
        if gives is not None:
            name_memory(made, gives)
        return made

    def reserved(self, instruction: AllocaInst) -> PointerValue:
        """Return the memory of an alloca that has not been lowered yet."""
        if instruction not in self.kept:
            self.kept[instruction] = self.alloca(instruction, "alloca", plain=False)
        return self.kept[instruction]

    def global_(self, variable: GlobalVariable) -> PointerValue:
        """Return a pointer to a global variable."""
        known = self.values.globals.get(variable)
        if known is None:
            name, type = variable.name, variable.value_type
            if getattr(variable.type, "space", 0) == SHARED:
                known = self.memory(source_name(name), Space.SHARED, type)
            elif variable.constant:
                known = self.memory(source_name(name), Space.TABLE, type)
                assert known.memory is not None
                known.memory.data = self._table(variable, known.memory)
            else:
                known = self.memory(source_name(name), Space.LOCAL, type)
            self.values.globals[variable] = known
        assert isinstance(known, PointerValue)
        return known

    def _table(self, variable: GlobalVariable, memory: Memory) -> bytes:
        data = bytearray(memory.stride * (memory.count or 0))
        for at, type, bits in self.scalars(variable):
            data[at : at + stored(type).size] = bits.to_bytes(stored(type).size, "little")
        return bytes(data)

    def scalars(self, variable: GlobalVariable) -> "Iterable[tuple[int, Type, int]]":
        """Yield the byte offset, type and bits of each scalar in a variable's initial value."""
        waiting = [(variable.initializer, 0)]
        layout = self.values.layout
        while waiting:
            value, at = waiting.pop()
            if value is None:
                continue
            type = value.type
            scalar = scalar_type(type)
            if isinstance(value, ConstantInt | ConstantFloat) and scalar is not None:
                bits = value.value if isinstance(value, ConstantInt) else value.bits
                yield at, scalar, bits & max(scalar.mask, 1)
            elif isinstance(value, ConstantAggregate) and isinstance(type, StructType):
                offsets = layout.offsets(type)
                waiting += [
                    (each, at + offset)
                    for each, offset in zip(value.elements, offsets, strict=True)
                ]
            elif isinstance(value, ConstantAggregate) and isinstance(type, ArrayType | VectorType):
                size = layout.size(type.element)
                waiting += [(each, at + size * n) for n, each in enumerate(value.elements)]
            elif isinstance(value, ConstantData) and isinstance(type, ArrayType | VectorType):
                size, element = layout.size(type.element), self.values.type(type.element)
                for number, bits in enumerate(value.elements):
                    yield at + size * number, element, bits & element.mask
            elif isinstance(value, ConstantString):
                for number, byte in enumerate(value.data):
                    yield at + number, I8, byte
            elif isinstance(value, ConstantExpression):
                raise UnsupportedError(f"a constant {value.opcode} cannot be run yet")


def pointer_to(memory: Memory) -> PointerValue:
    """Return a pointer to the first element of a memory."""
    zero = constant(0, I32)
    return PointerValue(memory, zero, zero, stride=memory.stride)
