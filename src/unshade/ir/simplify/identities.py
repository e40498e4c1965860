"""Algebraic simplification of operations, exact bit for bit.

    simple(maker, OPS.iadd, I32, (iadd(x, 1), 2))      ->  iadd(x, 3)

The rules are in `integers` and `floats`; those for several operations are here.
"""

from ..kernel import Value
from ..ops import OPS, Op
from ..types import Type
from .floats import FLOATS
from .integers import INTEGERS
from .matching import Maker, known, parts

__all__ = ["COMMUTE", "simple"]

RULES = {**INTEGERS, **FLOATS}
# fmt: off
COMMUTE = frozenset((
    OPS.iadd, OPS.imul, OPS.imulh, OPS.umulh, OPS.imin, OPS.imax, OPS.umin, OPS.umax,
    OPS.and_, OPS.or_, OPS.xor, OPS.ieq, OPS.ine,
    OPS.fadd, OPS.fmul, OPS.fmul_legacy, OPS.feq, OPS.fne,
))
CHAINS = frozenset((
    OPS.iadd, OPS.imul, OPS.and_, OPS.or_, OPS.xor, OPS.imin, OPS.imax, OPS.umin, OPS.umax,
))
# fmt: on


def simple(m: Maker, op: Op, type: Type, args: tuple[Value, ...]) -> Value | None:
    """Return a simpler value equal to an operation; None if there is none."""
    if op in CHAINS and known(args[1]) is not None:
        inner = parts(args[0], op)
        if inner is not None and known(inner[1]) is not None:  # (x . c) . d is x . (c . d)
            return m.make(op, inner[0], m.make(op, inner[1], args[1]))
    rule = RULES.get(op)
    return None if rule is None else rule(m, type, args)
