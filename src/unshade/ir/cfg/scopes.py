"""Variables for values that are used outside of their region.

    block $0 {                          block $0 {
      %1 = fadd …                         %1 = fadd …
      …                                   set @kept, %1
    }                             ->      …
    %2 = fmul %1, %1                    }
                                        %2 = get @kept
                                        %3 = fmul %2, %2

In SSA form a value may be used in every block that its own dominates; in a region it is visible
only to later statements of the same region. One read serves the whole region that contains it: the
definition does not run again before that region has ended, because it dominates the read.
"""

from ..builder import Builder
from ..kernel import If, Region, Switch, Value, regions, walk
from ..memory import Var
from ..ops import OPS
from ..types import VOID


def into_scope(builder: Builder, region: Region) -> None:
    """Insert sets and gets for values that are used outside of their region, in place."""
    inside = set(walk(region))
    unseen = _unseen(region, inside, set())
    if not unseen:
        return
    variables = {
        value: Var(builder.names.numbered("kept"), value.type)
        for value in walk(region)
        if value in unseen
    }
    builder.kernel.variables += variables.values()
    _rewritten(region, variables, {})


def _unseen(region: Region, inside: set[Value], seen: set[Value]) -> set[Value]:
    """Return the values that are used where they are not visible."""
    found: set[Value] = set()
    mine: list[Value] = []
    for statement in region:
        operands = statement.args if isinstance(statement, Value) else used(statement)
        for value in operands:
            if value not in seen and value in inside:
                found.add(value)
        if isinstance(statement, Value):
            seen.add(statement)
            mine.append(statement)
            continue
        for inner in regions(statement):
            found |= _unseen(inner, inside, seen)
    seen.difference_update(mine)
    return found


def used(statement: object) -> tuple[Value, ...]:
    """Return the operands of a statement, without the operands of nested statements."""
    match statement:
        case Value():
            return statement.args
        case If():
            return (statement.condition,)
        case Switch():
            return (statement.value,)
    return ()


def _rewritten(region: Region, variables: dict[Value, Var], seen: dict[Value, Value]) -> None:
    """Rewrite a region in place; `seen` maps kept values to their replacements here."""
    old = region[:]
    region.clear()
    mine: list[Value] = []

    def here(value: Value, user: Value | If | Switch) -> Value:
        var = variables.get(value)
        if var is None:
            return value
        found = seen.get(value)
        if found is None:
            found = seen[value] = Value(OPS.get, var.type, (), var, user.line, user.location)
            mine.append(value)
            region.append(found)
        return found

    for statement in old:
        match statement:
            case Value():
                if any(each in variables for each in statement.args):
                    statement.args = tuple(here(each, statement) for each in statement.args)
            case If():
                statement.condition = here(statement.condition, statement)
            case Switch():
                statement.value = here(statement.value, statement)
        region.append(statement)
        if isinstance(statement, Value) and statement in variables:
            var = variables[statement]
            where = statement.line, statement.location
            region.append(Value(OPS.set, VOID, (statement,), var, *where))
            seen[statement] = statement
            mine.append(statement)
        for inner in regions(statement):
            _rewritten(inner, variables, seen)
    for value in mine:
        seen.pop(value, None)
