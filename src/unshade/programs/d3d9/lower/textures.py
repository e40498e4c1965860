"""Lowering of texture instructions to `sample` operations.

    texld r0, v0, s0     texldp: coordinates divided by w    texldb: biased by w
    texldl               at the level in w                   texldd: with the given derivatives
    tex t0               coordinates and sampler of the destination's number, before ps_1_4
    texld r1, t1         sampler of the destination's number, in ps_1_4; _dz and _dw divide
    texcoord, texcrd     the coordinates; before ps_1_4 clamped to 0 and 1

A sampler is a texture with its sampler, as in Vulkan. The shape is the declared one; before Shader
Model 2, where nothing is declared, that of a texture of two dimensions, or of a cube where an
instruction makes three coordinates (addressing.py).

Source: the pages of the assembly language.
"""

from collections.abc import Container, Sequence

from ....ir.kernel import Value
from ....ir.lowered import Form, LoweredResource
from ....ir.textures import Action, Level, Sample, SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32
from ....model import Dimension
from ....model.facts import ProgramFacts
from ..facts import sampler_resource
from ..instruction import Instruction
from ..tables.tokens import (
    DestinationParameter,
    RegisterType,
    SourceModifier,
    SourceParameter,
)
from .registers import Registers

__all__ = ["TextureLowering"]

TEXEL = 16  # bytes
SHAPES = {Dimension.D2: Shape.D2, Dimension.CUBE: Shape.CUBE, Dimension.D3: Shape.D3}
LEVELS = {
    "texld": Level.AUTO, "texldp": Level.AUTO, "texldb": Level.BIAS, "texldl": Level.EXPLICIT,
    "texldd": Level.GRADIENT, "tex": Level.AUTO,
}  # fmt: skip


class TextureLowering:
    """The textures of a program."""

    def __init__(
        self, registers: Registers, facts: ProgramFacts, cubes: Container[int] = ()
    ) -> None:
        self.registers = registers
        self.resources: list[LoweredResource] = []
        self.declared: dict[int, tuple[TextureDeclaration, SamplerDeclaration]] = {}
        for each in facts.resources:
            resource = each.resource
            dimension = resource.dimension
            number = resource.register
            undeclared = Shape.CUBE if number in cubes else Shape.D2
            shape = undeclared if dimension is None else SHAPES.get(dimension, Shape.D2)  # type: ignore[call-overload]
            self._declare(number, shape)

    def _declare(self, number: int, shape: Shape) -> None:
        slot = sampler_resource(number).slot
        texture = TextureDeclaration(f"s{number}", shape, F32, False, 1, slot)
        sampler = SamplerDeclaration(f"s{number}", slot)
        kernel = self.registers.kernel
        kernel.textures.append(texture)
        kernel.samplers.append(sampler)
        self.resources.append(
            LoweredResource(
                f"s{number}", Form.TEXTURE, TEXEL, False, ("float",) * 4, shape, slot=slot
            )
        )
        self.declared[number] = texture, sampler

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it does not read a texture or coordinates."""
        name = instruction.name
        if name in ("texcoord", "texcrd"):
            self._coordinates(instruction)
            return True
        if name not in LEVELS:
            return False
        self._sample(instruction)
        return True

    def _coordinates(self, instruction: Instruction) -> None:
        b = self.registers.builder
        token = instruction.destination.token if instruction.destination else None
        assert isinstance(token, DestinationParameter)
        clamped = instruction.name == "texcoord"
        found = {}
        mask = [at for at in range(4) if token.mask >> at & 1]
        for at, value in self._given(instruction, mask).items():
            found[at] = b.fmin(b.fmax(value, 0.0), 1.0) if clamped else value
        self.registers.write(instruction, found)

    def _given(self, instruction: Instruction, wanted: Sequence[int]) -> dict[int, Value]:
        """Return components of the coordinates: of the first source, or of the destination."""
        b = self.registers.builder
        if not instruction.sources:
            assert instruction.destination is not None
            name = str(instruction.destination.register)
            return {at: self.registers.coordinate(name, at) for at in wanted}
        operand = instruction.sources[0]
        token = operand.token
        assert isinstance(token, SourceParameter)
        found = {at: self.registers.source(operand, at) for at in wanted}
        if token.modifier in (SourceModifier.DZ, SourceModifier.DW):
            by = self.registers.source(operand, 2 if token.modifier == SourceModifier.DZ else 3)
            found = {at: b.fdiv(each, by) if at < 2 else each for at, each in found.items()}
        return found

    def _number(self, instruction: Instruction) -> int:
        sources = instruction.sources
        if len(sources) > 1:
            return sources[1].token.number
        assert instruction.destination is not None
        return instruction.destination.token.number

    def _sample(self, instruction: Instruction) -> None:
        b = self.registers.builder
        number = self._number(instruction)
        name = instruction.name
        level = LEVELS[name]
        count = self._texture(number)[0].shape.coordinates
        extra = [3] if name == "texldp" or level in (Level.BIAS, Level.EXPLICIT) else []
        values = self._given(instruction, [*range(count), *extra])
        args = [values[at] for at in range(count)]
        if name == "texldp":
            args = [b.fdiv(each, values[3]) for each in args]
        if level in (Level.BIAS, Level.EXPLICIT):
            args.append(values[3])
        elif level is Level.GRADIENT:
            for each in instruction.sources[2:4]:
                args += [self.registers.source(each, at) for at in range(count)]
        self.registers.write(instruction, self.sampled(instruction, number, args, level))

    def _texture(self, number: int) -> tuple[TextureDeclaration, SamplerDeclaration]:
        if number not in self.declared:
            self._declare(number, Shape.D2)
        return self.declared[number]

    def sampled(
        self, instruction: Instruction, number: int, args: Sequence[Value], level: Level
    ) -> dict[int, Value]:
        """Return the components that the destination takes of a texel.

        Args:
            instruction: The instruction, whose second source, a sampler, may have a swizzle.
            number: The number of the sampler.
            args: The coordinates, and what the level needs; coordinates beyond those of the
                texture are left out.
            level: How the level is chosen.
        """
        b = self.registers.builder
        texture, sampler = self._texture(number)
        if level is Level.AUTO:
            args = args[: texture.shape.coordinates]
        texel = b.sample(*args, attr=Sample(Action.SAMPLE, texture, sampler, level))
        destination = instruction.destination
        assert destination is not None
        token = destination.token
        assert isinstance(token, DestinationParameter)
        swizzle = 0xE4
        chosen = instruction.sources[1] if len(instruction.sources) > 1 else None
        if chosen is not None and chosen.register.place[0] == RegisterType.SAMPLER:
            assert isinstance(chosen.token, SourceParameter)
            swizzle = chosen.token.swizzle
        return {
            at: b.part(texel, type=F32, attr=swizzle >> 2 * at & 3)
            for at in range(4)
            if token.mask >> at & 1
        }
