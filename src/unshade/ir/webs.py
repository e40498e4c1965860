"""Variables divided into webs: one variable for each value that really lives in it.

    set @r0.x, %1                     set @r0.x, %1
    … get @r0.x …            ->       … get @r0.x …
    set @r0.x, %2                     set @r0.x.1, %2
    … get @r0.x …                     … get @r0.x.1 …

Code for register machines uses one register for many things: an index here, a colour there. What
analyses find out about a variable (all lanes share it, it holds floats) they find about each of
these once they have names of their own. A web is a set of definitions and all uses that they reach;
definitions that reach none are dropped.

One walk, whatever is nested in what: a loop begins with a definition of its own for each variable
that is set in it, which stands for those that come in and those that come round; it joins their web
only if something reads it.
"""

from .kernel import If, Kernel, Loop, Region, Switch, Value, regions, walk
from .memory import Var

State = dict[Var, frozenset[int]]  # the definitions that may be what a variable holds


class _Leaving:
    """The states in which a construct is left."""

    def __init__(self, loop: bool) -> None:
        self.loop = loop
        self.breaks: list[State] = []
        self.continues: list[State] = []


def divide(kernel: Kernel) -> None:
    """Give each web a variable of its own, in place."""
    _Webs(kernel).run()


class _Webs:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.parent: list[int] = []
        self.var: list[Var] = []
        self.incoming: dict[int, set[int]] = {}  # of the definition a loop begins with
        self.read: set[int] = set()
        self.defines: dict[Value, int] = {}
        self.reads: dict[Value, int] = {}
        self.leaving: list[_Leaving] = []

    # ------------------------------------------------------------ definitions

    def new(self, var: Var) -> int:
        self.parent.append(len(self.parent))
        self.var.append(var)
        return len(self.parent) - 1

    def root(self, number: int) -> int:
        parent = self.parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def join(self, one: int, other: int) -> None:
        one, other = self.root(one), self.root(other)
        if one != other:
            self.parent[max(one, other)] = min(one, other)

    # ------------------------------------------------------------ the walk

    def run(self) -> None:
        start = {var: frozenset({self.new(var)}) for var in self.kernel.variables}
        self.region(self.kernel.body, start)
        pending = [number for number in self.incoming if number in self.read]
        while pending:
            number = pending.pop()
            for each in self.incoming[number]:
                self.join(number, each)
                if each not in self.read:
                    self.read.add(each)
                    if each in self.incoming:
                        pending.append(each)
        self.name()

    def region(self, region: Region, state: State) -> "State | None":
        """The state behind the region; None where nobody gets there."""
        for statement in region:
            if isinstance(statement, Value):
                name = statement.op.name
                if name == "get":
                    self.use(statement, state[statement.attr])
                elif name == "set":
                    number = self.defines[statement] = self.new(statement.attr)
                    state = {**state, statement.attr: frozenset({number})}
                elif statement.op.ends:
                    self.leave(name, state)
                    return None
                continue
            after = self.construct(statement, state)
            if after is None:
                return None
            state = after
        return state

    def use(self, value: Value, found: frozenset[int]) -> None:
        first = min(found)
        for each in found:
            self.join(first, each)
        self.read |= found
        self.reads[value] = first

    def leave(self, name: str, state: State) -> None:
        if name == "return":
            return
        for construct in reversed(self.leaving):
            if construct.loop:
                (construct.breaks if name == "break" else construct.continues).append(state)
                return
            if name == "break":
                construct.breaks.append(state)
                return

    def construct(self, statement: "If | Loop | Switch", state: State) -> "State | None":
        if isinstance(statement, If):
            return _merged(
                [self.region(statement.then, state), self.region(statement.otherwise, state)]
            )
        leaving = _Leaving(isinstance(statement, Loop))
        self.leaving.append(leaving)
        ends: list[State | None] = []
        if isinstance(statement, Loop):
            changed = {value.attr for value in walk(statement.body) if value.op.name == "set"}
            heads = {var: self.new(var) for var in changed}
            inside = {**state, **{var: frozenset({number}) for var, number in heads.items()}}
            around = [state, self.region(statement.body, inside), *leaving.continues]
            for var, number in heads.items():
                self.incoming[number] = {
                    each for one in around if one is not None for each in one[var]
                }
        else:
            for case in statement.cases:
                ends.append(self.region(case.body, state))
            if not any(case.default for case in statement.cases):
                ends.append(state)
        self.leaving.pop()
        return _merged([*ends, *leaving.breaks])

    # ------------------------------------------------------------ new names

    def name(self) -> None:
        """A variable for each web; the first keeps the old one."""
        variables: dict[int, Var] = {}
        taken: dict[Var, int] = {}
        for value in [*self.reads, *self.defines]:
            number = self.reads.get(value)
            if number is None:
                number = self.defines[value]
                if not self.is_read(number):
                    continue
            root = self.root(number)
            if root not in variables:
                old = self.var[root]
                count = taken.get(old, 0)
                taken[old] = count + 1
                variables[root] = old if not count else Var(f"{old.name}.{count}", old.type)
            value.attr = variables[root]
        self.kernel.variables = list(dict.fromkeys(variables.values()))
        self.drop(self.kernel.body)

    def is_read(self, number: int) -> bool:
        return number in self.read

    def drop(self, region: Region) -> None:
        """Leave out what nobody reads."""
        kept: Region = []
        for statement in region:
            if isinstance(statement, Value):
                if statement.op.name == "set" and not self.is_read(self.defines.get(statement, -1)):
                    continue
            else:
                for inner in regions(statement):
                    self.drop(inner)
            kept.append(statement)
        region[:] = kept


def _merged(states: "list[State | None]") -> "State | None":
    found: State | None = None
    for state in states:
        if state is None or state is found:
            continue
        if found is None:
            found = state
            continue
        found = {
            var: numbers if numbers is state[var] else numbers | state[var]
            for var, numbers in found.items()
        }
    return found
