"""Registers as IR values: variables, ports and memories, reads and writes.

    r0.x         variable "r0.x"               a0.x aL      variables, integers
    v0.x t0.x    input ports                   p0.x         variable, bool
    oPos oC0 …   output ports, held in         c0 i0 b0     constant memories "c", "i" and "b",
                 variables to the end                       16 bytes a register; or the value that
                                                            `def` gives

A relative read finds the constants that `def` gives before those of the memory: the runtime stores
them over the application's. An index of an input or output selects among the declared registers.

Source: the pages of the assembly language on registers and modifiers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from ....enums import member_of
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Port, Space, Var
from ....ir.types import BOOL, F32, I32, Type
from ....model.facts import ProgramFacts, ProgramPort
from ....vocab.slots import Direction
from ....vocab.words import SystemValue
from ..code import Code
from ..facts import BANK_SLOTS, BANKS
from ..instruction import Instruction, Operand
from ..tables.tokens import (
    DestinationParameter,
    RegisterType,
    SourceModifier,
    SourceParameter,
)

__all__ = ["COMPONENTS", "Registers"]

COMPONENTS = "xyzw"
ROW = 16  # bytes of a register
SATURATE = 1
DEFINED = "defined"  # the name of the memory with the constants of `def`
NEGATED = frozenset({
    SourceModifier.NEG, SourceModifier.BIASNEG, SourceModifier.SIGNNEG, SourceModifier.X2NEG,
    SourceModifier.ABSNEG,
})  # fmt: skip
LETTERS = {file: letter for letter, file, *_ in BANKS}
SIZES = {letter: count for letter, _, _, _, count in BANKS}


class Registers:
    """The registers of a program."""

    def __init__(self, kernel: KernelIR, code: Code, facts: ProgramFacts) -> None:
        self.kernel = kernel
        self.builder = Builder(kernel)
        self.version = code.version
        self.variables: dict[str, Var] = {}
        self.banks: dict[str, Memory] = {}
        self.defined: dict[str, list[int]] = {}
        for each in code.instructions:
            if each.op is not None and each.op.kind == "literal" and each.destination is not None:
                name = str(each.destination.register)
                self.defined[name] = [literal.bits for literal in each.literals]
        self.inputs = self._ports(facts.inputs, Direction.INPUT)
        self.held_back: list[tuple[Var, Value]] | None = None  # writes of a pair of instructions
        self.replaced: set[str] = set()  # texture coordinates of ps_1_x that hold a result now
        self.outputs = self._ports(facts.outputs, Direction.OUTPUT)

    def _ports(self, ports: list[ProgramPort], direction: Direction) -> dict[str, list[Port]]:
        """Return the ports of each register: of all its components, whatever is declared."""
        found: dict[str, list[Port]] = {}
        inward = direction is Direction.INPUT
        for each in ports:
            letters = each.components
            value = each.system_value
            meaning = member_of(SystemValue, value) if each.slot.location is not None else None
            made = [
                Port(f"{each.label}.{letter}", I32, meaning, slot=each.slot.at(at), row=each.label)
                for at, letter in enumerate(COMPONENTS)
            ]
            if not inward:
                self.kernel.outputs += [each for each in made if each.name[-1] in letters]
            found[each.label] = made
        return found

    @property
    def resources(self) -> list[LoweredResource]:
        """The register files that the code reads, which must be bound."""
        return [
            LoweredResource(
                name, Form.CONSTANTS, ROW, size=ROW * SIZES[name], slot=BANK_SLOTS[name]
            )
            for name in SIZES
            if name in self.banks
        ]

    def variable(self, name: str, type: Type, row: str, *, internal: bool = False) -> Var:
        """Return the variable of that name, part of the register `row`, made when first used."""
        found = self.variables.get(name)
        if found is None:
            found = self.builder.var(name, type, internal=internal, row=row)
            self.variables[name] = found
        return found

    def bank(self, letter: str) -> Memory:
        """Return the memory of a register file."""
        found = self.banks.get(letter)
        if found is None:
            found = self.banks[letter] = self.builder.memory(
                letter, Space.CONSTANT, ROW, slot=BANK_SLOTS[letter]
            )
        return found

    # ------------------------------------------------------------ reading

    def source(self, operand: Operand, at: int) -> Value:
        """Return component `at` of a source, after swizzle and modifier, as a float."""
        token = operand.token
        assert isinstance(token, SourceParameter)
        component = token.swizzle >> 2 * at & 3
        return self._modified(self._component(operand, component), token.modifier)

    def _modified(self, value: Value, modifier: int) -> Value:
        b = self.builder
        match modifier:
            case SourceModifier.BIAS | SourceModifier.BIASNEG:
                value = b.fsub(value, 0.5)
            case SourceModifier.SIGN | SourceModifier.SIGNNEG:
                value = b.fmul(b.fsub(value, 0.5), 2.0)
            case SourceModifier.COMP:
                value = b.fsub(1.0, value)
            case SourceModifier.X2 | SourceModifier.X2NEG:
                value = b.fmul(value, 2.0)
            case SourceModifier.ABS | SourceModifier.ABSNEG:
                value = b.fabs(value)
        return b.fneg(value) if modifier in NEGATED else value

    def _component(self, operand: Operand, component: int) -> Value:
        b = self.builder
        register = operand.register
        file, number = register.place
        name = str(register)
        if file == RegisterType.CONST:
            if not operand.token.relative:
                if name in self.defined:
                    return b.asfloat(constant(self.defined[name][component], I32))
                return b.load(self.bank("c"), number, 4 * component, F32)
            element = b.iadd(self._index(operand), number)
            value = b.load(self.bank("c"), element, 4 * component, F32)
            return self._over(value, element, component)
        if operand.token.relative:
            return self._indexed(operand, component)
        if name in self.inputs and name not in self.replaced:
            return self._input(name, component)
        if file == RegisterType.LOOP:
            return b.itof(b.get(self.variable("aL", I32, "aL")), type=F32)
        return b.get(self.variable(f"{name}.{COMPONENTS[component]}", F32, name))

    def _over(self, value: Value, element: Value, component: int) -> Value:
        """Return the constant that `def` gives to the register `element`, or else `value`."""
        b = self.builder
        for start, stop, row in self._runs:
            at = b.isub(element, start)
            defined = b.load(self._table(), b.iadd(at, row), 4 * component, F32)
            value = b.select(b.ult(at, stop - start), defined, value)
        return value

    def _table(self) -> Memory:
        """Return the memory of the defined constants, in the order of their numbers."""
        found = self.banks.get(DEFINED)
        if found is None:
            numbers = [number for start, stop, _ in self._runs for number in range(start, stop)]
            rows = [self.defined[f"c{number}"] for number in numbers]
            data = b"".join(bits.to_bytes(4, "little") for row in rows for bits in row)
            found = self.builder.memory(DEFINED, Space.TABLE, ROW, len(rows), data=data)
            self.banks[DEFINED] = found
        return found

    @cached_property
    def _runs(self) -> list[tuple[int, int, int]]:
        """The defined constants as runs of numbers: start, end, row of the start in the table."""
        found: list[tuple[int, int, int]] = []
        numbers = sorted(int(name[1:]) for name in self.defined if name[0] == "c")
        for row, number in enumerate(numbers):
            if found and found[-1][1] == number:
                found[-1] = found[-1][0], number + 1, found[-1][2]
            else:
                found.append((number, number + 1, row))
        return found

    def _indexed(self, operand: Operand, component: int) -> Value:
        """Return a component of an input at an index; what is not declared is 0."""
        b = self.builder
        file, number = operand.register.place
        if file != RegisterType.INPUT:
            raise UnsupportedError(f"{operand}: a register of this file cannot have an index")
        index = b.iadd(self._index(operand), number)
        value: Value = b.f32(0.0)
        for name in self.inputs:
            if name[0] == "v" and name[1:].isdigit():
                given = self._input(name, component)
                value = b.select(b.ieq(index, int(name[1:])), given, value)
        return value

    def _input(self, name: str, component: int) -> Value:
        b = self.builder
        port = self.inputs[name][component]
        if port not in self.kernel.inputs:
            self.kernel.inputs.append(port)
        value = b.input(port)
        if name == "vFace":  # a float: positive for the front
            return b.select(b.ine(value, 0), b.f32(1.0), b.f32(-1.0))
        if name == "vPos" and component < 2:  # the centre of the first pixel is 0, not a half
            return b.fsub(b.asfloat(value), 0.5)
        return b.asfloat(value)

    def coordinate(self, name: str, component: int) -> Value:
        """Return a component of the texture coordinates that a stage of ps_1_x is given."""
        if name not in self.inputs:
            raise UnsupportedError(f"{name}: expected the coordinates of a stage (d3d9.register)")
        return self._input(name, component)

    def held(self, operand: Operand, component: int) -> Value:
        """Return what a register holds that is written as a destination: of texkill."""
        return self._component(operand, component)

    def _index(self, operand: Operand) -> Value:
        """Return the value of the register that is added to a number."""
        index = operand.index
        if index is None:
            return self.builder.get(self.variable("a0.x", I32, "a0"))
        token = index.token
        assert isinstance(token, SourceParameter)
        if index.register.place[0] == RegisterType.LOOP:
            return self.builder.get(self.variable("aL", I32, "aL"))
        letter = COMPONENTS[token.swizzle & 3]
        return self.builder.get(self.variable(f"a0.{letter}", I32, "a0"))

    def boolean(self, operand: Operand) -> Value:
        """Return a boolean constant, or a component of the predicate, as a condition."""
        b = self.builder
        token = operand.token
        assert isinstance(token, SourceParameter)
        name = str(operand.register)
        if operand.register.place[0] == RegisterType.PREDICATE:
            found = self.predicate(token.swizzle & 3)
        elif name in self.defined:
            found = b.bool(bool(self.defined[name][0]))
        else:
            found = b.ine(b.load(self.bank("b"), token.number), 0)
        return b.not_(found) if token.modifier == SourceModifier.NOT else found

    def predicate(self, component: int) -> Value:
        """Return a component of the predicate register."""
        name = f"p0.{COMPONENTS[component]}"
        return self.builder.get(self.variable(name, BOOL, "p0"))

    def integer(self, operand: Operand, component: int) -> Value:
        """Return a component of an integer constant."""
        name = str(operand.register)
        if name in self.defined:
            return constant(self.defined[name][component], I32)
        return self.builder.load(self.bank("i"), operand.token.number, 4 * component)

    # ------------------------------------------------------------ writing

    def write(self, instruction: Instruction, values: dict[int, Value]) -> None:
        """Write components of the destination, where its predicate allows it."""
        operand = instruction.destination
        assert operand is not None
        token = operand.token
        assert isinstance(token, DestinationParameter)
        name = str(operand.register)
        if name in self.inputs:
            self.replaced.add(name)
        for at, value in values.items():
            changed = self._result(value, token)
            if token.relative:
                self._write_indexed(instruction, operand, changed, at)
                continue
            type = BOOL if operand.register.place[0] == RegisterType.PREDICATE else F32
            var = self.variable(f"{name}.{COMPONENTS[at]}", type, name)
            self.assign(instruction, var, changed, at)

    def _write_indexed(
        self, instruction: Instruction, operand: Operand, value: Value, at: int
    ) -> None:
        """Write a component of an output at an index."""
        b = self.builder
        file, number = operand.register.place
        if file != RegisterType.OUTPUT:
            raise UnsupportedError(f"{operand}: a register of this file cannot have an index")
        index = b.iadd(self._index(operand), number)
        for name in self.outputs:
            digits = name.lstrip("oT")
            if digits.isdigit():
                var = self.variable(f"{name}.{COMPONENTS[at]}", F32, name)
                chosen = b.select(b.ieq(index, int(digits)), value, b.get(var))
                self.assign(instruction, var, chosen, at)

    def assign(self, instruction: Instruction, var: Var, value: Value, at: int) -> None:
        """Set a variable for component `at`, where the predicate of the instruction allows it."""
        b = self.builder
        predicate = instruction.predicate
        if predicate is not None:
            token = predicate.token
            assert isinstance(token, SourceParameter)
            holds = self.predicate(token.swizzle >> 2 * at & 3)
            if token.modifier == SourceModifier.NOT:
                holds = b.not_(holds)
            value = b.select(holds, value, b.get(var))
        if self.held_back is not None:
            self.held_back.append((var, value))
        else:
            b.set(var, value)

    @contextmanager
    def pair(self) -> Iterator[None]:
        """Hold back writes to the end: instructions of a pair read before one of them writes."""
        self.held_back = []
        yield
        written, self.held_back = self.held_back, None
        for var, value in written:
            self.builder.set(var, value)

    def _result(self, value: Value, token: DestinationParameter) -> Value:
        b = self.builder
        if token.shift:
            value = b.fmul(value, 2.0**token.shift)
        if token.modifiers & SATURATE:
            value = self._saturated(value)
        return value

    def _saturated(self, value: Value) -> Value:
        return self.builder.fmin(self.builder.fmax(value, 0.0), 1.0)

    def finish(self) -> None:
        """Output what the output registers hold; colours of old versions within 0 and 1."""
        b = self.builder
        version = self.version
        limited = "r" if version.is_pixel else "oD"
        has_limits = version.major < (2 if version.is_pixel else 3)
        for name, ports in self.outputs.items():
            for port in ports:
                if port in self.kernel.outputs:
                    letter = port.name.rpartition(".")[2]
                    var = self.variable(f"{name}.{letter}", F32, name)
                    value = b.get(var)
                    if has_limits and name.startswith(limited):
                        value = self._saturated(value)
                    b.output(port, b.asint(value))
