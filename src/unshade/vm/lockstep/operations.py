"""Pure operations on arrays of lanes.

Integers are stored as unsigned; operations that depend on the sign use a signed view. The exact
result of each operation is defined in `ir.fold`.
"""

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...ir.ops import OPS, Op
from ...ir.transforms.flush import formula
from ...ir.types import Type, Widths
from ..launch import dtype
from .lanes import LaneValues

Pure = Callable[..., LaneValues]

SIGNED: dict[int, np.dtype[Any]] = {size: np.dtype(f"<i{size}") for size in (1, 2, 4, 8)}
UNSIGNED: dict[int, np.dtype[Any]] = {size: np.dtype(f"<u{size}") for size in (1, 2, 4, 8)}
LEAST_F32 = np.float32(2.0**-126)  # the least normal number
QUIET = {2: 0x7E00, 4: 0x7FC0_0000, 8: 0x7FF8_0000_0000_0000}


def signed(a: LaneValues) -> LaneValues:
    return a.view(SIGNED[a.dtype.itemsize])


def plain(a: LaneValues) -> LaneValues:
    return a.view(UNSIGNED[a.dtype.itemsize])


def number(value: int, like: LaneValues) -> LaneValues:
    """Return a scalar of the type of `like`."""
    return like.dtype.type(value)


def select(c: LaneValues, a: LaneValues, b: LaneValues) -> LaneValues:
    """Return `a` where the condition holds, else `b`: np.where, which takes five times as long."""
    if not c.ndim:
        return a if c else b
    shape = c.shape
    if (b.ndim and b.shape != shape) or (a.ndim and a.shape != shape):
        return np.where(c, a, b)
    found = b.copy() if b.ndim else np.full(shape, b)
    np.copyto(found, a, where=c)
    return found


# ---------------------------------------------------------------- integers


def _wide(a: LaneValues, b: LaneValues, wider: str) -> LaneValues:
    return a.astype(wider) * b.astype(wider)


def _umulh(a: LaneValues, b: LaneValues) -> LaneValues:
    if a.dtype.itemsize < 8:
        bits = a.dtype.itemsize * 8
        return (_wide(a, b, "<u8") >> np.uint64(bits)).astype(a.dtype)
    low = np.uint64(0xFFFF_FFFF)
    half = np.uint64(32)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    return a1 * b1 + (middle >> half) + ((middle & low) + a0 * b1 >> half)


def _imulh(a: LaneValues, b: LaneValues) -> LaneValues:
    zero = number(0, a)
    high = _umulh(a, b)
    return high - select(signed(a) < 0, b, zero) - select(signed(b) < 0, a, zero)


def _udiv(a: LaneValues, b: LaneValues) -> LaneValues:
    none = b == 0
    return select(none, ~number(0, a), a // select(none, number(1, a), b))


def _urem(a: LaneValues, b: LaneValues) -> LaneValues:
    none = b == 0
    return select(none, ~number(0, a), a % select(none, number(1, a), b))


def _magnitude(a: LaneValues) -> LaneValues:
    return select(signed(a) < 0, number(0, a) - a, a)


def _idiv(a: LaneValues, b: LaneValues) -> LaneValues:
    quotient = _udiv(_magnitude(a), _magnitude(b))
    opposite = (signed(a ^ b) < 0) & (b != 0)
    return select(opposite, number(0, a) - quotient, quotient)


def _irem(a: LaneValues, b: LaneValues) -> LaneValues:
    rest = _urem(_magnitude(a), _magnitude(b))
    return select((signed(a) < 0) & (b != 0), number(0, a) - rest, rest)


def _amount(a: LaneValues, b: LaneValues) -> LaneValues:
    most = a.itemsize * 8 - 1
    if not b.ndim and b <= most:
        return b
    return b & number(most, b)


def _popcount(a: LaneValues) -> LaneValues:
    return np.bitwise_count(a).astype(a.dtype)


def _ctz(a: LaneValues) -> LaneValues:
    return _popcount(~a & (a - number(1, a)))


def _spread(a: LaneValues) -> LaneValues:
    """Set every bit below the highest set bit."""
    for step in (1, 2, 4, 8, 16, 32)[: (a.dtype.itemsize * 8).bit_length() - 1]:
        a = a | a >> number(step, a)
    return a


def _clz(a: LaneValues) -> LaneValues:
    return number(a.dtype.itemsize * 8, a) - _popcount(_spread(a))


def _bitrev(a: LaneValues) -> LaneValues:
    bits = a.dtype.itemsize * 8
    step = bits // 2
    mask = (1 << bits) - 1
    while step:
        mask ^= mask << step
        mask &= (1 << bits) - 1
        low = number(mask, a)
        a = a >> number(step, a) & low | (a & low) << number(step, a)
        step //= 2
    return a


# ---------------------------------------------------------------- floats


def quiet(a: LaneValues) -> LaneValues:
    """Replace every NaN with the canonical quiet NaN."""
    if not a.ndim:
        return a if a == a else _nan(a.dtype)  # noqa: PLR0124
    if not np.isnan(np.maximum.reduce(a, axis=None)):  # the maximum of numbers with a NaN is a NaN
        return a
    return select(a == a, a, _nan(a.dtype))  # noqa: PLR0124


@cache
def _nan(kind: np.dtype[Any]) -> LaneValues:
    return np.array(QUIET[kind.itemsize], UNSIGNED[kind.itemsize]).view(kind)[()]


def _fma(a: LaneValues, b: LaneValues, c: LaneValues) -> LaneValues:
    """Return a * b + c, rounded once.

    In twice the width the product is exact. The bits that the sum loses are merged into its last
    bit (rounding to odd), so that the second rounding is correct. A float is correct without that
    unless the sum is halfway between two floats, or not a normal one.
    """
    if a.dtype.itemsize == 8:
        return _fma64(a, b, c)
    product = a.astype("<f8") * b.astype("<f8")
    addend = c.astype("<f8")
    total = product + addend
    bits = np.asarray(total).view("<u8")
    if a.dtype.itemsize == 4:
        found = total.astype(a.dtype)
        halfway = bits & np.uint64(0x1FFF_FFFF) == np.uint64(0x1000_0000)
        tiny = (np.abs(found) <= LEAST_F32) & (total != 0)
        if not np.any(halfway | tiny):
            return found
    other = total - product
    lost = (product - (total - other)) + (addend - other)
    odd = (lost != 0) & np.isfinite(total) & (bits & np.uint64(1) == 0)
    up = (lost > 0) == (total > 0)
    one = np.uint64(1)
    moved = select(up, bits + one, bits - one)
    return select(odd, moved, bits).view("<f8").astype(a.dtype)[()]


def _fma64(a: LaneValues, b: LaneValues, c: LaneValues) -> LaneValues:
    from ...ir.fold import fold
    from ...ir.types import F64

    given = np.broadcast_arrays(*(plain(np.asarray(each)) for each in (a, b, c)))
    rows = [np.ravel(each) for each in given]
    found = [
        fold(OPS.ffma, F64, tuple((int(each), F64) for each in row)) or 0
        for row in zip(*rows, strict=True)
    ]
    return np.array(found, "<u8").view("<f8").reshape(given[0].shape)[()]


def _fmin(a: LaneValues, b: LaneValues) -> LaneValues:
    # The product flushes a subnormal to zero if the processor's mode says so.
    return select((a < b) | (b != b), a, b) * number(1, a)  # noqa: PLR0124


def _fmax(a: LaneValues, b: LaneValues) -> LaneValues:
    return select((a > b) | (b != b), a, b) * number(1, a)  # noqa: PLR0124


def _fmul_legacy(a: LaneValues, b: LaneValues) -> LaneValues:
    return select((a == 0) | (b == 0), number(0, a), a * b)


def _fneg(a: LaneValues) -> LaneValues:
    bits = plain(a)
    return (bits ^ number(1 << a.dtype.itemsize * 8 - 1, bits)).view(a.dtype)


def _fabs(a: LaneValues) -> LaneValues:
    bits = plain(a)
    return (bits & number((1 << a.dtype.itemsize * 8 - 1) - 1, bits)).view(a.dtype)


# fmt: off
PURE: dict[Op, Pure] = {
    OPS.iadd:  operator.add,
    OPS.isub:  operator.sub,
    OPS.imul:  operator.mul,
    OPS.imulh: _imulh,
    OPS.umulh: _umulh,
    OPS.idiv:  _idiv,
    OPS.irem:  _irem,
    OPS.udiv:  _udiv,
    OPS.urem:  _urem,
    OPS.ineg:  lambda a: number(0, a) - a,
    OPS.imin:  lambda a, b: plain(np.minimum(signed(a), signed(b))),
    OPS.imax:  lambda a, b: plain(np.maximum(signed(a), signed(b))),
    OPS.umin:  np.minimum,
    OPS.umax:  np.maximum,
    OPS.and_:   operator.and_,
    OPS.or_:    operator.or_,
    OPS.xor:   operator.xor,
    OPS.not_:   operator.invert,
    OPS.ishl:  lambda a, b: a << _amount(a, b),
    OPS.ushr:  lambda a, b: a >> _amount(a, b),
    OPS.ishr:  lambda a, b: plain(signed(a) >> signed(_amount(a, b))),
    OPS.popcount: _popcount,
    OPS.clz:   _clz,
    OPS.ctz:   _ctz,
    OPS.bitrev: _bitrev,
    OPS.ieq:   operator.eq,
    OPS.ine:   operator.ne,
    OPS.ilt:   lambda a, b: signed(a) < signed(b),
    OPS.ile:   lambda a, b: signed(a) <= signed(b),
    OPS.ult:   operator.lt,
    OPS.ule:   operator.le,
    OPS.fadd:  operator.add,
    OPS.fsub:  operator.sub,
    OPS.fmul:  operator.mul,
    OPS.fmul_legacy: _fmul_legacy,
    OPS.fdiv:  operator.truediv,
    OPS.ffma:  _fma,
    OPS.fsqrt: np.sqrt,
    OPS.fmin:  _fmin,
    OPS.fmax:  _fmax,
    OPS.ffloor: np.floor,
    OPS.fceil: np.ceil,
    OPS.ftrunc: np.trunc,
    OPS.frint: np.rint,
    OPS.fcanonicalise: quiet,
    OPS.fneg:  _fneg,
    OPS.fabs:  _fabs,
    OPS.feq:   operator.eq,
    OPS.fne:   operator.ne,
    OPS.flt:   operator.lt,
    OPS.fle:   operator.le,
    OPS.select: select,
}
# fmt: on


# The operations that are one function of NumPy on arrays, which can write into a given array.
UFUNCS: dict[Op, Pure] = {
    OPS.iadd: np.add,
    OPS.isub: np.subtract,
    OPS.imul: np.multiply,
    OPS.and_: np.bitwise_and,
    OPS.or_: np.bitwise_or,
    OPS.xor: np.bitwise_xor,
    OPS.not_: np.bitwise_not,
    OPS.ishl: lambda a, b, *into: np.left_shift(a, _amount(a, b), *into),
    OPS.ushr: lambda a, b, *into: np.right_shift(a, _amount(a, b), *into),
    OPS.fadd: np.add,
    OPS.fsub: np.subtract,
    OPS.fmul: np.multiply,
    OPS.fdiv: np.divide,
    OPS.fsqrt: np.sqrt,
    OPS.ieq: np.equal,
    OPS.ine: np.not_equal,
    OPS.ult: np.less,
    OPS.ule: np.less_equal,
    OPS.feq: np.equal,
    OPS.fne: np.not_equal,
    OPS.flt: np.less,
    OPS.fle: np.less_equal,
}


# ---------------------------------------------------------------- to another type


def _to_integer(
    a: LaneValues, to: Type, low: int, high: int, integers: np.dtype[Any]
) -> LaneValues:
    """Convert to an integer: round toward zero and saturate.

    Bounds are compared as floats: 2^31 is exact.
    """
    limit = a.dtype.type(2.0 ** (to.bits - (low < 0)))
    inside = select((a > a.dtype.type(low) - 1 if low else a > -1) & (a < limit), a, number(0, a))
    found = np.trunc(inside).astype(integers)
    found = select(a >= limit, integers.type(high), found)
    if low:
        found = select(a <= a.dtype.type(low), integers.type(low), found)
    return plain(found)


@cache
def conversion(op: Op, to: Type) -> Pure:
    """Return the function of a conversion, which takes its result type from the statement."""
    target = dtype(to)
    size = to.size
    match op:
        case OPS.asint | OPS.bitcast:
            return lambda a: a.view(UNSIGNED[size])
        case OPS.asfloat:
            return lambda a: a.view(target)
        case OPS.uconv | OPS.fconv:
            return lambda a: a.astype(target)
        case OPS.iconv:
            return lambda a: plain(signed(a).astype(SIGNED[size]))
        case OPS.itof:
            return lambda a: _rounded(signed(a), target)
        case OPS.utof:
            return lambda a: _rounded(a, target)
        case OPS.ftoi:
            high = (1 << to.bits - 1) - 1
            return lambda a: _to_integer(a, to, -high - 1, high, SIGNED[size])
        case _:
            return lambda a: _to_integer(a, to, 0, (1 << to.bits) - 1, UNSIGNED[size])


def function(op: Op, to: Type) -> Pure | None:
    """Return the function of a pure operation with a result of type `to`; else None."""
    return conversion(op, to) if op in CONVERSIONS else PURE.get(op)


def calculate(op: Op, of: Type, flush: Widths, *args: LaneValues) -> LaneValues:
    """Compute a float operation with the kernel's flushing of subnormals."""
    found = formula(op, of, flush)
    held = dict(zip(found.args, args, strict=True))
    for step in found.steps:
        given = [
            constant(each.attr, each.type) if each.op is OPS.const else held[each]
            for each in step.args
        ]
        pure = function(step.op, step.type)
        assert pure is not None
        held[step] = pure(*given)
    return held[found.steps[-1]]


def constant(bits: int, type: Type) -> LaneValues:
    """Return a scalar of a type from its bits."""
    if type.kind == "b":
        return np.bool_(bits)
    return np.array(bits, f"<u{type.size}").view(dtype(type))[()]


def _rounded(a: LaneValues, target: np.dtype[Any]) -> LaneValues:
    if target.itemsize == 2:  # NumPy converts through float32, which rounds twice
        a = a.astype("<f8")
    return a.astype(target)


CONVERSIONS = frozenset(
    {
        OPS.asint,
        OPS.bitcast,
        OPS.asfloat,
        OPS.uconv,
        OPS.iconv,
        OPS.itof,
        OPS.utof,
        OPS.fconv,
        OPS.ftoi,
        OPS.ftou,
    }
)
