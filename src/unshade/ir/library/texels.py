"""A bound texture as code reads it: two memories, and the addresses in them.

    t0        level 0: layer 0 (rows of texels, or slices of rows), layer 1, …   level 1: …
    t0.shape  u32 width, height, depth or layers, levels, samples, 0, 0, 0, then the first texel of
              each level

A texel is four 32-bit components. Where several samples belong to a texel they stand together;
faces of a cube are layers (+x, -x, +y, -y, +z, -z).
"""

from ..builder import Builder, constant
from ..kernel import Value
from ..memory import Memory
from ..textures import Shape, TextureDeclaration
from ..types import F32, I32, Type
from .states import TextureState

SHAPE_WORDS = 8  # before the first texels of the levels
TEXEL = 16
LAYERS = 2  # the word of the shape that counts them
OUTSIDE = constant(0xFFFF_FFFF, I32)


class Texels:
    """The texels of one texture, while code is written at one place."""

    def __init__(
        self,
        b: Builder,
        texture: TextureDeclaration,
        texels: Memory,
        shape: Memory,
        state: TextureState,
    ) -> None:
        self.b = b
        self.texels = texels
        self.shape = shape
        self.state = state
        self.kind: Type = texture.type
        self.cube = texture.shape is Shape.CUBE
        self.layered = texture.layered
        self.coordinates = texture.shape.coordinates
        self.axes = 2 if self.cube else texture.shape.coordinates

    def word(self, at: "int | Value") -> Value:
        """A word of the shape."""
        return self.b.load(self.shape, at, 0, I32)

    def layers(self) -> Value:
        """How many layers there are; of cubes, how many cubes."""
        found = self.word(LAYERS)
        return self.b.udiv(found, 6) if self.cube else found

    def sizes(self, level: Value) -> list[Value]:
        """Width, height, depth at a level, as far as the shape has them."""
        found = [self.word(at) for at in range(self.axes)]
        if self.state.levels == 1:
            return found
        return [self.b.umax(self.b.ushr(size, level), 1) for size in found]

    def element(
        self, level: Value, sizes: list[Value], places: list[Value], layer: Value | None
    ) -> Value:
        """The number of a texel, of its first sample."""
        b = self.b
        rows = list(zip(places, sizes, strict=True))
        if layer is not None:
            rows.append((layer, layer))  # nothing stands further out
        found = rows[-1][0]
        for place, size in reversed(rows[:-1]):
            found = b.iadd(b.imul(found, size), place)
        if self.state.samples > 1:
            found = b.imul(found, self.state.samples)
        if self.state.levels > 1:
            found = b.iadd(self.word(b.iadd(level, SHAPE_WORDS)), found)
        return found

    def load(self, element: Value, component: int) -> Value:
        """One component of a texel."""
        return self.b.load(self.texels, element, 4 * component, self.kind)

    def default(self, component: int) -> Value:
        """What a component is that the format does not have."""
        one = component == 3 and self.state.components <= component
        return self.b.number(int(one), self.kind)

    def border(self, component: int, colour: tuple[float, ...]) -> Value:
        """A component of a sampler's border colour, as far as the format has it."""
        if component >= self.state.components:
            return self.default(component)
        number = colour[component]
        if self.state.range is not None:
            low, high = self.state.range
            number = min(max(number, low), high)
        return self.b.number(number, self.kind)

    def clamped_reference(self, reference: Value) -> Value:
        """A comparison's reference as the format could hold it."""
        if self.state.range is None:
            return reference
        low, high = self.state.range
        return self.b.fmin(self.b.fmax(reference, low), high)


def zero() -> Value:
    """Level 0, layer 0: a constant."""
    return constant(0, I32)


def as_float(b: Builder, value: Value) -> Value:
    """A size as a float."""
    return b.utof(value, type=F32)
