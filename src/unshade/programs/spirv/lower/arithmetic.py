"""Arithmetic, comparisons, logic and bits, component by component.

Results that SPIR-V leaves undefined follow Direct3D: a division by zero is all ones, shifts
use the low bits of the amount. Rounding is to even (see `rounding`).

Source: SPIR-V specification, sections 3.49.13 to 3.49.15.
"""

from typing import TYPE_CHECKING

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.scalar_functions import modulo
from ..module import Instruction
from ..tables.numbers import Opcode
from .operations import Components, Formula, Handler, Handlers, each_component
from .types import LeafType
from .undefined import CONDITIONS, counted

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "ordered"]


def ordered(b: Builder, x: Value, y: Value) -> Value:
    """Append a test that neither operand is NaN."""
    return b.and_(b.feq(x, x), b.feq(y, y))


def _floored(b: Builder, type: LeafType, x: Value, y: Value) -> Value:
    """Append x modulo y with the sign of y; a remainder of 0 is not corrected."""
    rest = b.irem(x, y)
    wrong = b.and_(b.ine(rest, 0), b.ilt(b.xor(rest, y), 0))
    return b.select(wrong, b.iadd(rest, y), rest)


def _shift(name: str) -> Formula:
    def make(b: Builder, type: LeafType, base: Value, amount: Value) -> Value:
        if amount.type != base.type:
            amount = b.uconv(amount, type=base.type)
        operation = {"ishl": b.ishl, "ishr": b.ishr, "ushr": b.ushr}[name]
        return operation(base, amount)

    return make


# ---------------------------------------------------------------- bits


def _count_of(b: Builder, value: Value, type: LeafType) -> Value:
    assert type.scalar is not None
    if value.type == type.scalar:
        return value
    return b.uconv(value, type=type.scalar)


def _mask(b: Builder, count: Value) -> Value:
    """Append a mask of `count` low bits; all bits if the count is the width or more."""
    width = count.type.bits
    some = b.isub(b.ishl(constant(1, count.type), count), 1)
    return b.select(b.ult(count, width), some, constant(count.type.mask, count.type))


def _insert(
    b: Builder, type: LeafType, base: Value, insert: Value, offset: Value, count: Value
) -> Value:
    offset, count = _count_of(b, offset, type), _count_of(b, count, type)
    mask = b.ishl(_mask(b, count), offset)
    return b.or_(b.and_(base, b.not_(mask)), b.and_(b.ishl(insert, offset), mask))


def _extract(signed: bool) -> Formula:
    def make(b: Builder, type: LeafType, base: Value, offset: Value, count: Value) -> Value:
        offset, count = _count_of(b, offset, type), _count_of(b, count, type)
        if not signed:
            return b.and_(b.ushr(base, offset), _mask(b, count))
        width = base.type.bits
        up = b.isub(b.isub(constant(width, base.type), offset), count)
        down = b.isub(constant(width, base.type), count)
        found = b.ishr(b.ishl(base, up), down)
        return b.select(b.ieq(count, 0), constant(0, base.type), found)

    return make


def _narrow(b: Builder, type: LeafType, value: Value) -> Value:
    assert type.scalar is not None
    return value if value.type == type.scalar else b.uconv(value, type=type.scalar)


# ---------------------------------------------------------------- integers with two results


def _pair(low: str, high: str) -> Handler:
    """Return the handler of an operation whose result is a structure of two."""

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        first, second = (lowering.value(each) for each in instruction.words[3:5])
        b = lowering.b
        lows, highs = [], []
        for x, y in zip(first, second, strict=True):
            one = {"add": b.iadd, "sub": b.isub, "mul": b.imul}[low](x, y)
            lows.append(one)
            match high:
                case "carry":
                    bit = b.ult(one, x)
                    highs.append(b.select(bit, constant(1, x.type), constant(0, x.type)))
                case "borrow":
                    bit = b.ult(x, y)
                    highs.append(b.select(bit, constant(1, x.type), constant(0, x.type)))
                case "signed":
                    highs.append(b.imulh(x, y))
                case _:
                    highs.append(b.umulh(x, y))
        return (*lows, *highs)

    return lower


# ---------------------------------------------------------------- vectors, classes of floats


def _any(lowering: "Lowering", instruction: Instruction) -> Components:
    first, *others = lowering.value(instruction.words[3])
    for each in others:
        first = lowering.b.or_(first, each)
    return (first,)


def _all(lowering: "Lowering", instruction: Instruction) -> Components:
    first, *others = lowering.value(instruction.words[3])
    for each in others:
        first = lowering.b.and_(first, each)
    return (first,)


def _infinite(b: Builder, type: LeafType, x: Value) -> Value:
    return b.feq(b.fabs(x), b.number(float("inf"), x.type))


def _normal(b: Builder, type: LeafType, x: Value) -> Value:
    digits = {16: 10, 32: 23, 64: 52}[x.type.bits]
    most = (1 << (x.type.bits - 1 - digits)) - 1
    exponent = b.and_(b.ushr(b.asint(x), digits), most)
    return b.ult(b.isub(exponent, 1), most - 1)


def _sign(b: Builder, type: LeafType, x: Value) -> Value:
    return b.ilt(b.asint(x), 0)


# fmt: off
FORMULAS: dict[int, Formula] = {
    Opcode.SNegate:               lambda b, t, x: b.ineg(x),
    Opcode.FNegate:               lambda b, t, x: b.fneg(x),
    Opcode.IAdd:                  lambda b, t, x, y: b.iadd(x, y),
    Opcode.FAdd:                  lambda b, t, x, y: b.fadd(x, y),
    Opcode.ISub:                  lambda b, t, x, y: b.isub(x, y),
    Opcode.FSub:                  lambda b, t, x, y: b.fsub(x, y),
    Opcode.IMul:                  lambda b, t, x, y: b.imul(x, y),
    Opcode.FMul:                  lambda b, t, x, y: b.fmul(x, y),
    Opcode.UDiv:                  lambda b, t, x, y: b.udiv(x, y),
    Opcode.SDiv:                  lambda b, t, x, y: b.idiv(x, y),
    Opcode.FDiv:                  lambda b, t, x, y: b.fdiv(x, y),
    Opcode.UMod:                  lambda b, t, x, y: b.urem(x, y),
    Opcode.SRem:                  lambda b, t, x, y: b.irem(x, y),
    Opcode.SMod:                  _floored,
    Opcode.FRem:                  lambda b, t, x, y: b.frem(x, y),
    Opcode.FMod:                  lambda b, t, x, y: modulo(b, x, y),
    Opcode.VectorTimesScalar:     lambda b, t, x, y: b.fmul(x, y),
    Opcode.MatrixTimesScalar:     lambda b, t, x, y: b.fmul(x, y),

    Opcode.ShiftRightLogical:     _shift("ushr"),
    Opcode.ShiftRightArithmetic:  _shift("ishr"),
    Opcode.ShiftLeftLogical:      _shift("ishl"),
    Opcode.BitwiseOr:             lambda b, t, x, y: b.or_(x, y),
    Opcode.BitwiseXor:            lambda b, t, x, y: b.xor(x, y),
    Opcode.BitwiseAnd:            lambda b, t, x, y: b.and_(x, y),
    Opcode.Not:                   lambda b, t, x: b.not_(x),
    Opcode.BitFieldInsert:        _insert,
    Opcode.BitFieldSExtract:      _extract(True),
    Opcode.BitFieldUExtract:      _extract(False),
    Opcode.BitReverse:            lambda b, t, x: b.bitrev(x),
    Opcode.BitCount:              lambda b, t, x: _narrow(b, t, b.popcount(x)),

    Opcode.LogicalEqual:          lambda b, t, x, y: b.ieq(x, y),
    Opcode.LogicalNotEqual:       lambda b, t, x, y: b.ine(x, y),
    Opcode.LogicalOr:             lambda b, t, x, y: b.or_(x, y),
    Opcode.LogicalAnd:            lambda b, t, x, y: b.and_(x, y),
    Opcode.LogicalNot:            lambda b, t, x: b.not_(x),
    Opcode.IEqual:                lambda b, t, x, y: b.ieq(x, y),
    Opcode.INotEqual:             lambda b, t, x, y: b.ine(x, y),
    Opcode.UGreaterThan:          lambda b, t, x, y: b.ult(y, x),
    Opcode.SGreaterThan:          lambda b, t, x, y: b.ilt(y, x),
    Opcode.UGreaterThanEqual:     lambda b, t, x, y: b.ule(y, x),
    Opcode.SGreaterThanEqual:     lambda b, t, x, y: b.ile(y, x),
    Opcode.ULessThan:             lambda b, t, x, y: b.ult(x, y),
    Opcode.SLessThan:             lambda b, t, x, y: b.ilt(x, y),
    Opcode.ULessThanEqual:        lambda b, t, x, y: b.ule(x, y),
    Opcode.SLessThanEqual:        lambda b, t, x, y: b.ile(x, y),
    Opcode.FOrdEqual:             lambda b, t, x, y: b.feq(x, y),
    Opcode.FUnordEqual:           lambda b, t, x, y: b.or_(b.feq(x, y), b.not_(ordered(b, x, y))),
    Opcode.FOrdNotEqual:          lambda b, t, x, y: b.and_(b.fne(x, y), ordered(b, x, y)),
    Opcode.FUnordNotEqual:        lambda b, t, x, y: b.fne(x, y),
    Opcode.FOrdLessThan:          lambda b, t, x, y: b.flt(x, y),
    Opcode.FUnordLessThan:        lambda b, t, x, y: b.not_(b.fle(y, x)),
    Opcode.FOrdGreaterThan:       lambda b, t, x, y: b.flt(y, x),
    Opcode.FUnordGreaterThan:     lambda b, t, x, y: b.not_(b.fle(x, y)),
    Opcode.FOrdLessThanEqual:     lambda b, t, x, y: b.fle(x, y),
    Opcode.FUnordLessThanEqual:   lambda b, t, x, y: b.not_(b.flt(y, x)),
    Opcode.FOrdGreaterThanEqual:  lambda b, t, x, y: b.fle(y, x),
    Opcode.FUnordGreaterThanEqual: lambda b, t, x, y: b.not_(b.flt(x, y)),
    Opcode.Ordered:               lambda b, t, x, y: ordered(b, x, y),
    Opcode.Unordered:             lambda b, t, x, y: b.not_(ordered(b, x, y)),
    Opcode.LessOrGreater:         lambda b, t, x, y: b.and_(b.fne(x, y), ordered(b, x, y)),
    Opcode.IsNan:                 lambda b, t, x: b.fne(x, x),
    Opcode.IsInf:                 _infinite,
    Opcode.IsFinite:              lambda b, t, x: b.flt(b.fabs(x), b.number(float("inf"), x.type)),
    Opcode.IsNormal:              _normal,
    Opcode.SignBitSet:            _sign,

}

HANDLERS: Handlers = {
    **{
        opcode: counted(make, CONDITIONS[opcode]) if opcode in CONDITIONS else each_component(make)
        for opcode, make in FORMULAS.items()
    },
    Opcode.IAddCarry:             _pair("add", "carry"),
    Opcode.ISubBorrow:            _pair("sub", "borrow"),
    Opcode.UMulExtended:          _pair("mul", "unsigned"),
    Opcode.SMulExtended:          _pair("mul", "signed"),
    Opcode.Any:                   _any,
    Opcode.All:                   _all,
}
# fmt: on
