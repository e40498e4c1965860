"""Floats as bits, calculated exactly with fractions and rounded once: what the library promises.

    FLOAT.add(0x3F80_0000, 0x4000_0000) == 0x4040_0000

A result that is NaN is the positive quiet NaN. With `flush` subnormal operands and results count as
zero with their sign; a result is subnormal if it is below the least normal number when rounded as
if exponents had no bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, isnan, isqrt, nan, trunc

Number = Fraction | float  # floats are infinities and NaN only


@dataclass(frozen=True)
class Format:
    """A binary format: its bits, the bits of its significands, and its least exponent."""

    bits: int
    precision: int
    least: int
    flush: bool = False

    # ------------------------------------------------------------ bits

    @property
    def sign(self) -> int:
        return 1 << self.bits - 1

    @property
    def infinity(self) -> int:
        return self.sign - (1 << self.precision - 1)

    @property
    def nan(self) -> int:
        return self.infinity | 1 << self.precision - 2

    def negative(self, x: int) -> bool:
        return x & self.sign != 0

    def value(self, x: int) -> Number:
        """Return the number that bits are."""
        size = x & self.sign - 1
        if size >= self.infinity:
            return nan if size > self.infinity else -inf if self.negative(x) else inf
        exponent, rest = size >> self.precision - 1, size & (1 << self.precision - 1) - 1
        if not exponent and self.flush:
            return Fraction(0)
        if exponent:
            rest |= 1 << self.precision - 1
        scale = self.least + max(exponent, 1) - 1 - (self.precision - 1)
        found = Fraction(rest) * Fraction(2) ** scale
        return -found if self.negative(x) else found

    def nearest(self, value: Number, *, negative: bool = False) -> int:
        """Return the bits of the float nearest to a number; `negative` is the sign of zero."""
        if not isinstance(value, Fraction):
            return self.nan if isnan(value) else self.infinity | (self.sign if value < 0 else 0)
        sign = self.sign if value < 0 or (negative and value == 0) else 0
        size = abs(value)
        if size == 0:
            return sign
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if size < Fraction(2) ** exponent:
            exponent -= 1
        steps = round(size / Fraction(2) ** (exponent - self.precision + 1))
        if steps == 1 << self.precision:
            exponent, steps = exponent + 1, steps >> 1
        if exponent < self.least:
            if self.flush:
                return sign
            return sign | round(size / Fraction(2) ** (self.least - self.precision + 1))
        if exponent > 1 - self.least:
            return sign | self.infinity
        return sign + ((exponent - self.least) << self.precision - 1) + steps

    # ------------------------------------------------------------ arithmetic

    def negated(self, x: int) -> int:
        return x ^ self.sign

    def add(self, x: int, y: int) -> int:
        a, b = self.value(x), self.value(y)
        return self.nearest(a + b, negative=self.negative(x) and self.negative(y))

    def sub(self, x: int, y: int) -> int:
        a, b = self.value(x), self.value(y)
        return self.nearest(a - b, negative=self.negative(x) and not self.negative(y))

    def mul(self, x: int, y: int) -> int:
        a, b = self.value(x), self.value(y)
        return self.nearest(_product(a, b), negative=self.negative(x) != self.negative(y))

    def div(self, x: int, y: int) -> int:
        a, b = self.value(x), self.value(y)
        sign = self.negative(x) != self.negative(y)
        if isinstance(b, float):
            return self.nearest(nan if isinstance(a, float) or isnan(b) else Fraction(0),
                                negative=sign)  # fmt: skip
        if b == 0 or isinstance(a, float):
            undefined = a == 0 if b == 0 else False
            if undefined or (isinstance(a, float) and isnan(a)):
                return self.nan
            return self.nearest(-inf if sign else inf)
        return self.nearest(a / b, negative=sign)

    def rem(self, x: int, y: int) -> int:
        a, b = self.value(x), self.value(y)
        if isinstance(a, float) or b == 0 or (isinstance(b, float) and isnan(b)):
            return self.nan
        rest = abs(a) if isinstance(b, float) else abs(a) % abs(b)
        return self.nearest(rest) | x & self.sign

    def fma(self, x: int, y: int, z: int) -> int:
        a, b, c = self.value(x), self.value(y), self.value(z)
        sign = (self.negative(x) != self.negative(y)) and self.negative(z)
        return self.nearest(_product(a, b) + c, negative=sign)

    def sqrt(self, x: int) -> int:
        a = self.value(x)
        if a == 0:
            return x & self.sign
        if isinstance(a, float):
            return self.infinity if a == inf else self.nan
        if a < 0:
            return self.nan
        shift = 2 * (self.bits * 20)  # more than enough bits; the last says whether it is exact
        scaled = (a.numerator << shift) // a.denominator
        root = isqrt(scaled)
        exact = root * root == scaled and (a.numerator << shift) % a.denominator == 0
        return self.nearest(Fraction(2 * root + (not exact), 2 << shift // 2))

    def least_of(self, x: int, y: int) -> int:
        """Return x if it is less or y is NaN, else y."""
        a, b = self.value(x), self.value(y)
        return self._same(x if a < b or isnan(b) else y)

    def most_of(self, x: int, y: int) -> int:
        """Return x if it is more or y is NaN, else y."""
        a, b = self.value(x), self.value(y)
        return self._same(x if a > b or isnan(b) else y)

    def _same(self, x: int) -> int:
        """Return bits as arithmetic does: one NaN, and no subnormal number if they are flushed."""
        return self.nearest(self.value(x), negative=self.negative(x))

    def whole(self, mode: str, x: int) -> int:
        """Return the integer next to a number: floor, ceil, trunc, or nearest."""
        a = self.value(x)
        if isinstance(a, float):
            return self.nearest(a)
        found = {
            "floor": floor(a), "ceil": ceil(a), "trunc": trunc(a), "nearest": round(a),
        }[mode]  # fmt: skip
        return self.nearest(Fraction(found), negative=self.negative(x))

    def fraction(self, x: int) -> int:
        """Return x - floor(x), but nothing that is 1."""
        found = self.sub(x, self.whole("floor", x))
        return found - 1 if found == self.nearest(Fraction(1)) else found

    def saturated(self, x: int) -> int:
        return self.least_of(self.most_of(x, 0), self.nearest(Fraction(1)))

    def compared(self, predicate: str, x: int, y: int) -> bool:
        """Return what LLVM's predicate says: oeq, ult, ord, …"""
        a, b = self.value(x), self.value(y)
        unordered = isnan(a) or isnan(b)
        if predicate in ("ord", "uno"):
            return unordered == (predicate == "uno")
        if unordered:
            return predicate[0] == "u"
        return {
            "eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b,
        }[predicate[1:]]  # fmt: skip

    # ------------------------------------------------------------ conversions

    def converted(self, x: int, to: Format) -> int:
        """Return the nearest float of another format."""
        return to.nearest(self.value(x), negative=self.negative(x))

    def to_integer(self, x: int, bits: int, *, signed: bool) -> int:
        """Return the nearest integer that exists, toward zero, as bits; 0 for NaN."""
        a = self.value(x)
        if isnan(a):
            return 0
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        found = low if a < low else high if a > high else trunc(a)
        return found & (1 << bits) - 1


def _product(a: Number, b: Number) -> Number:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    if a == 0 or b == 0 or isnan(a) or isnan(b):
        return nan
    return inf if (a < 0) == (b < 0) else -inf


HALF, FLOAT, DOUBLE = Format(16, 11, -14), Format(32, 24, -126), Format(64, 53, -1022)
FLUSHED = Format(32, 24, -126, flush=True)
