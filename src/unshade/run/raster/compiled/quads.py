"""The record of a triangle, and quads of pixels, which the functions of this folder share.

A record has the numbers of a triangle that are needed at each of its quads, as doubles:

    dx, dy, c      of each edge: the distance of a place (x, y) in steps is  dx y - dy x + c
    total          twice the area: the sum of the distances, wherever it is
    z, z1, z2      depth at the first corner, and the steps to the others
    low, high      the range that depths are clamped to
    layer          the place of the layer's first pixel in a target

Distances are whole and less than 2^53 (drawing.py), so that doubles hold them exactly, and the
order of their sums does not matter.
"""

from collections.abc import Mapping

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

DX, DY, C, TOTAL, Z, Z1, Z2, LOW, HIGH, LAYER = 0, 3, 6, 9, 10, 11, 12, 13, 14, 15
RECORD = 16  # numbers of a record
I4 = ValueType("i4", 1)
QUAD = 4  # lanes
OF_QUADS = ["triangles", "x", "y", "shown"]  # the arrays of a chunk's quads
COLUMNS, ROWS = [0, STEPS, 0, STEPS], [0, 0, STEPS, STEPS]


class WrittenQuad:
    """A quad while its code is written; `start` is the number of the chunk's first triangle.

    `numbers` are those of the triangle's record, each in all lanes, if they are known already.
    """

    def __init__(
        self,
        code: WrittenCode,
        at: Num,
        triangle: Num | None = None,
        numbers: Mapping[int, Num] | None = None,
    ) -> None:
        self.code = code
        self.at = at
        if triangle is None:
            triangle = code.at("triangles", I32, at).load().to(I64, "sext")
        self.triangle = triangle
        self.x = code.at("x", I32, at).load().to(I64, "sext")
        self.y = code.at("y", I32, at).load().to(I64, "sext")
        self._numbers = numbers or {}
        self._record = (self.triangle - code.number("start")) * RECORD

    def record(self, at: int) -> Num:
        """Return a number of the triangle's record, in each lane."""
        if at in self._numbers:
            return self._numbers[at]
        return self.code.at("records", F64, self._record, at).load().splat(QUAD)

    def edges(self) -> list[Num]:
        """Return the distances of the pixels' centres from each edge."""
        x, y = centres(self.code, self.x, COLUMNS), centres(self.code, self.y, ROWS)
        return [distance(self.record(DX + at), self.record(DY + at), self.record(C + at), x, y)
                for at in range(3)]  # fmt: skip

    def weights(self) -> list[Num]:
        """Return the weights of the corners, linear on the screen."""
        total = self.record(TOTAL)
        return [each / total for each in self.edges()]

    @property
    def mask(self) -> Num:
        """The lanes that are shown."""
        return lanes_of(self.code.at("shown", I8, self.at).load())

    @property
    def pixels(self) -> list[Num]:
        """The numbers of the first of the upper and of the lower two pixels in a target."""
        code = self.code
        layer = code.at("records", F64, self._record, LAYER).load().to(I64, "fptosi")
        width = code.number("width")
        first = layer + self.y * width + self.x
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
        whole = self.is_whole
        with code.when(whole):
            made = mask.choose(new, old)
            for half, row in enumerate(rows):
                row.store(made.half(half))
        with code.when(whole ^ code.constant(1, I1)):
            for half, row in enumerate(rows):
                row.store_some(new.half(half), mask.half(half))


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
