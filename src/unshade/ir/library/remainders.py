"""The remainder of a division of floats, which is exact: C's fmod.

    frem(x, y)     x - y * n, n the quotient toward zero; |frem| < |y|, with the sign of x
    frem(x, inf)   x, if x is finite
    NaN            if an operand is NaN, x is infinite or y is 0

Both |x| - |y| * n and |x| - |y| * (n + 1) are floats: multiples of the last place of x or y whose
size is at most |y|. So the difference is exact if it is rounded once, whichever of n and n + 1 the
rounded quotient is, and a sum corrects n + 1. That needs a quotient with some bits to spare and,
where subnormal numbers are flushed, last places that are normal. All others take a branch, which
divides the digits as integers, 40 bits of the quotient at a time (11 of 64-bit floats).

Source: the language references of LLVM 3.7 (frem) and C (fmod).
"""

from ..builder import Builder, constant
from ..fold import from_float
from ..kernel import Value
from ..types import F32, F64, I64, INTEGERS, Type
from ..unique_names import UniqueNames

__all__ = ["Remainders"]

DIGITS = {F32: 24, F64: 53}
NEAR = {F32: -100, F64: -900}  # least exponents of divisors whose last place is normal
SPARE = 4  # bits of the quotient


class Remainders:
    """The remainders of a kernel.

    Args:
        names: The names of its variables.
    """

    def __init__(self, names: UniqueNames) -> None:
        self.names = names

    def frem(self, b: Builder, x: Value, y: Value) -> Value:
        """Append the remainder of x / y."""
        type = x.type
        flushes = type.bits in b.kernel.flush
        if flushes:  # the branch reads bits
            x, y = b.fcanonicalise(x), b.fcanonicalise(y)
        over, under = b.fabs(x), b.fabs(y)
        quotient = b.ftrunc(b.fdiv(over, under))
        rest = b.ffma(b.fneg(quotient), under, over)
        rest = b.select(b.flt(rest, 0.0), b.fadd(rest, under), rest)
        # `fast` divides by estimates, so that the remainder may be too large by one divisor.
        usual = b.and_(b.flt(quotient, 2.0 ** (DIGITS[type] - SPARE)), b.flt(rest, under))
        if flushes:
            usual = b.and_(usual, b.fle(2.0 ** NEAR[type], under))
        sign = b.and_(b.bitcast(x), _sign(type))
        made = b.var(self.names.unique("remainder"), type, internal=True)
        b.set(made, b.asfloat(b.or_(b.bitcast(rest), sign)))
        with b.when(b.not_(usual)):
            found = self._long(b, over, under, sign)
            b.set(made, b.fcanonicalise(found) if flushes else found)
        return b.get(made)

    def _long(self, b: Builder, over: Value, under: Value, sign: Value) -> Value:
        """Append the remainder of positive floats with a sign, or NaN."""
        type = over.type
        digits = DIGITS[type]
        infinity, nan = (from_float(float(each), type) for each in ("inf", "nan"))
        tops, bottoms = _bits(b, over), _bits(b, under)
        none = b.or_(b.ule(constant(infinity, I64), tops), b.ult(constant(infinity, I64), bottoms))
        none = b.or_(none, b.ieq(bottoms, 0))
        less = b.ult(tops, bottoms)
        (number, above), (divisor, exponent) = (_parts(b, each, digits) for each in (tops, bottoms))
        rest = b.var(self.names.unique("rest"), I64, internal=True)
        left = b.var(self.names.unique("left"), I64, internal=True)  # bits of the quotient
        b.set(rest, b.urem(number, divisor))
        b.set(left, b.select(b.or_(none, less), constant(0, I64), b.isub(above, exponent)))
        with b.loop():
            with b.when(b.or_(b.ieq(b.get(left), 0), b.ieq(b.get(rest), 0))):
                b.break_()
            step = b.umin(b.get(left), constant(64 - digits, I64))
            b.set(rest, b.urem(b.ishl(b.get(rest), step), divisor))
            b.set(left, b.isub(b.get(left), step))
        found = b.get(rest)
        shift = b.umin(b.isub(b.clz(found), 64 - digits), b.isub(exponent, 1))
        # The first digit of a normal number adds 1 to the exponent.
        start = b.ishl(b.isub(b.isub(exponent, shift), 1), digits - 1)
        bits = b.iadd(start, b.ishl(found, shift))
        bits = b.select(b.ieq(found, 0), constant(0, I64), bits)
        bits = b.select(less, tops, bits)
        bits = bits if type == F64 else b.uconv(bits, type=INTEGERS[type.bits])
        return b.select(none, constant(nan, type), b.asfloat(b.or_(bits, sign)))


def _sign(type: Type) -> Value:
    return constant(1 << type.bits - 1, INTEGERS[type.bits])


def _bits(b: Builder, x: Value) -> Value:
    bits = b.bitcast(x)
    return bits if bits.type == I64 else b.uconv(bits, type=I64)


def _parts(b: Builder, bits: Value, digits: int) -> tuple[Value, Value]:
    """Append the digits of a positive float as an integer, and its exponent, at least 1."""
    hidden = 1 << digits - 1
    exponent = b.ushr(bits, digits - 1)
    number = b.and_(bits, constant(hidden - 1, I64))
    normal = b.or_(number, constant(hidden, I64))
    number = b.select(b.ieq(exponent, 0), number, normal)
    return number, b.umax(exponent, constant(1, I64))
