"""The depth test of a batch of quads, one after another, as the order of primitives has it.

A fragment is tested against what those before it left. Where only the last that passes at a pixel
shows, each notes its number there, in the array of primitives, and in the end those are shown whose
number is still there.
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
from .quads import HIGH, LOW, OF_QUADS, QUAD, Z1, Z2, WrittenQuad, Z

# Relations of floats and of unsigned numbers, by function; "always" is without a test.
RELATIONS = {
    "less": ("olt", "ult"), "equal": ("oeq", "eq"), "less_equal": ("ole", "ule"),
    "greater": ("ogt", "ugt"), "not_equal": ("une", "ne"), "greater_equal": ("oge", "uge"),
}  # fmt: skip
FORMATS = {"f4": F32, "u2": I16, "u4": I32}  # of depth targets, by dtype
BITS = {"u2": 16, "u4": 24}
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
        ["begin", "end", "start", "records", *OF_QUADS, "width", "depth", "primitives"]
    )
    begin, end = code.number("begin"), code.number("end")
    with code.loop(begin, end) as at:
        _tested(code, test, WrittenQuad(code, at))
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


def _tested(code: WrittenCode, test: DepthTest, quad: WrittenQuad) -> None:
    """Test a quad."""
    mask = quad.mask
    kind = FORMATS[test.format]
    most = code.constant(_most(test.format), kind.of(2)) if test.format in BITS else None
    z = _encoded(test.format, _depths(quad)) if test.writes or test.function else None
    passing = []
    for half, place in enumerate(quad.rows("depth", kind)):
        shown = mask.half(half)
        relation = RELATIONS.get(test.function or "")
        new = None if z is None else z.half(half)
        held = place.load_some(shown) if relation or test.format == "u4" else None
        if relation is not None and held is not None and new is not None:
            old = held & most if test.format == "u4" and most is not None else held
            shown = shown & new.is_(relation[not kind.is_float], old)
        elif test.function == "never":
            shown = code.constant(0, I1.of(2))
        if test.writes and new is not None:
            if test.format == "u4" and held is not None and most is not None:
                new = new | (held & (most ^ -1))  # the bits beside the depth stay
            place.store_some(new, shown)
        passing.append(shown)
    if test.last:
        for half, place in enumerate(quad.rows("primitives", I64)):
            place.store_some(_note(quad, half), passing[half])
    code.at("shown", I8, quad.at).store(_byte(passing))


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
