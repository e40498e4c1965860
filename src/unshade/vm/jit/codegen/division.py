"""Integer division: defined where LLVM's is not, and on vectors computed in doubles.

    a / b = trunc(double(a) / double(b))            for 32 bits and fewer
    a / b = trunc((double(a) + 0.5) * (1 / b))      if b is the same in all lanes, unsigned

No processor divides integer vectors; LLVM splits them into lanes. A quotient that is not an integer
is at least 1 / b away from one, which relative to its size is at least 2^-32: rounding to 53 bits
(twice in the second form, which keeps half that distance) never reaches the next integer.
"""

from ....ir.ops import OPS, Op
from ....ir.types import BOOL, F64, I32, Type
from .llvm_text import FunctionText, Val

SIGNED = frozenset({OPS.idiv, OPS.irem})
REST = frozenset({OPS.irem, OPS.urem})
DIVISIONS = SIGNED | REST | {OPS.udiv}


def divide(t: FunctionText, op: Op, args: list[Val], type: Type) -> Val:
    """Emit a division or remainder: x / 0 and x % 0 are all ones, INT_MIN / -1 is INT_MIN."""
    wide = any(each.wide for each in args)
    signed = op in SIGNED
    a, b = args
    none, safe = _safe(t, a if signed else None, b, type)
    if wide and type.bits <= 32:
        quotient = _in_doubles(t, a, safe, signed, type)
        found = quotient
        if op in REST:
            product = t.make(f"mul {t.wide(type)} {quotient}, {t.splat(safe).text}")
            found = t.make(f"sub {t.wide(type)} {t.splat(a).text}, {product}")
    else:
        given, divisor = (t.splat(each) if wide else each for each in (a, safe))
        instruction = ("s" if signed else "u") + ("rem" if op in REST else "div")
        found = t.make(f"{instruction} {t.of(given)} {given.text}, {divisor.text}")
    if none is None:
        return Val(found, type, wide)
    ones = t.constant(type.mask, type)
    made = Val(found, type, wide)
    return choose(t, none, ones, made)


def choose(t: FunctionText, condition: Val, first: Val, second: Val) -> Val:
    """Emit a select."""
    wide = condition.wide or first.wide or second.wide
    c, a, b = (t.splat(each) if wide else each for each in (condition, first, second))
    made = t.make(f"select {t.of(c)} {c.text}, {t.of(a)} {a.text}, {t.of(b)} {b.text}")
    return Val(made, second.type, wide)


def _safe(t: FunctionText, a: Val | None, b: Val, type: Type) -> tuple[Val | None, Val]:
    """Return a mask where the divisor is zero, and a divisor that does not trap.

    `a` is the dividend of a signed division.
    """
    if b.number is not None and b.number not in (0, type.mask):
        return None, b
    one = t.constant(1, type)
    none = _equal(t, b, 0)
    if a is None:
        return none, choose(t, none, one, b)
    opposite, least = _equal(t, b, type.mask), _equal(t, a, 1 << type.bits - 1)
    plain = choose(t, none, one, b)  # INT_MIN / -1 would trap: / 1 is the same
    overflow = choose(t, opposite, least, t.constant(0, BOOL))
    return none, choose(t, overflow, one, plain)


def _equal(t: FunctionText, a: Val, number: int) -> Val:
    other = t.constant(number, a.type)
    if a.wide:
        other = t.splat(other)
    return Val(t.make(f"icmp eq {t.of(a)} {a.text}, {other.text}"), BOOL, a.wide)


def _double(t: FunctionText, a: Val, signed: bool) -> Val:
    """Convert an integer of 32 bits or fewer to a double, exactly."""
    made = Val("", F64, a.wide)
    made.text = t.make(f"{'s' if signed else 'u'}itofp {t.of(a)} {a.text} to {t.of(made)}")
    return made


def _in_doubles(t: FunctionText, a: Val, b: Val, signed: bool, type: Type) -> str:
    """Return the quotient of vectors, computed in doubles."""
    doubles = t.wide(F64)
    number, divisor = t.splat(_double(t, a, signed)).text, _double(t, b, signed)
    if divisor.wide or signed:
        found = t.make(f"fdiv {doubles} {number}, {t.splat(divisor).text}")
    else:
        inverse = Val(t.make(f"fdiv double 1.0, {divisor.text}"), F64)
        moved = t.make(f"fadd {doubles} {number}, splat (double 0.5)")
        found = t.make(f"fmul {doubles} {moved}, {t.splat(inverse).text}")
    if type.bits < 32:  # through 32 bits, as processors do
        whole = t.make(f"fptosi {doubles} {found} to {t.wide(I32)}")
        return t.make(f"trunc {t.wide(I32)} {whole} to {t.wide(type)}")
    return t.make(f"fpto{'s' if signed else 'u'}i {doubles} {found} to {t.wide(type)}")
