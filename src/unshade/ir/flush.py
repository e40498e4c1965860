"""Subnormal floats made zero by operations, where no mode of a processor does it.

    %2 = fmul %0, %1    ->    fmul of %0 and %1, which are zero where they are subnormal;
                              zero with its sign where fmul of 2 * %0 and %1 is less than 2 * least

Processors have one mode for floats of 32 and of 64 bits, and none for those of 16. Here the mode is
for 32 bits only, and not if the kernel also calculates with 64-bit floats that it keeps: those and
other widths are flushed by operations. What is zero in the end: a result that rounds to less than
the least normal number if exponents had no bound, as x86 has it. A sum that is subnormal is exact.
A product or quotient may have been rounded up to the least normal number: twice as much, which is
normal, tells.

What atomics and waves combine is calculated by formulas: the same operations, for engines to do
where they stand (`formula`).
"""

from collections.abc import Container
from dataclasses import dataclass
from functools import cache
from math import isfinite

from .builder import Builder, constant
from .fold import LEAST_NORMAL, TINY, flushed, nearest, to_float
from .kernel import Kernel, Value
from .ops import OPS, Op
from .rewrite import rewrite
from .types import BOOL, F64, INTEGERS, Type, Widths
from .waves import COMBINES

LEAST_UNIT = -1022
UNKNOWN = -10000


def expand(kernel: Kernel) -> None:
    """Write out what no mode does, in place; `Kernel.written` says for which widths."""
    hand = kernel.flush - kernel.written
    if 64 in kernel.flush or not mixes(kernel):
        hand -= {32}
    if not hand:
        return
    clean: set[Value] = set()  # are no subnormal numbers of these widths

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
    """A pure operation as the last of some: what each of `steps` gives, the `args` given."""

    args: tuple[Value, ...]
    steps: tuple[Value, ...]


@cache
def formula(op: Op, of: Type, flush: Widths) -> Formula:
    """How to calculate an operation on floats of one type with the flushing written out."""
    b = Builder(Kernel(flush=flush))
    args = tuple(Value(OPS.input, of) for _ in op.operands)
    type = BOOL if op.result == "b" else of
    _made(b, op, args, type, flush, ())
    return Formula(args, tuple(b.kernel.values()))


# ---------------------------------------------------------------- how operations are written out


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
    """An operation whose operands and result count as zero where they are subnormal."""
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
            less = b.flt(b.fabs(args[0]), b.fabs(args[1]))  # and so twice as much is no infinity
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
    """The value, zero with its sign where it is subnormal."""
    if value.op is OPS.const:
        return constant(flushed(value.attr, value.type), value.type)
    of = INTEGERS[value.type.bits]
    magnitude = b.and_(b.bitcast(value), constant(of.mask >> 1, of))
    small = b.ult(magnitude, constant(LEAST_NORMAL[of.bits], of))
    return b.select(small, _zero(b, value), value)


def _zero(b: Builder, value: Value) -> Value:
    """Zero with the sign of a value."""
    of = INTEGERS[value.type.bits]
    return b.asfloat(b.and_(b.bitcast(value), constant(of.mask ^ of.mask >> 1, of)))


def _doubled(b: Builder, value: Value) -> Value:
    return b.fadd(value, value)


def _compared(b: Builder, value: Value, twice: Value) -> Value:
    """The value, zero with its sign where twice as much is too little."""
    type = value.type
    least = constant(2 * LEAST_NORMAL[type.bits], type)  # its exponent is one more
    return b.select(b.flt(b.fabs(twice), least), _zero(b, value), value)


# ---------------------------------------------------------------- whether the mode fits


def mixes(kernel: Kernel) -> bool:
    """Whether the kernel calculates with 64-bit floats that may be subnormal."""
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
    """A power of two that divides a 64-bit float."""
    if value.op is OPS.const:
        number = to_float(value.attr, F64)
        if not isfinite(number):
            return 0
        _, under = number.as_integer_ratio()
        return 1 - under.bit_length()
    return units.get(value, UNKNOWN)


def _unit_made(value: Value, args: list[int]) -> int:
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
