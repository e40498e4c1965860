"""Lowering of eval_*: an input of a pixel shader at another position in the pixel.

    eval_snapped r0.x, v1.x, l(4, -2, 0, 0)      v1.x 4/16 of a pixel right of the centre, 2/16 up
    eval_snapped r0.x, v[r1.x + 1].x, …          reads arrays of values at the centre, and of slopes

Positions are taken from the centre of the pixel, whatever the place is at which the input is
declared, and values are exact (ir.library.pixel_places). Offsets have four bits. The samples of the
target have standard positions (ir.library.sample_positions); the position of a sample that does not
exist is undefined, here the centre.

Source: Direct3D 11.3 functional specification, sections 22.4.23 to 22.4.25.
"""

from collections.abc import Mapping, Sequence

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.library import pixel_places, sample_positions
from ....ir.library.pixel_places import Evaluated
from ....ir.memory import Memory, Port, Space
from ....ir.types import F32
from ....vocab.slots import PortSlot
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from .registers import ROW, Registers

MOVED = ("eval_snapped", "eval_sample_index", "eval_centroid")
ARRAYS = ("v.centre", "v.ddx", "v.ddy", "v.perspective.ddx", "v.perspective.ddy")


class Attributes:
    """Lowering of eval_*: the inputs that are evaluated elsewhere, and the instructions."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.arrays: tuple[Memory, ...] = ()  # of all of them, where a register chooses one

    def prepare(self, instructions: Sequence[Instruction]) -> None:
        """Store the data of dynamically indexed inputs in arrays, at the start."""
        chosen: dict[PortSlot, Port] = {}
        for instruction in instructions:
            if instruction.name in MOVED:
                operand = instruction.operands[1]
                ports = self._ports(operand)
                if operand.indices[-1].relative is not None:
                    chosen |= {port.slot: port for port in ports if port.slot is not None}
        if chosen:
            self._keep(chosen)

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

    def _keep(self, chosen: Mapping[PortSlot, Port]) -> None:
        array = self.registers.input_array
        assert array is not None
        self.arrays = tuple(
            self.registers.new_memory(name, Space.LOCAL, ROW, array.count, internal=True)
            for name in ARRAYS
        )
        zero = constant(0, F32)
        for slot, port in chosen.items():
            each = pixel_places.evaluated(self.registers.builder, port)
            assert slot.location is not None
            pairs = (each.slopes or (zero, zero), each.perspective or (zero, zero))
            for memory, value in zip(self.arrays, (each.centre, *pairs[0], *pairs[1]), strict=True):
                self.registers.builder.store(memory, slot.location, 4 * slot.component, value)

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it is not an eval_*."""
        if instruction.name not in MOVED:
            return False
        target, source = instruction.operands[:2]
        registers = self.registers
        offset = self._offset(instruction)
        made = []
        for at in written_components(target):
            found = self._evaluated(source, source_component(source, at))
            value = pixel_places.moved(registers.builder, found, offset)
            made.append((at, registers.signed(source, value)))
        for at, value in made:
            registers.write(target, at, value)
        return True

    def _evaluated(self, source: Operand, component: int) -> Evaluated:
        """Return the data to evaluate an input; 0 if the input is not declared."""
        b, index = self.registers.builder, source.indices[-1]
        if index.relative is None:
            slot = self.registers.slot(source, index.immediate, component)
            port = self.registers.inputs.get(slot)
            if port is None:
                return Evaluated(constant(0, F32))
            return pixel_places.evaluated(b, port)
        if not self.arrays:  # no register that the index may choose is declared
            return Evaluated(constant(0, F32))
        number = self.registers.index(index)
        centre, *slopes = (b.load(each, number, 4 * component, F32) for each in self.arrays)
        return Evaluated(centre, tuple(slopes[:2]), tuple(slopes[2:]))

    def _offset(self, instruction: Instruction) -> list[Value]:
        """Return the offset of the position from the centre in pixels, along each axis."""
        b, read = self.registers.builder, self.registers.read
        match instruction.name:
            case "eval_centroid":
                return pixel_places.centroid(b)
            case "eval_sample_index":
                number = read(instruction.operands[2], "u", 0)
                return sample_positions.offset(b, number)
        operand = instruction.operands[2]
        return [pixel_places.snapped(b, read(operand, "i", axis)) for axis in range(2)]
