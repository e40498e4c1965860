"""Lowering of operations on textures to `sample` operations of `ir`.

    sample(t0, s0, %x, %y, undef, undef, 1, 0, undef, undef)
        action  texture  sampler  coordinates (2 of the operand's four)  offset (1, 0, 0)

The coordinates are as many as the texture's shape needs, followed by the layer. Offsets that are
not constant are operands. Components have 32 bits; a result of 16 bits is converted.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
sections 22.3 and 22.4; the public specification of Shader Model 6.7.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.library import sample_positions
from ....ir.library.direct3d import MAPPED, READABLE
from ....ir.ops import OPS
from ....ir.textures import Action, Level, Sample, SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32, I32, Type
from .arithmetic import join
from .bound import BoundResource, Handle
from .buffers import COORDINATES, BufferPlace, Buffers, component
from .calls import Handlers, OperationCall
from .values import Result

__all__ = ["TextureOperations"]

COORDS = ("coord0", "coord1", "coord2", "coord3")
OFFSETS = ("offset0", "offset1", "offset2")
DDX, DDY = ("ddx0", "ddx1", "ddx2"), ("ddy0", "ddy1", "ddy2")
# By operation: level, comparison, and the operands between the offsets and the clamp.
SAMPLES: dict[str, tuple[Level, bool, tuple[str, ...]]] = {
    "Sample": (Level.AUTO, False, ()),
    "SampleBias": (Level.BIAS, False, ("bias",)),
    "SampleLevel": (Level.EXPLICIT, False, ("LOD",)),
    "SampleGrad": (Level.GRADIENT, False, ()),
    "SampleCmp": (Level.AUTO, True, ("compareValue",)),
    "SampleCmpLevelZero": (Level.ZERO, True, ("compareValue",)),
    "SampleCmpLevel": (Level.EXPLICIT, True, ("compareValue", "lod")),
    "SampleCmpBias": (Level.BIAS, True, ("compareValue", "bias")),
    "SampleCmpGrad": (Level.GRADIENT, True, ("compareValue",)),
}
GATHERS = {"TextureGather": False, "TextureGatherCmp": True}


class TextureOperations:
    """Lowering of operations on textures; operations on writable views are in `buffers`."""

    def __init__(self, buffers: Buffers) -> None:
        self.buffers = buffers
        self.handles = buffers.handles
        self.b = buffers.b

    # ------------------------------------------------------------ pieces

    def _texture(self, resource: BoundResource, action: Action, many: bool) -> TextureDeclaration:
        """Return the texture of a resource; UnsupportedError if an action cannot read it."""
        found = resource.texture
        if found is None:
            raise UnsupportedError(f"expected a texture, got {resource.lowered.name}")
        if found.shape not in READABLE[action] or resource.lowered.multisampled != many:
            kind = f"{'multisampled ' * resource.lowered.multisampled}{found.shape}"
            raise UnsupportedError(f"{action} cannot read {found.name}, which is {kind}")
        return found

    def _parts(
        self, attr: Sample, args: Sequence[Value], type: Type, wanted: Sequence[int]
    ) -> list[Value]:
        b = self.b
        texel = b.sample(*args, attr=attr)
        own = F32 if attr.compare or attr.action is Action.LOD else attr.texture.type
        parts = [b.part(texel, type=own, attr=at) for at in wanted]
        return [component(b, part, type) for part in parts]

    def _offsets(self, call: OperationCall, count: int) -> tuple[tuple[int, int, int], list[Value]]:
        """Return the constant offset of a call, or the operands of a computed offset."""
        found = call.given(*[each for each in OFFSETS if each in call.arguments])[:count]
        found += [constant(0, I32)] * (count - len(found))
        if all(each.op is OPS.const for each in found):
            x, y, z, *_ = [*(_signed(each.attr) for each in found), 0, 0, 0]
            return (x, y, z), []
        return (0, 0, 0), found

    def _each(
        self,
        call: OperationCall,
        sampler: Handle | None,
        type: Type,
        make: Callable[[BoundResource, SamplerDeclaration | None], list[Value]],
        wanted: Sequence[int],
    ) -> tuple[Value, ...]:
        """Append the code for each texture and sampler; return four components and the status."""
        zero = constant(0, type)

        def of_texture(resource: BoundResource) -> list[Value]:
            if sampler is None:
                return make(resource, None)
            return self.handles.select(
                sampler, lambda each: make(resource, each.sampler), *[type] * len(wanted)
            )

        texture = call.handle("srv")
        parts = self.handles.select(texture, of_texture, *[type] * len(wanted))
        found = dict(zip(wanted, parts, strict=True))
        return (*(found.get(at, zero) for at in range(4)), MAPPED)

    # ------------------------------------------------------------ calls

    def sample(self, call: OperationCall) -> Result:
        """Lower a sample operation."""
        level, compare, more = SAMPLES[call.op.name]
        clamp = call.given("clamp") if "clamp" in call.arguments else []
        clamp = [] if clamp and clamp[0].op is OPS.const and not clamp[0].attr else clamp
        wanted = [at for at in call.wanted if at < 4]

        def make(resource: BoundResource, sampler: SamplerDeclaration | None) -> list[Value]:
            texture = self._texture(resource, Action.SAMPLE, False)
            count = texture.shape.coordinates
            args = call.scalars(*COORDS[: count + texture.layered])
            args += call.scalars(*more)
            if level is Level.GRADIENT:
                args += call.scalars(*DDX[:count], *DDY[:count])
            args += clamp
            fixed, moving = self._offsets(call, 2 if texture.shape is Shape.CUBE else count)
            attr = Sample(
                Action.SAMPLE, texture, sampler, level, compare, fixed, bool(moving),
                clamped=bool(clamp),
            )  # fmt: skip
            return self._parts(attr, args + moving, call.type, wanted)

        return self._each(call, call.handle("sampler"), call.type, make, wanted)

    def gather(self, call: OperationCall) -> Result:
        """Lower a gather of one component of four texels."""
        compare = GATHERS[call.op.name]
        wanted = [at for at in call.wanted if at < 4]

        def make(resource: BoundResource, sampler: SamplerDeclaration | None) -> list[Value]:
            texture = self._texture(resource, Action.GATHER, False)
            count = texture.shape.coordinates
            args = call.scalars(*COORDS[: count + texture.layered])
            args += call.scalars("compareValue") if compare else []
            fixed, moving = self._offsets(call, 2)
            channel = call.integer("channel") if "channel" in call.arguments else 0
            attr = Sample(
                Action.GATHER, texture, sampler, Level.ZERO, compare, fixed, bool(moving),
                component=channel & 3,
            )  # fmt: skip
            return self._parts(attr, args + moving, call.type, wanted)

        return self._each(call, call.handle("sampler"), call.type, make, wanted)

    def gather_raw(self, call: OperationCall) -> Result:
        """Lower TextureGatherRaw: the bits of four texels, of 64 bits as two components."""
        b = self.b
        wanted = [at for at in call.wanted if at < 4]

        def make(resource: BoundResource, sampler: SamplerDeclaration | None) -> list[Value]:
            texture = self._texture(resource, Action.GATHER, False)
            args = call.scalars(*COORDS[: texture.shape.coordinates + texture.layered])
            fixed, moving = self._offsets(call, 2)
            words = []
            for number in range(2 if call.type.bits == 64 else 1):
                attr = Sample(
                    Action.GATHER, texture, sampler, Level.ZERO, False, fixed, bool(moving),
                    component=number,
                )  # fmt: skip
                words.append(self._parts(attr, args + moving, I32, wanted))
            if call.type.bits == 64:
                return [join(b, low, high) for low, high in zip(*words, strict=True)]
            return [component(b, each, call.type) for each in words[0]]

        return self._each(call, call.handle("sampler"), call.type, make, wanted)

    def load(self, call: OperationCall) -> Result:
        """Lower a load of one texel."""
        wanted = [at for at in call.wanted if at < 4]
        if call.handle("srv").first.shape is not None:
            sample = call.given("mipLevelOrSampleCount")
            coordinates = call.scalars(*_given(call, COORDINATES))
            place = BufferPlace(coordinates, sample[0] if sample else None)
            return self.buffers.load(call.handle("srv"), place, call.type, wanted)

        def make(resource: BoundResource, sampler: SamplerDeclaration | None) -> list[Value]:
            many = resource.lowered.multisampled
            texture = self._texture(resource, Action.FETCH, many)
            count = texture.shape.coordinates
            args = call.scalars(*COORDINATES[: count + texture.layered])
            args.append(call.scalar("mipLevelOrSampleCount"))
            fixed, moving = self._offsets(call, count)
            level = Level.ZERO if many else Level.EXPLICIT
            attr = Sample(Action.FETCH, texture, None, level, offset=fixed, moving=bool(moving))
            return self._parts(attr, args + moving, call.type, wanted)

        return self._each(call, None, call.type, make, wanted)

    def level(self, call: OperationCall) -> Value:
        """Lower CalculateLOD."""
        at = 0 if call.integer("clamped") else 1

        def of_texture(resource: BoundResource) -> list[Value]:
            texture = self._texture(resource, Action.LOD, False)
            args = call.scalars(*COORDS[: texture.shape.coordinates])
            return self.handles.select(
                call.handle("sampler"),
                lambda each: self._parts(
                    Sample(Action.LOD, texture, each.sampler), args, F32, [at]
                ),
                F32,
            )

        return self.handles.select(call.handle("handle"), of_texture, F32)[0]

    def sizes(self, call: OperationCall) -> Result:
        """Lower GetDimensions: width, height, depth or layers, and levels or samples."""
        b = self.b
        level = call.given("mipLevel") or [constant(0, I32)]

        def of_resource(resource: BoundResource) -> list[Value]:
            if resource.texture is None:
                return self.buffers.size(resource, level[0])
            many = resource.lowered.multisampled
            attr = Sample(Action.SIZE, resource.texture, level=Level.EXPLICIT)
            texel = b.sample(level[0], attr=attr)
            parts = [b.part(texel, type=I32, attr=at) for at in range(4)]
            if many:
                parts[3] = self._samples(resource)
            return parts

        return tuple(self.handles.select(call.handle("handle"), of_resource, *[I32] * 4))

    # ------------------------------------------------------------ samples

    def _samples(self, resource: BoundResource) -> Value:
        assert resource.texture is not None
        texel = self.b.sample(attr=Sample(Action.SAMPLES, resource.texture))
        return self.b.part(texel, type=I32, attr=0)

    def sample_position(self, call: OperationCall) -> Result:
        """Lower Texture2DMSGetSamplePosition: 0 for a sample that does not exist."""

        def of_resource(resource: BoundResource) -> list[Value]:
            return self._position(call.scalar("index"), self._samples(resource))

        return tuple(self.handles.select(call.handle("srv"), of_resource, F32, F32))

    def _position(self, number: Value, count: Value) -> list[Value]:
        b = self.b
        row = sample_positions.row_of(b, number, count)
        return [sample_positions.position(b, row, axis) for axis in range(2)]

    OPERATIONS: ClassVar[Handlers] = {
        **dict.fromkeys(SAMPLES, sample),
        **dict.fromkeys(GATHERS, gather),
        "TextureGatherRaw": gather_raw,
        "TextureLoad": load,
        "CalculateLOD": level,
        "GetDimensions": sizes,
        "Texture2DMSGetSamplePosition": sample_position,
        "RenderTargetGetSamplePosition": lambda self, call: tuple(
            self._position(call.scalar("index"), sample_positions.of_target(self.b))
        ),
        "RenderTargetGetSampleCount": lambda self, call: sample_positions.of_target(self.b),
    }


def _signed(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number


def _given(call: OperationCall, names: Sequence[str]) -> list[str]:
    """Return the names of the operands that are given."""
    return list(names[: len(call.given(*names))])
