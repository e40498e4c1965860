"""Simplification rules for floats and conversions, valid for every NaN, zero and subnormal.

    asfloat(asint(x))        ->  x
    fsub(x, 0.0)             ->  fcanonicalise(x)      x itself if x is a result of arithmetic
    fdiv(x, 4.0)             ->  fmul(x, 0.25)

x + 0.0 is not x (if x is -0.0), x * 0.0 is not 0. Arithmetic
canonicalises NaNs and subnormals, so an operation that changes nothing else is replaced by
`fcanonicalise`.
"""

from ..fold import to_float
from ..kernel import Value
from ..ops import OPS, Op
from ..types import BOOL, Type
from .matching import Maker, Rule, known, pair, parts, same

__all__ = ["FLOATS"]


def _narrow(op: Op) -> Rule:
    def rule(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
        a = args[0]
        if a.op in (OPS.uconv, OPS.iconv):
            first = a.args[0]
            if t == first.type and t.bits < a.type.bits:
                return first
            if (
                t.bits < a.type.bits and t.bits < first.type.bits
            ):  # a widening followed by a narrowing
                return m.make(op, first, type=t)
        if (chosen := pair(a)) is not None:
            both = (m.make(op, m.const(each, a.type), type=t) for each in chosen[1:])
            return m.make(OPS.select, chosen[0], *both)
        return None

    return rule


def asint(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a = args[0]
    if a.op is OPS.asfloat:
        return a.args[0]
    if a.op in (OPS.fneg, OPS.fabs) and a.args[0].op is OPS.asfloat:
        sign = 1 << t.bits - 1
        bits = a.args[0].args[0]
        if a.op is OPS.fneg:
            return m.make(OPS.xor, bits, m.const(sign, t))
        return m.make(OPS.and_, bits, m.const(sign - 1, t))
    return None


def asfloat(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    inner = parts(args[0], OPS.asint)
    return None if inner is None else inner[0]


def _is(value: Value, number: float, sign: bool = False) -> bool:
    bits = known(value)
    if bits is None or to_float(bits, value.type) != number:
        return False
    return bool(bits >> value.type.bits - 1) == sign


def fadd(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if _is(b, 0.0, sign=True):
        return m.make(OPS.fcanonicalise, a)
    if (inner := parts(b, OPS.fneg)) is not None:
        return m.make(OPS.fsub, a, inner[0])
    if (inner := parts(a, OPS.fneg)) is not None:
        return m.make(OPS.fsub, b, inner[0])
    return None


def fsub(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if _is(b, 0.0):
        return m.make(OPS.fcanonicalise, a)
    inner = parts(b, OPS.fneg)
    return None if inner is None else m.make(OPS.fadd, a, inner[0])


def fmul(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if _is(b, 1.0):
        return m.make(OPS.fcanonicalise, a)
    one, other = parts(a, OPS.fneg), parts(b, OPS.fneg)
    return m.make(OPS.fmul, one[0], other[0]) if one and other else None


def fdiv(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a, b = args
    if _is(b, 1.0):
        return m.make(OPS.fcanonicalise, a)
    one, other = parts(a, OPS.fneg), parts(b, OPS.fneg)
    if one and other:
        return m.make(OPS.fdiv, one[0], other[0])
    # The inverse of a power of two is exact if it is normal, so both round alike.
    bits = known(b)
    if bits is None:
        return None
    digits = {16: 10, 32: 23, 64: 52}[t.bits]
    exponent = bits >> digits & (1 << t.bits - 1 - digits) - 1
    bias = (1 << t.bits - 2 - digits) - 1
    if bits & (1 << digits) - 1 == 0 and 1 <= exponent <= 2 * bias - 1:
        sign = bits & 1 << t.bits - 1
        return m.make(OPS.fmul, a, m.const(sign | (2 * bias - exponent) << digits, t))
    return None


def fcanonicalise(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    return args[0] if args[0].op.arithmetic else None


def fneg(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    inner = parts(args[0], OPS.fneg)
    return None if inner is None else inner[0]


def fabs(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    a = args[0]
    if a.op is OPS.fabs:
        return a
    return m.make(OPS.fabs, a.args[0]) if a.op is OPS.fneg else None


def fpick(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    return m.make(OPS.fcanonicalise, args[0]) if same(*args) else None


def flt(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    return m.const(0, BOOL) if same(*args) else None


def fconv(m: Maker, t: Type, args: tuple[Value, ...]) -> Value | None:
    inner = parts(args[0], OPS.fconv)
    if inner is None or inner[0].type != t or args[0].type.bits < t.bits:
        return None
    return m.make(OPS.fcanonicalise, inner[0])  # a round trip


# fmt: off
FLOATS: dict[Op, Rule] = {
    OPS.asint: asint, OPS.asfloat: asfloat,
    OPS.uconv: _narrow(OPS.uconv), OPS.iconv: _narrow(OPS.iconv),
    OPS.fadd: fadd, OPS.fsub: fsub, OPS.fmul: fmul, OPS.fdiv: fdiv,
    OPS.fcanonicalise: fcanonicalise,
    OPS.fneg: fneg, OPS.fabs: fabs, OPS.fmin: fpick, OPS.fmax: fpick, OPS.flt: flt,
    OPS.fconv: fconv,
}
# fmt: on
