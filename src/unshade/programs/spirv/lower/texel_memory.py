"""Texels of storage images and texel buffers in memories: elements and reads.

    element of (x, y, layer)    (layer * height + y) * width + x; of a multisampled image times the
                                number of samples, plus the sample

The sizes are in a separate memory, `Image.shape`, which a texel buffer does not have.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.texels import LAYERS, OUTSIDE
from ....ir.textures import Shape
from ....ir.transforms.dynamic_indexing import several_of
from ....ir.types import I32
from .images import Image
from .variables import Chosen

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["COMPONENT", "SAMPLES", "element_of", "read_texel", "sizes_of"]

COMPONENT = 4  # bytes
SAMPLES = 4  # the word of the shape with the number of samples


def sizes_of(b: Builder, image: Image) -> list[Value]:
    """Append the size of an image along each coordinate; layers and faces are the last one."""
    kind = image.kind
    if image.shape is None:
        assert image.memory is not None
        return [b.count(image.memory)]
    rows = [*range(2 if kind.shape is Shape.CUBE else kind.shape.coordinates)]
    if kind.layered or kind.shape is Shape.CUBE:
        rows.append(LAYERS)
    return [b.load(image.shape, row, 0) for row in rows]


def element_of(
    b: Builder, image: Image, coordinates: Sequence[Value], sample: Value | None
) -> Value:
    """Append the element of a texel; for a texel outside, a number beyond all elements."""
    if image.shape is None:
        return coordinates[0]
    sizes = sizes_of(b, image)
    inside: Value | None = None
    element: Value | None = None
    for place, size in reversed([*zip(coordinates, sizes, strict=False)]):
        fits = b.ult(place, size)
        inside = fits if inside is None else b.and_(inside, fits)
        element = place if element is None else b.iadd(b.imul(element, size), place)
    assert element is not None
    assert inside is not None
    if image.kind.multisampled:
        count = b.load(image.shape, SAMPLES, 0)
        number = constant(0, I32) if sample is None else sample
        inside = b.and_(inside, b.ult(number, count))
        element = b.iadd(b.imul(element, count), number)
    return b.select(inside, element, OUTSIDE)


def read_texel(
    lowering: "Lowering", image: Chosen, coordinates: Sequence[Value], sample: Value | None
) -> list[Value]:
    """Append a read of the four components of a texel."""
    b = lowering.b
    type = image.items[0].kind.type

    def read(number: int) -> list[Value]:
        each = image.items[number]
        assert each.memory is not None
        element = element_of(b, each, coordinates, sample)
        return [b.load(each.memory, element, COMPONENT * at, type) for at in range(4)]

    nothing = [constant(0, type)] * 4
    return list(several_of(b, image.which, range(len(image.items)), read, nothing))
