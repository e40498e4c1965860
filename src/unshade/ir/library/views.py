"""Texels of texture views that are written, which are elements of a memory.

    row of the shape    0 width   1 height   2 depth or layers   4 samples
    element             (z * height + y) * width + x; of a multisampled view times the number of
                        samples, plus the sample

A view covers a single mip level. Coordinates outside of the view give an element that does not
exist.
"""

from collections.abc import Sequence

from ..builder import Builder, constant
from ..kernel import Value
from ..memory import Memory
from ..textures import Shape
from ..types import I32
from .texels import OUTSIDE

__all__ = ["element", "samples", "sizes"]

LAYERS, SAMPLES = 2, 4  # rows of the shape


def _rows(shape: Shape, layered: bool) -> list[int]:
    """Return the row of each coordinate in the memory of the shape."""
    count = min(shape.coordinates, 2 if shape is Shape.CUBE else 3)
    return [*range(count), *([LAYERS] if layered else [])]


def element(
    b: Builder,
    sizes: Memory,
    shape: Shape,
    layered: bool,
    coordinates: Sequence[Value],
    sample: Value | None = None,
) -> Value:
    """Append the element of a texel by its coordinates, the layer last, and its sample."""
    inside: Value | None = None
    found: Value | None = None
    rows = _rows(shape, layered)
    for row, place in reversed([*zip(rows, coordinates, strict=False)]):
        size = b.load(sizes, row, 0)
        fits = b.ult(place, size)
        inside = fits if inside is None else b.and_(inside, fits)
        found = place if found is None else b.iadd(b.imul(found, size), place)
    assert found is not None
    assert inside is not None
    if sample is not None:
        count = samples(b, sizes)
        inside = b.and_(inside, b.ult(sample, count))
        found = b.iadd(b.imul(found, count), sample)
    return b.select(inside, found, OUTSIDE)


def samples(b: Builder, memory: Memory) -> Value:
    """Append the number of samples of a texel."""
    return b.load(memory, SAMPLES, 0)


def sizes(b: Builder, memory: Memory, shape: Shape, layered: bool, level: Value) -> list[Value]:
    """Append width, height, depth or layers, and the number of levels; 0 for other levels."""
    exists = b.ieq(level, 0)
    rows = _rows(shape, layered)
    found = [b.select(exists, b.load(memory, row, 0), 0) for row in rows]
    found += [constant(0, I32)] * (3 - len(found))
    return [*found, constant(1, I32)]
