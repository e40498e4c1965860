"""Questions about images: sizes, levels, samples, and the level that a sample would use.

Sizes are width, height, depth, then layers; a cube counts as a single layer with six faces.

Source: SPIR-V specification, section 3.49.10.
"""

from typing import TYPE_CHECKING

from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.textures import Action, Level, Sample, Shape
from ....ir.transforms.dynamic_indexing import several_of
from ....ir.types import F32, I32
from ..module import Instruction
from ..tables.numbers import Opcode
from .image_operands import as_float, as_integer
from .images import Image, SampledImage, image_of, sampled_of
from .operations import Components, Handlers
from .sampling import converted, of_texture
from .texel_memory import SAMPLES, sizes_of
from .variables import Chosen

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

FACES = 6


def _asked(
    lowering: "Lowering", image: Chosen, action: Action, args: list[Value], level: Level
) -> list[Value]:
    def how(each: Image) -> Sample:
        assert each.texture is not None
        return Sample(action, each.texture, level=level)

    return of_texture(lowering, SampledImage(image), how, args, I32)


def _size_of_level(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    level = as_integer(lowering, lowering.scalar(words[4]))
    image = image_of(lowering, words[3])
    parts = _asked(lowering, image, Action.SIZE, [level], Level.EXPLICIT)
    return converted(lowering, parts, words)


def _size(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    image = image_of(lowering, words[3])
    if image.items[0].texture is not None:
        zero = constant(0, I32)
        parts = _asked(lowering, image, Action.SIZE, [zero], Level.EXPLICIT)
        return converted(lowering, parts, words)
    b = lowering.b

    def sizes(number: int) -> list[Value]:
        found = sizes_of(b, image.items[number])
        kind = image.items[number].kind
        if kind.shape is Shape.CUBE:
            found = [*found[:2], b.udiv(found[2], FACES)] if kind.layered else found[:2]
        return found

    kind = image.items[0].kind
    count = (2 if kind.shape is Shape.CUBE else kind.shape.coordinates) + kind.layered
    numbers = range(len(image.items))
    found = several_of(b, image.which, numbers, sizes, [constant(0, I32)] * count)
    return converted(lowering, found, words)


def _levels(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    image = image_of(lowering, words[3])
    parts = _asked(lowering, image, Action.SIZE, [constant(0, I32)], Level.EXPLICIT)
    return converted(lowering, parts[3:], words)


def _samples(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    b = lowering.b
    image = image_of(lowering, words[3])
    if image.items[0].texture is not None:
        return converted(lowering, _asked(lowering, image, Action.SAMPLES, [], Level.AUTO), words)

    def count(number: int) -> list[Value]:
        shape = image.items[number].shape
        return [b.load(shape, SAMPLES, 0) if shape is not None else constant(1, I32)]

    found = several_of(b, image.which, range(len(image.items)), count, [constant(0, I32)])
    return converted(lowering, found, words)


def _level(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower OpImageQueryLod: the clamped level, and the computed level."""
    words = instruction.words
    found = sampled_of(lowering, words[3])
    count = found.image.items[0].kind.shape.coordinates
    args = [as_float(lowering, each) for each in lowering.value(words[4])[:count]]

    def how(each: Image) -> Sample:
        assert each.texture is not None
        return Sample(Action.LOD, each.texture)

    return converted(lowering, of_texture(lowering, found, how, args, F32), words)


HANDLERS: Handlers = {
    Opcode.ImageQuerySizeLod: _size_of_level,
    Opcode.ImageQuerySize: _size,
    Opcode.ImageQueryLevels: _levels,
    Opcode.ImageQuerySamples: _samples,
    Opcode.ImageQueryLod: _level,
}
