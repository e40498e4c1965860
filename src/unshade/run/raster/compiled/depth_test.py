"""The depth test of quads, one after another, as the order of primitives has it.

A fragment is tested against what those before it left. Where only the last of a batch that passes
at a pixel shows, each notes its number there. If the test comes before the pixel shader, the one
whose number was there does not show any more. If it comes after it, a batch is tested at once, with
notes in the array of primitives, and in the end those show whose number is still there.
"""

from functools import cache

from ....tuples import NamedTuple
from ....vm.jit.written import (
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    Num,
    ValueType,
    WrittenCode,
    WrittenFunction,
)
from .quads import HIGH, LOW, OF_QUADS, QUAD, Z1, Z2, WrittenQuad, Z, byte_of

# Relations of floats and of unsigned numbers, by function; "always" is without a test.
RELATIONS = {
    "less": ("olt", "ult"), "equal": ("oeq", "eq"), "less_equal": ("ole", "ule"),
    "greater": ("ogt", "ugt"), "not_equal": ("une", "ne"), "greater_equal": ("oge", "uge"),
}  # fmt: skip
FORMATS = {"f4": F32, "u2": I16, "u4": I32}  # of depth targets, by dtype
BITS = {"u2": 16, "u4": 24}
TILE = 2  # binary logarithm of the quads along a side of a tile
NOTED = -2  # the note of the first fragment; -1 is where nothing was drawn


class DepthTest(NamedTuple):
    """A depth test: its function, None for none; whether it writes; the format of the target.

    `last` is true if only the last fragment of those that pass at a pixel shows.
    """

    function: str | None
    writes: bool
    format: str
    last: bool


@cache
def depth_test(test: DepthTest) -> WrittenFunction:
    """Return the function that removes the lanes that fail from those that are shown."""
    code = WrittenCode(
        ["begin", "end", "start", "records", *OF_QUADS, "width", "height", "depth", "primitives"]
    )
    begin, end = code.number("begin"), code.number("end")
    with code.loop(begin, end) as at:
        quad = WrittenQuad(code, at)
        passed = tested(code, test, quad)
        if test.last:
            for half, place in enumerate(quad.rows("primitives", I64)):
                place.store_some(_note(quad, half), passed.half(half))
        code.at("shown", I8, at).store(byte_of(passed))
    if test.last:
        with code.loop(begin, end) as at:
            shown = code.at("shown", I8, at)
            with code.when(shown.load().is_("ne", 0)):
                quad = WrittenQuad(code, at)
                mask = quad.mask
                left = []
                for half, place in enumerate(quad.rows("primitives", I64)):
                    own = place.load_some(mask.half(half)).is_("eq", _note(quad, half))
                    left.append(own & mask.half(half))
                shown.store(_byte(left))
    return WrittenFunction(code)


def tested(code: WrittenCode, test: DepthTest, quad: WrittenQuad) -> Num:
    """Test a quad; return the lanes that pass, whose depths are written if the test writes."""
    shown, kind = quad.mask, FORMATS[test.format]
    if test.function == "never":
        return code.constant(0, I1.of(QUAD))
    relation = RELATIONS.get(test.function or "")
    if relation is None and not test.writes:
        return shown
    most = code.constant(_most(test.format), kind.of(QUAD)) if test.format in BITS else None
    new, held = _encoded(test.format, _depths(quad)), quad.load("depth", kind)
    if relation is not None:
        old = held & most if test.format == "u4" and most is not None else held
        shown = shown & new.is_(relation[not kind.is_float], old)
    if test.writes:
        if test.format == "u4" and most is not None:
            new = new | (held & (most ^ -1))  # the bits beside the depth stay
        quad.store("depth", new, held, shown)
    return shown


class NotedLanes:
    """The lanes that show so far: the last at each pixel, of each batch of `batch` quads.

    `notes` has the number of the lane that shows at a pixel, more than `base` in this chunk. The
    four pixels of a quad are beside each other, and the quads of a tile, which has 2^TILE along
    both axes; a line has `notes_width` tiles, a layer `notes_plane`.
    """

    WORDS = ("notes", "notes_width", "notes_plane", "base", "batch")

    def __init__(self, code: WrittenCode) -> None:
        self.code = code
        self._left = code.variable(I64, 0)  # quads of the batch
        self._before = code.variable(I64)  # the number before the first lane of the batch

    def count(self, at: Num) -> None:
        """Count a covered quad, before it is tested; `at` is the number of the next that passes."""
        code, left = self.code, self._left.load()
        begins = left.is_("eq", 0)
        here = at * QUAD + code.number("base")
        self._before.store(begins.choose(here, self._before.load()))
        self._left.store(begins.choose(code.number("batch"), left) - 1)

    def note(self, quad: WrittenQuad, at: Num, passed: Num, layer: Num) -> None:
        """Note the lanes that passed; those of the batch that were there show no more."""
        code = self.code
        x, y = quad.x.signed_shift(1), quad.y.signed_shift(1)
        tile = y.signed_shift(TILE) * code.number("notes_width") + x.signed_shift(TILE)
        tile = (tile + layer * code.number("notes_plane")) << 2 * TILE
        inside = (y & (1 << TILE) - 1) << TILE | x & (1 << TILE) - 1
        place = code.at("notes", I32.of(QUAD), (tile + inside) * QUAD)
        old, first = place.load(), at * QUAD + code.number("base") + 1
        numbers = first.to(I32, "trunc").splat(QUAD) + code.vector([0, 1, 2, 3], I32)
        place.store(passed.choose(numbers, old))
        before = self._before.load().to(I32, "trunc").splat(QUAD)
        hidden = passed & old.is_("sgt", before)
        with code.when(byte_of(hidden).is_("ne", 0)):
            for lane in range(QUAD):
                with code.when(hidden.lane(lane)):
                    number = old.lane(lane).to(I64, "sext") - code.number("base") - 1
                    shown = code.at("shown", I8, number.signed_shift(2))
                    bit = code.make(I8, f"shl i8 1, {(number & 3).to(I8, 'trunc').text}")
                    shown.store(shown.load() & (bit ^ -1))


def _byte(halves: list[Num]) -> Num:
    """Return masks of the upper and the lower lanes as the bits of a byte."""
    upper, lower = (each.bits_as(ValueType("i2", 1)).to(I8, "zext") for each in halves)
    return upper | lower << 2


def _note(quad: WrittenQuad, half: int) -> Num:
    """Return the numbers that the upper or lower lanes of a quad note."""
    first = quad.at * -QUAD + NOTED
    return first.splat(2) + quad.code.vector([-2 * half, -2 * half - 1], I64)


def _depths(quad: WrittenQuad) -> Num:
    """Return the depths of the lanes, clamped."""
    weights = quad.weights()
    moved = weights[1] * quad.record(Z1) + weights[2] * quad.record(Z2)
    z = quad.record(Z) + moved
    low, high = quad.record(LOW), quad.record(HIGH)
    z = z.is_("olt", low).choose(low, z)
    return z.is_("ogt", high).choose(high, z)


def _most(format: str) -> int:
    return (1 << BITS[format]) - 1


def _encoded(format: str, z: Num) -> Num:
    """Return depths in the format of the target."""
    if format not in BITS:
        return z.to(F32, "fptrunc")
    z = z.is_("olt", 0.0).choose(z.code.constant(0.0, F64.of(QUAD)), z)
    z = z.is_("ogt", 1.0).choose(z.code.constant(1.0, F64.of(QUAD)), z)
    return z.code.unary("floor", z * float(_most(format)) + 0.5).to(FORMATS[format], "fptoui")
