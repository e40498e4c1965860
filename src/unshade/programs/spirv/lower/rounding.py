"""Arithmetic that rounds toward zero, as RoundingModeRTZ requires.

    x + y    the sum s of 64-bit floats and its error e are exact; if e points toward zero from s,
             s is one step too far from zero; then s is truncated
    x * y    exact in 64 bits, then truncated
    x / y    rounded in 64 bits, then truncated: a quotient or root that is not a number of
    sqrt x   the smaller format is farther from one than a step of 64 bits

So additions, subtractions, products, quotients and square roots of 16 and 32 bits round once, also
inside of functions that are composed of these operations. No format is wider than a 64-bit float,
so arithmetic on 64-bit floats is refused.

Source: SPIR-V specification, section 3.6 (RoundingModeRTZ); S. Figueroa, When is double
rounding innocuous? (1995).
"""

from collections.abc import Collection

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.ops import OPS, Op
from ....ir.transforms.rewrite import rewrite
from ....ir.types import F64, I64

__all__ = ["round_toward_zero"]

ROUNDED: dict[Op, str] = {
    OPS.fadd: "FAdd", OPS.fsub: "FSub", OPS.fmul: "FMul", OPS.fdiv: "FDiv", OPS.fsqrt: "Sqrt",
    OPS.ffma: "Fma",
}  # fmt: skip


def round_toward_zero(kernel: KernelIR, widths: Collection[int]) -> None:
    """Replace the arithmetic of floats of some widths in a kernel.

    Raises:
        UnsupportedError: The kernel contains 64-bit arithmetic, or a fused operation of these
            widths.
    """

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op not in ROUNDED or value.type.bits not in widths:
            return None
        if value.type == F64 or value.op is OPS.ffma:
            name = ROUNDED[value.op]
            raise UnsupportedError(
                f"{name} of {value.type.bits} bits cannot be run: RoundingModeRTZ"
            )
        wide = [b.fconv(each, type=F64) for each in value.args]
        if value.op in (OPS.fadd, OPS.fsub):
            x, y = wide
            found = _sum(b, x, y if value.op is OPS.fadd else b.fneg(y))
        else:
            found = b.make(value.op, *wide)
        return b.fconvz(found, type=value.type)

    if widths:
        rewrite(kernel, rule)


def _sum(b: Builder, x: Value, y: Value) -> Value:
    """Append the 64-bit sum of two narrower floats, never rounded away from zero."""
    total = b.fadd(x, y)
    part = b.fsub(total, x)
    error = b.fadd(b.fsub(x, b.fsub(total, part)), b.fsub(y, part))
    bits = b.asint(total)
    apart = b.ilt(b.xor(b.asint(error), bits), 0)
    inexact = b.or_(b.flt(error, 0.0), b.flt(constant(0, F64), error))
    nearer = b.asfloat(b.isub(bits, constant(1, I64)))
    return b.select(b.and_(apart, inexact), nearer, total)
