"""eval_*: an input of a pixel shader at another place of the pixel.

    eval_snapped r0.x, v1.x, l(4, -2, 0, 0)      v1.x + 4/16 * dv1.x/dx - 2/16 * dv1.x/dy

What a kernel is given is the input in the middle of the pixel. Pixels have one sample, which stands
there: so it is also where the centroid and sample 0 are, and every other sample does not exist
("undefined"; here the same place). For another place the slope of the input over its quad is taken,
at the start of the program, where all four lanes are: exact for what is linear on the screen, a
first approximation for what perspective bends. Of the offsets the low four bits count.

Source: Direct3D 11.3 functional specification, sections 22.4.23 to 22.4.25.
"""

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library import derivatives
from ....ir.memory import Port
from ....ir.types import F32
from ..enumerations import OperandType
from ..instruction import Instruction
from ..operands import Operand
from ..selection import LETTERS
from .registers import Registers, source_component, written_components

CONSTANT = "constant"  # the interpolation that has no slope
FRACTION_BITS = 4


class Attributes:
    """The slopes of inputs, and the instructions that want them."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.slopes: dict[str, tuple[Value, Value]] = {}

    def prepare(self, instructions: list[Instruction]) -> None:
        """Work out the slopes of the inputs that are asked for; at the start of the program."""
        b = self.registers.builder
        for instruction in instructions:
            if instruction.name != "eval_snapped":
                continue
            for port in self._ports(instruction.operands[1]):
                if port.name in self.slopes or port.interpolation == CONSTANT:
                    continue
                value = b.asfloat(b.input(port), type=F32)
                self.slopes[port.name] = (
                    derivatives.fine(b, value, derivatives.X),
                    derivatives.fine(b, value, derivatives.Y),
                )

    def _ports(self, operand: Operand) -> list[Port]:
        """The components of an input register that are declared."""
        if operand.type != OperandType.INPUT:
            raise UnsupportedError("only an input can be evaluated at another place")
        if operand.indices[-1].relative is not None:
            raise UnsupportedError("an input at another place, chosen by a register, cannot be run")
        number = operand.indices[-1].immediate
        names = [f"v{number}.{letter}" for letter in LETTERS]
        inputs = self.registers.inputs
        return [inputs[name] for name in names if name in inputs]

    def lower(self, instruction: Instruction) -> bool:
        """One instruction; False where it is none of these."""
        name = instruction.name
        if not name.startswith("eval_"):
            return False
        target, source = instruction.operands[:2]
        read = self.registers.read
        made = []
        for at in written_components(target):
            value = read(source, "f", at)
            if name == "eval_snapped":
                value = self._moved(source, at, value, instruction.operands[2])
            made.append((at, value))
        for at, value in made:
            self.registers.write(target, at, value)
        return True

    def _moved(self, source: Operand, at: int, value: Value, offsets: Operand) -> Value:
        b = self.registers.builder
        letter = LETTERS[source_component(source, at)]
        slopes = self.slopes.get(f"v{source.indices[-1].immediate}.{letter}")
        if slopes is None:
            return value
        unused = 32 - FRACTION_BITS
        for axis, slope in enumerate(slopes):
            offset = self.registers.read(offsets, "i", axis)
            steps = b.itof(b.ishr(b.ishl(offset, unused), unused), type=F32)
            value = b.fadd(value, b.fmul(slope, b.fmul(steps, 1 / 16)))
        return value
