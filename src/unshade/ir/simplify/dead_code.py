"""Dead code elimination: unused values, unread sets and empty constructs.

    needed    operations with effects, conditions of constructs, and their operands; if a variable
              is read, its sets that are not dead (liveness)

Loops are kept, even empty ones, since they may not terminate.
"""

from ..analysis.liveness import unread_sets
from ..kernel import Block, If, KernelIR, Loop, Region, Switch, Value, regions
from ..memory import Var
from ..ops import OPS, Op

__all__ = ["remove_dead_code"]

# Operations without effects if their result is unused, though not pure.
EFFECTS = frozenset({OPS.get, OPS.load, OPS.is_helper, OPS.set})


def _removable(op: Op) -> bool:
    return op.pure or op.convergent or op in EFFECTS


def remove_dead_code(kernel: KernelIR) -> bool:
    """Remove dead code in place; return True if there was any."""
    changed = False
    while _sweep(kernel.body, *_needed(kernel)):
        changed = True
    used = {value.attr for value in kernel.values() if value.op.attribute == "var"}
    if len(used) != len(kernel.variables):
        kernel.variables[:] = [var for var in kernel.variables if var in used]
        changed = True
    return changed


def _needed(kernel: KernelIR) -> tuple[set[Value], set[Value]]:
    """Return the needed values, and the sets that are never read."""
    unread = unread_sets(kernel)
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
    """Remove unneeded statements of a region; return True if there were any."""
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
