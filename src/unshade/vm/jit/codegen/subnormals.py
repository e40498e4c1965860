"""Subnormal 32-bit floats that count as zero, where LLVM's optimiser bypasses the processor's mode.

    fsub x, 0.0  ->  x          fmul x, -1.0  ->  fneg x        LLVM 22 returns x unchanged,
    floor(constant), fma(constants)                             folds constants without the mode,
    feq bits, 0.0  ->  ieq bits & 0x7fffffff, 0                 and compares bits

Constants that are operands of arithmetic and comparisons are flushed here. Other operands matter
only if they may be subnormal, which a result of arithmetic never is (`never_subnormal`). Such
values pass through `llvm.canonicalize`, unless LLVM cannot know that they are constants (`opaque`:
loads and inputs) or the other operand is opaque. fmin, fmax and canonicalisation pass their
operands through: `ir.transforms.canonicalise` handles them.
"""

from collections.abc import Mapping

from ....ir.analysis.ranges import ValueRange, operand
from ....ir.fold import flushed
from ....ir.kernel import KernelIR, Value
from ....ir.memory import Space, Var
from ....ir.ops import OPS
from ....ir.transforms.canonicalise import PASSES
from ....ir.types import F32
from .llvm_text import FunctionText, Val
from .pure import canonical, fenced

FOLDED = frozenset({
    OPS.fmul_legacy, OPS.ffma, OPS.fsqrt, OPS.ffloor, OPS.fceil, OPS.ftrunc, OPS.frint, OPS.fconv,
})  # fmt: skip
WITH_IDENTITY = frozenset({OPS.fadd, OPS.fsub, OPS.fmul, OPS.fdiv})  # some constant is an identity
IDENTITY_BITS = frozenset({0, 0x3F80_0000})  # 0 and 1, with either sign
EQUALS = frozenset({OPS.feq, OPS.fne})
COMPARES = EQUALS | {OPS.flt, OPS.fle}
SELECTING = frozenset({OPS.flt, OPS.fle, OPS.fmin, OPS.fmax})
PRESERVING = frozenset({OPS.select, OPS.fneg, OPS.fabs})
# Opaque if one operand is, or if the last two are. Few integer operations: x & 0 is 0.
OPAQUE_IF_ANY = WITH_IDENTITY | FOLDED | {
    OPS.fneg, OPS.fabs, OPS.fcanonicalise, OPS.quad_swap, OPS.asfloat, OPS.itof, OPS.utof,
    OPS.uconv,
}  # fmt: skip
OPAQUE_IF_BOTH = frozenset({OPS.select, OPS.fmin, OPS.fmax})


class Subnormals:
    """Facts about the 32-bit floats of one kernel."""

    def __init__(self, kernel: KernelIR, ranges: Mapping[Value, ValueRange]) -> None:
        self.ranges = ranges
        self.variables: set[Var] = set()  # never subnormal
        self.opaque: set[Value] = set()
        if kernel.mode:
            self._find(kernel)

    def _find(self, kernel: KernelIR) -> None:
        sets = [each for each in kernel.values() if each.op is OPS.set]
        self.variables = {each.attr for each in sets if each.attr.type == F32}
        before = -1
        while len(self.variables) != before:
            before = len(self.variables)
            self.variables -= {each.attr for each in sets if not self.never_subnormal(each.args[0])}
        for value in kernel.values():
            if self._is_opaque(value):
                self.opaque.add(value)

    def never_subnormal(self, value: Value) -> bool:
        """Return True if a value is never subnormal, in any engine."""
        stack = [value]
        while stack:
            each = stack.pop()
            op = each.op
            if op in PRESERVING:
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

    def _is_opaque(self, value: Value) -> bool:
        """Return True if LLVM cannot find out that a value is a constant or a select of them."""
        op = value.op
        if op in (OPS.input, OPS.load):
            return op is OPS.input or self._is_opaque_load(value)
        given = [arg in self.opaque for arg in value.args]
        if op in OPAQUE_IF_BOTH:
            return all(given[-2:])
        return op in OPAQUE_IF_ANY and any(given)

    def _is_opaque_load(self, value: Value) -> bool:
        """Return True if LLVM cannot find out that a load returns 0 or a known constant."""
        memory, (element, byte) = value.attr, value.args
        if memory.space in (Space.TABLE, Space.LOCAL):
            return False
        known = byte.attr if byte.op is OPS.const else 0
        if known + value.type.size > memory.stride:
            return False
        if memory.count is None:
            return True
        in_bounds: bool = operand(element, self.ranges).high < memory.count
        return in_bounds

    def prepare_operands(self, t: FunctionText, value: Value, args: list[Val]) -> list[Val]:
        """Return the operands of an operation in a form that LLVM cannot fold wrongly."""
        op = value.op
        if value.args[0].type != F32 or not (value.op.arithmetic or op in COMPARES):
            return args
        found = [_flushed_constant(t, each) for each in args]
        if op in FOLDED:
            return [self._canonical(t, *each) for each in zip(found, value.args, strict=True)]
        if op in SELECTING:
            return [
                each if arg in self.opaque else self._canonical(t, each, arg)
                for each, arg in zip(found, value.args, strict=True)
            ]
        if op not in WITH_IDENTITY and op not in EQUALS:
            return found
        for one, other in ((0, 1), (1, 0)):
            number = found[other].number
            if value.args[other] in self.opaque:
                continue
            if number is None or number & 0x7FFF_FFFF in IDENTITY_BITS:
                found[one] = self._canonical(t, found[one], value.args[one])
            if number is None and op in EQUALS and not self.never_subnormal(value.args[other]):
                found[other] = fenced(t, found[other])  # LLVM may find out that it is 0
        return found

    def _canonical(self, t: FunctionText, a: Val, value: Value) -> Val:
        return a if a.number is not None or self.never_subnormal(value) else canonical(t, a)


def _flushed_constant(t: FunctionText, a: Val) -> Val:
    """Flush a constant as arithmetic does."""
    return a if a.number is None else t.constant(flushed(a.number, F32), F32)
