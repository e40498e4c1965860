"""Live registers: the values that are needed later, at each operation of a kernel.

    line 12   %a = fmul …       live: a, r0.x            2 registers
    line 13   %b = load …       live: a, b, r0.x         3
    line 14   set @r0.x, %b     live: a, r0.x            2

A value is live from its definition to its last use on any path, a variable from a set to a get. A
loop keeps alive what it uses again in its next turn. Constants take no register; a value of 64 bits
takes two, of less than 32 bits one. The positions of operations are their numbers in the control
graph.
"""

from collections.abc import Iterable

from ...dataclass import dataclass, field
from ...ir.kernel import If, KernelIR, Loop, Region, Statement, Switch, Value
from ...ir.memory import Var
from ...ir.ops import OPS

__all__ = ["ControlGraph", "Held", "RegisterLiveness", "chains_of", "control_graph", "registers_of"]

Held = Value | Var
EMPTY: frozenset[Held] = frozenset()
UNHELD = frozenset({OPS.const, OPS.source, OPS.count})  # what an instruction can name in place


@dataclass(slots=True)
class ControlGraph:
    """The operations and tests of a kernel, and where control goes after each.

    A node is an operation, or the condition of an If or Switch (its value is used there).
    """

    nodes: list[Value | None] = field(default_factory=list)  # None: a test
    uses: list[tuple[Held, ...]] = field(default_factory=list)
    defines: list[Held | None] = field(default_factory=list)
    after: list[list[int]] = field(default_factory=list)

    def add(self, node: Value | None, uses: tuple[Held, ...], defines: Held | None) -> int:
        """Append a node; return its number."""
        self.nodes.append(node)
        self.uses.append(uses)
        self.defines.append(defines)
        self.after.append([])
        return len(self.nodes) - 1


@dataclass(slots=True)
class _ControlExits:
    """Nodes that leave each construct, and nodes that continue each loop."""

    left: dict[int, list[int]] = field(default_factory=dict)
    again: dict[int, list[int]] = field(default_factory=dict)


def control_graph(kernel: KernelIR) -> ControlGraph:
    """Return the graph of a kernel."""
    graph = ControlGraph()
    _region(kernel.body, [], graph, [], _ControlExits())
    return graph


def _held(values: Iterable[Value]) -> tuple[Held, ...]:
    return tuple(each for each in values if each.op not in UNHELD)


def _region(
    region: Region,
    entries: list[int],
    graph: ControlGraph,
    around: list[Statement],
    exits: _ControlExits,
) -> list[int]:
    """Add a region that control enters from `entries`; return the nodes that fall out of it."""
    for statement in region:
        entries = _statement(statement, entries, graph, around, exits)
    return entries


def _enter(graph: ControlGraph, entries: list[int], node: int) -> None:
    for each in entries:
        graph.after[each].append(node)


def _statement(
    statement: Statement,
    entries: list[int],
    graph: ControlGraph,
    around: list[Statement],
    exits: _ControlExits,
) -> list[int]:
    if isinstance(statement, Value):
        return _value(statement, entries, graph, around, exits)
    inner = [*around, statement]
    exits.left[id(statement)] = []
    if isinstance(statement, If | Switch):
        tested = statement.condition if isinstance(statement, If) else statement.value
        test = graph.add(None, _held([tested]), None)
        _enter(graph, entries, test)
        sides = (
            [statement.then, statement.otherwise]
            if isinstance(statement, If)
            else [case.body for case in statement.cases]
        )
        covered = isinstance(statement, If) or any(case.default for case in statement.cases)
        found = [] if covered else [test]
        for side in sides:
            found += _region(side, [test], graph, inner, exits)
        return found + exits.left[id(statement)]
    if isinstance(statement, Loop):
        head = graph.add(None, (), None)
        _enter(graph, entries, head)
        exits.again[id(statement)] = []
        ends = _region(statement.body, [head], graph, inner, exits)
        _enter(graph, [*ends, *exits.again[id(statement)]], head)
        return exits.left[id(statement)]
    return _region(statement.body, entries, graph, inner, exits) + exits.left[id(statement)]


def _value(
    value: Value,
    entries: list[int],
    graph: ControlGraph,
    around: list[Statement],
    exits: _ControlExits,
) -> list[int]:
    uses: tuple[Held, ...] = _held(value.args)
    defines: Held | None = None if value.op in UNHELD or value.type.kind == "v" else value
    if value.op is OPS.get:
        uses = (value.attr,)
    elif value.op is OPS.set:
        defines = value.attr
    node = graph.add(value, uses, defines)
    _enter(graph, entries, node)
    if not value.op.ends:
        return [node]
    if value.op is OPS.exit:
        exits.left[id(value.attr)].append(node)
    elif value.op is not OPS.return_:
        wanted = (Loop,) if value.op is OPS.continue_ else (Loop, Switch)
        target = next(each for each in reversed(around) if isinstance(each, wanted))
        where = exits.again if value.op is OPS.continue_ else exits.left
        where[id(target)].append(node)
    return []


class RegisterLiveness:
    """The values that are live after each node, by a backward analysis up to a fixed point.

    Sets are kept for chains of nodes alone, of which each but the last leads to the next; those
    inside of a chain are made from its end. Time and memory do not grow with the product of nodes
    and values.

    Attributes:
        registers: The number of registers live after each node.
    """

    def __init__(self, graph: ControlGraph) -> None:
        self.graph = graph
        self.chains = chains_of(graph)
        self._chain = {node: at for at, chain in enumerate(self.chains) for node in chain}
        self._out = self._at_ends()
        self.registers = [0] * len(graph.nodes)
        for chain, out in zip(self.chains, self._out, strict=True):
            self._count(chain, out)

    def after(self, node: int) -> frozenset[Held]:
        """Return the values live after a node."""
        at = self._chain[node]
        live = set(self._out[at])
        for each in reversed(self.chains[at]):
            if each == node:
                break
            self._step(each, live)
        return frozenset(live)

    def _step(self, node: int, live: set[Held]) -> None:
        """Change the values live after a node to those before it."""
        made = self.graph.defines[node]
        if made is not None:
            live.discard(made)
        live.update(self.graph.uses[node])

    def _count(self, chain: list[int], out: frozenset[Held]) -> None:
        live, count = set(out), registers_of(out)
        for node in reversed(chain):
            self.registers[node] = count
            made = self.graph.defines[node]
            if made is not None and made in live:
                live.remove(made)
                count -= registers_of((made,))
            fresh = set(self.graph.uses[node]) - live
            live |= fresh
            count += registers_of(fresh)

    def _at_ends(self) -> list[frozenset[Held]]:
        """Return the values live after the last node of each chain."""
        needed: list[set[Held]] = []
        killed: list[set[Held]] = []
        for chain in self.chains:
            live: set[Held] = set()
            for node in reversed(chain):
                self._step(node, live)
            needed.append(live)
            made = (self.graph.defines[node] for node in chain)
            killed.append({each for each in made if each is not None})
        after = [[self._chain[each] for each in self.graph.after[one[-1]]] for one in self.chains]
        before: list[list[int]] = [[] for _ in self.chains]
        for at, following in enumerate(after):
            for each in following:
                before[each].append(at)
        out: list[frozenset[Held]] = [EMPTY] * len(self.chains)
        into = [frozenset(each) for each in needed]
        waiting = dict.fromkeys(range(len(self.chains)))
        while waiting:
            at, _ = waiting.popitem()
            out[at] = EMPTY.union(*(into[each] for each in after[at]))
            new = needed[at] | (out[at] - killed[at])
            if new != into[at]:
                into[at] = frozenset(new)
                waiting.update(dict.fromkeys(before[at]))
        return out


def chains_of(graph: ControlGraph) -> list[list[int]]:
    """Return the nodes in chains.

    Each node but the last has one successor, which has one predecessor.
    """
    entries = [0] * len(graph.nodes)
    for after in graph.after:
        for each in after:
            entries[each] += 1
    inner = [False] * len(graph.nodes)  # in a chain, but not its first
    for after in graph.after:
        if len(after) == 1 and entries[after[0]] == 1:
            inner[after[0]] = True
    found: list[list[int]] = []
    placed = [False] * len(graph.nodes)
    starts = [node for node, is_inner in enumerate(inner) if not is_inner]
    for start in (*starts, *range(len(graph.nodes))):  # a ring that nothing enters has no first
        node, chain = start, []
        while not placed[node]:
            placed[node] = True
            chain.append(node)
            after = graph.after[node]
            if len(after) != 1 or not inner[after[0]]:
                break
            node = after[0]
        if chain:
            found.append(chain)
    return found


def registers_of(held: Iterable[Held]) -> int:
    """Return the number of 32-bit registers that values and variables take."""
    return sum(max(1, each.type.bits // 32) for each in held)
