"""Registers as IR values: variables, ports and memories, reads and writes.

    r0.x            variable "r0.x"                     a0.x a0.y aL    variables, integers
    v0.x            input port, or memory "v" in a      cmp.x cmp.y     variables, bool
                    geometry shader
    o0.x            output port; in a geometry shader   c0 i0 b0        constant memories "c", "i"
                    a variable until a vertex is sent                   and "b", 16 bytes a register

A relative address is the sum of a float uniform's number and an address register, which counts only
from -128 to 127 (other values add nothing), modulo 128; 96 to 127 read as 1.0 in every component.

Source: 3dbrew's page on the shader instruction set; azahar's tests of relative addressing, whose
values come from hardware.
"""

from collections.abc import Callable

from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Port, Space, Var
from ....ir.transforms.functions import Calls
from ....ir.types import BOOL, F32, I32, Type
from ....vocab.pica import BOOLS, COMPONENTS, FLOATS, INTEGERS
from ....vocab.slots import Direction, PortSlot, Rate
from ..instruction import Instruction
from ..operands import SourceOperand
from ..tables.registers import ADDRESS_NAMES, BANK_SLOTS, Register, RegisterFile
from .precision import Float32Arithmetic

ROW = 16  # bytes of a register
BANKS = {"c": FLOATS, "i": INTEGERS, "b": BOOLS}
SET_BY_RUNS = 15  # the boolean uniform that is true once a geometry shader has run
RANGE = 128  # of an address register, to either side; and of the sum


class Registers:
    """The registers of one shader unit."""

    def __init__(self, kernel: KernelIR, maths: Callable[[Builder], Float32Arithmetic]) -> None:
        self.kernel = kernel
        self.builder = Builder(kernel)
        self.calls = Calls(self.builder)
        self.maths = maths(self.builder)
        self.variables: dict[str, Var] = {}
        self.ports: dict[PortSlot, Port] = {}
        self.banks: dict[str, Memory] = {}
        # Of geometry shaders: outputs are variables until a vertex is sent, inputs in a memory.
        self.held = False
        self.points: Callable[[int, int], Value] | None = None
        self.later: Callable[[], Value] | None = None  # True if the unit has run before

    def variable(
        self, name: str, type: Type = F32, row: str = "", *, internal: bool = False
    ) -> Var:
        """Return the variable of that name, part of the register `row`, made when first used."""
        found = self.variables.get(name)
        if found is None:
            found = self.builder.var(name, type, internal=internal, row=row)
            self.variables[name] = found
        return found

    @property
    def resources(self) -> list[LoweredResource]:
        """The register files that the code reads, which must be bound."""
        return [
            LoweredResource(
                name, Form.CONSTANTS, ROW, size=ROW * BANKS[name], slot=BANK_SLOTS[name]
            )
            for name in BANKS
            if name in self.banks
        ]

    # ------------------------------------------------------------ reading

    def source(self, operand: SourceOperand, at: int) -> Value:
        """Return component `at` of a source, after swizzle and sign."""
        component = operand.components[at]
        value = self._component(operand.register, component, operand.idx)
        return self.builder.fneg(value) if operand.negate else value

    def _component(self, register: Register, component: int, idx: int) -> Value:
        b = self.builder
        name = f"{register}.{COMPONENTS[component]}"
        match register.file:
            case RegisterFile.TEMPORARY:
                return b.get(self.variable(name, row=str(register)))
            case RegisterFile.INPUT:
                return self.maths.given(self.input(register.number, component))
            case _:
                return self.maths.given(self.uniform(register.number, component, idx))

    def input(self, number: int, component: int) -> Value:
        """Return a component of an attribute."""
        if self.points is not None:
            return self.points(number, component)
        b = self.builder
        port = self._port(Direction.INPUT, f"v{number}", number, component)
        return b.asfloat(b.input(port))

    def uniform(self, number: int, component: int, idx: int) -> Value:
        """Return a component of a float uniform, relative to an address register if `idx`."""
        b = self.builder
        if not idx:
            return b.load(self.bank("c"), number, 4 * component, F32)
        moving = b.get(self.variable(ADDRESS_NAMES[idx], I32, ADDRESS_NAMES[idx].partition(".")[0]))
        counts = b.ult(b.iadd(moving, RANGE), 2 * RANGE)
        moving = b.select(counts, moving, constant(0, I32))
        index = b.and_(b.iadd(moving, number), RANGE - 1)
        inside = b.ult(index, FLOATS)
        index = b.select(inside, index, constant(0, I32))
        found: Value = b.select(
            inside, b.load(self.bank("c"), index, 4 * component, F32), b.f32(1.0)
        )
        return found

    def boolean(self, number: int) -> Value:
        """Return a boolean uniform as a condition."""
        found: Value = self.builder.ine(self.builder.load(self.bank("b"), number), 0)
        if number == SET_BY_RUNS and self.later is not None:
            found = self.builder.or_(found, self.later())
        return found

    def integer(self, number: int, component: int) -> Value:
        """Return a component of an integer uniform: eight bits."""
        b = self.builder
        loaded = b.load(self.bank("i"), number % INTEGERS, 4 * component)
        found: Value = b.and_(loaded, 0xFF)
        return found

    def flag(self, letter: str) -> Value:
        """Return cmp.x or cmp.y."""
        return self.builder.get(self.variable(f"cmp.{letter}", BOOL, "cmp"))

    def bank(self, name: str) -> Memory:
        """Return the memory of a register file."""
        found = self.banks.get(name)
        if found is None:
            found = self.banks[name] = self.builder.memory(
                name, Space.CONSTANT, ROW, slot=BANK_SLOTS[name]
            )
        return found

    # ------------------------------------------------------------ writing

    def write(self, register: Register, component: int, value: Value) -> None:
        """Write a component of an output or of a temporary register."""
        b = self.builder
        name = f"{register}.{COMPONENTS[component]}"
        if register.file is RegisterFile.OUTPUT and not self.held:
            port = self._port(Direction.OUTPUT, str(register), register.number, component)
            b.output(port, b.asint(value))
        else:
            b.set(self.variable(name, row=str(register)), value)

    def set_flag(self, letter: str, value: Value) -> None:
        """Write cmp.x or cmp.y."""
        self.builder.set(self.variable(f"cmp.{letter}", BOOL, "cmp"), value)

    def _port(self, direction: Direction, label: str, number: int, component: int) -> Port:
        slot = PortSlot(direction, Rate.VERTEX, number, component)
        found = self.ports.get(slot)
        if found is None:
            name = f"{label}.{COMPONENTS[component]}"
            found = self.ports[slot] = Port(name, I32, slot=slot, row=label)
            kernel = self.kernel
            (kernel.inputs if direction is Direction.INPUT else kernel.outputs).append(found)
        return found


def sources(instruction: Instruction) -> list[SourceOperand]:
    """Return the sources of an instruction, in order."""
    return [each for each in instruction.operands if isinstance(each, SourceOperand)]
