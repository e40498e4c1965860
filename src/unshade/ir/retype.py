"""Variables of 32 bits that only ever hold floats become float variables.

    set @r0.x, asint(%1)              set @r0.x, %1
    … asfloat(get @r0.x) …   ->       … get @r0.x …

Registers have no type, so front ends make integers of them; a variable whose every set takes a float
(or a constant, or such a variable) and whose every use makes one again was never an integer.
"""

from .builder import constant
from .kernel import Kernel, Value
from .memory import Var
from .rewrite import rewrite
from .types import F32, I32


def retype(kernel: Kernel) -> None:
    """Change what can be changed, in place."""
    users: dict[Value, list[Value]] = {}
    sets: list[Value] = []
    gets: list[Value] = []
    conditions = _conditions(kernel)
    for value in kernel.values():
        for arg in value.args:
            users.setdefault(arg, []).append(value)
        if value.op.name == "set" and value.attr.type == I32:
            sets.append(value)
        elif value.op.name == "get" and value.attr.type == I32:
            gets.append(value)
    floats = {var for var in kernel.variables if var.type == I32}
    proved: set[Var] = set()
    while True:
        strict: set[Var] = set()
        for value in sets:
            given = value.args[0]
            if not _is_float(given, floats):
                strict.add(value.attr)
        for value in gets:
            if value in conditions or not all(
                _takes_float(user, floats) for user in users.get(value, ())
            ):
                strict.add(value.attr)
        if not strict & floats:
            break
        floats -= strict
    for value in sets:  # constants alone say nothing: some set or use must be a float
        if value.args[0].op.name == "asint":
            proved.add(value.attr)
    for value in gets:
        if any(user.op.name == "asfloat" for user in users.get(value, ())):
            proved.add(value.attr)
    # A chain of copies is float if one of them is.
    changed = True
    links = [(v.attr, v.args[0].attr) for v in sets if v.args[0].op.name == "get"]
    while changed:
        changed = False
        for one, other in links:
            if (one in proved) != (other in proved) and one in floats and other in floats:
                proved |= {one, other}
                changed = True
    floats &= proved
    if floats:
        _change(kernel, floats)


def _conditions(kernel: Kernel) -> set[Value]:
    """Values that constructs look at: they have to stay what they are."""
    from .kernel import If, Region, Switch, regions

    found: set[Value] = set()
    stack: list[Region] = [kernel.body]
    while stack:
        for statement in stack.pop():
            if isinstance(statement, If):
                found.add(statement.condition)
            elif isinstance(statement, Switch):
                found.add(statement.value)
            stack.extend(regions(statement))
    return found


def _is_float(value: Value, floats: set[Var]) -> bool:
    name = value.op.name
    if name == "asint":
        return value.args[0].type == F32
    return name == "const" or (name == "get" and value.attr in floats)


def _takes_float(user: Value, floats: set[Var]) -> bool:
    name = user.op.name
    return (name == "asfloat" and user.type == F32) or (name == "set" and user.attr in floats)


def _change(kernel: Kernel, floats: set[Var]) -> None:
    for var in floats:
        var.type = F32
    fetched: set[Value] = set()
    for value in kernel.values():
        if value.op.name == "get" and value.attr in floats:
            value.type = F32
            fetched.add(value)
        elif value.op.name == "set" and value.attr in floats:
            given = value.args[0]
            if given.op.name == "const":
                value.args = (constant(given.attr, F32),)
            elif given.op.name == "asint":
                value.args = given.args

    def rule(_: object, value: Value) -> Value | None:
        if value.op.name == "asfloat" and value.args[0] in fetched:
            return value.args[0]
        return None

    rewrite(kernel, rule)
