"""The quads that triangles cover: `pixel_coverage` for one sample at the centres of pixels.

A triangle's quads are visited row by row, as there, and those without a covered pixel left out.
Where the depth test comes before the pixel shader, it follows at once, triangle by triangle.
"""

from functools import cache

from ....vm.jit.written import (
    F64,
    I1,
    I8,
    I32,
    I64,
    Num,
    NumPlace,
    WrittenCode,
    WrittenFunction,
)
from ..pixel_coverage import STEPS
from .depth_test import DepthTest, NotedLanes, tested
from .quads import (
    COLUMNS,
    DX,
    DY,
    HIGH,
    INVERSE,
    LAYER,
    LOW,
    OF_QUADS,
    QUAD,
    RECORD,
    REST,
    ROWS,
    Z1,
    Z2,
    C,
    WrittenQuad,
    Z,
    byte_of,
    centres,
    distance,
)  # fmt: skip
from .quotients import inverse_of

# Arrays whose only row all triangles may share: each_limits is 1 if they have their own, else 0.
SHARED = ["limits", "depths", "layers"]
# Arrays of the triangles of a draw; `plane` is the number of pixels of a layer. `found` gets the
# number of quads, and the number of the last triangle that covers a pixel.
WORDS = ["start", "stop", "corners", "limits", "first", "across", "z", "depths", "layers", "plane",
         *(f"each_{word}" for word in SHARED)]  # fmt: skip


@cache
def coverage(test: DepthTest | None, paired: bool) -> WrittenFunction:
    """Return the function that finds the quads of a chunk, and writes records of its triangles.

    With a test, the quads of which no pixel passes it are left out, too. If triangles are `paired`,
    a quad that both of a pair cover is the first one's, with the pixels of both.
    """
    words = [] if test is None else test.words
    noted = test is not None and test.last
    code = WrittenCode([
        *WORDS, "records", *OF_QUADS, "found", *words, *(NotedLanes.WORDS if noted else []),
    ])  # fmt: skip
    count = code.variable(I64, 0)
    last = code.variable(I64, -1)
    with code.loop(code.number("start"), code.number("stop")) as triangle:
        first = count.load()
        _triangle(code, triangle, count, paired=paired)
        last.store(count.load().is_("ne", first).choose(triangle, last.load()))
    if test is not None:
        _passing(code, test, count)
    code.at("found", I64, 0).store(count.load())
    code.at("found", I64, 1).store(last.load())
    return WrittenFunction(code)


def _passing(code: WrittenCode, test: DepthTest, count: NumPlace) -> None:
    """Keep those of the covered quads that pass a test; `count` is their number.

    They are tested after all are found: a loop without branches takes less time.
    """
    end = count.load()
    count.store(0)
    first = code.variable(I64, 0)
    batch = code.number("batch") if test.last else end
    with code.repeat(lambda: first.load().is_("slt", end)):
        begin = first.load()
        stop = code.unary("smin", begin + batch, end)
        notes = NotedLanes(code, count.load()) if test.last else None
        with code.loop(begin, stop) as at:
            quad = WrittenQuad(code, at, test.area)
            to = count.load()
            passed = tested(code, test, quad, None)
            mask = byte_of(passed)
            for word, number in (("triangles", quad.triangle), ("x", quad.x), ("y", quad.y)):
                code.at(word, I32, to).store(number.to(I32, "trunc"))
            code.at("shown", I8, to).store(mask)
            if notes is not None:
                notes.note(quad, to, passed)
            count.store(to + mask.is_("ne", 0).to(I64, "zext"))
        first.store(stop)


class _TriangleEdges:
    """The edges of a triangle: in its record, of which `numbers` are, and the `least` distances
    that are inside, 0 on a top or left edge.
    """

    def __init__(self, code: WrittenCode, triangle: Num) -> None:
        self.corners = [
            [code.at("corners", I64, triangle * 6, 2 * at + axis).load() for axis in (0, 1)]
            for at in range(3)
        ]
        self.scalars: dict[int, Num] = {}
        self.least: list[Num] = []
        for at in range(3):
            a, b = self.corners[(at + 1) % 3], self.corners[(at + 2) % 3]
            dx, dy = b[0] - a[0], b[1] - a[1]
            c = dy * a[0] - dx * a[1]
            if at == 0:  # the distance of the corner itself
                own = dx * self.corners[0][1] - dy * self.corners[0][0] + c
                inverse, rest = inverse_of(own.to(F64, "sitofp"))
                self.scalars |= {INVERSE: inverse, REST: rest}
            open_ = dy.is_("sgt", 0) | (dy.is_("eq", 0) & dx.is_("sle", 0))
            self.least.append(open_.to(I64, "zext").to(F64, "sitofp").splat(QUAD))
            for place, each in ((DX, dx), (DY, dy), (C, c)):
                self.scalars[place + at] = each.to(F64, "sitofp")
        self.numbers = {at: each.splat(QUAD) for at, each in self.scalars.items()}

    def distances(self, x: Num, y: Num) -> list[Num]:
        """Return the distances of places from each edge."""
        numbers = self.numbers
        return [
            distance(numbers[DX + at], numbers[DY + at], numbers[C + at], x, y) for at in range(3)
        ]

    def inside(self, distances: list[Num]) -> Num:
        """Return the places that are inside."""
        first, second, third = (
            each.is_("oge", bound) for each, bound in zip(distances, self.least, strict=True)
        )
        return first & second & third


def _triangle(code: WrittenCode, triangle: Num, count: NumPlace, *, paired: bool) -> None:
    """Write the quads of a triangle, and its record."""
    edges = _TriangleEdges(code, triangle)
    record = (triangle - code.number("start")) * RECORD
    rows = {word: triangle * code.number(f"each_{word}") for word in SHARED}
    z = [code.at("z", F64, triangle * 3, at).load() for at in range(3)]
    low, high = (code.at("depths", F64, rows["depths"] * 2, at).load() for at in (0, 1))
    layer = code.at("layers", I64, rows["layers"]).load()
    scalars = edges.scalars | {
        Z: z[0], Z1: z[1] - z[0], Z2: z[2] - z[0], LOW: low, HIGH: high,
    }  # fmt: skip
    for at, value in scalars.items():
        code.at("records", F64, record, at).store(value)
    code.at("records", I64, record, LAYER).store(layer * code.number("plane"))

    limits = [code.at("limits", I64, rows["limits"] * 4, at).load() for at in range(4)]
    within = code.constant(int(not paired), I1)
    for axis in (0, 1):
        for corner in edges.corners:
            here = corner[axis].is_("sge", limits[axis]) & corner[axis].is_("slt", limits[2 + axis])
            within = here & within
    beyond = within ^ code.constant(1, I1)
    bounds = [each.to(F64, "sitofp").splat(QUAD) for each in limits]
    first = [code.at("first", I64, triangle * 2, axis).load() for axis in (0, 1)]
    across = [code.at("across", I64, triangle * 2, axis).load() for axis in (0, 1)]
    steps = [edges.numbers[DY + at] * (-2.0 * STEPS) for at in range(3)]
    left = centres(code, first[0] * 2, COLUMNS)
    now = [code.variable(F64.of(QUAD)) for _ in steps]
    pair = _TrianglePair(code, triangle) if paired else None
    with code.loop(0, across[1]) as down:
        y = (first[1] + down) * 2
        py = centres(code, y, ROWS)
        for edge, start in zip(now, edges.distances(left, py), strict=True):
            edge.store(start)
        with code.loop(0, across[0]) as right:
            x = (first[0] + right) * 2
            there = [edge.load() for edge in now]
            inside = edges.inside(there)
            for edge, each, step in zip(now, there, steps, strict=True):
                edge.store(each + step)
            covered = code.variable(I8, byte_of(inside))
            with code.when(beyond):
                px = centres(code, x, COLUMNS)
                shown = px.is_("oge", bounds[0]) & px.is_("olt", bounds[2])
                shown = shown & py.is_("oge", bounds[1]) & py.is_("olt", bounds[3])
                mask = byte_of(shown)
                own = covered.load() & mask
                covered.store(own if pair is None else pair.covered(own, mask, px, py))
            found, mask = count.load(), covered.load()
            for word, number in (("triangles", triangle), ("x", x), ("y", y)):
                code.at(word, I32, found).store(number.to(I32, "trunc"))
            code.at("shown", I8, found).store(mask)
            count.store(found + mask.is_("ne", 0).to(I64, "zext"))


class _TrianglePair:
    """The other triangle of a pair; a triangle that is alone is its own other."""

    def __init__(self, code: WrittenCode, triangle: Num) -> None:
        self._is_second = (triangle & 1).is_("ne", 0)
        other = triangle ^ 1
        other = other.is_("slt", code.number("stop")).choose(other, triangle)
        self._edges = _TriangleEdges(code, other)

    def covered(self, own: Num, limits: Num, x: Num, y: Num) -> Num:
        """Return the pixels of a quad that are this triangle's, given those that it covers."""
        others = byte_of(self._edges.inside(self._edges.distances(x, y))) & limits
        zero = own.code.constant(0, I8)
        as_first = own.is_("ne", 0).choose(own | others, zero)
        as_second = others.is_("eq", 0).choose(own, zero)
        return self._is_second.choose(as_second, as_first)
