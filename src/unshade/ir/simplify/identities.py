"""What an operation is when its operands are looked at: shorter, and the same bit for bit.

    simple(maker, "iadd", I32, (iadd(x, 1), 2))      ->  iadd(x, 3)

The rules are in `integers` and `floats`; here is what holds for several operations at once.
"""

from ..kernel import Value
from ..types import Type
from .floats import FLOATS
from .integers import INTEGERS
from .pieces import Maker, known, parts

__all__ = ["COMMUTE", "simple"]

RULES = {**INTEGERS, **FLOATS}
# fmt: off
COMMUTE = frozenset((
    "iadd", "imul", "imulh", "umulh", "imin", "imax", "umin", "umax", "and", "or", "xor",
    "ieq", "ine", "fadd", "fmul", "feq", "fne",
))
CHAINS = frozenset(("iadd", "imul", "and", "or", "xor", "imin", "imax", "umin", "umax"))
# fmt: on


def simple(m: Maker, name: str, type: Type, args: tuple[Value, ...]) -> Value | None:
    """What the operation is; None where it is as simple as it can be."""
    if name in CHAINS and known(args[1]) is not None:
        inner = parts(args[0], name)
        if inner is not None and known(inner[1]) is not None:  # (x . c) . d is x . (c . d)
            return m.make(name, inner[0], m.make(name, inner[1], args[1]))
    rule = RULES.get(name)
    return None if rule is None else rule(m, type, args)
