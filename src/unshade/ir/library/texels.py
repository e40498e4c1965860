"""Bound textures in memory: the texels and the shape, and addresses in them.

    t0        level 0: layer 0 (rows of texels, or slices of rows), layer 1, …   level 1: …
    t0.shape  u32 width, height, depth or layers, levels, samples, 0, 0, 0, then the first texel of
              each level

A texel is four 32-bit components. The samples of a texel are adjacent; the faces of a cube are
layers (+x, -x, +y, -y, +z, -z).
"""

from ..builder import Builder, constant
from ..kernel import Value
from ..memory import Memory
from ..textures import Shape, TextureDeclaration
from ..types import F32, I32, Type
from .states import TextureState

SHAPE_WORDS = 8  # words before those with the first texels of levels
TEXEL = 16
LAYERS = 2  # the word of the shape with the number of layers
OUTSIDE = constant(0xFFFF_FFFF, I32)  # an element beyond every memory


class Texels:
    """The texels of one texture; methods append to the builder."""

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
        """Append a load of a word of the shape."""
        return self.b.load(self.shape, at, 0, I32)

    def layers(self) -> Value:
        """Append the number of layers; for cubes, the number of cubes."""
        found = self.word(LAYERS)
        return self.b.udiv(found, 6) if self.cube else found

    def sizes(self, level: Value) -> list[Value]:
        """Append width, height and depth at a level, as many as the shape has."""
        found = [self.word(at) for at in range(self.axes)]
        if self.state.levels == 1:
            return found
        return [self.b.umax(self.b.ushr(size, level), 1) for size in found]

    def element(
        self, level: Value, sizes: list[Value], places: list[Value], layer: Value | None
    ) -> Value:
        """Append the element index of a texel's first sample."""
        b = self.b
        rows = list(zip(places, sizes, strict=True))
        if layer is not None:
            rows.append((layer, layer))  # the outermost size is not used
        found = rows[-1][0]
        for place, size in reversed(rows[:-1]):
            found = b.iadd(b.imul(found, size), place)
        if self.state.samples > 1:
            found = b.imul(found, self.state.samples)
        if self.state.levels > 1:
            found = b.iadd(self.word(b.iadd(level, SHAPE_WORDS)), found)
        return found

    def load(self, element: Value, component: int) -> Value:
        """Append a load of a component of a texel."""
        return self.b.load(self.texels, element, 4 * component, self.kind)

    def default(self, component: int) -> Value:
        """Return the default of a component that the format does not have."""
        one = component == 3 and self.state.components <= component
        return self.b.number(int(one), self.kind)

    def border(self, component: int, colour: tuple[float, ...]) -> Value:
        """Return a component of a border colour, clamped to the format."""
        if component >= self.state.components:
            return self.default(component)
        number = colour[component]
        if self.state.range is not None:
            low, high = self.state.range
            number = min(max(number, low), high)
        return self.b.number(number, self.kind)

    def clamped_reference(self, reference: Value) -> Value:
        """Append a comparison's reference, clamped to the format."""
        if self.state.range is None:
            return reference
        low, high = self.state.range
        return self.b.fmin(self.b.fmax(reference, low), high)


def zero() -> Value:
    """Return a constant 0, for level 0 or layer 0."""
    return constant(0, I32)


def as_float(b: Builder, value: Value) -> Value:
    """Append a size as a float."""
    return b.utof(value, type=F32)
