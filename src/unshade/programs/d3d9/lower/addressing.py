"""Lowering of the texture addressing of ps_1_x: coordinates from texels, rows of a matrix.

    texreg2ar t1, t0      sample stage 1 at (alpha, red) of t0; gb, rgb likewise
    texdp3tex t1, t0      sample stage 1 at (d, 0), where d is the dot product of t0 and the
    texdp3 t1, t0         coordinates of stage 1; d in all components
    texm3x2pad t1, t0     one row: d, held for
    texm3x2tex t2, t0     sample stage 2 at both rows
    texm3x2depth t2, t0   depth: the quotient of both rows, 1 if the second is 0
    texm3x3pad, …         two rows, then
    texm3x3 t3, t0        (x, y, z, 1)
    texm3x3tex t3, t0     sample stage 3 at (x, y, z); spec: at the reflection of a constant eye
                          vector, vspec: of the one in the fourth coordinates of the three stages
    texbem t1, t0         sample stage 1 at its coordinates + M (red, green) of t0; texbeml: times
                          blue of t0 * scale + offset
    bem r1.rg, r0, r2     r0 + M (red, green) of r2, in ps_1_4
    texdepth r5           depth: red divided by green, 1 if green is 0

M, scale and offset are states of the stage that the destination names. The application sets them,
not the code: the memory `bump` has 32 bytes for each stage: M00 M01 M10 M11, scale, offset, 0, 0.

Source: the pages of the assembly language of ps_1_x.
"""

from collections.abc import Sequence

from ....ir.kernel import Value
from ....ir.textures import Level
from ....ir.types import F32
from ..code import Code
from ..facts import STAGE_ROWS
from ..instruction import Instruction
from ..tables.tokens import DestinationParameter
from .registers import ROW, Registers
from .textures import TextureLowering

__all__ = ["AddressingLowering", "cubes_of"]

SOURCE_COMPONENTS = {"texreg2ar": (3, 0), "texreg2gb": (1, 2), "texreg2rgb": (0, 1, 2)}
PADS = frozenset({"texm3x2pad", "texm3x3pad"})
TEXELS = frozenset({
    "texreg2ar", "texreg2gb", "texreg2rgb", "texdp3tex", "texm3x2tex", "texm3x3tex", "texm3x3spec",
    "texm3x3vspec", "texbem", "texbeml",
})  # fmt: skip
DEPTHS = frozenset({"texm3x2depth", "texdepth"})
VALUES = frozenset({"texdp3", "texm3x3", "bem"})
SOLID = frozenset({"texm3x3tex", "texm3x3spec", "texm3x3vspec"})
Vector = Sequence[Value]


def cubes_of(code: Code) -> set[int]:
    """Return the samplers, by number, that are given three coordinates: those of cubes."""
    return {
        each.destination.token.number
        for each in code.instructions
        if each.name in SOLID and each.destination is not None
    }


class AddressingLowering:
    """The instructions of a program, of which some hold rows for later ones."""

    def __init__(self, registers: Registers, textures: TextureLowering) -> None:
        self.registers = registers
        self.textures = textures
        self.rows: list[Value] = []
        self.eye: list[Value] = []  # the fourth coordinates of the stages of the rows

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it is of another kind."""
        name = instruction.name
        if name in PADS:
            self._add_row(instruction)
        elif name in TEXELS:
            self._sample(instruction)
        elif name in DEPTHS:
            self._depth(instruction)
        elif name in VALUES:
            self._values(instruction)
        else:
            return False
        return True

    def _number(self, instruction: Instruction) -> int:
        assert instruction.destination is not None
        return instruction.destination.token.number

    def _coordinate(self, instruction: Instruction, component: int) -> Value:
        """Return the coordinates of the stage that the destination names."""
        return self.registers.coordinate(f"t{self._number(instruction)}", component)

    def _dot(self, one: Vector, other: Vector) -> Value:
        b = self.registers.builder
        total = b.fmul_legacy(one[0], other[0])
        for x, y in zip(one[1:], other[1:], strict=True):
            total = b.fadd(total, b.fmul_legacy(x, y))
        return total

    def _row(self, instruction: Instruction) -> Value:
        """Return the dot product of the source and the coordinates."""
        source = instruction.sources[0]
        given = [self.registers.source(source, at) for at in range(3)]
        return self._dot([self._coordinate(instruction, at) for at in range(3)], given)

    def _add_row(self, instruction: Instruction) -> None:
        self.rows.append(self._row(instruction))
        if instruction.name == "texm3x3pad":
            self.eye.append(self._coordinate(instruction, 3))

    def _product(self, instruction: Instruction, count: int) -> list[Value]:
        """Return the rows that were held and the last; rows that no instruction made are 0."""
        b = self.registers.builder
        held = self.rows[-(count - 1) :]
        rows = [*[b.f32(0.0)] * (count - 1 - len(held)), *held, self._row(instruction)]
        self.rows = []
        return rows

    def _stage(self, instruction: Instruction, at: int) -> Value:
        """Return a number of the stage's state: 0 to 3 of the matrix, 4 scale, 5 offset."""
        row = STAGE_ROWS * self._number(instruction)
        bank = self.registers.bank("bump")
        return self.registers.builder.load(bank, row + at // 4, 4 * at % ROW, F32)

    def _bumped(self, instruction: Instruction, base: Vector, delta: Vector) -> list[Value]:
        """Return two coordinates plus the product of the stage's matrix and a vector."""
        b = self.registers.builder
        found = []
        for at, start in enumerate(base):
            total = start
            for row, factor in enumerate(delta):
                product = b.fmul_legacy(self._stage(instruction, 2 * row + at), factor)
                total = b.fadd(total, product)
            found.append(total)
        return found

    def _arguments(self, instruction: Instruction) -> list[Value]:
        """Return the coordinates to sample at."""
        b, name = self.registers.builder, instruction.name
        source = instruction.sources[0]
        if name in SOURCE_COMPONENTS:
            return [self.registers.source(source, at) for at in SOURCE_COMPONENTS[name]]
        if name == "texdp3tex":
            return [self._row(instruction), b.f32(0.0)]
        if name == "texm3x2tex":
            return self._product(instruction, 2)
        if name in ("texbem", "texbeml"):
            base = [self._coordinate(instruction, at) for at in range(2)]
            return self._bumped(instruction, base, self._red_and_green(instruction, 0))
        normal = self._product(instruction, 3)
        if name == "texm3x3tex":
            return normal
        if name == "texm3x3spec":
            eye = [self.registers.source(instruction.sources[1], at) for at in range(3)]
        else:
            held = self.eye[-2:]
            missing = [b.f32(0.0)] * (2 - len(held))
            eye = [*missing, *held, self._coordinate(instruction, 3)]
        self.eye = []
        return self._reflected(normal, eye)

    def _reflected(self, normal: Vector, eye: Vector) -> list[Value]:
        """Return 2 (N E) / (N N) N - E."""
        b = self.registers.builder
        twice = b.fmul(b.f32(2.0), self._dot(normal, eye))
        factor = b.fdiv(twice, self._dot(normal, normal))
        return [b.fsub(b.fmul_legacy(factor, n), e) for n, e in zip(normal, eye, strict=True)]

    def _red_and_green(self, instruction: Instruction, source: int) -> list[Value]:
        return [self.registers.source(instruction.sources[source], at) for at in range(2)]

    def _sample(self, instruction: Instruction) -> None:
        b = self.registers.builder
        arguments = self._arguments(instruction)
        number = self._number(instruction)
        parts = self.textures.sampled(instruction, number, arguments, Level.AUTO)
        if instruction.name == "texbeml":
            blue = self.registers.source(instruction.sources[0], 2)
            scaled = b.fmul_legacy(blue, self._stage(instruction, 4))
            factor = b.fadd(scaled, self._stage(instruction, 5))
            parts = {at: b.fmul_legacy(value, factor) for at, value in parts.items()}
        self.registers.write(instruction, parts)

    def _values(self, instruction: Instruction) -> None:
        b = self.registers.builder
        assert instruction.destination is not None
        token = instruction.destination.token
        assert isinstance(token, DestinationParameter)
        if instruction.name == "texdp3":
            values = [self._row(instruction)] * 4
        elif instruction.name == "texm3x3":
            values = [*self._product(instruction, 3), b.f32(1.0)]
        else:
            base, delta = (self._red_and_green(instruction, each) for each in range(2))
            values = self._bumped(instruction, base, delta)
        written = {at: value for at, value in enumerate(values) if token.mask >> at & 1}
        self.registers.write(instruction, written)

    def _depth(self, instruction: Instruction) -> None:
        b = self.registers.builder
        if instruction.name == "texm3x2depth":
            over, under = self._product(instruction, 2)
        else:
            assert instruction.destination is not None
            over, under = (self.registers.held(instruction.destination, at) for at in range(2))
        quotient = b.select(b.feq(under, 0.0), b.f32(1.0), b.fdiv(over, under))
        b.set(self.registers.variable("oDepth.x", F32, "oDepth"), quotient)
