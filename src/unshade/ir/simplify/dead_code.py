"""What nobody needs: values without use, sets without reads, constructs with nothing in them.

    needed    what has effects, conditions of what is not empty, and what those are made from;
              of a variable that is needed the sets that are read (liveness)

Loops stay, even empty ones: whether they end is not known.
"""

from ..analysis.liveness import liveness
from ..kernel import Block, If, Kernel, Loop, Region, Switch, Value, regions
from ..memory import Var
from ..ops import OPS, Op

__all__ = ["remove_dead_code"]

# That are none if nobody looks.
EFFECTS = frozenset({OPS.get, OPS.load, OPS.is_helper, OPS.set})


def _removable(op: Op) -> bool:
    return op.pure or op.convergent or op in EFFECTS


def remove_dead_code(kernel: Kernel) -> bool:
    """Take out what is not needed, in place; whether there was anything."""
    changed = False
    while _sweep(kernel.body, *_needed(kernel)):
        changed = True
    used = {value.attr for value in kernel.values() if value.op.attribute == "var"}
    if len(used) != len(kernel.variables):
        kernel.variables[:] = [var for var in kernel.variables if var in used]
        changed = True
    return changed


def _needed(kernel: Kernel) -> tuple[set[Value], set[Value]]:
    """Values that are needed, and sets that nothing reads."""
    unread = liveness(kernel).dead
    sets: dict[Var, list[Value]] = {}
    stack: list[Value] = []
    todo: list[Region] = [kernel.body]
    while todo:
        for statement in todo.pop():
            if isinstance(statement, Value):
                if statement.op is OPS.set:
                    if statement not in unread:
                        sets.setdefault(statement.attr, []).append(statement)
                elif not _removable(statement.op):
                    stack.append(statement)
                continue
            if isinstance(statement, If):
                stack.append(statement.condition)
            elif isinstance(statement, Switch):
                stack.append(statement.value)
            todo.extend(regions(statement))
    needed: set[Value] = set()
    while stack:
        value = stack.pop()
        if value in needed:
            continue
        needed.add(value)
        stack.extend(value.args)
        if value.op is OPS.get:
            stack.extend(sets.pop(value.attr, ()))
    return needed, unread


def _sweep(region: Region, needed: set[Value], unread: set[Value]) -> bool:
    """Leave out what is not needed; whether something was."""
    kept: Region = []
    changed = False
    for statement in region:
        match statement:
            case Value():
                removable = _removable(statement.op)
                if removable and statement not in needed:
                    changed = True
                    continue
            case If() | Loop() | Switch() | Block():
                for inner in regions(statement):
                    changed |= _sweep(inner, needed, unread)
                if not isinstance(statement, Loop) and not any(regions(statement)):
                    changed = True
                    continue
        kept.append(statement)
    region[:] = kept
    return changed
