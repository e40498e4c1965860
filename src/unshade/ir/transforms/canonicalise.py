"""Canonical bits of floats, inserted where they are observed.

    asint(fadd(a, b))        ->  asint(fcanonicalise(fadd(a, b)))
    asint(fneg(fmul(a, b)))  ->  asint(fneg(fcanonicalise(fmul(a, b))))
    asint(fmin(a, 1.0))      ->  asint(fcanonicalise(fmin(a, 1.0), or zero if it is subnormal))

By the rules of the IR, arithmetic returns only one NaN. Processors return several, depending on
operands that a compiler may swap, which is unobservable until the bits are stored, output or
reinterpreted as an integer. This pass, the last before an engine runs, enforces the rule: engines
may leave any NaN in the results of arithmetic. Likewise fmin, fmax and fcanonicalise, which return
one of their operands, may leave a subnormal number that counts as zero in all arithmetic
(`KernelIR.mode`); an engine's fcanonicalise need only handle NaNs.

A float variable is `loose` if it is only ever set to results of arithmetic; its value is then
canonicalised where it is observed. Values are canonicalised before they are set in other
variables.
"""

from ..builder import Builder
from ..kernel import KernelIR, Value
from ..memory import Var
from ..ops import OPS
from ..types import F32
from .rewrite import rewrite

CARRIES = frozenset({OPS.fneg, OPS.fabs, OPS.select})
KEEPS_SIGN = frozenset({OPS.select, OPS.quad_swap})
# The operands of convergent operations are observed there: elsewhere other lanes may be active.
OBSERVES = frozenset({OPS.asint, OPS.output, OPS.store})
EXPONENT = {16: 0x7C00, 32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}
PASSES = frozenset({OPS.fmin, OPS.fmax, OPS.fcanonicalise})  # return an operand unchanged
LEAST_F32 = 0x0080_0000


def canonicalise(kernel: KernelIR) -> None:
    """Insert `fcanonicalise` where bits are observed, in place."""
    loose = _loose_variables(kernel)
    known: dict[Value, bool] = {}
    small = SubnormalValues(kernel) if kernel.mode else None

    def rule(b: Builder, value: Value) -> Value | None:
        op = value.op
        if value.type.kind == "f":
            _is_loose(value, loose, known)  # operands first, so the recursion stays shallow
        at = 0 if op.convergent else len(value.args) - 1
        observes = op in OBSERVES or (op.convergent and value.args)
        if observes or (op is OPS.set and value.attr not in loose):
            given = value.args[at]
            if given.type.kind == "f":
                found = _canonical(b, given, loose, known, small)
                value.args = (*value.args[:at], found, *value.args[at + 1 :])
        elif op is OPS.bitcast and small is not None:
            value.args = (_without_subnormals(b, value.args[0], loose, small),)
        return None

    rewrite(kernel, rule)


def _loose_variables(kernel: KernelIR) -> set[Var]:
    sets: dict[Var, list[Value]] = {}
    for value in kernel.values():
        if value.op is OPS.set and value.attr.type.kind == "f":
            sets.setdefault(value.attr, []).append(value.args[0])
    loose = set(sets)
    while True:
        strict = {var for var in loose if not all(_made_by_arithmetic(v, loose) for v in sets[var])}
        if not strict:
            return loose
        loose -= strict


def _made_by_arithmetic(value: Value, loose: set[Var]) -> bool:
    """Return True if a NaN in a value is, by the rules, the quiet one, and a subnormal zero."""
    stack = [value]
    seen = set()
    while stack:
        each = stack.pop()
        if each in seen:
            continue
        seen.add(each)
        op = each.op
        if each.op.arithmetic or op is OPS.fcanonicalise:
            continue
        if op is OPS.const:
            exponent = EXPONENT[each.type.bits]
            magnitude = each.attr & ~(1 << each.type.bits - 1)
            if magnitude >= exponent or 0 < magnitude < exponent & -exponent:
                return False  # not a result of arithmetic
            continue
        if op is OPS.get and each.attr in loose:
            continue
        if op not in KEEPS_SIGN:
            return False
        stack += each.args[1:] if op is OPS.select else each.args
    return True


def _is_loose(value: Value, loose: set[Var], known: dict[Value, bool]) -> bool:
    """Return True if an engine's NaN may differ here from the canonical NaN."""
    found = known.get(value)
    if found is None:
        op = value.op
        if value.op.arithmetic:
            found = True
        elif op is OPS.get:
            found = value.attr in loose
        elif op in CARRIES:
            args = value.args[1:] if op is OPS.select else value.args
            found = any(_is_loose(each, loose, known) for each in args)
        else:
            found = False
        known[value] = found
    return found


class SubnormalValues:
    """The 32-bit values that may be subnormal in an engine that preserves them in `PASSES`."""

    def __init__(self, kernel: KernelIR) -> None:
        self.variables: set[Var] = set()
        self.values: set[Value] = set()
        before = -1
        while len(self.variables) != before:
            before = len(self.variables)
            self.values.clear()
            for value in kernel.values():
                if value.op is OPS.set and value.attr.type == F32:
                    if self.may_be(value.args[0]):
                        self.variables.add(value.attr)
                elif value.type == F32 and self._made(value):
                    self.values.add(value)

    def may_be(self, value: Value) -> bool:
        """Return True if a value may be subnormal."""
        if value.op is OPS.const:
            bits: int = value.attr & 0x7FFF_FFFF
            return 0 < bits < LEAST_F32
        return value in self.values

    def _made(self, value: Value) -> bool:
        op = value.op
        if op in PASSES or op in CARRIES:
            return any(self.may_be(each) for each in value.args)
        return value.attr in self.variables if op is OPS.get else not value.op.arithmetic


def _as_zero(b: Builder, value: Value) -> Value:
    """Append a copy of a value, with subnormals replaced by zero with their sign."""
    bits = b.bitcast(value)
    zero = b.asfloat(b.and_(bits, 0x8000_0000))
    tiny = b.ult(b.and_(bits, 0x7FFF_FFFF), LEAST_F32)
    return b.select(tiny, zero, value)


def _without_subnormals(b: Builder, value: Value, loose: set[Var], small: SubnormalValues) -> Value:
    """Return the operand of a `bitcast` with subnormals left by `PASSES` replaced by zero."""
    if value.type != F32 or not small.may_be(value):
        return value
    op = value.op
    if op in PASSES or (op is OPS.get and value.attr in loose):
        return _as_zero(b, value)
    if op not in CARRIES:
        return value
    args = tuple(_without_subnormals(b, each, loose, small) for each in value.args)
    return value if args == value.args else b.make(op, *args)


def _canonical(
    b: Builder,
    value: Value,
    loose: set[Var],
    known: dict[Value, bool],
    small: SubnormalValues | None,
) -> Value:
    """Append a copy of a value with the canonical bits."""
    if not _is_loose(value, loose, known):
        return value
    op = value.op
    args = value.args
    found: Value
    if op in (OPS.fneg, OPS.fabs):
        found = b.make(op, _canonical(b, args[0], loose, known, small))
    elif op is OPS.select and not _made_by_arithmetic(value, loose):
        condition, first, second = args
        one, other = (
            _canonical(b, first, loose, known, small),
            _canonical(b, second, loose, known, small),
        )
        found = b.select(condition, one, other)
    else:
        if small is not None and value.type == F32 and small.may_be(value):
            value = _as_zero(b, value)
        found = b.fcanonicalise(value)
    known[found] = False
    return found
