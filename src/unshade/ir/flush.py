"""Subnormal floats made zero by arithmetic, for kernels that a processor's mode does not fit.

    %2 = fadd %0, %1 (f32)    ->    fadd in f64 of %0 and %1, which are zero where subnormal,
                                    zero if below the least normal f32, rounded to f32

Processors have one mode for all widths; Direct3D flushes 32-bit floats and keeps 64-bit ones. So a
kernel that calculates with both is run without the mode. A sum, product, quotient or root of two
f32 in f64, rounded again, is the correctly rounded one (53 >= 2 * 24 + 2). What is zero in the end:
a result that rounds to less than the least normal number if exponents had no bound, as x86 has it.
"""

from .builder import Builder, constant
from .kernel import Kernel, Value
from .rewrite import rewrite
from .types import F32, F64, I32

MOVES = frozenset({"asint", "asfloat", "fneg", "fabs", "select", "fquiet"})
LEAST_F32 = 0x0080_0000
# 2^-126 - 2^-151: what rounds up to the least normal number begins here.
TINY = 0x380F_FFFF_F000_0000
IN_DOUBLE = frozenset({"fadd", "fsub", "fmul", "fdiv", "fsqrt"})


def mixes(kernel: Kernel) -> bool:
    """Whether the kernel flushes and also calculates with 64-bit floats."""
    return kernel.flush and any(
        F64 in (value.type, *(arg.type for arg in value.args)) and value.op.name not in MOVES
        and value.op.pure
        for value in kernel.values()
    )  # fmt: skip


def by_hand(kernel: Kernel) -> None:
    """Flush by operations; the kernel asks for no mode any more. In place."""

    def rule(b: Builder, value: Value) -> Value | None:
        name = value.op.name
        if not value.op.pure or name in MOVES or not value.args:
            return None
        if any(arg.type == F32 for arg in value.args):
            value.args = tuple(_flushed(b, a) if a.type == F32 else a for a in value.args)
        if value.type != F32 or not value.op.arithmetic:
            return None
        if name in IN_DOUBLE:
            wide = [b.make("fconv", arg, type=F64) for arg in value.args]
            return _rounded(b, b.make(name, *wide))
        if name == "fconv" and value.args[0].type == F64:
            return _rounded(b, value.args[0])
        made = Value(value.op, value.type, value.args, value.attr, value.line)
        b.region.append(made)
        return _flushed(b, made)

    rewrite(kernel, rule)
    kernel.flush = False


def _flushed(b: Builder, value: Value) -> Value:
    bits = b.make("asint", value, type=I32)
    magnitude = b.make("and", bits, constant(0x7FFF_FFFF, I32))
    sign = b.make("asfloat", b.make("and", bits, constant(0x8000_0000, I32)), type=F32)
    small = b.make("ult", magnitude, constant(LEAST_F32, I32))
    return b.make("select", small, sign, value)


def _rounded(b: Builder, value: Value) -> Value:
    """A double as a float, zero where that would be subnormal."""
    single = b.make("fconv", value, type=F32)
    bits = b.make("asint", single, type=I32)
    sign = b.make("asfloat", b.make("and", bits, constant(0x8000_0000, I32)), type=F32)
    tiny = b.make("flt", b.make("fabs", value), constant(TINY, F64))
    return b.make("select", tiny, sign, single)
