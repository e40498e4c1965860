"""Lowering of texture instructions to `sample` operations, and of derivatives.

    sample_aoffimmi(1,0,0) r0.xyz, v1.xyxx, t0.xyzw, s0
        action  texture  sampler  coordinates (2 of the operand's four)  offset (1, 0, 0)

The coordinates are as many as the texture's shape needs, followed by the layer; the level of an ld
is the operand's last component. The swizzle of the texture selects components of the result.

If the texture has a relative index that differs between the pixels of a quad, `sample` cannot
compute a difference to a neighbour, and uses the greatest level.

Source: Direct3D 11.3 functional specification, sections 22.3, 22.4 and 22.5.
"""

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.library import derivatives, sample_positions, views
from ....ir.library.direct3d import READABLE
from ....ir.lowered import LoweredResource
from ....ir.textures import Action, Level, Sample, SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32, I32, Type
from ..instruction import Instruction
from ..operands import Operand, source_component, written_components
from ..tables.enumerations import ExtendedOpcode, OperandType, ResinfoReturnType
from ..tables.tokens import Resinfo, SampleControls, SampleInfo
from .declarations import ProgramDeclarations
from .ranges import undeclared
from .registers import Registers

# Level and comparison, by mnemonic.
SAMPLES: dict[str, tuple[Level, bool]] = {
    "sample": (Level.AUTO, False),
    "sample_b": (Level.BIAS, False),
    "sample_l": (Level.EXPLICIT, False),
    "sample_d": (Level.GRADIENT, False),
    "sample_c": (Level.AUTO, True),
    "sample_c_lz": (Level.ZERO, True),
}
GATHERS = ("gather4", "gather4_c", "gather4_po", "gather4_po_c")
OFFSET_BITS = 6  # of an offset computed at run time, in a gather: -32 to 31


class Textures:
    """Lowering of operations on textures."""

    def __init__(self, registers: Registers, declared: ProgramDeclarations) -> None:
        self.registers = registers
        self.declared = declared
        self.b = registers.builder

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it does not read a texture."""
        row = instruction.op
        assert row is not None
        name = row.name
        operands = instruction.operands
        if name.startswith("deriv_rt"):
            self._derivative(name, operands)
        elif name in SAMPLES:
            self.sample(instruction)
        elif name in GATHERS:
            self._gather(name, instruction)
        elif name in ("ld", "ldms"):
            self._fetch(name, instruction)
        elif name == "lod":
            self._lod(instruction)
        elif name == "resinfo":
            self._resinfo(instruction)
        elif name == "sampleinfo":
            self._sampleinfo(instruction)
        elif name == "samplepos":
            self._samplepos(instruction)
        elif name == "check_access_fully_mapped":
            self._check(operands)
        else:
            return False
        return True

    # ------------------------------------------------------------ pieces

    def texture(self, operand: Operand) -> TextureDeclaration:
        """Return the texture of an operand."""
        name = self.registers.resource(operand)
        found = self.declared.textures.get(name)
        if found is None:
            raise UnsupportedError(f"expected a texture, got {name}")
        return found

    def _attribute(
        self, action: Action, instruction: Instruction, texture: TextureDeclaration
    ) -> Sample:
        """Return the attribute without level; UnsupportedError if the shape does not fit."""
        many = self.declared.resources[texture.name].multisampled
        if texture.shape not in READABLE[action] or many != (instruction.name == "ldms"):
            name, kind = texture.name, f"{'multisampled ' * many}{texture.shape}"
            raise UnsupportedError(f"{instruction.name} cannot read {name}, which is {kind}")
        offset = (0, 0, 0)
        for word in instruction.extended:
            if word & 63 == ExtendedOpcode.SAMPLE_CONTROLS:
                texels = SampleControls(word)
                offset = texels.u, texels.v, texels.w
        return Sample(action, texture, offset=offset)

    def _sampler(self, operand: Operand) -> SamplerDeclaration:
        name = self.registers.resource(operand)
        found = self.declared.samplers.get(name)
        if found is None:
            raise undeclared(name)
        return found

    def _coordinates(
        self, texture: TextureDeclaration, operand: Operand, letter: str
    ) -> list[Value]:
        count = texture.shape.coordinates + texture.layered
        return [self.registers.read(operand, letter, at) for at in range(count)]

    def _write_texel(
        self, instruction: Instruction, source: Operand, texel: Value, kind: Type
    ) -> None:
        """Write the components of the destination, as selected by the texture's swizzle."""
        b = self.b
        target = instruction.operands[0]
        made = []
        for at in written_components(target):
            part = b.part(texel, type=kind, attr=source_component(source, at))
            made.append((at, part))
        for at, value in made:
            self.registers.write(target, at, value)

    # ------------------------------------------------------------ instructions

    def sample(self, instruction: Instruction, clamp: Operand | None = None) -> None:
        """Lower a sample instruction; `clamp` is the least level that it may use."""
        level, compare = SAMPLES[instruction.name]
        operands = instruction.operands
        texture = self.texture(operands[2])
        attribute = replace(
            self._attribute(Action.SAMPLE, instruction, texture),
            sampler=self._sampler(operands[3]), level=level, compare=compare,
            clamped=clamp is not None,
        )  # fmt: skip
        args = self._coordinates(texture, operands[1], "f")
        read = self.registers.read
        if compare or level in (Level.BIAS, Level.EXPLICIT):
            args.append(read(operands[4], "f", 0))
        elif level is Level.GRADIENT:
            for operand in operands[4:6]:
                args += [read(operand, "f", at) for at in range(texture.shape.coordinates)]
        if clamp is not None:
            args.append(read(clamp, "f", 0))
        texel = self.b.sample(*args, attr=attribute)
        self._write_texel(instruction, operands[2], texel, F32 if compare else texture.type)

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
            unused = 32 - OFFSET_BITS
            for at in range(texture.shape.coordinates):
                offset = self.b.ishl(read(operands[2], "i", at), unused)
                args.append(self.b.ishr(offset, unused))
        texel = self.b.sample(*args, attr=attribute)
        self._write_texel(instruction, rest[0], texel, texture.type if not compare else F32)

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
        self._write_texel(instruction, operands[2], texel, texture.type)

    def _lod(self, instruction: Instruction) -> None:
        operands = instruction.operands
        texture = self.texture(operands[2])
        attribute = Sample(Action.LOD, texture, self._sampler(operands[3]))
        count = texture.shape.coordinates
        args = [self.registers.read(operands[1], "f", at) for at in range(count)]
        texel = self.b.sample(*args, attr=attribute)
        self._write_texel(instruction, operands[2], texel, F32)

    def _resinfo(self, instruction: Instruction) -> None:
        """Lower resinfo: width, height, depth or layers, levels; 0 for a level that does not exist.

        `_rcpfloat` returns reciprocals of the sizes of the shape, but not of layers.
        """
        target, mip, source = instruction.operands
        name = self.registers.resource(source)
        resource = self.declared.resources.get(name)
        if resource is None or resource.shape is None or resource.shape is Shape.BUFFER:
            raise UnsupportedError(f"resinfo: expected a texture, got {name}")
        level = self.registers.read(mip, "u", 0)
        b = self.b
        if name in self.declared.textures:
            attribute = Sample(Action.SIZE, self.texture(source), level=Level.EXPLICIT)
            texel = b.sample(level, attr=attribute)
            parts = [b.part(texel, type=I32, attr=at) for at in range(4)]
        else:
            parts = self._view_sizes(resource, level)
        sizes = 2 if resource.shape is Shape.CUBE else resource.shape.coordinates
        kind = Resinfo.return_type.of(instruction.token)
        made = []
        for at in written_components(target):
            component = source_component(source, at)
            value = parts[component]
            if kind != ResinfoReturnType.UINT:
                value = b.utof(value, type=F32)
                if kind == ResinfoReturnType.RCPFLOAT and component < sizes:
                    value = b.fdiv(constant(0x3F80_0000, F32), value)
            made.append((at, value))
        self._write(target, made)

    def _view_sizes(self, resource: LoweredResource, level: Value) -> list[Value]:
        """Return the sizes of a writable view, which has a single level."""
        shape = self.registers.memory(f"{resource.name}.shape")
        assert resource.shape is not None
        return views.sizes(self.b, shape, resource.shape, resource.layered, level)

    def _samples(self, source: Operand) -> Value:
        """Return the number of samples of a texel, or of a pixel of the target."""
        if source.type == OperandType.RASTERIZER:
            return sample_positions.of_target(self.registers.builder)
        texel = self.b.sample(attr=Sample(Action.SAMPLES, self.texture(source)))
        return self.b.part(texel, type=I32, attr=0)

    def _sampleinfo(self, instruction: Instruction) -> None:
        target, source = instruction.operands
        count = self._samples(source)
        if not SampleInfo.return_uint.of(instruction.token):
            count = self.b.utof(count, type=F32)
        nothing = constant(0, I32)
        self._write(
            target,
            [
                (at, nothing if source_component(source, at) else count)
                for at in written_components(target)
            ],
        )

    def _samplepos(self, instruction: Instruction) -> None:
        """Lower samplepos: the position from the centre of the pixel; 0 if it does not exist."""
        target, source, index = instruction.operands
        number = self.registers.read(index, "u", 0)
        row = sample_positions.row_of(self.registers.builder, number, self._samples(source))
        made = []
        for at in written_components(target):
            component = source_component(source, at)
            value = constant(0, I32)
            if component < 2:
                value = sample_positions.position(self.registers.builder, row, component)
            made.append((at, value))
        self._write(target, made)

    def _check(self, operands: list[Operand]) -> None:
        """Lower check_access_fully_mapped: set bits of a status mean that something is missing."""
        target, status = operands
        for at in written_components(target):
            value = self.registers.read(status, "x", at)
            self.registers.write(target, at, self.b.ieq(value, 0))

    def _write(self, target: Operand, made: list[tuple[int, Value]]) -> None:
        for at, value in made:
            self.registers.write(target, at, value)

    # ------------------------------------------------------------ derivatives

    def _derivative(self, name: str, operands: list[Operand]) -> None:
        """Lower a derivative; where Shader Model 4 leaves a choice, a fine derivative."""
        axis = derivatives.X if name.startswith("deriv_rtx") else derivatives.Y
        difference = derivatives.coarse if name.endswith("_coarse") else derivatives.fine
        target, source = operands
        read = self.registers.read
        made = [
            (at, difference(self.b, read(source, "f", at), axis))
            for at in written_components(target)
        ]
        for at, value in made:
            self.registers.write(target, at, value)
