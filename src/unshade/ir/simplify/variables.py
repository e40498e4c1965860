"""Splitting and retyping of variables, which are often registers reused for unrelated values.

    set @r0, %1     ─┐                     set @r0, %1       ─┐
    %2 = get @r0    ─┘ one web      ->     %2 = get @r0      ─┘
    set @r0, %3     ─┐                     set @r0.1, %3     ─┐
    %4 = get @r0    ─┘ another             %4 = get @r0.1    ─┘

A web is a set of definitions and the reads they reach, joined where they share a read. Each web
becomes a variable with its own uniformity, type and live range.
"""

from ...dataclass import dataclass, field, replace
from ..analysis.fact_maps import FactMap, changes
from ..analysis.liveness import BackwardWalker, live_variables
from ..builder import constant
from ..kernel import Block, If, KernelIR, Loop, Region, Statement, Switch, Value, leaves, regions
from ..memory import Var
from ..ops import OPS
from ..types import FLOATS, INTEGERS

__all__ = ["retype_variables", "split_variables"]


class Web:
    """A node of a union-find structure: a set, or the initial zero of a variable."""

    __slots__ = ("into", "var")

    def __init__(self, var: Var) -> None:
        self.var = var
        self.into: Web | None = None

    def root(self) -> "Web":
        """Return the representative of the web."""
        here = self
        while (into := here.into) is not None:
            if into.into is not None:
                here.into = into.into  # halves the path, or long chains are walked again and again
            here = into
        return here


Env = FactMap[Var, Web]


def split_variables(kernel: KernelIR) -> bool:
    """Split the variables of a kernel into webs in place; return True if any was split."""
    finder = WebFinder(kernel, live_variables(kernel))
    start: Env = FactMap(kernel.variables)
    for each in kernel.variables:
        start[each] = Web(each)
    finder.region(kernel.body, start)
    names = {var.name for var in kernel.variables}
    made: dict[Web, Var] = {}
    taken: dict[Var, int] = {}
    variables = []
    for value in kernel.values():
        if value.op.attribute != "var":
            continue
        root = finder.of[value].root()
        var = made.get(root)
        if var is None:
            var = value.attr
            if var in taken:
                name = var.name
                while name in names:
                    taken[var] += 1
                    name = f"{var.name}.{taken[var]}"
                names.add(name)
                var = replace(var, name=name, row="")
            else:
                taken[var] = 0
            made[root] = var
            variables.append(var)
        finder.chosen[value] = var
    for value, var in finder.chosen.items():
        value.attr = var
    split = len(variables) > len(taken)
    kernel.variables[:] = variables
    return split


@dataclass(slots=True)
class ConstructWebs:
    """An enclosing loop, switch or block, and the webs at its breaks and continues."""

    statement: Statement
    left: list[Env] = field(default_factory=list)
    continued: list[Env] = field(default_factory=list)


class WebFinder:
    """A pass that joins sets whose values may reach the same get.

    In unreachable code, a variable has no web until it is looked up.
    """

    def __init__(self, kernel: KernelIR, live: BackwardWalker) -> None:
        self.kernel = kernel
        self.live = live
        self.of: dict[Value, Web] = {}
        self.chosen: dict[Value, Var] = {}
        self.around: list[ConstructWebs] = []

    def region(self, region: Region, env: Env) -> Env | None:
        """Return the webs of all variables after the region; None if unreachable."""
        found: Env | None = env
        for statement in region:
            if found is None:
                found = FactMap(self.kernel.variables)
            match statement:
                case Value():
                    found = self._value(statement, found)
                case If():
                    ways = [
                        self.region(statement.then, found.fork()),
                        self.region(statement.otherwise, found.fork()),
                    ]
                    found = self._meet(ways, statement)
                case Loop():
                    found = self._loop(statement, found)
                case Switch():
                    found = self._switch(statement, found)
                case Block():
                    construct = ConstructWebs(statement)
                    self.around.append(construct)
                    end = self.region(statement.body, found.fork())
                    self.around.pop()
                    found = self._meet([end, *construct.left], statement)
        return found

    def _value(self, value: Value, env: Env) -> Env | None:
        match value.op:
            case OPS.get:
                web = env.get(value.attr)
                if web is None:
                    web = env[value.attr] = Web(value.attr)
                self.of[value] = web
            case OPS.set:
                env[value.attr] = self.of[value] = Web(value.attr)
            case OPS.break_ | OPS.continue_ | OPS.exit as op:
                around = next(a for a in reversed(self.around) if leaves(value, a.statement))
                (around.continued if op is OPS.continue_ else around.left).append(env.fork())
        return None if value.op.ends else env

    def _meet(self, ways: "list[Env | None]", at: Statement) -> Env | None:
        given = [each for each in ways if each is not None]
        if not given:
            return None
        self._join(given, self.live.after[at])
        return given[0].fork()

    def _join(self, ways: list[Env], live: int) -> None:
        """Join the webs of each live variable."""
        bits = self.live.bits
        for var, one, other in changes(ways):
            if one is not None and other is not None and bits[var] & live:
                into, gone = one.root(), other.root()
                if into is not gone:
                    gone.into = into

    def _loop(self, loop: Loop, env: Env) -> Env | None:
        construct = ConstructWebs(loop)
        self.around.append(construct)
        end = self.region(loop.body, env.fork())
        self.around.pop()
        again = [env, *construct.continued, *([end] if end is not None else [])]
        self._join(again, self.live.heads[loop])
        return self._meet(list(construct.left), loop)

    def _switch(self, switch: Switch, env: Env) -> Env | None:
        construct = ConstructWebs(switch)
        self.around.append(construct)
        ways = [self.region(case.body, env.fork()) for case in switch.cases]
        self.around.pop()
        if not any(case.default for case in switch.cases):
            ways.append(env)
        return self._meet([*ways, *construct.left], switch)


# ---------------------------------------------------------------- retyping


def retype_variables(kernel: KernelIR) -> bool:
    """Turn integer variables that hold the bits of floats into floats, in place.

    This avoids canonicalising NaNs whose bits are not observed. Return True if there were any.
    """
    score: dict[Var, int] = {}
    readers: dict[Value, Var] = {}
    for value in kernel.values():
        op = value.op
        if op is OPS.set and value.attr.type in INTEGERS.values():
            given = value.args[0]
            if given.op is OPS.asint:
                score[value.attr] = score.get(value.attr, 0) + 1
            elif given.op not in (OPS.const, OPS.get):
                score[value.attr] = score.get(value.attr, 0) - 1
        elif op is OPS.get:
            readers[value] = value.attr
        for arg in value.args:
            if arg in readers and op is not OPS.set:
                weight = 1 if op is OPS.asfloat else -1
                score[readers[arg]] = score.get(readers[arg], 0) + weight
    floats = {
        var: replace(var, type=FLOATS[var.type.bits])
        for var in kernel.variables
        if var.type in INTEGERS.values() and score.get(var, 0) > 0
    }
    if not floats:
        return False
    _retyped(kernel.body, floats, {})
    kernel.variables[:] = [floats.get(var, var) for var in kernel.variables]
    return True


def _retyped(region: Region, floats: dict[Var, Var], instead: dict[Value, Value]) -> None:
    made: Region = []
    for statement in region:
        match statement:
            case Value():
                statement.args = tuple(instead.get(each, each) for each in statement.args)
                where = statement.line, statement.location
                var = floats.get(statement.attr) if statement.op.attribute == "var" else None
                if var is None:
                    made.append(statement)
                elif statement.op is OPS.get:
                    got = Value(statement.op, var.type, (), var, *where)
                    bits = Value(OPS.asint, statement.type, (got,), None, *where, statement.label)
                    instead[statement] = bits
                    made += [got, bits]
                else:
                    given = statement.args[0]
                    if given.op is OPS.const:
                        given = constant(given.attr, var.type)
                    else:
                        given = Value(OPS.asfloat, var.type, (given,), None, *where)
                        made.append(given)
                    made.append(statement.with_args((given,), var))
            case If():
                statement.condition = instead.get(statement.condition, statement.condition)
            case Switch():
                statement.value = instead.get(statement.value, statement.value)
        if not isinstance(statement, Value):
            for inner in regions(statement):
                _retyped(inner, floats, instead)
            made.append(statement)
    region[:] = made
