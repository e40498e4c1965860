"""What an operation is when its operands are looked at: shorter, and the same bit for bit.

    simple(maker, OPS.iadd, I32, (iadd(x, 1), 2))      ->  iadd(x, 3)

The rules are in `integers` and `floats`; here is what holds for several operations at once.
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
    """What the operation is; None where it is as simple as it can be."""
    if op in CHAINS and known(args[1]) is not None:
        inner = parts(args[0], op)
        if inner is not None and known(inner[1]) is not None:  # (x . c) . d is x . (c . d)
            return m.make(op, inner[0], m.make(op, inner[1], args[1]))
    rule = RULES.get(op)
    return None if rule is None else rule(m, type, args)
