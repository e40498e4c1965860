"""The record of a triangle, and quads of pixels, which the functions of this folder share.

A record has the numbers of a triangle that are needed at each of its quads, as doubles:

    dx, dy, c      of each edge: the distance of a place (x, y) in steps is  dx y - dy x + c
    inverse, rest  1 / the sum of the distances (twice the area), and what it is too small by
    z, z1, z2      depth at the first corner, and the steps to the others
    low, high      the range that depths are clamped to
    layer          the place of the layer's first pixel in a target, a whole number

Distances are whole and at most 2^49 (drawing.py), so that doubles hold them exactly, and the order
of their sums does not matter.
"""

from ....tuples import NamedTuple
from ....vm.jit.written import (
    F64,
    I1,
    I8,
    I32,
    I64,
    Num,
    NumPlace,
    ValueType,
    WrittenCode,
)
from ..pixel_coverage import HALF, STEPS
from .quotients import times_inverse

DX, DY, C, INVERSE, REST, Z, Z1, Z2, LOW, HIGH, LAYER = 0, 3, 6, *range(9, 17)
RECORD = 17  # numbers of a record
I4 = ValueType("i4", 1)
QUAD = 4  # lanes
PAIR = 2 * QUAD
OF_QUADS = ["triangles", "x", "y", "shown"]  # the arrays of a chunk's quads
COLUMNS, ROWS = [0, STEPS, 0, STEPS], [0, 0, STEPS, STEPS]


class Area(NamedTuple):
    """Targets: whether width and height are even, so that all quads are whole; and the layers."""

    even: bool
    layered: bool


class WrittenQuad:
    """A quad while its code is written; `start` is the number of the chunk's first triangle."""

    def __init__(self, code: WrittenCode, at: Num, area: Area) -> None:
        self.code = code
        self.at = at
        self.area = area
        self.triangle, self.x, self.y = (
            code.at(word, I32, at).load().to(I64, "zext") for word in OF_QUADS[:3]
        )
        self._record = (self.triangle - code.number("start")) * RECORD

    def record(self, at: int) -> Num:
        """Return a number of the triangle's record, in each lane."""
        return self.code.at("records", F64, self._record, at).load().splat(QUAD)

    def edges(self) -> list[Num]:
        """Return the distances of the pixels' centres from each edge."""
        x, y = (self._centres(word, lanes) for word, lanes in (("x", COLUMNS), ("y", ROWS)))
        return [distance(self.record(DX + at), self.record(DY + at), self.record(C + at), x, y)
                for at in range(3)]  # fmt: skip

    def _centres(self, word: str, lanes: list[int]) -> Num:
        """Return the centres of the pixels along an axis in steps."""
        first = self.code.at(word, I32, self.at).load().splat(QUAD) * STEPS
        return (first + self.code.vector([HALF + each for each in lanes], I32)).to(F64, "sitofp")

    def weights(self) -> list[Num]:
        """Return the weights of the corners, linear on the screen."""
        inverse = self.record(INVERSE), self.record(REST)
        return [times_inverse(each, inverse) for each in self.edges()]

    @property
    def mask(self) -> Num:
        """The lanes that are shown."""
        return lanes_of(self.code.at("shown", I8, self.at).load())

    @property
    def pixels(self) -> list[Num]:
        """The numbers of the first of the upper and of the lower two pixels in a target."""
        code = self.code
        width = code.number("width")
        first = self.y * width + self.x
        if self.area.layered:
            first = first + code.at("records", I64, self._record, LAYER).load()
        return [first, first + width]

    def rows(self, word: str, kind: ValueType, align: int = 0) -> list[NumPlace]:
        """Return the places of the upper and the lower two pixels in an array of a target."""
        return [self.code.at(word, kind.of(2), each, align=align) for each in self.pixels]

    @property
    def is_whole(self) -> Num:
        """True where all four pixels are in the target."""
        inside = [
            first.is_("slt", self.code.number(word) - 1)
            for first, word in ((self.x, "width"), (self.y, "height"))
        ]
        return inside[0] & inside[1]

    def load(self, word: str, kind: ValueType, align: int = 0) -> Num:
        """Return the four pixels' numbers in an array of a target; 0 beyond it.

        Of a quad that is not whole, only lanes that are shown are read.
        """
        code, mask = self.code, self.mask
        rows = self.rows(word, kind, align)
        if self.area.even:
            return rows[0].load().joined(rows[1].load())
        found = code.variable(kind.of(QUAD))
        whole = self.is_whole
        with code.when(whole):
            found.store(rows[0].load().joined(rows[1].load()))
        with code.when(whole ^ code.constant(1, I1)):
            parts = [row.load_some(mask.half(half)) for half, row in enumerate(rows)]
            found.store(parts[0].joined(parts[1]))
        return found.load()

    def store(self, word: str, new: Num, old: Num, mask: Num, align: int = 0) -> None:
        """Write numbers of pixels: those of a mask; the others keep the `old` ones."""
        code, kind = self.code, new.kind.of(0)
        rows = self.rows(word, kind, align)
        made = mask.choose(new, old)
        if self.area.even:
            for half, row in enumerate(rows):
                row.store(made.half(half))
            return
        whole = self.is_whole
        with code.when(whole):
            for half, row in enumerate(rows):
                row.store(made.half(half))
        with code.when(whole ^ code.constant(1, I1)):
            for half, row in enumerate(rows):
                row.store_some(new.half(half), mask.half(half))


class QuadPair:
    """Two quads of one triangle in eight lanes, while their code is written; x and y of pixels."""

    def __init__(self, code: WrittenCode, triangle: Num, quads: tuple[Num, Num]) -> None:
        self.code = code
        self.triangle = triangle
        self.x, self.y = (self._pixels(axis, quads) for axis in ("x", "y"))
        self._record = (triangle - code.number("start")) * RECORD

    def _pixels(self, word: str, quads: tuple[Num, Num]) -> Num:
        first = self.code.gathered([self.code.at(word, I32, each).load() for each in quads])
        lanes = COLUMNS if word == "x" else ROWS
        return first.repeated(QUAD) + self.code.vector([each // STEPS for each in lanes * 2], I32)

    def record(self, at: int) -> Num:
        """Return a number of the triangle's record, in each lane."""
        return self.code.at("records", F64, self._record, at).load().splat(PAIR)

    def weights(self) -> list[Num]:
        """Return the weights of the corners, linear on the screen."""
        x, y = ((each * STEPS + HALF).to(F64, "sitofp") for each in (self.x, self.y))
        edges = [distance(self.record(DX + at), self.record(DY + at), self.record(C + at), x, y)
                 for at in range(3)]  # fmt: skip
        inverse = self.record(INVERSE), self.record(REST)
        return [times_inverse(each, inverse) for each in edges]


def centres(code: WrittenCode, number: Num, lanes: list[int]) -> Num:
    """Return the centres of pixels along an axis in steps, given the number of the first."""
    first = (number * STEPS + HALF).to(F64, "sitofp").splat(QUAD)
    return first + code.vector(lanes, F64)


def distance(dx: Num, dy: Num, c: Num, x: Num, y: Num) -> Num:
    """Return the distance of places from an edge."""
    return dx * y - dy * x + c


def lanes_of(byte: Num) -> Num:
    """Return the low bits of a byte as a mask of lanes."""
    return byte.to(I4, "trunc").bits_as(I1.of(QUAD))


def byte_of(mask: Num) -> Num:
    """Return a mask of lanes as the low bits of a byte."""
    return mask.bits_as(I4).to(I8, "zext")
