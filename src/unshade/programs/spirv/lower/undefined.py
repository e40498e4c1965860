"""Counts of integer results that Vulkan leaves undefined.

    %q = OpUDiv %uint %x %y      q = x / y, all ones if y is 0;   undefined += y == 0

Each lane counts in a variable, which is added to the memory Exchange.UNDEFINED where the lane ends.
Operations whose constants show that they are defined are not counted.

Source: SPIR-V specification, sections 3.49.11 to 3.49.15; Vulkan, "Vulkan Environment for SPIR-V",
"Precision and Operation of SPIR-V Instructions" (remainders of negative numbers).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value, ended
from ....ir.memory import Space, Var
from ....ir.ops import OPS
from ....ir.transforms.rewrite import rewrite
from ....ir.types import I32
from ....vocab.slots import Exchange
from ..module import Instruction
from ..tables.numbers import Opcode
from .operations import Components, Formula, Handler, componentwise
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["CONDITIONS", "UndefinedResults", "counted"]

NAME = "undefined"


class UndefinedResults:
    """The counter of a kernel, which is declared when it is first needed."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.count: Var | None = None

    def note(self, condition: Value) -> None:
        """Append code that counts the lane if a condition holds."""
        b = self.b
        if condition.op is OPS.const and not condition.attr:
            return
        if self.count is None:
            self.count = b.var(NAME, internal=True)
        one = b.select(condition, constant(1, I32), constant(0, I32))
        b.set(self.count, b.iadd(b.get(self.count), one))

    def finish(self, kernel: KernelIR) -> None:
        """Add the count of each lane to the memory where the lane ends."""
        count = self.count
        if count is None:
            return
        key = Exchange.UNDEFINED
        memory = self.b.memory(NAME, Space.BUFFER, 4, writable=True, slot=key, internal=True)

        def add(b: Builder) -> None:
            found = b.get(count)
            with b.when(b.ine(found, 0)):
                b.atomic_add(constant(0, I32), constant(0, I32), found, attr=memory)

        def rule(b: Builder, value: Value) -> Value | None:
            if value.op is OPS.return_:
                add(b)
            return None

        rewrite(kernel, rule)
        if not ended(kernel.body):
            add(Builder(kernel))


def counted(make: Formula, condition: Formula) -> Handler:
    """Return the handler of an operation on each component, which counts undefined results."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        type = lowering.types.of(words[1])
        operands = [lowering.value(each) for each in words[3:]]

        def both(b: Builder, type: LeafType, *row: Value) -> Value:
            lowering.undefined.note(condition(b, type, *row))
            return make(b, type, *row)

        return componentwise(lowering, both, type, operands)

    return lower


def _never(b: Builder) -> Value:
    return b.bool(False)


def _by_zero(b: Builder, type: LeafType, x: Value, y: Value) -> Value:
    if y.op is OPS.const and y.attr:
        return _never(b)
    return b.ieq(y, 0)


def _signed(b: Builder, type: LeafType, x: Value, y: Value) -> Value:
    """Append a test that the divisor is 0, or that the quotient is too large by one."""
    mask = y.type.mask
    if y.op is OPS.const and y.attr not in (0, mask):
        return _never(b)
    least = b.ieq(x, constant(mask ^ mask >> 1, x.type))
    return b.or_(b.ieq(y, 0), b.and_(b.ieq(y, constant(mask, y.type)), least))


def _negative(b: Builder, type: LeafType, x: Value, y: Value) -> Value:
    """Append a test for a divisor of 0 or a negative operand, which Vulkan leaves undefined."""
    bad = []
    for each, least in ((x, 0), (y, 1)):
        if each.op is not OPS.const:
            bad.append(b.ilt(each, least))
        elif each.attr > each.type.mask >> 1 or each.attr < least:
            return b.bool(True)
    return b.or_(*bad) if len(bad) == 2 else bad[0] if bad else _never(b)


def _too_far(b: Builder, type: LeafType, base: Value, amount: Value) -> Value:
    width = base.type.bits
    if amount.op is OPS.const and amount.attr < width:
        return _never(b)
    return b.ule(constant(width, amount.type), amount)


def _outside(b: Builder, type: LeafType, *operands: Value) -> Value:
    """Append a test that the bit field of the last two operands exceeds the base."""
    *_, offset, count = (b.uconv(each, type=I32) if each.type != I32 else each for each in operands)
    width = operands[0].type.bits
    if offset.op is OPS.const and count.op is OPS.const:
        return b.bool(offset.attr + count.attr > width)
    wide = constant(width, I32)
    inside = b.and_(b.ule(count, wide), b.ule(offset, b.isub(wide, b.umin(count, wide))))
    return b.not_(inside)


def _unsigned_range(b: Builder, type: LeafType, x: Value) -> Value:
    assert type.scalar is not None
    most = b.number(2.0**type.scalar.bits, x.type)
    return b.not_(b.and_(b.flt(b.number(-1.0, x.type), x), b.flt(x, most)))


def _signed_range(b: Builder, type: LeafType, x: Value) -> Value:
    assert type.scalar is not None
    bits = type.scalar.bits
    least, most = -(2.0 ** (bits - 1)), 2.0 ** (bits - 1)
    if x.type.bits > bits:  # numbers between this integer and the one beyond it are truncated
        low = b.flt(b.number(least - 1, x.type), x)
    else:
        low = b.fle(b.number(least, x.type), x)
    return b.not_(b.and_(low, b.flt(x, b.number(most, x.type))))


CONDITIONS: Mapping[int, Formula] = {
    Opcode.UDiv: _by_zero,
    Opcode.UMod: _by_zero,
    Opcode.SDiv: _signed,
    Opcode.SRem: _negative,
    Opcode.SMod: _negative,
    Opcode.ShiftLeftLogical: _too_far,
    Opcode.ShiftRightLogical: _too_far,
    Opcode.ShiftRightArithmetic: _too_far,
    Opcode.BitFieldInsert: _outside,
    Opcode.BitFieldSExtract: _outside,
    Opcode.BitFieldUExtract: _outside,
    Opcode.ConvertFToU: _unsigned_range,
    Opcode.ConvertFToS: _signed_range,
}
