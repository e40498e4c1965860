"""Instructions that read textures: sample, gather and fetch, as `sample` of `ir`.

    OpImageSampleProjDrefExplicitLod %float %image %coordinate %reference Lod %level
              |    |    |                |          u v [w] [layer] q
              |    |    bias, level or gradient: image operands
              |    compared with the reference
              coordinates (and the reference) are divided by the last one

Outside of fragment shaders the implicit level is 0. A gather with four offsets is four gathers: of
each the texel at the offset counts.

Source: SPIR-V specification, section 3.49.10 (Image Instructions).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.textures import Action, Level, Sample
from ....ir.transforms.dynamic_indexing import several_of
from ....ir.types import F32, I32, I64, Type
from ..module import Instruction
from ..tables.numbers import ImageOperands as Bits
from ..tables.numbers import Opcode
from .image_operands import Operands, as_float, as_integer, operands_of
from .images import Image, ImageKind, SampledImage, image_of, sampled_of
from .operations import Components, Handler, Handlers
from .texel_memory import read_texel
from .variables import Chosen

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "converted", "fetched", "of_texture"]

FIRST_TEXEL = 3  # the component of a gather that is the texel of the lowest indices
MOST = 1 << 31


def of_texture(
    lowering: "Lowering",
    found: SampledImage,
    how: Callable[[Image], Sample],
    args: Sequence[Value],
    type: Type,
) -> list[Value]:
    """Append an operation on a texture selected among several; return its four components."""
    b = lowering.b
    nothing = [constant(0, type)] * 4
    samplers = found.sampler

    def read(image: Image, attribute: Sample) -> list[Value]:
        texel = b.sample(*args, attr=attribute)
        return [b.part(texel, type=type, attr=at) for at in range(4)]

    def of_image(number: int) -> Sequence[Value]:
        image = found.image.items[number]
        if image.texture is None:
            raise UnsupportedError("expected an image that is sampled, got a storage image")
        attribute = how(image)
        if samplers is None:
            return read(image, replace(attribute, sampler=image.sampler))
        return several_of(
            b, samplers.which, range(len(samplers.items)),
            lambda other: read(image, replace(attribute, sampler=samplers.items[other])), nothing,
        )  # fmt: skip

    return list(several_of(b, found.image.which, range(len(found.image.items)), of_image, nothing))


def converted(lowering: "Lowering", values: Sequence[Value], words: Sequence[int]) -> Components:
    """Return components converted to the type and count of the result."""
    type = lowering.types.of(words[1])
    scalar = type.scalar
    assert scalar is not None
    b = lowering.b
    found = []
    if scalar == I64 and values[0].type == I32:
        return wide_texel(b, values)[: type.count]
    for value in values[: type.count]:
        if value.type == scalar:
            found.append(value)
        elif scalar.kind == "f":
            found.append(b.fconv(value, type=scalar))
        else:
            found.append(b.iconv(value, type=scalar))
    return tuple(found)


def wide_texel(b: Builder, values: Sequence[Value]) -> Components:
    """Return the components of a 64-bit texel, given its words in the first two components."""
    low, high, *_ = values
    whole = b.or_(b.uconv(low, type=I64), b.ishl(b.uconv(high, type=I64), 32))
    return whole, constant(0, I64), constant(0, I64), constant(1, I64)


def _offset(values: list[Value]) -> tuple[tuple[int, int, int], list[Value]]:
    """Return an offset as a constant, or as operands."""
    if all(each.op is OPS.const for each in values):
        numbers = [each.attr - (1 << 32) if each.attr >= MOST else each.attr for each in values]
        u, v, w = [*numbers, 0, 0, 0][:3]
        return (u, v, w), []
    return (0, 0, 0), values


# ---------------------------------------------------------------- sample


def _texel(kind: ImageKind, compare: bool) -> Type:
    """Return the type of a sample's components, or of its comparisons with a reference."""
    if compare and kind.type.kind != "f":
        raise UnsupportedError("comparisons of an image of integers cannot be run")
    return F32 if compare else kind.type


def _sample(*, compare: bool = False, projected: bool = False) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        b = lowering.b
        found = sampled_of(lowering, words[3])
        kind = found.image.items[0].kind
        coordinates = [as_float(lowering, each) for each in lowering.value(words[4])]
        count = kind.shape.coordinates + kind.layered
        reference = [as_float(lowering, lowering.scalar(words[5]))] if compare else []
        if projected:
            divisor = coordinates[-1]
            coordinates = [b.fdiv(each, divisor) for each in coordinates[:-1]]
            reference = [b.fdiv(each, divisor) for each in reference]
        given = operands_of(words[5 + compare :])
        level, rest = _level(lowering, given, kind.shape.coordinates)
        offset, moving = _offset(given.offset(lowering))
        args = [*coordinates[:count], *reference, *rest, *moving]
        clamped = Bits.MinLod in given
        if clamped:
            args += [as_float(lowering, each) for each in given.values(lowering, Bits.MinLod)]

        def how(image: Image) -> Sample:
            assert image.texture is not None
            return Sample(
                Action.SAMPLE, image.texture, None, level, compare, offset, bool(moving),
                clamped=clamped,
            )  # fmt: skip

        parts = of_texture(lowering, found, how, args, _texel(kind, compare))
        return converted(lowering, parts, words)

    return lower


def _level(lowering: "Lowering", given: Operands, coordinates: int) -> tuple[Level, list[Value]]:
    """Return the source of the level, and its operands."""

    def floats(bit: int) -> list[Value]:
        return [as_float(lowering, each) for each in given.values(lowering, bit)]

    if Bits.Lod in given:
        return Level.EXPLICIT, floats(Bits.Lod)
    if Bits.Grad in given:
        flat = floats(Bits.Grad)
        half = len(flat) // 2
        return Level.GRADIENT, [*flat[:coordinates], *flat[half : half + coordinates]]
    if Bits.Bias in given:
        return Level.BIAS if lowering.kernel.helps else Level.EXPLICIT, floats(Bits.Bias)
    return Level.AUTO if lowering.kernel.helps else Level.ZERO, []


# ---------------------------------------------------------------- gather and fetch


def _gather(*, compare: bool = False) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        found = sampled_of(lowering, words[3])
        kind = found.image.items[0].kind
        count = kind.shape.coordinates + kind.layered
        args = [as_float(lowering, each) for each in lowering.value(words[4])[:count]]
        component = 0
        if compare:
            args.append(as_float(lowering, lowering.scalar(words[5])))
        else:
            component = lowering.integer(words[5]) or 0
        given = operands_of(words[6:])
        type = _texel(kind, compare)

        def gathered(values: list[Value]) -> list[Value]:
            offset, moving = _offset(values)

            def how(image: Image) -> Sample:
                assert image.texture is not None
                return Sample(
                    Action.GATHER, image.texture, None, Level.ZERO, compare, offset, bool(moving),
                    component & 3,
                )  # fmt: skip

            return of_texture(lowering, found, how, [*args, *moving], type)

        offsets = given.offsets(lowering)
        if offsets:
            parts = [gathered(each)[FIRST_TEXEL] for each in offsets]
        else:
            parts = gathered(given.offset(lowering))
        return converted(lowering, parts, words)

    return lower


def _fetch(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    image = image_of(lowering, words[3])
    coordinates = [as_integer(lowering, each) for each in lowering.value(words[4])]
    return converted(lowering, fetched(lowering, image, coordinates, operands_of(words[5:])), words)


def fetched(
    lowering: "Lowering", image: Chosen, coordinates: list[Value], given: Operands
) -> list[Value]:
    """Append a read of one texel of a texture, or of a texel buffer."""
    kind = image.items[0].kind
    if image.items[0].texture is None:
        return read_texel(lowering, image, coordinates, None)
    args = coordinates[: kind.shape.coordinates + kind.layered]
    level = Level.ZERO
    if kind.multisampled:
        sample = given.values(lowering, Bits.Sample) if Bits.Sample in given else ()
        args += [as_integer(lowering, each) for each in sample] or [constant(0, I32)]
    elif Bits.Lod in given:
        level = Level.EXPLICIT
        args += [as_integer(lowering, each) for each in given.values(lowering, Bits.Lod)]
    offset, moving = _offset(given.offset(lowering))

    def how(each: Image) -> Sample:
        assert each.texture is not None
        return Sample(Action.FETCH, each.texture, None, level, offset=offset, moving=bool(moving))

    return of_texture(lowering, SampledImage(image), how, [*args, *moving], kind.type)


HANDLERS: Handlers = {
    Opcode.ImageSampleImplicitLod: _sample(),
    Opcode.ImageSampleExplicitLod: _sample(),
    Opcode.ImageSampleDrefImplicitLod: _sample(compare=True),
    Opcode.ImageSampleDrefExplicitLod: _sample(compare=True),
    Opcode.ImageSampleProjImplicitLod: _sample(projected=True),
    Opcode.ImageSampleProjExplicitLod: _sample(projected=True),
    Opcode.ImageSampleProjDrefImplicitLod: _sample(compare=True, projected=True),
    Opcode.ImageSampleProjDrefExplicitLod: _sample(compare=True, projected=True),
    Opcode.ImageGather: _gather(),
    Opcode.ImageDrefGather: _gather(compare=True),
    Opcode.ImageFetch: _fetch,
}
