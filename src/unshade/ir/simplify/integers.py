"""Simplification rules for integers, bits, comparisons and select, modulo 2^bits.

    iadd(iadd(x, 1), 2)      ->  iadd(x, 3)
    imul(x, 16)              ->  ishl(x, 4)
    ushr(ishl(x, 2), 2)      ->  and(x, 0x3fffffff)      x if it is known to be small enough
    ine(select(c, ~0, 0), 0) ->  c

Constants are the second operand of commutative operations.
"""

from ..analysis.ranges import as_signed
from ..kernel import Value
from ..ops import OPS, Op
from ..types import BOOL, Type
from .matching import Maker, Rule, known, pair, parts, power, same

__all__ = ["INTEGERS"]


def iadd(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if known(b) == 0:
        return a
    if (inner := parts(b, OPS.ineg)) is not None:
        return m.make(OPS.isub, a, inner[0])
    if (inner := parts(a, OPS.ineg)) is not None:
        return m.make(OPS.isub, b, inner[0])
    return None


def isub(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if same(a, b):
        return m.const(0, t)
    number = known(b)
    if number is not None:
        return m.make(OPS.iadd, a, m.const(-number, t))
    if known(a) == 0:
        return m.make(OPS.ineg, b)
    if (inner := parts(b, OPS.ineg)) is not None:
        return m.make(OPS.iadd, a, inner[0])
    return None


def ineg(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    inner = parts(args[0], OPS.ineg)
    if inner is not None:
        return inner[0]
    inner = parts(args[0], OPS.isub)
    return None if inner is None else m.make(OPS.isub, inner[1], inner[0])


def imul(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    number = known(b)
    if number is None:
        return None
    if number in (0, 1):
        return a if number else b
    exponent = power(number)
    if exponent is not None:
        return m.make(OPS.ishl, a, m.const(exponent, t))
    if number == t.mask:
        return m.make(OPS.ineg, a)
    inner = parts(a, OPS.iadd)
    if inner is not None and known(inner[1]) is not None:
        return m.make(OPS.iadd, m.make(OPS.imul, inner[0], b), m.make(OPS.imul, inner[1], b))
    inner = parts(a, OPS.ishl)
    if inner is not None and (moved := known(inner[1])) is not None:
        return m.make(OPS.imul, inner[0], m.const(number << (moved & t.bits - 1), t))
    return None


def _amount(t: Type, shift: Value) -> int | None:
    """Return the number of bits that a constant shifts by; None for other values."""
    amount = known(shift)
    return None if amount is None else amount & t.bits - 1


def ishl(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    amount = _amount(t, b)
    if not amount:
        return None if amount is None else a
    for op in (OPS.ishl, OPS.ushr, OPS.iadd, OPS.imul):
        inner = parts(a, op)
        if inner is None or (number := known(inner[1])) is None:
            continue
        if op is OPS.iadd:
            return m.make(OPS.iadd, m.make(OPS.ishl, inner[0], b), m.const(number << amount, t))
        if op is OPS.imul:
            return m.make(OPS.imul, inner[0], m.const(number << amount, t))
        number &= t.bits - 1
        if op is OPS.ishl:
            total = number + amount
            return (
                m.make(OPS.ishl, inner[0], m.const(total, t)) if total < t.bits else m.const(0, t)
            )
        if number == amount:
            return m.make(OPS.and_, inner[0], m.const(-1 << amount, t))
    return None


def ushr(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    amount = _amount(t, b)
    if not amount:
        return None if amount is None else a
    if m.range(a).high >> amount == 0:
        return m.const(0, t)
    inner = parts(a, OPS.ushr)
    if inner is not None and (number := known(inner[1])) is not None:
        total = (number & t.bits - 1) + amount
        return m.make(OPS.ushr, inner[0], m.const(total, t)) if total < t.bits else m.const(0, t)
    inner = parts(a, OPS.ishl)
    if inner is not None and (number := known(inner[1])) is not None:
        number &= t.bits - 1
        # Bits shifted out at the top do not return: mask them first, then shift once.
        cut = m.make(OPS.and_, inner[0], m.const(t.mask >> number, t))
        if number >= amount:
            return m.make(OPS.ishl, cut, m.const(number - amount, t))
        return m.make(OPS.ushr, cut, m.const(amount - number, t))
    inner = parts(a, OPS.iadd)
    if inner is not None and (number := known(inner[1])) is not None:
        range = m.range(inner[0])
        unit = 1 << amount
        if range.high + number <= t.mask and (range.step % unit == 0 or number % unit == 0):
            return m.make(OPS.iadd, m.make(OPS.ushr, inner[0], b), m.const(number >> amount, t))
    return None


def ishr(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    if known(args[1]) == 0:
        return args[0]
    if m.range(args[0]).high < 1 << t.bits - 1:
        return m.make(OPS.ushr, *args)
    return None


def udiv(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    exponent = power(known(b))
    if exponent is not None:
        return m.make(OPS.ushr, a, m.const(exponent, t))
    return m.const(0, t) if m.range(a).high < m.range(b).low else None


def urem(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    number = known(b)
    if number is not None and power(number) is not None:
        return m.make(OPS.and_, a, m.const(number - 1, t))
    return a if m.range(a).high < m.range(b).low else None


def idiv(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    half = 1 << t.bits - 1
    if known(args[1]) is not None and m.range(args[0]).high < half > m.range(args[1]).high:
        return m.make(OPS.udiv, *args)
    return args[0] if known(args[1]) == 1 else None


def irem(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    half = 1 << t.bits - 1
    if known(args[1]) is not None and m.range(args[0]).high < half > m.range(args[1]).high:
        return m.make(OPS.urem, *args)
    return m.const(0, t) if known(args[1]) == 1 else None


def _pick(less: bool, sign: bool) -> Rule:
    def rule(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
        a, b = args
        if same(a, b):
            return a
        ranges = [m.range(each) for each in args]
        one, other = (as_signed(each, t) if sign else each[:2] for each in ranges)
        if one[1] <= other[0]:
            return a if less else b
        if other[1] <= one[0]:
            return b if less else a
        return None

    return rule


def conjunction(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    number = known(b)
    if same(a, b) or number == t.mask:
        return a
    if number == 0:
        return b
    for one, other in ((a, b), (b, a)):
        chosen = pair(one)
        if chosen is not None and chosen[1:] in ((t.mask, 0), (0, t.mask)):
            c, first, _ = chosen
            zero = m.const(0, t)
            return (
                m.make(OPS.select, c, other, zero) if first else m.make(OPS.select, c, zero, other)
            )
    if number is not None and t != BOOL:
        range = m.range(a)
        bits = (1 << range.high.bit_length()) - 1 & -range.step  # bits that may be set
        if number & bits == bits:
            return a
        if number & bits == 0:
            return m.const(0, t)
    return None


def disjunction(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if same(a, b) or known(b) == 0:
        return a
    if known(b) == t.mask:
        return b
    one, other = pair(a), pair(b)
    if one is not None and other is not None and one[1:] == other[1:] == (t.mask, 0):
        either = m.make(OPS.or_, one[0], other[0])
        return m.make(OPS.select, either, m.const(t.mask, t), m.const(0, t))
    return None


def exclusive(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if same(a, b):
        return m.const(0, t)
    if known(b) == 0:
        return a
    return m.make(OPS.not_, a) if known(b) == t.mask else None


OPPOSITE = {OPS.ieq: OPS.ine, OPS.ine: OPS.ieq, OPS.feq: OPS.fne, OPS.fne: OPS.feq}
TURNED = {OPS.ilt: OPS.ile, OPS.ile: OPS.ilt, OPS.ult: OPS.ule, OPS.ule: OPS.ult}


def negation(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a = args[0]
    op = a.op
    if op is OPS.not_:
        return a.args[0]
    if op in OPPOSITE:
        return m.make(OPPOSITE[op], *a.args)
    if op in TURNED:  # integers only: comparisons with a NaN are false both ways
        return m.make(TURNED[op], a.args[1], a.args[0])
    if (chosen := pair(a)) is not None:
        return m.make(OPS.select, chosen[0], *(m.const(~each, t) for each in chosen[1:]))
    return None


def _equal(equal: bool) -> Rule:
    def rule(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
        a, b = args
        of = a.type
        if same(a, b):
            return m.const(equal, BOOL)
        number = known(b)
        if number is not None and of == BOOL:
            return a if bool(number) == equal else m.make(OPS.not_, a)
        if number is not None and (chosen := pair(a)) is not None:
            c, one, other = chosen
            found = (one == number) == equal, (other == number) == equal
            return m.make(OPS.select, c, *(m.const(each, BOOL) for each in found))
        op = OPS.ieq if equal else OPS.ine
        if number is not None:
            for inner_op in (OPS.iadd, OPS.xor):
                inner = parts(a, inner_op)
                if inner is not None and (by := known(inner[1])) is not None:
                    back = number - by if inner_op is OPS.iadd else number ^ by
                    return m.make(op, inner[0], m.const(back, of))
        if number == 0:
            for inner_op in (OPS.isub, OPS.xor):
                if (inner := parts(a, inner_op)) is not None:
                    return m.make(op, *inner)
        if of != BOOL:
            one_, other_ = m.range(a), m.range(b)
            if one_.high < other_.low or other_.high < one_.low:
                return m.const(not equal, BOOL)
        return None

    return rule


def _less(strictly: bool, sign: bool) -> Rule:
    def rule(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
        a, b = args
        if same(a, b):
            return m.const(not strictly, BOOL)
        ranges = [m.range(each) for each in args]
        one, other = (as_signed(each, a.type) if sign else each[:2] for each in ranges)
        if one[1] < other[0] or (one[1] == other[0] and not strictly):
            return m.const(1, BOOL)
        if other[1] < one[0] or (other[1] == one[0] and strictly):
            return m.const(0, BOOL)
        return None

    return rule


def select(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    c, x, y = args
    number = known(c)
    if number is not None:
        return x if number else y
    if same(x, y):
        return x
    if (inner := parts(c, OPS.not_)) is not None:
        return m.make(OPS.select, inner[0], y, x)
    if t == BOOL:
        match known(x), known(y):
            case 1, 0:
                return c
            case 0, 1:
                return m.make(OPS.not_, c)
            case 1, None:
                return m.make(OPS.or_, c, y)
            case None, 0:
                return m.make(OPS.and_, c, x)
    if (inner := parts(x, OPS.select)) is not None and inner[0] is c:
        return m.make(OPS.select, c, inner[1], y)
    if (inner := parts(y, OPS.select)) is not None and inner[0] is c:
        return m.make(OPS.select, c, x, inner[2])
    return _select_moved(m, c, x, y)


def _select_moved(m: Maker, c: Value, x: Value, y: Value) -> Value | None:
    """Move asint or asfloat of both operands, or of one and a constant, out of a select."""
    for op, back in ((OPS.asint, OPS.asfloat), (OPS.asfloat, OPS.asint)):
        if op not in (x.op, y.op):
            continue
        found = []
        for each in (x, y):
            if each.op is op:
                found.append(each.args[0])
            elif known(each) is not None:
                found.append(m.make(back, each))
        if len(found) == 2:
            return m.make(op, m.make(OPS.select, c, *found))
    return None


# fmt: off
INTEGERS: dict[Op, Rule] = {
    OPS.iadd: iadd, OPS.isub: isub, OPS.ineg: ineg, OPS.imul: imul,
    OPS.ishl: ishl, OPS.ushr: ushr, OPS.ishr: ishr,
    OPS.udiv: udiv, OPS.urem: urem, OPS.idiv: idiv, OPS.irem: irem,
    OPS.imin: _pick(True, True), OPS.imax: _pick(False, True),
    OPS.umin: _pick(True, False), OPS.umax: _pick(False, False),
    OPS.and_: conjunction, OPS.or_: disjunction, OPS.xor: exclusive, OPS.not_: negation,
    OPS.ieq: _equal(True), OPS.ine: _equal(False),
    OPS.ilt: _less(True, True), OPS.ile: _less(False, True),
    OPS.ult: _less(True, False), OPS.ule: _less(False, False),
    OPS.select: select,
}
# fmt: on
