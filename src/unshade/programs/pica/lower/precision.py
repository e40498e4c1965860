"""Arithmetic on floats, in one of two precisions.

    float32    every operation in 32 bits, as emulators of the console compute
    float24    every result rounded toward zero to the hardware's format: sign, 7 bits of exponent,
               16 of mantissa; below 2^-62 it becomes +0, from 2^64 on infinity

Inputs and uniforms are rounded toward zero to that format when they are read. Numbers below 2^-62
(subnormal, multiples of 2^-78) are kept there: mov, max and min copy them, comparisons see them,
and arithmetic takes them, and −0, for +0.

A product of zero and infinity is zero in both, where IEEE 754 has NaN; NaN times anything is NaN.

Whether the hardware rounds toward zero has not been verified. Sums, products, quotients and roots
of float24 are computed in 64 bits and rounded once; ex2 and lg2 are computed in 32 bits and cut.

Source: 3dbrew's pages on the instruction set and on its floating-point behaviour; float24.py.
"""

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import products
from ....ir.types import F32, F64, I64
from ....vocab.float24 import SMALLEST

DROPPED = 36  # bits of a 64-bit float's mantissa that a 24-bit one does not have
LEAST = 2.0**-78  # of all numbers, the step of subnormal ones
BEYOND = 2.0**64  # the least number that is infinite


class Float32Arithmetic:
    """Arithmetic in 32 bits."""

    def __init__(self, builder: Builder) -> None:
        self.b = builder

    def given(self, value: Value) -> Value:
        """Return an input or uniform in the form that it has in registers."""
        return value

    def add(self, x: Value, y: Value) -> Value:
        """Return the sum."""
        found: Value = self.b.fadd(x, y)
        return found

    def multiply(self, x: Value, y: Value) -> Value:
        """Return the product, 0 for zero times infinity."""
        return products.product(self.b, x, y)

    def reciprocal(self, x: Value) -> Value:
        """Return 1 / x, positive infinity for both zeros."""
        b = self.b
        found: Value = b.select(b.feq(x, 0.0), b.f32(float("inf")), b.fdiv(1.0, x))
        return found

    def reciprocal_root(self, x: Value) -> Value:
        """Return 1 / sqrt(x), positive infinity for both zeros."""
        b = self.b
        found: Value = b.select(b.feq(x, 0.0), b.f32(float("inf")), b.fdiv(1.0, b.fsqrt(x)))
        return found

    def exponential(self, x: Value) -> Value:
        """Return 2 to the power of x."""
        found: Value = self.b.exp2(x)
        return found

    def logarithm(self, x: Value) -> Value:
        """Return the binary logarithm."""
        found: Value = self.b.log2(x)
        return found

    def floor(self, x: Value) -> Value:
        """Return the greatest integer that is not greater."""
        found: Value = self.b.ffloor(x)
        return found


class Float24Arithmetic(Float32Arithmetic):
    """Arithmetic whose results fit 24 bits; values are held as floats of 32 bits."""

    def given(self, value: Value) -> Value:
        b = self.b
        wide: Value = b.fconv(value, type=F64)
        steps = b.ffloor(b.fmul(b.fabs(wide), 1 / LEAST))
        small = b.asint(b.fconv(b.fmul(steps, LEAST), type=F32))
        small = b.asfloat(b.or_(small, b.and_(b.asint(value), 1 << 31)))
        found: Value = b.select(b.flt(b.fabs(wide), SMALLEST), small, self._cut(wide))
        return found

    def add(self, x: Value, y: Value) -> Value:
        # The 64-bit sum of numbers of very different magnitude is rounded, too. If that rounded
        # away from zero, the next number towards zero is cut instead.
        b = self.b
        x, y = self._wide(x), self._wide(y)
        total = b.fadd(x, y)
        part = b.fsub(total, x)
        error = b.fadd(b.fsub(x, b.fsub(total, part)), b.fsub(y, part))
        away = b.flt(b.fmul(error, total), 0.0)
        bits = b.isub(b.asint(total), b.select(away, constant(1, I64), constant(0, I64)))
        return self._cut(b.asfloat(bits))

    def multiply(self, x: Value, y: Value) -> Value:
        product = self._cut(self.b.fmul(self._wide(x), self._wide(y)))
        return products.without_nan(self.b, x, y, product)

    def reciprocal(self, x: Value) -> Value:
        return self._cut(self.b.fdiv(1.0, self._wide(x)))  # of +0: infinity

    def reciprocal_root(self, x: Value) -> Value:
        return self._cut(self.b.fdiv(1.0, self.b.fsqrt(self._wide(x))))

    def exponential(self, x: Value) -> Value:
        return self._cut(self._wide(self.b.exp2(self._flushed(x))))

    def logarithm(self, x: Value) -> Value:
        return self._cut(self._wide(self.b.log2(self._flushed(x))))

    def floor(self, x: Value) -> Value:
        return self._cut(self._wide(self.b.ffloor(self._flushed(x))))

    def _flushed(self, value: Value) -> Value:
        """Flush an operand: +0 if it is zero or subnormal."""
        b = self.b
        found: Value = b.select(b.flt(b.fabs(value), SMALLEST), b.f32(0.0), value)
        return found

    def _wide(self, value: Value) -> Value:
        """Return an operand in 64 bits."""
        found: Value = self.b.fconv(self._flushed(value), type=F64)
        return found

    def _cut(self, value: Value) -> Value:
        """Return a 64-bit float rounded toward zero to 24 bits, as a 32-bit float."""
        b = self.b
        mask = constant(-1 << DROPPED, I64)
        size = b.fabs(value)
        cut = b.fconv(b.asfloat(b.and_(b.asint(value), mask)), type=F32)
        infinity = b.select(b.flt(value, 0.0), b.f32(float("-inf")), b.f32(float("inf")))
        cut = b.select(b.fle(BEYOND, size), infinity, cut)
        cut = b.select(b.flt(size, SMALLEST), b.f32(0.0), cut)
        found: Value = b.select(b.fne(value, value), b.f32(float("nan")), cut)
        return found


PRECISIONS = {"float32": Float32Arithmetic, "float24": Float24Arithmetic}
