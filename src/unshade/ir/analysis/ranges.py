"""Value ranges of integers, and powers of two that divide them.

    ValueRange(low, high, step)     low <= value <= high, unsigned, in every lane;
                                    step is a power of two that divides the value

The range of a value follows from its operands alone; nothing is known of variables, except by the
caller (counters.py). If a result may wrap around, its range is the full range of its type.
"""

from collections.abc import Callable, Mapping

from ...tuples import NamedTuple
from ..fold import signed
from ..kernel import Value
from ..ops import OPS, Op
from ..sources import GROUP_COUNT, SOURCES, bound
from ..types import I32, Type


class ValueRange(NamedTuple):
    """The range of an unsigned integer or bool."""

    low: int
    high: int
    step: int = 1

    @property
    def constant(self) -> int | None:
        """The only number in the range; None if there are several."""
        return self.low if self.low == self.high else None


def everything(type: Type) -> ValueRange:
    """Return the full range of a type."""
    return ValueRange(0, type.mask)


def exactly(number: int, type: Type) -> ValueRange:
    """Return the range of one number."""
    return ValueRange(number, number, number & -number or type.mask + 1)


def of_source(name: str, group: tuple[int, int, int]) -> ValueRange:
    """Return the range of a source."""
    low = 1 if SOURCES[name].word == GROUP_COUNT else 0
    return ValueRange(low, max(low, bound(name, group) - 1))


def range_of(
    value: Value, known: Mapping[Value, ValueRange], group: tuple[int, int, int]
) -> ValueRange:
    """Return the range of a value, given the ranges of its operands."""
    type = value.type
    if type.kind not in "ib":
        return ValueRange(0, 0)  # never used
    if value.op is OPS.const:
        return exactly(value.attr, type)
    if value.op is OPS.source:
        return of_source(value.attr, group)
    args = [operand(each, known) for each in value.args]
    return combined(value, args)


def operand(value: Value, known: Mapping[Value, ValueRange]) -> ValueRange:
    """Return the range of an operand."""
    if value.op is OPS.const and value.type.kind in "ib":
        return exactly(value.attr, value.type)
    return known.get(value) or everything(value.type)


def combined(value: Value, args: "list[ValueRange]") -> ValueRange:
    """Return the range of an operation, given the ranges of its operands."""
    type = value.type
    rule = RULES.get(value.op)
    if rule is not None:
        found = rule(type, *args)
    elif value.op in (OPS.clz, OPS.ctz, OPS.popcount):
        found = ValueRange(0, type.bits)
    elif value.op in (OPS.uconv, OPS.iconv):
        found = _converted(value, args[0])
    else:
        return everything(type)
    if found.low == found.high:
        return exactly(found.low, type)
    return found


def _converted(value: Value, a: ValueRange) -> ValueRange:
    to, of = value.type, value.args[0].type
    step = min(a.step, to.mask + 1)
    negative = value.op is OPS.iconv and to.bits > of.bits and a.high >> of.bits - 1
    if negative or a.high > to.mask:
        return ValueRange(0, to.mask, step)
    return ValueRange(a.low, a.high, step)


# ---------------------------------------------------------------- rules


def _fits(type: Type, low: int, high: int, step: int) -> ValueRange:
    if low < 0 or high > type.mask:
        return ValueRange(0, type.mask, min(step, type.mask + 1))
    return ValueRange(low, high, min(step, type.mask + 1))


def _imul(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    return _fits(t, a.low * b.low, a.high * b.high, a.step * b.step)


def _ishl(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    if b.high >= t.bits:
        return ValueRange(0, t.mask, a.step)
    return _fits(t, a.low << b.low, a.high << b.high, a.step << b.low)


def _ushr(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    if b.high >= t.bits:
        return ValueRange(0, a.high)
    return ValueRange(a.low >> b.high, a.high >> b.low, max(a.step >> b.high, 1))


def _ishr(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    return _ushr(t, a, b) if not a.high >> t.bits - 1 else everything(t)


def _and(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    return ValueRange(0, min(a.high, b.high), max(a.step, b.step))


def _or(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    high = (1 << max(a.high, b.high).bit_length()) - 1
    return ValueRange(max(a.low, b.low), high, min(a.step, b.step))


def _xor(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    high = (1 << max(a.high, b.high).bit_length()) - 1
    return ValueRange(0, high, min(a.step, b.step))


def _udiv(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    if not b.low:
        return everything(t)
    return ValueRange(a.low // b.high, a.high // b.low)


def _urem(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
    if not b.low:
        return everything(t)
    if a.high < b.low:
        return a
    return ValueRange(0, min(a.high, b.high - 1), min(a.step, b.step))


def _same_sign(
    rule: "Callable[[ValueRange, ValueRange], ValueRange]",
) -> "Callable[[Type, ValueRange, ValueRange], ValueRange]":
    def found(t: Type, a: ValueRange, b: ValueRange) -> ValueRange:
        half = 1 << t.bits - 1
        return rule(a, b) if a.high < half and b.high < half else everything(t)

    return found


def _least(a: ValueRange, b: ValueRange) -> ValueRange:
    return ValueRange(min(a.low, b.low), min(a.high, b.high), min(a.step, b.step))


def _greatest(a: ValueRange, b: ValueRange) -> ValueRange:
    return ValueRange(max(a.low, b.low), max(a.high, b.high), min(a.step, b.step))


# fmt: off
RULES: dict[Op, Callable[..., ValueRange]] = {
    OPS.iadd:   lambda t, a, b: _fits(t, a.low + b.low, a.high + b.high, min(a.step, b.step)),
    OPS.isub:   lambda t, a, b: _fits(t, a.low - b.high, a.high - b.low, min(a.step, b.step)),
    OPS.ineg:   lambda t, a: ValueRange(0, t.mask, min(a.step, t.mask + 1)),
    OPS.imul:   _imul,
    OPS.ishl:   _ishl,
    OPS.ushr:   _ushr,
    OPS.ishr:   _ishr,
    OPS.and_:    _and,
    OPS.or_:     _or,
    OPS.xor:    _xor,
    OPS.udiv:   _udiv,
    OPS.urem:   _urem,
    OPS.umin:   lambda t, a, b: _least(a, b),
    OPS.umax:   lambda t, a, b: _greatest(a, b),
    OPS.imin:   _same_sign(_least),
    OPS.imax:   _same_sign(_greatest),
    OPS.select: lambda t, _, a, b: joined(a, b),
}
# fmt: on


def joined(a: ValueRange, b: ValueRange) -> ValueRange:
    """Return the smallest range that contains both."""
    return ValueRange(min(a.low, b.low), max(a.high, b.high), min(a.step, b.step))


def as_signed(a: ValueRange, type: Type = I32) -> tuple[int, int]:
    """Return the signed bounds of a range."""
    half = 1 << type.bits - 1
    if a.low >= half or a.high < half:
        return signed(a.low, type), signed(a.high, type)
    return -half, half - 1
