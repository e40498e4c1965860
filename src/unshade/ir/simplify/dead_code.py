"""Dead code elimination: unused values, unread sets and empty constructs.

needed    operations with effects, and loops, which may not terminate; the operands of all that is
          needed, and the conditions of the constructs around it; if a variable is read, its
          sets that are not dead (liveness)
"""

from ..analysis.liveness import unread_sets
from ..kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, regions
from ..memory import Var
from ..ops import OPS, Op

__all__ = ["remove_dead_code"]

# Rounds of liveness, each of which may find that sets are not read any more. Real programs take at
# most 5, and `simplify` calls this pass again.
MOST_SWEEPS = 16
# Operations without effects if their result is unused, though not pure.
EFFECTS = frozenset({OPS.get, OPS.load, OPS.is_helper, OPS.set})


def _removable(op: Op) -> bool:
    return op.pure or op.convergent or op in EFFECTS


def remove_dead_code(kernel: KernelIR) -> bool:
    """Remove dead code in place; return True if there was any."""
    changed = False
    for _ in range(MOST_SWEEPS):
        if not _sweep(kernel.body, _needed(kernel)):
            break
        changed = True
    used = {value.attr for value in kernel.values() if value.op.attribute == "var"}
    if len(used) != len(kernel.variables):
        kernel.variables[:] = [var for var in kernel.variables if var in used]
        changed = True
    return changed


def _needed(kernel: KernelIR) -> set[Statement]:
    """Return the needed statements."""
    unread = unread_sets(kernel)
    sets: dict[Var, list[Value]] = {}
    stack: list[Statement] = []
    around: dict[Statement, Statement] = {}  # the construct around each statement
    todo: list[tuple[Region, Statement | None]] = [(kernel.body, None)]
    while todo:
        region, construct = todo.pop()
        for statement in region:
            if construct is not None:
                around[statement] = construct
            if not isinstance(statement, Value):
                if isinstance(statement, Loop):
                    stack.append(statement)
                todo += [(inner, statement) for inner in regions(statement)]
            elif statement.op is OPS.set:
                if statement not in unread:
                    sets.setdefault(statement.attr, []).append(statement)
            elif not _removable(statement.op):
                stack.append(statement)
    needed: set[Statement] = set()
    while stack:
        statement = stack.pop()
        if statement in needed:
            continue
        needed.add(statement)
        if statement in around:
            stack.append(around[statement])
        match statement:
            case Value():
                stack.extend(statement.args)
                if statement.op is OPS.get:
                    stack.extend(sets.pop(statement.attr, ()))
            case If():
                stack.append(statement.condition)
            case Switch():
                stack.append(statement.value)
    return needed


def _sweep(region: Region, needed: set[Statement]) -> bool:
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
                    changed |= _sweep(inner, needed)
                if statement not in needed:
                    changed = True
                    continue
        kept.append(statement)
    region[:] = kept
    return changed
