"""Texture instructions as `sample` operations, and the derivatives of pixel shaders.

    sample_aoffimmi(1,0,0) r0.xyz, v1.xyxx, t0.xyzw, s0
        action  texture  sampler  coordinates (2 of the operand's four)  offset (1, 0, 0)

Of the coordinates as many count as the texture's shape has, a layer comes behind them; of an ld the
level is the operand's last component. The swizzle of the texture chooses among what it gives.
Source: Direct3D 11.3 functional specification, sections 22.3 and 22.4.
"""

from dataclasses import replace

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.textures import Action, Level, Sample, Sampler, Shape, Texture
from ....ir.types import F32, I32
from ..enumerations import ExtendedOpcode, OperandType, ResinfoReturnType
from ..instruction import Instruction
from ..operands import Operand
from ..tokens import Resinfo, SampleControls, SampleInfo
from .declarations import Declared
from .registers import Registers, source_component, written_components

# Mnemonic: level, comparison, where the operands of the level stand (behind texture and sampler).
SAMPLES: dict[str, tuple[Level, bool]] = {
    "sample": (Level.AUTO, False),
    "sample_b": (Level.BIAS, False),
    "sample_l": (Level.EXPLICIT, False),
    "sample_d": (Level.GRADIENT, False),
    "sample_c": (Level.AUTO, True),
    "sample_c_lz": (Level.ZERO, True),
}
DERIVATIVES = {"deriv_rtx": (1, False), "deriv_rty": (2, False)}


class Textures:
    """Lowers what reads textures."""

    def __init__(self, registers: Registers, declared: Declared) -> None:
        self.registers = registers
        self.declared = declared
        self.b = registers.builder

    def lower(self, instruction: Instruction) -> bool:
        """One instruction; False where it is none of these."""
        row = instruction.op
        assert row is not None
        name = row.name
        operands = instruction.operands
        if name.startswith("deriv_rt"):
            self._derivative(name, operands, instruction)
        elif name in SAMPLES:
            self._sample(name, instruction)
        elif name in ("gather4", "gather4_c", "gather4_po", "gather4_po_c"):
            self._gather(name, instruction)
        elif name in ("ld", "ldms"):
            self._fetch(name, instruction)
        elif name == "lod":
            self._lod(instruction)
        elif name == "resinfo":
            self._resinfo(instruction)
        elif name == "sampleinfo":
            self._sampleinfo(instruction)
        else:
            return False
        return True

    # ------------------------------------------------------------ pieces

    def texture(self, operand: Operand) -> Texture:
        """The texture of an operand."""
        name = self.registers.resource(operand)
        found = self.declared.textures.get(name)
        if found is None:
            raise UnsupportedError(f"{name} is no texture that can be sampled")
        return found

    def _attribute(self, action: Action, instruction: Instruction, texture: Texture) -> Sample:
        offset = (0, 0, 0)
        for word in instruction.extended:
            if word & 63 == ExtendedOpcode.SAMPLE_CONTROLS:
                texels = SampleControls(word)
                offset = texels.u, texels.v, texels.w
        return Sample(action, texture, offset=offset)

    def _sampler(self, operand: Operand) -> Sampler:
        name = self.registers.resource(operand)
        found = self.declared.samplers.get(name)
        if found is None:
            raise UnsupportedError(f"{name} is used without a declaration")
        return found

    def _coordinates(self, texture: Texture, operand: Operand, letter: str) -> list[Value]:
        count = texture.shape.coordinates + texture.layered
        return [self.registers.read(operand, letter, at) for at in range(count)]

    def _give(self, instruction: Instruction, source: Operand, texel: Value, kind: object) -> None:
        """Components of the destination from those that the texture's swizzle names."""
        b = self.b
        target = instruction.operands[0]
        made = []
        for at in written_components(target):
            part = b.part(texel, type=kind, attr=source_component(source, at))
            made.append((at, part))
        for at, value in made:
            self.registers.write(target, at, value)

    # ------------------------------------------------------------ instructions

    def _sample(self, name: str, instruction: Instruction) -> None:
        level, compare = SAMPLES[name]
        operands = instruction.operands
        texture = self.texture(operands[2])
        attribute = replace(
            self._attribute(Action.SAMPLE, instruction, texture),
            sampler=self._sampler(operands[3]), level=level, compare=compare,
        )  # fmt: skip
        args = self._coordinates(texture, operands[1], "f")
        read = self.registers.read
        if compare or level in (Level.BIAS, Level.EXPLICIT):
            args.append(read(operands[4], "f", 0))
        elif level is Level.GRADIENT:
            for operand in operands[4:6]:
                args += [read(operand, "f", at) for at in range(texture.shape.coordinates)]
        texel = self.b.sample(*args, attr=attribute)
        self._give(instruction, operands[2], texel, F32)

    def _gather(self, name: str, instruction: Instruction) -> None:
        operands = instruction.operands
        moving = "_po" in name
        compare = name.endswith("_c")
        rest = operands[2 + moving :]
        texture = self.texture(rest[0])
        sampler = rest[1]
        attribute = replace(
            self._attribute(Action.GATHER, instruction, texture),
            sampler=self._sampler(sampler), level=Level.ZERO, compare=compare, moving=moving,
            component=source_component(sampler, 0),
        )  # fmt: skip
        args = self._coordinates(texture, operands[1], "f")
        read = self.registers.read
        if compare:
            args.append(read(rest[2], "f", 0))
        if moving:
            args += [read(operands[2], "i", at) for at in range(texture.shape.coordinates)]
        texel = self.b.sample(*args, attr=attribute)
        self._give(instruction, rest[0], texel, texture.type if not compare else F32)

    def _fetch(self, name: str, instruction: Instruction) -> None:
        operands = instruction.operands
        texture = self.texture(operands[2])
        many = name == "ldms"
        level = Level.ZERO if many else Level.EXPLICIT
        attribute = replace(self._attribute(Action.FETCH, instruction, texture), level=level)
        args = self._coordinates(texture, operands[1], "i")
        if many:
            args.append(self.registers.read(operands[3], "i", 0))
        else:
            args.append(self.registers.read(operands[1], "i", 3))
        texel = self.b.sample(*args, attr=attribute)
        self._give(instruction, operands[2], texel, texture.type)

    def _lod(self, instruction: Instruction) -> None:
        operands = instruction.operands
        texture = self.texture(operands[2])
        attribute = Sample(Action.LOD, texture, self._sampler(operands[3]))
        count = texture.shape.coordinates
        args = [self.registers.read(operands[1], "f", at) for at in range(count)]
        texel = self.b.sample(*args, attr=attribute)
        self._give(instruction, operands[2], texel, F32)

    def _resinfo(self, instruction: Instruction) -> None:
        """Width, height, depth or layers, levels of a level."""
        operands = instruction.operands
        source = operands[2]
        level = self.registers.read(operands[1], "u", 0)
        name = self.registers.resource(source)
        b = self.b
        if name in self.declared.textures:
            attribute = Sample(Action.SIZE, self.texture(source), level=Level.EXPLICIT)
            texel = b.sample(level, attr=attribute)
            parts = [b.part(texel, type=I32, attr=at) for at in range(4)]
        else:  # a view: one level
            shape = self.registers.memory(f"{name}.shape")
            rows = (0, 2, 1, 3) if self.declared.resources[name].shape is Shape.D1 else range(4)
            parts = [b.load(shape, at, 0) for at in rows]
        kind = Resinfo.return_type.of(instruction.token)
        resource = self.declared.resources[name]
        target = operands[0]
        for at in written_components(target):
            component = source_component(source, at)
            value = parts[component]
            if kind != ResinfoReturnType.UINT:
                value = b.utof(value, type=F32)
                sizes = resource.shape.coordinates if resource.shape else 1
                if resource.shape is Shape.CUBE:
                    sizes = 2
                if kind == ResinfoReturnType.RCPFLOAT and component < sizes:
                    value = b.fdiv(constant(0x3F80_0000, F32), value)
            self.registers.write(target, at, value)

    def _sampleinfo(self, instruction: Instruction) -> None:
        target, source = instruction.operands
        b = self.b
        if source.type == OperandType.RASTERIZER:
            count = constant(1, I32)
        else:
            count = constant(self.texture(source).samples, I32)
        value = count if SampleInfo.return_uint.of(instruction.token) else b.utof(count, type=F32)
        for at in written_components(target):
            zero = source_component(source, at) != 0
            self.registers.write(target, at, constant(0, I32) if zero else value)

    # ------------------------------------------------------------ derivatives

    def _derivative(self, name: str, operands: list[Operand], instruction: Instruction) -> None:
        """Coarse: of the quad's first row and column; fine (and plain): of the own ones."""
        axis = 1 if name.startswith("deriv_rtx") else 2
        target, source = operands
        made = []
        for at in written_components(target):
            value = self.registers.read(source, "f", at)
            made.append((at, self._difference(value, axis, coarse=not name.endswith("_fine"))))
        saturate = bool(instruction.saturate)
        for at, value in made:
            self.registers.write(target, at, value, saturate=saturate)

    def _difference(self, value: Value, axis: int, *, coarse: bool) -> Value:
        b = self.b
        if coarse:  # everybody looks at lane 0 and its neighbour
            lane = b.source("quad_lane")
            other = 3 - axis
            swapped = b.quad_swap(value, attr=other)
            value = b.select(b.ieq(b.make("and", lane, other), 0), value, swapped)
        partner = b.quad_swap(value, attr=axis)
        second = b.ine(b.make("and", b.source("quad_lane"), axis), 0)
        forward = b.fsub(partner, value)
        backward = b.fsub(value, partner)
        return b.select(second, backward, forward)  # type: ignore[no-any-return]
