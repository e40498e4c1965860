"""If-conversion: small ifs become selects, which cost less than divergence.

    if %1 {
      %2 = fmul %0, f32 2.0            %2 = fmul %0, f32 2.0
      set @a, %2              ->       %3 = get @a
    }                                  %4 = select %1, %2, %3
                                       set @a, %4

All operations are total, so they can be executed speculatively; those that read memory or other
lanes are not moved.
"""

from ..kernel import If, KernelIR, Region, Value, regions
from ..memory import Var
from ..ops import OPS
from ..types import VOID

__all__ = ["flatten"]

MOST = 8  # operations in both sides together
SLOW = frozenset({OPS.idiv, OPS.irem, OPS.udiv, OPS.urem, OPS.fdiv, OPS.fsqrt, OPS.sample})


def flatten(kernel: KernelIR) -> bool:
    """Replace small ifs in place; return True if there was one."""
    return _region(kernel.body)


def _region(region: Region) -> bool:
    made: Region = []
    changed = False
    for statement in region:
        for inner in regions(statement) if not isinstance(statement, Value) else ():
            changed |= _region(inner)
        if isinstance(statement, If) and _small(statement):
            made += _flat(statement)
            changed = True
        else:
            made.append(statement)
    region[:] = made
    return changed


def _small(statement: If) -> bool:
    count = 0
    for part in (statement.then, statement.otherwise):
        given: set[Var] = set()
        for each in part:
            if not isinstance(each, Value):
                return False
            op = each.op
            if op is OPS.set:
                given.add(each.attr)
            elif op is OPS.get:
                if each.attr in given:  # not its value before the if
                    return False
            elif not op.pure or op.library or op in SLOW:
                return False
            else:
                count += 1
    return count <= MOST


def _flat(statement: If) -> Region:
    made: Region = []
    where = statement.line, statement.location
    ends: list[dict[Var, Value]] = []
    for part in (statement.then, statement.otherwise):
        end: dict[Var, Value] = {}
        for each in part:
            assert isinstance(each, Value)
            if each.op is OPS.set:
                end[each.attr] = each.args[0]
            else:
                made.append(each)
        ends.append(end)
    sets: Region = []
    for var in ends[0] | ends[1]:
        both = []
        for end in ends:
            value = end.get(var)
            if value is None:
                value = Value(OPS.get, var.type, (), var, *where)
                made.append(value)
            both.append(value)
        args = (statement.condition, *both)
        chosen = Value(OPS.select, var.type, args, None, *where)
        sets.append(chosen)
        sets.append(Value(OPS.set, VOID, (chosen,), var, *where))
    return made + sets
