"""Conversions to floats that round toward zero, made of conversions that round to nearest.

    fconvz(x)           the nearest float, or its predecessor if that is further from zero than x
    itofz(x), utofz(x)  excess low bits are cleared first

Rounding toward zero never yields an infinity: too large numbers become the greatest float.
"""

from collections.abc import Callable

from ..builder import Builder, constant
from ..fold import LEAST_NORMAL
from ..kernel import Value
from ..ops import OPS, Op
from ..types import F16, Type

__all__ = ["CONVERSIONS"]

DIGITS = {16: 11, 32: 24, 64: 53}
GREATEST_F16 = 65504


def of_float(b: Builder, x: Value, type: Type) -> Value:
    """Expand fconvz."""
    near = b.fconv(x, type=type)
    if type.bits > x.type.bits:
        return near
    beyond = b.flt(b.fabs(x), b.fabs(b.fconv(near, type=x.type)))
    bits = b.asint(near)
    less = b.isub(bits, 1)
    if type.bits in b.kernel.flush:  # the predecessor of the least normal number counts as zero
        sign = 1 << type.bits - 1
        least = b.ieq(b.and_(bits, sign - 1), LEAST_NORMAL[type.bits])
        less = b.select(least, b.and_(bits, sign), less)
    return b.asfloat(b.select(beyond, less, bits))


def of_unsigned(b: Builder, x: Value, type: Type) -> Value:
    """Expand utofz."""
    of = x.type
    if type == F16 and of.mask > GREATEST_F16:
        x = b.umin(x, constant(GREATEST_F16, of))
    spare = of.bits - DIGITS[type.bits]
    if spare > 0:
        lost = b.imax(b.isub(constant(spare, of), b.clz(x)), constant(0, of))
        x = b.ishl(b.ushr(x, lost), lost)
    return b.utof(x, type=type)


def of_signed(b: Builder, x: Value, type: Type) -> Value:
    """Expand itofz."""
    below = b.ilt(x, constant(0, x.type))
    found = of_unsigned(b, b.select(below, b.ineg(x), x), type)
    return b.select(below, b.fneg(found), found)


CONVERSIONS: dict[Op, Callable[[Builder, Value, Type], Value]] = {
    OPS.fconvz: of_float,
    OPS.itofz: of_signed,
    OPS.utofz: of_unsigned,
}
