"""Flushing of subnormal floats by operations, where no processor mode does it.

    %2 = fmul %0, %1    ->    fmul of %0 and %1 with subnormals replaced by zero;
                              zero with its sign if fmul of 2 * %0 and %1 is less than 2 * least

Processors have one mode for 32-bit and 64-bit floats, and none for 16-bit floats. The mode is used
for 32 bits only, and not if the kernel also calculates with 64-bit subnormals that it preserves;
other floats are flushed by operations. A result is flushed if it would round to less than the least
normal number with unbounded exponents, as on x86. A subnormal sum is exact. A product or quotient
may have been rounded up to the least normal number; the doubled result, which is normal, decides.

For atomics and wave reductions, which engines expand in place, `formula` returns the same
operations.
"""

from collections.abc import Container
from functools import cache
from math import isfinite

from ...dataclass import dataclass
from ..builder import Builder, constant
from ..fold import LEAST_NORMAL, TINY, flushed, nearest, to_float
from ..kernel import KernelIR, Value
from ..ops import OPS, Op
from ..types import BOOL, F64, INTEGERS, Type, Widths
from ..waves import COMBINES
from .rewrite import rewrite

LEAST_UNIT = -1022
UNKNOWN = -10000


def expand(kernel: KernelIR) -> None:
    """Insert the flushing that no mode does, in place; set `KernelIR.written` to its widths."""
    hand = kernel.flush - kernel.written
    if 64 in kernel.flush or not mixes(kernel):
        hand -= {32}
    if not hand:
        return
    clean: set[Value] = set()  # known not to be subnormal in these widths

    def rule(b: Builder, value: Value) -> Value | None:
        op, type = value.op, value.type
        if not op.pure or op.moves or not value.args:
            return None
        if not any(_within(each, hand) for each in (type, *(arg.type for arg in value.args))):
            return None
        found = _made(b, op, value.args, type, hand, clean)
        if op.arithmetic and _within(type, hand):
            clean.add(found)
        return found

    rewrite(kernel, rule)
    kernel.written |= hand


@dataclass(frozen=True, slots=True)
class Formula:
    """A pure operation as a sequence of operations, `steps`, on `args`; the last is the result."""

    args: tuple[Value, ...]
    steps: tuple[Value, ...]


@cache
def formula(op: Op, of: Type, flush: Widths) -> Formula:
    """Return an operation on floats of one type with explicit flushing."""
    b = Builder(KernelIR(flush=flush))
    args = tuple(Value(OPS.input, of) for _ in op.operands)
    type = BOOL if op.result == "b" else of
    _made(b, op, args, type, flush, ())
    return Formula(args, tuple(b.kernel.values()))


# ---------------------------------------------------------------- expansion


def _within(type: Type, widths: Widths) -> bool:
    return type.kind == "f" and type.bits in widths


def _made(
    b: Builder,
    op: Op,
    args: tuple[Value, ...],
    type: Type,
    widths: Widths,
    clean: Container[Value],
) -> Value:
    """Append an operation with subnormal operands and results replaced by zero."""
    args = tuple(
        _zeroed(b, each) if _within(each.type, widths) and each not in clean else each
        for each in args
    )
    found = Value(op, type, args, None, b.line, b.location)
    b.region.append(found)
    if not _within(type, widths):
        return found
    match op:
        case OPS.fadd | OPS.fsub:
            return _zeroed(b, found)
        case OPS.fmul | OPS.fmul_legacy | OPS.ffma:
            less = b.flt(b.fabs(args[0]), b.fabs(args[1]))  # so that doubling cannot overflow
            lesser, greater = b.select(less, *args[:2]), b.select(less, args[1], args[0])
            rest = [_doubled(b, each) for each in args[2:]]
            return _compared(b, found, b.make(op, _doubled(b, lesser), greater, *rest))
        case OPS.fdiv:
            return _compared(b, found, b.fdiv(_doubled(b, args[0]), args[1]))
        case OPS.fconv if type.bits < args[0].type.bits:
            tiny = constant(nearest(TINY[type.bits], args[0].type), args[0].type)
            return b.select(b.flt(b.fabs(args[0]), tiny), _zero(b, found), found)
    return found


def _zeroed(b: Builder, value: Value) -> Value:
    """Append a copy of a value, zero with its sign if it is subnormal."""
    if value.op is OPS.const:
        return constant(flushed(value.attr, value.type), value.type)
    of = INTEGERS[value.type.bits]
    magnitude = b.and_(b.bitcast(value), constant(of.mask >> 1, of))
    small = b.ult(magnitude, constant(LEAST_NORMAL[of.bits], of))
    return b.select(small, _zero(b, value), value)


def _zero(b: Builder, value: Value) -> Value:
    """Append zero with the sign of a value."""
    of = INTEGERS[value.type.bits]
    return b.asfloat(b.and_(b.bitcast(value), constant(of.mask ^ of.mask >> 1, of)))


def _doubled(b: Builder, value: Value) -> Value:
    return b.fadd(value, value)


def _compared(b: Builder, value: Value, twice: Value) -> Value:
    """Append a copy of a value, zero with its sign if the doubled value is too small."""
    type = value.type
    least = constant(2 * LEAST_NORMAL[type.bits], type)  # its exponent is one more
    return b.select(b.flt(b.fabs(twice), least), _zero(b, value), value)


# ---------------------------------------------------------------- 64-bit subnormals


def mixes(kernel: KernelIR) -> bool:
    """Return True if the kernel calculates with 64-bit floats that may be subnormal."""
    units: dict[Value, int] = {}
    for value in kernel.values():
        wide = F64 in (value.type, *(arg.type for arg in value.args))
        if wide and (value.op.atomic or value.op in COMBINES):
            return True
        if not wide or value.op.moves or not value.op.pure:
            continue
        args = [_unit(arg, units) for arg in value.args if arg.type == F64]
        if value.type == F64:
            units[value] = found = _unit_made(value, args)
            args.append(found)
        if args and min(args) < LEAST_UNIT:
            return True
    return False


def _unit(value: Value, units: dict[Value, int]) -> int:
    """Return the exponent of a power of two that divides a 64-bit float."""
    if value.op is OPS.const:
        number = to_float(value.attr, F64)
        if not isfinite(number):
            return 0
        _, under = number.as_integer_ratio()
        return 1 - under.bit_length()
    return units.get(value, UNKNOWN)


def _unit_made(value: Value, args: list[int]) -> int:
    """Return the same for a result: rounding only removes low bits."""
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
