"""Division of integers: made defined where LLVM's is not, and on vectors done in doubles.

    a / b = trunc(double(a) / double(b))            for 32 bits and fewer
    a / b = trunc((double(a) + 0.5) * (1 / b))      where b is the same in all lanes, without sign

No processor divides vectors of integers; LLVM takes them apart, lane by lane. A quotient that is no
integer is 1 / b or more away from one, relative to its size that is 2^-32 or more: rounding to 53
bits (twice, for the second form, which keeps half as far away) never reaches the next integer.
"""

from ...ir.ops import OPS, Op
from ...ir.types import BOOL, F64, I32, Type
from .text import Text, Val

SIGNED = frozenset({OPS.idiv, OPS.irem})
REST = frozenset({OPS.irem, OPS.urem})
DIVISIONS = SIGNED | REST | {OPS.udiv}


def divide(t: Text, op: Op, args: list[Val], type: Type) -> Val:
    """x / 0 and x % 0 are all ones, the least integer / -1 is itself."""
    wide = any(each.wide for each in args)
    signed = op in SIGNED
    a, b = args
    none, safe = _safe(t, a if signed else None, b, type)
    if wide and type.bits <= 32:
        quotient = _in_doubles(t, a, safe, signed, type)
        found = quotient
        if op in REST:
            product = t.make(f"mul {t.wide(type)} {quotient}, {t.spread(safe).text}")
            found = t.make(f"sub {t.wide(type)} {t.spread(a).text}, {product}")
    else:
        given, divisor = (t.spread(each) if wide else each for each in (a, safe))
        instruction = ("s" if signed else "u") + ("rem" if op in REST else "div")
        found = t.make(f"{instruction} {t.of(given)} {given.text}, {divisor.text}")
    if none is None:
        return Val(found, type, wide)
    ones = t.constant(type.mask, type)
    made = Val(found, type, wide)
    return choose(t, none, ones, made)


def choose(t: Text, condition: Val, first: Val, second: Val) -> Val:
    """A select."""
    wide = condition.wide or first.wide or second.wide
    c, a, b = (t.spread(each) if wide else each for each in (condition, first, second))
    made = t.make(f"select {t.of(c)} {c.text}, {t.of(a)} {a.text}, {t.of(b)} {b.text}")
    return Val(made, second.type, wide)


def _safe(t: Text, a: Val | None, b: Val, type: Type) -> tuple[Val | None, Val]:
    """(where the divisor is zero, a divisor that does no harm); `a` where there are signs."""
    if b.number is not None and b.number not in (0, type.mask):
        return None, b
    one = t.constant(1, type)
    none = _equal(t, b, 0)
    if a is None:
        return none, choose(t, none, one, b)
    opposite, least = _equal(t, b, type.mask), _equal(t, a, 1 << type.bits - 1)
    plain = choose(t, none, one, b)  # the least integer / -1 would trap: / 1 is the same
    overflow = choose(t, opposite, least, t.constant(0, BOOL))
    return none, choose(t, overflow, one, plain)


def _equal(t: Text, a: Val, number: int) -> Val:
    other = t.constant(number, a.type)
    if a.wide:
        other = t.spread(other)
    return Val(t.make(f"icmp eq {t.of(a)} {a.text}, {other.text}"), BOOL, a.wide)


def _double(t: Text, a: Val, signed: bool) -> Val:
    """An integer of 32 bits or fewer as a double, exactly."""
    made = Val("", F64, a.wide)
    made.text = t.make(f"{'s' if signed else 'u'}itofp {t.of(a)} {a.text} to {t.of(made)}")
    return made


def _in_doubles(t: Text, a: Val, b: Val, signed: bool, type: Type) -> str:
    """The quotient of vectors."""
    doubles = t.wide(F64)
    number, divisor = t.spread(_double(t, a, signed)).text, _double(t, b, signed)
    if divisor.wide or signed:
        found = t.make(f"fdiv {doubles} {number}, {t.spread(divisor).text}")
    else:
        inverse = Val(t.make(f"fdiv double 1.0, {divisor.text}"), F64)
        moved = t.make(f"fadd {doubles} {number}, splat (double 0.5)")
        found = t.make(f"fmul {doubles} {moved}, {t.spread(inverse).text}")
    if type.bits < 32:  # by way of 32 bits, as processors do
        whole = t.make(f"fptosi {doubles} {found} to {t.wide(I32)}")
        return t.make(f"trunc {t.wide(I32)} {whole} to {t.wide(type)}")
    return t.make(f"fpto{'s' if signed else 'u'}i {doubles} {found} to {t.wide(type)}")
