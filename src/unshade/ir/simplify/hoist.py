"""Loop-invariant code motion.

    loop {                               %1 = load:i32 %cb0[i32 0, i32 0]
      %1 = load:i32 %cb0[i32 0, i32 0]   loop {
      %2 = get @n                 ->       %2 = get @n
      …                                    …

Operations are total, so executing an operation that the loop would not have reached has no effect.
Loads are hoisted only from constant memories at constant addresses. Operations in an if are not
moved.
"""

from ..kernel import KernelIR, Loop, Region, Value, regions
from ..memory import Space
from ..ops import OPS
from .value_numbering import mergeable

__all__ = ["hoist"]


def hoist(kernel: KernelIR) -> bool:
    """Move invariant values out of loops in place; return True if there were any."""
    return _region(kernel.body)


def _region(region: Region) -> bool:
    made: Region = []
    changed = False
    for statement in region:
        if not isinstance(statement, Value):
            for inner in regions(statement):
                changed |= _region(inner)
        if isinstance(statement, Loop):
            moved = _taken(statement)
            changed |= bool(moved)
            made += moved
        made.append(statement)
    region[:] = made
    return changed


def _taken(loop: Loop) -> Region:
    """Remove the invariant values from a loop's body, and return them."""
    # Values in nested regions are not visible here.
    inside = {each for each in loop.body if isinstance(each, Value)}
    moved: Region = []
    kept: Region = []
    for statement in loop.body:
        if (
            isinstance(statement, Value)
            and _movable(statement)
            and not any(each in inside for each in statement.args)
        ):
            inside.discard(statement)
            moved.append(statement)
        else:
            kept.append(statement)
    loop.body[:] = kept
    return moved


def _movable(value: Value) -> bool:
    if value.op is OPS.load:
        constant = value.attr.space in (Space.CONSTANT, Space.TABLE)
        return constant and all(each.op is OPS.const for each in value.args)
    return mergeable(value) and value.op is not OPS.sample
