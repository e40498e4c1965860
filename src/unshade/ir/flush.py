"""Subnormal floats made zero by arithmetic, for kernels that a processor's mode does not fit.

    %2 = fadd %0, %1 (f32)    ->    fadd in f64 of %0 and %1, which are zero where subnormal,
                                    zero if below the least normal f32, rounded to f32

Processors have one mode for all widths; Direct3D flushes 32-bit floats and keeps 64-bit ones. So a
kernel that calculates with both is run without the mode. A sum, product, quotient or root of two
f32 in f64, rounded again, is the correctly rounded one (53 >= 2 * 24 + 2). What is zero in the end:
a result that rounds to less than the least normal number if exponents had no bound, as x86 has it.
Float atomics and what waves combine stay as they are: in such a kernel they keep subnormal numbers.
"""

from math import isfinite

from .builder import Builder, constant
from .fold import to_float
from .kernel import Kernel, Value
from .ops import OPS
from .rewrite import rewrite
from .types import F32, F64, I32
from .waves import COMBINES

LEAST_F32 = 0x0080_0000
# 2^-126 - 2^-151: what rounds up to the least normal number begins here.
TINY = 0x380F_FFFF_F000_0000
LEAST_UNIT = -1022
UNKNOWN = -10000
IN_DOUBLE = frozenset({OPS.fadd, OPS.fsub, OPS.fmul, OPS.fmul_legacy, OPS.fdiv, OPS.fsqrt})


def mixes(kernel: Kernel) -> bool:
    """Whether the kernel flushes and also calculates with 64-bit floats that may be subnormal."""
    if not kernel.flush:
        return False
    units: dict[Value, int] = {}
    for value in kernel.values():
        wide = F64 in (value.type, *(arg.type for arg in value.args))
        if wide and (value.op.atomic or value.op in COMBINES):
            return True
        if not wide or value.op.moves or not value.op.pure:
            continue
        args = [_unit(arg, units) for arg in value.args if arg.type == F64]
        if value.type == F64:
            units[value] = found = _made(value, args)
            args.append(found)
        if args and min(args) < LEAST_UNIT:
            return True
    return False


def _unit(value: Value, units: dict[Value, int]) -> int:
    """A power of two that divides a 64-bit float."""
    if value.op is OPS.const:
        number = to_float(value.attr, F64)
        if not isfinite(number):
            return 0
        _, under = number.as_integer_ratio()
        return 1 - under.bit_length()
    return units.get(value, UNKNOWN)


def _made(value: Value, args: list[int]) -> int:
    """The same for a result: rounding only takes low bits away."""
    match value.op:
        case OPS.fconv:
            return -149  # the least f32
        case OPS.itof | OPS.utof:
            return 0
        case OPS.fadd | OPS.fsub | OPS.fmin | OPS.fmax:
            return min(args)
        case OPS.fmul | OPS.fmul_legacy:
            return sum(args)
    return UNKNOWN


def by_hand(kernel: Kernel) -> None:
    """Flush by operations; the kernel asks for no mode any more. In place."""

    def rule(b: Builder, value: Value) -> Value | None:
        op = value.op
        if not value.op.pure or op.moves or not value.args:
            return None
        if any(arg.type == F32 for arg in value.args):
            value.args = tuple(_flushed(b, a) if a.type == F32 else a for a in value.args)
        if value.type != F32 or not value.op.arithmetic:
            return None
        if op in IN_DOUBLE:
            wide = [b.fconv(arg, type=F64) for arg in value.args]
            return _rounded(b, b.make(op, *wide))
        if op is OPS.fconv and value.args[0].type == F64:
            return _rounded(b, value.args[0])
        made = value.again(value.args, value.attr)
        b.region.append(made)
        return _flushed(b, made)

    rewrite(kernel, rule)
    kernel.flush = False


def _flushed(b: Builder, value: Value) -> Value:
    bits = b.asint(value)
    magnitude = b.and_(bits, constant(0x7FFF_FFFF, I32))
    sign = b.asfloat(b.and_(bits, constant(0x8000_0000, I32)))
    small = b.ult(magnitude, constant(LEAST_F32, I32))
    return b.select(small, sign, value)


def _rounded(b: Builder, value: Value) -> Value:
    """A double as a float, zero where that would be subnormal."""
    single = b.fconv(value, type=F32)
    bits = b.asint(single)
    sign = b.asfloat(b.and_(bits, constant(0x8000_0000, I32)))
    tiny = b.flt(b.fabs(value), constant(TINY, F64))
    return b.select(tiny, sign, single)
