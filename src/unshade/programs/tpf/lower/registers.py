"""Lowering of operands: storage of registers, reads of sources, writes of destinations.

    r0.x            variable "r0.x", i32: registers have no type, instructions do
    x0[i].y         local memory "x0", 16 bytes an element
    cb0[i].z        constant memory "cb0", 16 bytes an element
    v0.w  o0.x      ports; with relative indices local memories "v", "o"
    v[2][0].w       memories of vertices and control points: points.py
    vThreadID.x     source "thread_id.x"
    this[0].x       table "this": data of the object bound to an interface

Sources are read by functions for their tokens (reading.py).

`_sat` clamps floats and doubles to [0, 1], and NaN to 0; bools and integers are unchanged. Copied
values (mov, movc, swapc) are treated as floats.

Source: the public documentation of the HLSL assembly instructions; Direct3D 11.3 functional
specification, sections 4.2, 7, 22.18 and 22.19 (registers, component selection, modifiers).

Minimum precision registers (min16float etc.) have 32 bits, as is allowed. `precise` has no effect:
arithmetic is never reordered.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.memory import Memory, Port, Space, Var
from ....ir.ops import OPS
from ....ir.transforms.dynamic_indexing import MemoryPointer, load
from ....ir.transforms.functions import Calls
from ....ir.types import F32, F64, I32, I64, Type
from ....vocab.slots import MemorySlot, PortSlot
from ....vocab.words import Stage
from ..operands import Index, Operand
from ..ports import slot_of
from ..tables.enumerations import OperandType
from ..tables.selection import LETTERS
from ..tables.spellings import REGISTERS, word
from ..tables.vocabulary import BUILTINS, OUTPUT_VALUES
from .ranges import KINDS, Ranges, place, undeclared
from .reading import bits_reader, reader

if TYPE_CHECKING:
    from .points import PointRegisters

ROW = 16  # bytes of a register of four components

# Registers with the position of a lane, and whether they have components.
PLACES: dict[int, bool] = {
    OperandType.INPUT_THREAD_ID: True,
    OperandType.INPUT_THREAD_GROUP_ID: True,
    OperandType.INPUT_THREAD_ID_IN_GROUP: True,
    OperandType.INPUT_THREAD_ID_IN_GROUP_FLATTENED: False,
}
# Scalar inputs without a register number; OUTPUT_VALUES has the outputs.
LONE_INPUTS = frozenset({
    OperandType.INPUT_PRIMITIVEID, OperandType.INPUT_COVERAGE_MASK, OperandType.INNER_COVERAGE,
    OperandType.CYCLE_COUNTER, OperandType.INPUT_GS_INSTANCE_ID,
})  # fmt: skip

# As plain numbers, which compare faster.
TEMP, CONSTANT_BUFFER = int(OperandType.TEMP), int(OperandType.CONSTANT_BUFFER)


class Registers:
    """The registers of one program while it is lowered."""

    def __init__(self, kernel: KernelIR, ranges: Ranges, instructions: int) -> None:
        self.kernel = kernel
        self.ranges = ranges
        self.builder = Builder(kernel)
        self.calls = Calls(self.builder, instructions)
        self.variables: dict[str, Var] = {}
        self.temporaries: dict[tuple[int, str], Var] = {}  # by number and component
        self.memories: dict[str, Memory] = {}
        self.buffers: dict[tuple[int, int], Memory] = {}  # constants, by range and register
        self.inputs: dict[PortSlot, Port] = {}
        self.outputs: dict[PortSlot, Port] = {}
        self.input_array: Memory | None = None
        self.output_array: Memory | None = None
        self.points: dict[
            int, PointRegisters
        ] = {}  # kinds of registers that are kept in memories: points.py
        self.counters: dict[int, Var] = {}  # kinds of registers with loop counters: patches.py
        self.current: Var | None = None  # number of the point that is written
        self.held = False  # outputs are variables until a vertex is emitted: geometry.py
        self.clamps = False  # the current instruction has _sat
        self.copies = False  # the current instruction copies 32 bits of any type

    # ------------------------------------------------------------ names

    def variable(self, name: str, row: str = "", *, internal: bool = False) -> Var:
        """Return the variable of that name, part of the register `row`; create it if new."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = self.builder.var(name, internal=internal, row=row)
        return found

    def temporary(self, number: int, letter: str) -> Var:
        """Return the variable of a component of a register r#."""
        found = self.temporaries.get((number, letter))
        if found is None:
            found = self.variable(f"r{number}.{letter}", f"r{number}")
            self.temporaries[number, letter] = found
        return found

    def memory(self, name: str) -> Memory:
        """Return a declared memory."""
        found = self.memories.get(name)
        if found is None:
            raise undeclared(name)
        return found

    def new_memory(
        self,
        name: str,
        space: Space,
        stride: int,
        count: int | None = None,
        *,
        slot: MemorySlot | None = None,
        internal: bool = False,
    ) -> Memory:
        """Create a memory, unless the name exists."""
        found = self.memories.get(name)
        if found is None:
            found = self.builder.memory(name, space, stride, count, slot=slot, internal=internal)
            self.memories[name] = found
        return found

    # ------------------------------------------------------------ indices

    def index(self, index: Index) -> "int | Value":
        """Return an index: a constant, or a value."""
        if index.relative is None:
            return index.immediate
        moving = self.bits(index.relative, 0)
        if not index.immediate:
            return moving
        found: Value = self.builder.iadd(moving, index.immediate & 0xFFFF_FFFF)
        return found

    def fixed(self, operand: Operand, at: int, what: str) -> int:
        """Return an index that has to be constant."""
        found = self.index(operand.indices[at])
        if isinstance(found, Value):
            raise UnsupportedError(f"{what} with a relative index cannot be run yet")
        return found

    def resource(self, operand: Operand) -> str:
        """Return the name of a resource, view, sampler or shared memory: "t0"."""
        if operand.type == OperandType.THREAD_GROUP_SHARED_MEMORY:
            return f"g{self.fixed(operand, 0, 'a register g#')}"
        if operand.type not in KINDS:
            raise UnsupportedError(f"expected a resource, got {word(REGISTERS, operand.type)}")
        return self.ranges.name(operand)

    def _constants(self, operand: Operand, byte: int) -> Value:
        """Read a component of a constant buffer, which a relative index may select."""
        b = self.builder
        row = self.index(operand.indices[-1])
        number, index = place(operand)
        if index.relative is None:
            known = self.buffers.get((number, index.immediate))
            if known is None:
                known = self.memory(self.ranges.name(operand))
                self.buffers[number, index.immediate] = known
            return b.load(known, row, byte)
        which = self.index(index)
        assert isinstance(which, Value)
        found = self.ranges.of(operand)
        memories = {number: self.memory(found.name(number)) for number in found.selected}
        element = constant(row, I32) if isinstance(row, int) else row
        return load(b, MemoryPointer(memories, which, element, constant(byte, I32)), name="cb")

    # ------------------------------------------------------------ reading

    def bits(self, operand: Operand, at: int) -> Value:
        """Read 32 bits of a source for component `at` of the destination, without modifiers."""
        return bits_reader(operand, at)(self, operand)

    def register(self, operand: Operand, kind: int, component: int) -> Value:
        """Read a component of a register of this kind, which is neither a literal nor an r#."""
        if kind == CONSTANT_BUFFER:
            return self._constants(operand, 4 * component)
        b = self.builder
        indices = operand.indices
        if kind in self.points:
            return self.points[kind].read(operand, component)
        if kind in self.counters:
            return b.get(self.counters[kind])
        if kind in PLACES:
            self.check_stage(kind)
            name, several = BUILTINS[kind], PLACES[kind]
            if several and component == 3:
                return constant(0, I32)
            return b.source(f"{name}.{LETTERS[component]}" if several else name)
        byte = 4 * component
        match kind:
            case OperandType.THIS_POINTER:
                return b.load(self.memory("this"), self.index(indices[0]), byte)
            case OperandType.IMMEDIATE_CONSTANT_BUFFER:
                return b.load(self.memory("icb"), self.index(indices[0]), byte)
            case OperandType.INDEXABLE_TEMP:
                memory = self.memory(f"x{indices[0].immediate}")
                return b.load(memory, self.index(indices[1]), byte)
            case OperandType.INPUT:
                number = self.index(indices[-1])
                if isinstance(number, Value) or self.input_array is not None:
                    assert self.input_array is not None
                    return b.load(self.input_array, number, byte)
                return self._input(self.slot(operand, number, component))
            case OperandType.INPUT_DOMAIN_POINT:
                return self._input(self.slot(operand, 0, component))
        if kind in LONE_INPUTS:
            return self._input(self.slot(operand, 0, 0))
        called = word(REGISTERS, kind)
        if kind == OperandType.OUTPUT or kind in OUTPUT_VALUES:
            raise UnsupportedError(f"an output register ({called}) is read, which is not valid")
        raise UnsupportedError(f"reading a register {called} cannot be run yet")

    def slot(self, operand: Operand, number: int, component: int) -> PortSlot:
        """Return the slot of a component of an input or output register."""
        return slot_of(self.kernel.stage, operand.type, number, component)

    def _input(self, slot: PortSlot) -> Value:
        port = self.inputs.get(slot)
        if port is None:  # read, but not declared: nobody writes it
            return constant(0, I32)
        return self.builder.input(port)

    def read(self, operand: Operand, letter: str, at: int) -> Value:
        """Read a source with modifiers; letter f of the table is a float, others are 32 bits."""
        return reader(operand, letter, at)(self, operand)

    def signed(self, operand: Operand, value: Value) -> Value:
        """Apply the modifiers of an operand to a float."""
        if not operand.extended:
            return value
        b = self.builder
        if operand.absolute:
            value = b.fabs(value)
        return b.fneg(value) if operand.negate else value

    def double(self, operand: Operand, pair: int) -> Value:
        """Read a source as a double: components 0 and 1 for pair 0, 2 and 3 for pair 1."""
        b = self.builder
        if operand.type == OperandType.IMMEDIATE64:
            at = 2 * pair if len(operand.literal) > 2 else 0
            low, high = (*operand.literal[at : at + 2], 0, 0)[:2]
            found = constant(low | high << 32, F64)
        else:
            low_word, high_word = self.bits(operand, 2 * pair), self.bits(operand, 2 * pair + 1)
            wide = b.ishl(b.uconv(high_word, type=I64), 32)
            joined = b.or_(b.uconv(low_word, type=I64), wide)
            found = b.asfloat(joined)
        return self.signed(operand, found)

    # ------------------------------------------------------------ writing

    def write(self, operand: Operand, component: int, value: Value) -> None:
        """Write a value of any type to a component of a destination, clamped with `_sat`."""
        b = self.builder
        if self.clamps and self.copies and value.type == I32:
            value = b.asfloat(value)
        if value.type == F32:
            value = self._clamped(value)
            value = constant(value.attr, I32) if value.op is OPS.const else b.asint(value)
        elif value.type.kind == "b":
            value = b.select(value, constant(0xFFFF_FFFF, I32), constant(0, I32))
        self.write_bits(operand, component, value)

    def write_double(self, operand: Operand, pair: int, value: Value) -> None:
        """Write a double to a pair of components, clamped with `_sat`."""
        b = self.builder
        bits = b.asint(self._clamped(value))
        self.write_bits(operand, 2 * pair, b.uconv(bits, type=I32))
        self.write_bits(operand, 2 * pair + 1, b.uconv(b.ushr(bits, 32), type=I32))

    def _clamped(self, value: Value) -> Value:
        if not self.clamps:
            return value
        b = self.builder
        found: Value = b.fmin(b.fmax(value, 0.0), 1.0)
        return found

    def write_bits(self, operand: Operand, component: int, value: Value) -> None:
        """Write 32 bits to a component of a destination, without modifiers."""
        b = self.builder
        kind = operand.token >> 12 & 255  # `type`
        letter = LETTERS[component]
        indices = operand.indices
        if kind == TEMP:
            b.set(self.temporary(indices[0].immediate, letter), value)
            return
        match kind:
            case OperandType.NULL:
                return
            case OperandType.INDEXABLE_TEMP:
                memory = self.memory(f"x{indices[0].immediate}")
                b.store(memory, self.index(indices[1]), 4 * component, value)
            case OperandType.OUTPUT if kind in self.points:
                self.points[kind].write(operand, component, value, self.current)
            case OperandType.OUTPUT:
                self.check_stage(kind)
                number = self.index(indices[-1])
                if isinstance(number, Value) or self.output_array is not None:
                    assert self.output_array is not None
                    b.store(self.output_array, number, 4 * component, value)
                else:
                    self._output(
                        self.slot(operand, number, component), f"o{number}.{letter}", value
                    )
            case _ if kind in OUTPUT_VALUES:
                self.check_stage(kind)
                self._output(self.slot(operand, 0, 0), word(REGISTERS, kind), value)
            case _:
                name = word(REGISTERS, kind)
                raise UnsupportedError(f"writing a register {name} cannot be run yet")

    def output(self, number: int, component: int) -> Value:
        """Read an output, in stages where outputs are kept until a vertex is emitted."""
        if self.output_array is not None:
            return self.builder.load(self.output_array, number, 4 * component)
        return self.builder.get(self.variable(f"o{number}.{LETTERS[component]}", f"o{number}"))

    def check_stage(self, kind: int) -> None:
        """Raise UnsupportedError for thread numbers outside of, or ports in, a compute shader."""
        if (kind in PLACES) != (self.kernel.stage is Stage.COMPUTE):
            stage = self.kernel.stage
            raise UnsupportedError(f"{word(REGISTERS, kind)} does not exist in {stage} shaders")

    def _output(self, slot: PortSlot, name: str, value: Value) -> None:
        row = name if slot.location is None else f"o{slot.location}"
        if self.held:
            self.builder.set(self.variable(name, row), value)
            return
        port = self.outputs.get(slot)
        if port is None:
            port = Port(name, I32, slot=slot, row=row)
            self.outputs[slot] = port
            self.kernel.outputs.append(port)
        self.builder.output(port, value)


def typed(letter: str) -> Type:
    """Return the type of a source by its letter in the table of operations."""
    return F32 if letter == "f" else F64 if letter == "d" else I32
