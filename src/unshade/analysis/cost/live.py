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
from dataclasses import dataclass, field

from ...ir.kernel import If, KernelIR, Loop, Region, Statement, Switch, Value
from ...ir.memory import Var
from ...ir.ops import OPS

__all__ = ["ControlGraph", "control_graph", "live_sets", "registers_of"]

Held = Value | Var
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


def live_sets(graph: ControlGraph) -> list[frozenset[Held]]:
    """Return the values live after each node, by a backward analysis up to a fixed point."""
    numbers: dict[Held, int] = {}
    for uses, made in zip(graph.uses, graph.defines, strict=True):
        for each in (*uses, *(() if made is None else (made,))):
            numbers.setdefault(each, len(numbers))
    used = [sum({1 << numbers[each] for each in uses}) for uses in graph.uses]
    kept = [-1 if made is None else ~(1 << numbers[made]) for made in graph.defines]
    before: list[list[int]] = [[] for _ in graph.nodes]
    for node, after in enumerate(graph.after):
        for each in after:
            before[each].append(node)
    out = [0] * len(graph.nodes)
    into = list(used)
    waiting = list(range(len(graph.nodes)))
    is_waiting = [True] * len(graph.nodes)
    while waiting:
        node = waiting.pop()
        is_waiting[node] = False
        joined = 0
        for each in graph.after[node]:
            joined |= into[each]
        out[node] = joined
        new = used[node] | (joined & kept[node])
        if new != into[node]:
            into[node] = new
            for each in before[node]:
                if not is_waiting[each]:
                    is_waiting[each] = True
                    waiting.append(each)
    return _sets(out, list(numbers))


def _sets(masks: list[int], held: list[Held]) -> list[frozenset[Held]]:
    """Return the sets of masks; equal ones are one object."""
    known: dict[int, frozenset[Held]] = {}
    for mask in masks:
        if mask not in known:
            bits = []
            left = mask
            while left:
                low = left & -left
                bits.append(held[low.bit_length() - 1])
                left ^= low
            known[mask] = frozenset(bits)
    return [known[mask] for mask in masks]


def registers_of(held: Iterable[Held]) -> int:
    """Return the number of 32-bit registers that values and variables take."""
    return sum(max(1, each.type.bits // 32) for each in held)
