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
    NumPlace,
    WrittenCode,
    WrittenFunction,
)
from ..sums import by_columns, in_turn
from .quads import OF_QUADS, QUAD, WrittenQuad

WORDS = ["begin", "end", "start", "records", *OF_QUADS, "inverse", "vertices", "z",
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
def attributes(sources: tuple[Source, ...], *, whole: bool = False) -> WrittenFunction:
    """Return the function that makes inputs, in the arrays `to0`, `to1`, …, for lanes one by one.

    If all triangles are `whole`, `turned` tells which have their last two corners exchanged, and
    there are no shares. The arrays `of0`, `of1`, … are those of the sources, `counts` gets the
    number of the quads that run, whose numbers `chosen` gets, and of the lanes that are not shown.
    """
    every = [f"{word}{at}" for at in range(len(sources)) for word in ("of", "to")]
    code = WrittenCode([*WORDS, *(["turned"] if whole else ["shares", "screen_shares"]), *every])
    mixed = [at for at, each in enumerate(sources) if isinstance(each, MixedInput)]
    corners = {at: [code.variable(F64) for _ in range(3)] for at in mixed}
    flat = {
        at: code.variable(I32) for at, each in enumerate(sources) if isinstance(each, FlatInput)
    }
    before = code.variable(I64, -1)
    count = code.variable(I64, 0)
    helping = code.variable(I64, 0)
    with code.loop(code.number("begin"), code.number("end")) as at:
        shown = code.at("shown", I8, at).load()
        with code.when(shown.is_("ne", 0)):
            quad = WrittenQuad(code, at)
            with code.when(quad.triangle.is_("ne", before.load())):
                before.store(quad.triangle)
                _of_triangle(code, quad.triangle, sources, corners, flat, whole)
            made = _Made(quad, count.load())
            for number, source in enumerate(sources):
                if isinstance(source, MixedInput):
                    weights = made.weights if source.screen else made.perspective
                    values = [each.load().splat(QUAD) for each in corners[number]]
                    found = in_turn([one * two for one, two in zip(weights, values, strict=True)])
                    made.store(number, found.to(F32, "fptrunc"))
                elif isinstance(source, FlatInput):
                    made.store(number, flat[number].load().splat(QUAD))
                else:
                    made.store(number, made.position(source.component).to(F32, "fptrunc"))
            code.at("chosen", I32, count.load()).store(at.to(I32, "trunc"))
            hidden = quad.mask ^ code.constant(1, I1.of(QUAD))
            code.at("helpers", I8.of(QUAD), count.load() * QUAD).store(hidden.to(I8, "zext"))
            of_quad = code.call(
                I8, "llvm.ctpop.i8", str(shown)
            ).to(I64, "zext")  # fmt: skip
            helping.store(helping.load() + QUAD - of_quad)
            count.store(count.load() + 1)
    code.at("counts", I64, 0).store(count.load())
    code.at("counts", I64, 1).store(helping.load())
    return WrittenFunction(code)


def _of_triangle(
    code: WrittenCode,
    triangle: Num,
    sources: tuple[Source, ...],
    corners: dict[int, list[NumPlace]],
    flat: dict[int, NumPlace],
    whole: bool,
) -> None:
    """Compute what the quads of a triangle share: attributes at its corners, and flat ones."""
    vertices = [code.at("vertices", I64, triangle * 3, at).load() for at in range(3)]
    shares: dict[bool, list[list[Num]]] = {}
    of_corners = vertices
    if whole:
        turned = code.at("turned", I8, triangle).load().is_("ne", 0)
        others = turned.choose(vertices[2], vertices[1]), turned.choose(vertices[1], vertices[2])
        of_corners = [vertices[0], *others]
    for number, source in enumerate(sources):
        if isinstance(source, FlatInput):
            row = triangle if source.corner < 0 else vertices[source.corner]
            place = code.at(f"of{number}", I32, row * source.stride, source.column)
            flat[number].store(place.load())
        if not isinstance(source, MixedInput):
            continue
        values = [
            code.at(f"of{number}", F32, each * source.stride, source.column).load().to(F64, "fpext")
            for each in of_corners
        ]
        if whole:
            for value, place in zip(values, corners[number], strict=True):
                place.store(value + 0.0)  # as a sum with products of 0
            continue
        if source.screen not in shares:
            word = "screen_shares" if source.screen else "shares"
            shares[source.screen] = [
                [code.at(word, F64, triangle * 9, 3 * corner + at).load() for at in range(3)]
                for corner in range(3)
            ]
        total = by_columns if source.stride == 1 else in_turn
        for corner, place in enumerate(corners[number]):
            parts = zip(shares[source.screen][corner], values, strict=True)
            place.store(total([one * two for one, two in parts], code.constant(0.0, F64)))


class _Made:
    """The places in a quad where attributes are evaluated, and where they go."""

    def __init__(self, quad: WrittenQuad, row: Num) -> None:
        self.quad = quad
        self.row = row
        code = quad.code
        self.weights = quad.weights()
        corners = [code.at("inverse", F64, quad.triangle * 3, at).load().splat(QUAD)
                   for at in range(3)]  # fmt: skip
        parts = [one * two for one, two in zip(self.weights, corners, strict=True)]
        total: Num = in_turn(parts)
        one = code.constant(1.0, F64.of(QUAD))
        self.inverse = total.is_("oeq", 0.0).choose(one, total)
        self.perspective = [each / self.inverse for each in parts]

    def store(self, number: int, value: Num) -> None:
        """Write an input of the lanes."""
        code = self.quad.code
        code.at(f"to{number}", value.kind, self.row * QUAD).store(value)

    def position(self, component: int) -> Num:
        """Return a component of the position."""
        code, quad = self.quad.code, self.quad
        if component in (X, Y):
            first = quad.y if component == Y else quad.x
            lanes = [0, 0, 1, 1] if component == Y else [0, 1, 0, 1]
            return first.to(F64, "sitofp").splat(QUAD) + code.vector(lanes, F64) + 0.5
        if component == W:
            return 1.0 / self.inverse
        z = [code.at("z", F64, quad.triangle * 3, at).load().splat(QUAD)
                  for at in range(3)]  # fmt: skip
        parts = [one * two for one, two in zip(self.weights, z, strict=True)]
        made: Num = by_columns(parts, code.constant(0.0, F64.of(QUAD)))
        return made
