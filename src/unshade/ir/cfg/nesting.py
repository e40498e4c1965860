"""The acyclic body of each loop, and of the whole graph.

    level     the blocks of one loop that are in no inner loop; each inner loop is one unit; back
              edges to a header of the loop are left out
    order     the units in topological order
    below     the units that each one immediately dominates (Cooper, Harvey, Kennedy: "A simple,
              fast dominance algorithm"; without cycles one pass is enough)
    apart     units that need a separate position: units with several incoming edges, or with
              one from an inner loop, which they have to follow

Common dominators are found by jump pointers in time logarithmic in the depth, so that the whole is
nearly linear in the size of the graph.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...dataclass import dataclass, field
from .loops import GraphLoop, LoopForest, Successors


@dataclass(frozen=True, slots=True)
class LoopEntry:
    """The unit before the headers of a loop with several headers: the entry of an iteration."""

    loop: GraphLoop


Unit: TypeAlias = int | GraphLoop | LoopEntry


@dataclass(slots=True)
class NestingLevel:
    """The body of a loop; `loop` is None for the whole graph.

    headers     the headers of the loop, and their numbers
    numbers     the index of each unit in `order`
    """

    loop: GraphLoop | None
    root: Unit
    headers: dict[int, int] = field(default_factory=dict)
    order: list[Unit] = field(default_factory=list)
    below: dict[Unit, list[Unit]] = field(default_factory=dict)
    numbers: dict[Unit, int] = field(default_factory=dict)
    apart: set[Unit] = field(default_factory=set)


def common_level(
    owner: Mapping[int, GraphLoop | None], block: int, to: int
) -> tuple[GraphLoop | None, Unit, Unit]:
    """Return the innermost loop that contains both blocks, and their units in its level."""
    one, two = owner[block], owner[to]
    first: Unit = block
    second: Unit = to
    while one is not two:
        if two is None or (one is not None and one.depth >= two.depth):
            assert one is not None
            if two is not None and one.depth == two.depth:
                second, two = two, two.parent
            first, one = one, one.parent
        else:
            second, two = two, two.parent
    return one, first, second


def find_levels(successors: Successors, loops: LoopForest) -> dict[GraphLoop | None, NestingLevel]:
    """Return the levels of the graph and of all loops."""
    owner = loops.owner
    edges: dict[GraphLoop | None, dict[Unit, dict[Unit, None]]] = {None: {}}
    coming: dict[Unit, int] = {}
    levels: dict[GraphLoop | None, NestingLevel] = {}
    top: Unit = 0
    around = owner[0]
    while around is not None:
        top, around = around, around.parent
    levels[None] = NestingLevel(None, top)
    todo = list(loops.outer)
    while todo:
        loop = todo.pop()
        todo += loop.loops
        root: Unit = LoopEntry(loop) if len(loop.headers) > 1 else loop.headers[0]
        headers = {header: number for number, header in enumerate(loop.headers)}
        levels[loop] = NestingLevel(loop, root, headers)
        edges[loop] = {root: dict.fromkeys(loop.headers)} if len(loop.headers) > 1 else {}
    for block in owner:
        for to in successors[block]:
            at, first, second = common_level(owner, block, to)
            if to in levels[at].headers:
                continue  # a back edge
            edges[at].setdefault(first, {})[second] = None
            coming[second] = coming.get(second, 0) + 1
            if isinstance(first, GraphLoop):
                levels[at].apart.add(second)
    for at, level in levels.items():
        level.order = _order(level.root, edges[at])
        level.numbers = {unit: number for number, unit in enumerate(level.order)}
        level.apart.update(unit for unit in level.order if coming.get(unit, 0) > 1)
        level.below = _dominated(level, edges[at])
    return levels


def _reversed(edges: Mapping[Unit, dict[Unit, None]], unit: Unit) -> Iterator[Unit]:
    return reversed(list(edges.get(unit, ())))


def _order(root: Unit, edges: Mapping[Unit, dict[Unit, None]]) -> list[Unit]:
    """Return the units in topological order, which is the order of the text."""
    found: list[Unit] = []
    seen = {root}
    work = [(root, _reversed(edges, root))]
    while work:
        unit, rest = work[-1]
        for to in rest:
            if to not in seen:
                seen.add(to)
                work.append((to, _reversed(edges, to)))
                break
        else:
            work.pop()
            found.append(unit)
    return found[::-1]


def _dominated(
    level: NestingLevel, edges: Mapping[Unit, dict[Unit, None]]
) -> dict[Unit, list[Unit]]:
    """Return the units that each unit immediately dominates, in topological order."""
    order = level.order
    up = [-1] * len(order)  # the immediate dominator
    depth = [0] * len(order)
    jump = [0] * len(order)
    below: dict[Unit, list[Unit]] = {unit: [] for unit in order}

    def common(a: int, b: int) -> int:
        if depth[a] < depth[b]:
            a, b = b, a
        while depth[a] > depth[b]:
            a = jump[a] if depth[jump[a]] >= depth[b] else up[a]
        while a != b:
            if jump[a] != jump[b]:
                a, b = jump[a], jump[b]
            else:
                a, b = up[a], up[b]
        return a

    for at, unit in enumerate(order):
        if at:
            dom = up[at]
            below[order[dom]].append(unit)
            depth[at] = depth[dom] + 1
            far = jump[dom]
            even = depth[dom] - depth[far] == depth[far] - depth[jump[far]]
            jump[at] = jump[far] if even else dom
        for to in edges.get(unit, ()):
            other = level.numbers[to]
            up[other] = at if up[other] < 0 else common(up[other], at)
    return below
