"""The inputs of a pixel shader for the quads of a batch: `inputs` for one sample at the centre.

The quads without a shown lane are left out. All lanes of the others run, the hidden ones to help
with derivatives. Sums of three products are made in the orders of `sums.py`.
"""

from functools import cache

from ....dataclass import dataclass
from ....vm.jit.written import (
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    Num,
    WrittenCode,
    WrittenFunction,
)
from ..sums import by_columns, in_turn
from .quads import OF_QUADS, PAIR, QUAD, QuadPair, lanes_of
from .quotients import divided

WORDS = ["begin", "end", "start", "records", *OF_QUADS, "inverse", "z", "mixed", "flat",
         "chosen", "helpers", "counts"]  # fmt: skip
X, Y, DEPTH, W = range(4)  # of the position


@dataclass(frozen=True, slots=True)
class MixedInput:
    """An input that is interpolated: a column of an array of floats, `stride` wide.

    `screen` is true if it is linear on the screen.
    """

    stride: int
    column: int
    screen: bool


@dataclass(frozen=True, slots=True)
class FlatInput:
    """An input that is equal for all of a triangle: a column of an array of words.

    It is that of a corner's vertex, or of the triangle itself where `corner` is -1.
    """

    stride: int
    column: int
    corner: int


@dataclass(frozen=True, slots=True)
class OwnInput:
    """A component of the pixel's position."""

    component: int


# Classes, as tuples of two kinds with equal numbers would be one key of a cache.
Source = MixedInput | FlatInput | OwnInput


@cache
def corner_values(sources: tuple[Source, ...], *, whole: bool = False) -> WrittenFunction:
    """Return the function that computes what the quads of each triangle of a chunk share.

    `mixed` gets the numbers at the corners, three for each interpolated input, `flat` a word for
    each that is equal for all of a triangle; the arrays `of0`, `of1`, … are those of the sources.
    If all triangles are `whole`, `turned` tells which have their last two corners exchanged, and
    there are no shares.
    """
    of_sources = [f"of{at}" for at in range(len(sources))]
    shares = ["turned"] if whole else ["shares", "screen_shares"]
    code = WrittenCode(["start", "stop", "vertices", "mixed", "flat", *shares, *of_sources])
    with code.loop(code.number("start"), code.number("stop")) as triangle:
        _of_triangle(code, triangle, sources, whole=whole)
    return WrittenFunction(code)


def shared(sources: tuple[Source, ...]) -> tuple[int, int]:
    """Return how many numbers `mixed` has for each triangle, and how many words `flat`."""
    mixed = 3 * sum(isinstance(each, MixedInput) for each in sources)
    return mixed, sum(isinstance(each, FlatInput) for each in sources)


@cache
def attributes(sources: tuple[Source, ...]) -> WrittenFunction:
    """Return the function that makes inputs, in the arrays `to0`, `to1`, …, for lanes one by one.

    `counts` gets the number of the quads that run, whose numbers `chosen` gets, and of the lanes
    that are not shown. All that is written has room for one quad more.
    """
    code = WrittenCode([*WORDS, *(f"to{at}" for at in range(len(sources)))])
    rows = shared(sources)
    count = _choose(code)
    row = code.variable(I64, 0)
    with code.repeat(lambda: row.load().is_("slt", count)):
        first, second, triangle = _pair(code, row.load(), count)
        made = _Made(QuadPair(code, triangle, (first, second)), row.load())
        place = triangle - code.number("start")
        mixed = flat = 0
        for number, source in enumerate(sources):
            if isinstance(source, MixedInput):
                weights = made.weights if source.screen else made.perspective
                values = [code.at("mixed", F64, place * rows[0], mixed + at).load().splat(PAIR)
                          for at in range(3)]  # fmt: skip
                found = in_turn([one * two for one, two in zip(weights, values, strict=True)])
                made.store(number, found.to(F32, "fptrunc"))
                mixed += 3
            elif isinstance(source, FlatInput):
                word = code.at("flat", I32, place * rows[1], flat).load()
                made.store(number, word.splat(PAIR))
                flat += 1
            else:
                made.store(number, made.position(source.component).to(F32, "fptrunc"))
        row.store(row.load() + second.is_("ne", first).to(I64, "zext") + 1)
    return WrittenFunction(code)


def _choose(code: WrittenCode) -> Num:
    """Write which quads have a shown lane, and which lanes are not; return how many there are."""
    count, lanes = code.variable(I64, 0), code.variable(I64, 0)
    begin = code.number("begin")
    with code.loop(begin, code.number("end")) as at:
        shown, row = code.at("shown", I8, at).load(), count.load()
        code.at("chosen", I32, row).store(at.to(I32, "trunc"))
        hidden = lanes_of(shown) ^ code.constant(1, I1.of(QUAD))
        code.at("helpers", I8.of(QUAD), row * QUAD).store(hidden.to(I8, "zext"))
        lanes.store(lanes.load() + code.unary("ctpop", shown).to(I64, "zext"))
        count.store(row + shown.is_("ne", 0).to(I64, "zext"))
    code.at("counts", I64, 0).store(count.load())
    code.at("counts", I64, 1).store(count.load() * QUAD - lanes.load())
    code.at("chosen", I32, count.load()).store(begin.to(I32, "trunc"))  # is looked at, not drawn
    return count.load()


def _pair(code: WrittenCode, row: Num, count: Num) -> tuple[Num, Num, Num]:
    """Return the numbers of a chosen quad and of the next, and their triangle.

    If the next quad is another triangle's, the first is there twice: the place of the second is
    where the next ones go.
    """
    first, second = (code.at("chosen", I32, row, at).load().to(I64, "sext") for at in (0, 1))
    triangle, other = (code.at("triangles", I32, each).load() for each in (first, second))
    is_pair = triangle.is_("eq", other) & (row + 1).is_("slt", count)
    return first, is_pair.choose(second, first), triangle.to(I64, "sext")


def _of_triangle(
    code: WrittenCode, triangle: Num, sources: tuple[Source, ...], *, whole: bool
) -> None:
    """Write what the quads of a triangle share: attributes at its corners, and flat ones."""
    vertices = [code.at("vertices", I64, triangle * 3, at).load() for at in range(3)]
    shares: dict[bool, list[list[Num]]] = {}
    of_corners = vertices
    if whole:
        turned = code.at("turned", I8, triangle).load().is_("ne", 0)
        others = turned.choose(vertices[2], vertices[1]), turned.choose(vertices[1], vertices[2])
        of_corners = [vertices[0], *others]
    rows, place = shared(sources), triangle - code.number("start")
    mixed = flat = 0
    for number, source in enumerate(sources):
        if isinstance(source, FlatInput):
            row = triangle if source.corner < 0 else vertices[source.corner]
            word = code.at(f"of{number}", I32, row * source.stride, source.column).load()
            code.at("flat", I32, place * rows[1], flat).store(word)
            flat += 1
        if not isinstance(source, MixedInput):
            continue
        values = [
            code.at(f"of{number}", F32, each * source.stride, source.column).load().to(F64, "fpext")
            for each in of_corners
        ]
        if whole:
            made = [value + 0.0 for value in values]  # as a sum with products of 0
        else:
            if source.screen not in shares:
                name = "screen_shares" if source.screen else "shares"
                shares[source.screen] = [
                    [code.at(name, F64, triangle * 9, 3 * corner + at).load() for at in range(3)]
                    for corner in range(3)
                ]
            total = by_columns if source.stride == 1 else in_turn
            zero = code.constant(0.0, F64)
            made = [
                total([one * two for one, two in zip(each, values, strict=True)], zero)
                for each in shares[source.screen]
            ]
        for at, value in enumerate(made):
            code.at("mixed", F64, place * rows[0], mixed + at).store(value)
        mixed += 3


class _Made:
    """The places in two quads where attributes are evaluated, and where they go."""

    def __init__(self, quads: QuadPair, row: Num) -> None:
        self.quads = quads
        self.row = row
        code = quads.code
        self.weights = quads.weights()
        parts = [
            weight * code.at("inverse", F64, quads.triangle * 3, at).load().splat(PAIR)
            for at, weight in enumerate(self.weights)
        ]
        total: Num = in_turn(parts)
        one = code.constant(1.0, F64.of(PAIR))
        self.inverse = total.is_("oeq", 0.0).choose(one, total)
        self.depth = 1.0 / self.inverse
        self.perspective = [divided(each, self.inverse, self.depth) for each in parts]

    def store(self, number: int, value: Num) -> None:
        """Write an input of the lanes."""
        self.quads.code.at(f"to{number}", value.kind, self.row * QUAD).store(value)

    def position(self, component: int) -> Num:
        """Return a component of the position."""
        code, quads = self.quads.code, self.quads
        if component in (X, Y):
            return (quads.y if component == Y else quads.x).to(F64, "sitofp") + 0.5
        if component == W:
            return self.depth
        parts = [
            weight * code.at("z", F64, quads.triangle * 3, at).load().splat(PAIR)
            for at, weight in enumerate(self.weights)
        ]
        made: Num = by_columns(parts, code.constant(0.0, F64.of(PAIR)))
        return made
