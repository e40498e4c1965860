"""Lowering of eval_*: an input of a pixel shader at another position in the pixel.

    eval_snapped r0.x, v1.x, l(4, -2, 0, 0)      v1.x + 4/16 * dv1.x/dx - 2/16 * dv1.x/dy
    eval_snapped r0.x, v[r1.x + 1].x, …          slopes from arrays beside that of the inputs

Positions are taken from the centre of the pixel, whatever the place is at which the input is
declared (ir.library.pixel_places). The samples of the target have standard positions
(ir.library.sample_positions); that of a sample that does not exist is undefined, here the centre.
All use the slope of the input over the quad, computed at the start of the program, where all four
lanes are active: exact for inputs that are linear on the screen, a first-order approximation with
perspective. Offsets have four bits. An input that a register chooses is taken from its own place.

Source: Direct3D 11.3 functional specification, sections 22.4.23 to 22.4.25.
"""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library import derivatives, pixel_places, sample_positions
from ....ir.memory import Memory, Port, Space
from ....ir.types import F32
from ....vocab.slots import PortSlot
from ....vocab.words import Interpolation
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from .registers import ROW, Registers

MOVED = ("eval_snapped", "eval_sample_index", "eval_centroid")


class Attributes:
    """The slopes of inputs, and the instructions that use them."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.slopes: dict[PortSlot, tuple[Value, Value]] = {}
        self.centres: dict[PortSlot, Value] = {}  # of inputs declared at another place
        self.arrays: tuple[Memory, ...] = ()  # of all inputs' slopes, where a register chooses one

    def prepare(self, instructions: Sequence[Instruction]) -> None:
        """Compute the slopes of the inputs that need them, at the start of the program."""
        b = self.registers.builder
        chosen = False
        for instruction in instructions:
            if instruction.name not in MOVED:
                continue
            operand = instruction.operands[1]
            for port in self._ports(operand):
                if port.slot in self.slopes or port.interpolation is Interpolation.CONSTANT:
                    continue
                centre = pixel_places.at_centre(b, port)
                value = b.asfloat(b.input(centre))
                assert port.slot is not None
                if centre is not port:
                    self.centres[port.slot] = value
                self.slopes[port.slot] = (
                    derivatives.fine(b, value, derivatives.X),
                    derivatives.fine(b, value, derivatives.Y),
                )
            chosen |= operand.indices[-1].relative is not None
        if chosen:
            self._keep()

    def _ports(self, operand: Operand) -> list[Port]:
        """Return the declared components of an input, or of all that may be selected."""
        if operand.type != OperandType.INPUT:
            raise UnsupportedError(
                f"expected an input to evaluate, got {word(REGISTERS, operand.type)}"
            )
        index = operand.indices[-1]
        found = []
        for slot, port in self.registers.inputs.items():
            if slot.location is not None:
                at = slot.location - index.immediate
                if at == 0 or (at > 0 and index.relative is not None):
                    found.append(port)
        return found

    def _keep(self) -> None:
        """Store the slopes in arrays, for relative indices."""
        array = self.registers.input_array
        assert array is not None
        self.arrays = tuple(
            self.registers.new_memory(name, Space.LOCAL, ROW, array.count, internal=True)
            for name in ("v.ddx", "v.ddy")
        )
        for slot, slopes in self.slopes.items():
            assert slot.location is not None
            for memory, slope in zip(self.arrays, slopes, strict=True):
                self.registers.builder.store(memory, slot.location, 4 * slot.component, slope)

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it is not an eval_*."""
        name = instruction.name
        if not name.startswith("eval_"):
            return False
        target, source = instruction.operands[:2]
        b, read = self.registers.builder, self.registers.read
        made = []
        for at in written_components(target):
            value = self._centred(source, at, read(source, "f", at))
            if name == "eval_snapped":
                value = self._moved(source, at, value, self._offsets(instruction.operands[2]))
            elif name == "eval_sample_index":
                value = self._at_sample(source, at, value, instruction.operands[2])
            else:
                value = self._moved(source, at, value, pixel_places.centroid(b))
            made.append((at, value))
        for at, value in made:
            self.registers.write(target, at, value)
        return True

    def _centred(self, source: Operand, at: int, value: Value) -> Value:
        """Return an input at the centre of the pixel."""
        index = source.indices[-1]
        if index.relative is not None:
            return value
        component = source_component(source, at)
        return self.centres.get(self.registers.slot(source, index.immediate, component), value)

    def _offsets(self, operand: Operand) -> list[Value]:
        """Return the offset in pixels along each axis."""
        read = self.registers.read
        return [
            derivatives.snapped(self.registers.builder, read(operand, "i", axis))
            for axis in range(2)
        ]

    def _at_sample(self, source: Operand, at: int, value: Value, index: Operand) -> Value:
        """Return the input at a sample; rows 0 and 1 of the table are the centre."""
        b = self.registers.builder
        number = self.registers.read(index, "u", 0)
        row = sample_positions.row_of(
            self.registers.builder, number, sample_positions.of_target(self.registers.builder)
        )
        offsets = [
            sample_positions.position(self.registers.builder, row, axis) for axis in range(2)
        ]
        moved = self._moved(source, at, value, offsets)
        found: Value = b.select(b.ult(1, row), moved, value)
        return found

    def _moved(self, source: Operand, at: int, value: Value, offsets: list[Value]) -> Value:
        b = self.registers.builder
        component = source_component(source, at)
        index = source.indices[-1]
        found: tuple[Value, ...]
        if index.relative is None:
            found = self.slopes.get(self.registers.slot(source, index.immediate, component), ())
        else:
            number = self.registers.index(index)
            found = tuple(b.load(each, number, 4 * component, F32) for each in self.arrays)
        return derivatives.moved(b, value, found, offsets)
