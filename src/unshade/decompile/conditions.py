"""Conditions that a program computes as the words 0 and ~0.

    ine(select(a, select(b, ~0, 0), 0), 0)        a && b
    ieq(select(a, ~0, 0), select(b, ~0, 0))       a == b

Direct3D bytecode has no bools. `bools` runs after simplification, which has
made one value of equal conditions.
"""

from ..ir.builder import Builder, constant
from ..ir.kernel import Value
from ..ir.ops import OPS
from .kinds import stripped

__all__ = ["bools"]

DEEPEST = 16
JOINED = frozenset({OPS.and_, OPS.or_, OPS.xor, OPS.not_})


def bools(b: Builder, value: Value) -> Value | None:
    """Return a bool in place of a test of a word that is 0 or ~0; None for other values.

    A choice of two constants, whose bits are changed, becomes a choice of two others.
    """
    if value.op is OPS.xor:
        return _changed(b, value)
    if value.op not in (OPS.ieq, OPS.ine) or value.args[0].type.kind != "i":
        return None
    one, other = (stripped(each) for each in value.args)
    zero = next((each for each in (one, other) if _constant(each) == 0), None)
    if zero is None:
        if not (_is_mask(one, DEEPEST, {}) and _is_mask(other, DEEPEST, {})):
            return None
        if OPS.const in (one.op, other.op):
            return None
        made: dict[Value, Value] = {}
        unlike = b.xor(_condition(b, one, made), _condition(b, other, made))
        return unlike if value.op is OPS.ine else b.not_(unlike)
    mask = other if zero is one else one
    if mask.op is OPS.const or not _is_mask(mask, DEEPEST, {}):
        return None
    found = _condition(b, mask, {})
    return found if value.op is OPS.ine else b.not_(found)


def _changed(b: Builder, value: Value) -> Value | None:
    """Return `c ? 0 : 1` for `(c ? 1 : 0) ^ 1`; None for other values."""
    choice, bits = (stripped(each) for each in value.args)
    if bits.op is not OPS.const or choice.op is not OPS.select or value.type.kind != "i":
        return None
    condition, *parts = choice.args
    known = [_constant(stripped(each)) for each in parts]
    if None in known:
        return None
    one, other = (constant((each or 0) ^ bits.attr, value.type) for each in known)
    return b.select(condition, one, other)


def _constant(value: Value) -> int | None:
    return int(value.attr) if value.op is OPS.const else None


def _is_mask(value: Value, deep: int, seen: dict[tuple[Value, int], bool]) -> bool:
    """Return True if a word is 0 or ~0 by the operations that compute it.

    `seen` keeps the answers, because a value may be read by many others.
    """
    value = stripped(value)
    known = _constant(value)
    if known is not None:
        return known in (0, value.type.mask)
    if not deep or value.type.kind != "i":
        return False
    if value.op is not OPS.select and value.op not in JOINED:
        return False
    parts = value.args[1:] if value.op is OPS.select else value.args
    if (value, deep) not in seen:
        seen[value, deep] = all(_is_mask(each, deep - 1, seen) for each in parts)
    return seen[value, deep]


def _condition(b: Builder, mask: Value, made: dict[Value, Value]) -> Value:
    """Return the bool that is true for ~0; `made` keeps the bools by their words."""
    mask = stripped(mask)
    if mask not in made:
        made[mask] = _new_condition(b, mask, made)
    return made[mask]


def _new_condition(b: Builder, mask: Value, made: dict[Value, Value]) -> Value:
    if mask.op is OPS.const:
        return b.bool(mask.attr != 0)
    if mask.op is not OPS.select:
        parts = [_condition(b, each, made) for each in mask.args]
        return b.not_(*parts) if mask.op is OPS.not_ else b.make(mask.op, *parts)
    condition, one, other = mask.args
    first, second = (stripped(each) for each in (one, other))
    chosen = _constant(first), _constant(second)
    if chosen[1] == 0:
        return condition if chosen[0] else b.and_(condition, _condition(b, first, made))
    if chosen[0] == 0:
        inverse = b.not_(condition)
        return inverse if chosen[1] else b.and_(inverse, _condition(b, second, made))
    if chosen[0] is not None:
        return b.or_(condition, _condition(b, second, made))
    if chosen[1] is not None:
        return b.or_(b.not_(condition), _condition(b, first, made))
    return b.select(condition, _condition(b, first, made), _condition(b, second, made))
