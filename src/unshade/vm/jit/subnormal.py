"""Subnormal numbers that count as zero: what the processor's mode cannot do, LLVM being first.

    fsub x, 0.0  ->  x          fmul x, -1.0  ->  fneg x        LLVM 22 takes x as it is,
    floor(constant), fma(constants)                             calculates as if there was no mode,
    feq bits, 0.0  ->  ieq bits & 0x7fffffff, 0                 and compares bits

Constants are made zero here, as operands of arithmetic and comparisons. Of the rest none of this
matters where the operand is no subnormal number: a result of arithmetic is none (`settled`). Others
go through `llvm.canonicalize`, but for those that LLVM cannot find out (`hidden`: they come from
memory or from outside), and beside an operand that is so. fmin, fmax and fcanonicalise pass on
their operands: `ir.canonicalise` accounts for that.
"""

from collections.abc import Mapping

from ...ir.analysis.ranges import ValueRange, operand
from ...ir.canonicalise import PASSES
from ...ir.fold import flushed
from ...ir.kernel import Kernel, Value
from ...ir.memory import Space, Var
from ...ir.ops import OPS
from ...ir.types import F32
from .pure import canonical, fenced
from .text import Text, Val

FOLDED = frozenset({
    OPS.fmul_legacy, OPS.ffma, OPS.fsqrt, OPS.ffloor, OPS.fceil, OPS.ftrunc, OPS.frint, OPS.fconv,
})  # fmt: skip
SAME = frozenset({OPS.fadd, OPS.fsub, OPS.fmul, OPS.fdiv})  # some constant leaves the other operand
SAME_BITS = frozenset({0, 0x3F80_0000})  # 0 and 1, of either sign
EQUALS = frozenset({OPS.feq, OPS.fne})
COMPARES = EQUALS | {OPS.flt, OPS.fle}
CHOOSE = frozenset({OPS.flt, OPS.fle, OPS.fmin, OPS.fmax})
PARTS = frozenset({OPS.select, OPS.fneg, OPS.fabs})
# What is unknown if one operand is, or if the last two are: of integers little, as x & 0 is 0.
ANY = (
    SAME
    | FOLDED
    | {
        OPS.fneg,
        OPS.fabs,
        OPS.fcanonicalise,
        OPS.quad_swap,
        OPS.asfloat,
        OPS.itof,
        OPS.utof,
        OPS.uconv,
    }
)
BOTH = frozenset({OPS.select, OPS.fmin, OPS.fmax})


class Subnormals:
    """What is known of one kernel's 32-bit floats."""

    def __init__(self, kernel: Kernel, ranges: Mapping[Value, ValueRange]) -> None:
        self.ranges = ranges
        self.variables: set[Var] = set()  # that hold settled values only
        self.hidden: set[Value] = set()
        if kernel.mode:
            self._find(kernel)

    def _find(self, kernel: Kernel) -> None:
        sets = [each for each in kernel.values() if each.op is OPS.set]
        self.variables = {each.attr for each in sets if each.attr.type == F32}
        before = -1
        while len(self.variables) != before:
            before = len(self.variables)
            self.variables -= {each.attr for each in sets if not self.settled(each.args[0])}
        for value in kernel.values():
            if self._hides(value):
                self.hidden.add(value)

    def settled(self, value: Value) -> bool:
        """Whether a value is no subnormal number, in an engine either."""
        stack = [value]
        while stack:
            each = stack.pop()
            op = each.op
            if op in PARTS:
                stack += [arg for arg in each.args if arg.type == each.type]
            elif op is OPS.const:
                if 0 < each.attr & 0x7FFF_FFFF < 0x0080_0000:
                    return False
            elif op is OPS.get:
                if each.attr not in self.variables:
                    return False
            elif not each.op.arithmetic or op in PASSES:
                return False
        return True

    def _hides(self, value: Value) -> bool:
        """Whether LLVM cannot find out that a value is a constant, or a choice of some."""
        op = value.op
        if op in (OPS.input, OPS.load):
            return op is OPS.input or self._exists(value)
        given = [arg in self.hidden for arg in value.args]
        if op in BOTH:
            return all(given[-2:])
        return op in ANY and any(given)

    def _exists(self, value: Value) -> bool:
        """Whether LLVM cannot see that a load gives 0, or what a memory of its own holds."""
        memory, (element, byte) = value.attr, value.args
        if memory.space in (Space.TABLE, Space.LOCAL):
            return False
        known = byte.attr if byte.op is OPS.const else 0
        if known + value.type.size > memory.stride:
            return False
        if memory.count is None:
            return True
        exists: bool = operand(element, self.ranges).high < memory.count
        return exists

    def settle(self, t: Text, value: Value, args: list[Val]) -> list[Val]:
        """The operands of an operation as LLVM may have them."""
        op = value.op
        if value.args[0].type != F32 or not (value.op.arithmetic or op in COMPARES):
            return args
        found = [_flushed(t, each) for each in args]
        if op in FOLDED:
            return [self._made(t, *each) for each in zip(found, value.args, strict=True)]
        if op in CHOOSE:
            return [
                each if arg in self.hidden else self._made(t, each, arg)
                for each, arg in zip(found, value.args, strict=True)
            ]
        if op not in SAME and op not in EQUALS:
            return found
        for one, other in ((0, 1), (1, 0)):
            number = found[other].number
            if value.args[other] in self.hidden:
                continue
            if number is None or number & 0x7FFF_FFFF in SAME_BITS:
                found[one] = self._made(t, found[one], value.args[one])
            if number is None and op in EQUALS and not self.settled(value.args[other]):
                found[other] = fenced(t, found[other])  # it may turn out to be 0
        return found

    def _made(self, t: Text, a: Val, value: Value) -> Val:
        return a if a.number is not None or self.settled(value) else canonical(t, a)


def _flushed(t: Text, a: Val) -> Val:
    """A constant as arithmetic counts it."""
    return a if a.number is None else t.constant(flushed(a.number, F32), F32)
