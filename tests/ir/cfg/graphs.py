"""Random control-flow graphs in SSA form, and their execution by 32 lanes.

    graph = random_graph(seed)        blocks, terminators, merges: numbers only
    run = run_graph(graph)                results and active sets, from the graph alone
    kernel, marks = translated(graph) by `ir.cfg`; marks record the active lanes of blocks

A block computes x, y and n from its phis and a value of a dominating block; its terminator depends
on bits of x. After LIMIT blocks a lane takes the shortest path to an end.

Active sets are independent of the translation: each lane's path is followed alone; lanes are
together in a block if they have run equally many iterations of each enclosing loop. The loops are
found by their definition (with Kosaraju's algorithm, where the translation uses Tarjan's).
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unshade.ir.builder import Builder, constant
from unshade.ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from unshade.ir.kernel import DEEPEST, KernelIR, Region, Value
from unshade.ir.memory import Space
from unshade.ir.types import I32

LANES = 32
MASK = 0xFFFF_FFFF
Sets = dict[int, Counter[frozenset[int]]]


@dataclass(slots=True)
class Graph:
    """A graph; `ways` are the successors of each block, more than two for a multiway branch.

    far       the successor of each block on the way to an end
    swapped   edges along which x and y are swapped
    looks     the block that each one uses a value of; itself for none
    """

    ways: list[tuple[int, ...]]
    merges: dict[int, int] = field(default_factory=dict)
    far: list[int] = field(default_factory=list)
    swapped: set[tuple[int, int]] = field(default_factory=set)
    looks: list[int] = field(default_factory=list)
    limit: int = 60

    @property
    def successors(self) -> list[tuple[int, ...]]:
        return [tuple(dict.fromkeys(each)) for each in self.ways]


# ---------------------------------------------------------------- making graphs


def random_graph(seed: int, size: int = 0) -> Graph:
    """Return a graph by seed; every third one is irreducible."""
    chance = random.Random(seed)
    wanted = seed % 3 == 1
    while True:
        graph = _random(chance, wanted, size or chance.choice((4, 5, 8, 12, 20, 40, 80)))
        if forest(graph.successors, 1 << 30).irreducible == wanted:
            return graph


def _random(chance: random.Random, irreducible: bool, size: int) -> Graph:
    reach = chance.choice((2, 4, 9, size))
    back = chance.choice((0.02, 0.1, 0.3))
    ways: list[tuple[int, ...]] = []
    for block in range(size):
        ahead = [min(size - 1, block + 1 + int(chance.random() ** 2 * reach)) for _ in range(5)]
        many = chance.choices((0, 1, 2, 3, 5), (3 / size, 4, 8, 1, 1))[0]
        if block == size - 1:
            many = 0
        some = ahead[:many]
        if some and chance.random() < 0.8:
            some[0] = block + 1  # most blocks are reached
        ways.append(tuple(some))
    above = dominators(ways)
    for block in range(size):
        if block and ways[block] and block in above and chance.random() < back:
            if irreducible:
                to = chance.randrange(1, block + 1)
            else:
                line = [block]
                while above[line[-1]]:
                    line.append(above[line[-1]])
                to = chance.choice(line[: chance.choice((2, 5, size))])
            some = list(ways[block])
            some[chance.randrange(len(some))] = to
            if len(some) == 1:
                some.append(block + 1)
            ways[block] = tuple(some)
    return finished(Graph(ways), chance)


def finished(graph: Graph, chance: random.Random) -> Graph:
    """Add paths to an end, and the computations of blocks."""
    size = len(graph.ways)
    coming: list[list[int]] = [[] for _ in range(size)]
    for block, ways in enumerate(graph.ways):
        for to in ways:
            coming[to].append(block)
    graph.far = [-1] * size
    todo = [block for block, ways in enumerate(graph.ways) if not ways]
    next = iter(range(size - 1, -1, -1))
    done = set(todo)
    while True:
        for to in todo:
            for block in coming[to]:
                if block not in done:
                    done.add(block)
                    graph.far[block] = to
                    todo.append(block)
        lost = [block for block in next if block not in done][:1]
        if not lost:
            break
        next = iter(range(lost[0], -1, -1))
        graph.ways[lost[0]] = ()  # nothing leads out of here
        done.add(lost[0])
        todo = lost
    above = dominators(graph.ways)
    graph.looks = list(range(size))
    for block in range(1, size):
        if block in above and chance.random() < 0.5:
            other = above[block]
            while other and chance.random() < 0.5:
                other = above[other]
            graph.looks[block] = other
    edges = [(block, to) for block, ways in enumerate(graph.ways) for to in ways]
    graph.swapped = {each for each in edges if chance.random() < 0.3}
    graph.limit = chance.choice((10, 40, 90))
    return graph


def dominators(ways: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the immediate dominator of each reachable block; of 0 itself."""
    order: list[int] = []
    seen = {0}
    work = [(0, iter(ways[0]))]
    while work:
        block, rest = work[-1]
        for to in rest:
            if to not in seen:
                seen.add(to)
                work.append((to, iter(ways[to])))
                break
        else:
            order.append(block)
            work.pop()
    order.reverse()
    number = {block: at for at, block in enumerate(order)}
    coming: dict[int, list[int]] = defaultdict(list)
    for block in order:
        for to in ways[block]:
            coming[to].append(block)
    found = {0: 0}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            best = -1
            for each in coming[block]:
                if each in found:
                    one, two = each, best
                    while two >= 0 and one != two:
                        if number[one] > number[two]:
                            one = found[one]
                        else:
                            two = found[two]
                    best = one
            if found.get(block) != best:
                found[block] = best
                changed = True
    return found


# ---------------------------------------------------------------- the meaning


@dataclass(slots=True)
class Forest:
    """The loops around each block, from the outside in, and their headers."""

    around: dict[int, list[int]]
    headers: dict[int, set[int]]
    irreducible: bool = False
    folded: bool = False  # an irreducible one is too deep: what its headers are is not defined here


def forest(ways: Sequence[Sequence[int]], most: int) -> Forest:
    """Return all loops, by their definition."""
    reached = {0}
    todo = [0]
    while todo:
        for to in ways[todo.pop()]:
            if to not in reached:
                reached.add(to)
                todo.append(to)
    coming: dict[int, set[int]] = {block: set() for block in reached}
    for block in reached:
        for to in ways[block]:
            coming[to].add(block)
    found = Forest({block: [] for block in reached}, {})
    work: list[tuple[set[int], set[int], int, int]] = [(reached, set(), 0, -1)]
    while work:
        blocks, cut, depth, into = work.pop()
        for part in components(blocks, ways, coming, cut):
            if len(part) == 1:
                (only,) = part
                if only in cut or only not in ways[only]:
                    continue
            heads = {each for each in part if each == 0 or coming[each] - part}
            found.irreducible |= len(heads) > 1
            name = into
            if into < 0:
                name = len(found.headers)
                found.headers[name] = set()
                for block in part:
                    found.around[block].append(name)
            found.headers[name] |= heads
            if depth + 1 > most and len(heads) > 1:
                found.folded = True
            work.append((part, heads, depth + 1, name if depth + 1 >= most else -1))
    return found


def components(
    blocks: set[int],
    ways: Sequence[Sequence[int]],
    coming: Mapping[int, set[int]],
    cut: set[int],
) -> list[set[int]]:
    """Return strongly connected components, without edges to some blocks (Kosaraju)."""
    order: list[int] = []
    seen: set[int] = set()
    for start in blocks:
        if start in seen:
            continue
        seen.add(start)
        work = [(start, iter(ways[start]))]
        while work:
            block, rest = work[-1]
            for to in rest:
                if to in blocks and to not in cut and to not in seen:
                    seen.add(to)
                    work.append((to, iter(ways[to])))
                    break
            else:
                order.append(block)
                work.pop()
    found: list[set[int]] = []
    taken: set[int] = set()
    for start in reversed(order):
        if start in taken:
            continue
        part = {start}
        todo = [start]
        while todo:
            block = todo.pop()
            for before in coming[block] if block not in cut else ():
                if before in blocks and before not in part and before not in taken:
                    part.add(before)
                    todo.append(before)
        taken |= part
        found.append(part)
    return found


@dataclass(slots=True)
class Ran:
    """A run: final x and y, the paths of lanes, and active sets."""

    results: list[tuple[int, int]] = field(default_factory=list)
    paths: list[list[int]] = field(default_factory=list)


def run_graph(graph: Graph) -> Ran:
    """Run each lane alone."""
    ran = Ran()
    for lane in range(LANES):
        held: dict[int, int] = {}
        block, x, y, n = 0, lane * 2654435761 & MASK, lane, 0
        path = [0]
        while True:
            x = (x * (2 * block + 5) + n) & MASK
            if graph.looks[block] != block:
                x = x + held[graph.looks[block]] & MASK
            held[block] = x
            y ^= x if block % 3 else 0
            n += 1
            ways = graph.ways[block]
            if not ways:
                break
            to = graph.far[block]
            if n < graph.limit:
                to = (
                    ways[min((x >> 7) & 7, len(ways) - 1)] if len(ways) > 2 else ways[-(x >> 9 & 1)]
                )
            if (block, to) in graph.swapped:
                x, y = y, x
            block = to
            path.append(block)
        ran.results.append((x, y))
        ran.paths.append(path)
    return ran


def iterations(path: list[int], found: Forest) -> list[tuple[int, ...]]:
    """Return the iterations of enclosing loops at each block of a lane's path."""
    every: list[tuple[int, ...]] = []
    counts: list[int] = []
    before: list[int] = []
    for block in path:
        around = found.around[block]
        same = 0
        while same < min(len(before), len(around)) and before[same] == around[same]:
            same += 1
        counts = counts[:same] + [0] * (len(around) - same)
        if same == len(around) and around and block in found.headers[around[-1]] and before:
            counts[-1] += 1
        before = around
        every.append(tuple(counts))
    return every


def together(paths: list[list[int]], found: Forest) -> Sets:
    """Return the active sets of each block."""
    groups: dict[tuple[int, tuple[int, ...]], set[int]] = defaultdict(set)
    for lane, path in enumerate(paths):
        for block, counts in zip(path, iterations(path, found), strict=True):
            groups[block, counts].add(lane)
    sets: Sets = defaultdict(Counter)
    for (block, _), lanes in groups.items():
        sets[block][frozenset(lanes)] += 1
    return sets


# ---------------------------------------------------------------- through the translation


def translated(graph: Graph, deepest: int = DEEPEST) -> tuple[KernelIR, dict[Value, int]]:
    """Return the graph as a kernel, and the values that mark its blocks."""
    kernel = KernelIR("graph", group=(LANES, 1, 1))
    b = Builder(kernel)
    out = b.memory("u0", Space.BUFFER, 8, writable=True)
    own = b.source("thread_id_in_group_flattened")
    first = b.imul(own, constant(2654435761, I32))
    size = len(graph.ways)
    phis = [[Phi(I32, {}, name) for name in "xyn"] for _ in range(size)]
    marks: dict[Value, int] = {}
    codes: list[Region] = []
    left: list[tuple[Value, Value, Value]] = []
    held: list[Value] = []
    reached = dominators(graph.ways)
    for block in range(size):
        x, y, n = (phi.value for phi in phis[block])
        if block == 0:
            x, y, n = first, own, constant(0, I32)
        with b.within([]):
            marks[b.source("item")] = block
            x = b.iadd(b.imul(x, 2 * block + 5), n)
            held.append(x)
            left.append((x, y, n))
            codes.append(b.region)
    for block in reached:
        x, y, n = left[block]
        with b.within(codes[block]):
            if graph.looks[block] != block:
                x = b.iadd(x, held[graph.looks[block]])
            held[block] = x
            y = b.xor(y, x) if block % 3 else y
            n = b.iadd(n, 1)
            left[block] = x, y, n
    nodes = [
        Node(codes[block], _end(b, graph, block, codes[block], left[block]), phis[block])
        for block in range(size)
    ]
    for block, ways in enumerate(graph.ways):
        x, y, n = left[block]
        for to in ways:
            if (block, to) in graph.swapped:
                x, y = y, x
            for phi, value in zip(phis[to], (x, y, n), strict=True):
                phi.incoming[block] = value
            x, y, n = left[block]
        if not ways:
            with b.within(codes[block]):
                b.store(out, own, 0, x)
                b.store(out, own, 4, y)
    nodes[0].phis = ()
    build(b, nodes, graph.merges, deepest=deepest)
    return kernel, marks


def _end(
    b: Builder, graph: Graph, block: int, code: Region, left: tuple[Value, Value, Value]
) -> ExitGraph | Jump | Fork | Multiway:
    ways = graph.ways[block]
    x, _, n = left
    if not ways:
        return ExitGraph()
    if len(ways) == 1:
        return Jump(ways[0])
    at = ways.index(graph.far[block])
    with b.within(code):
        going = b.ult(n, graph.limit)
        if len(ways) == 2:
            bit = b.ine(b.and_(b.ushr(x, 9), 1), 0)
            return Fork(b.select(going, bit, b.bool(at == 1)), ways[1], ways[0])
        bits = b.select(going, b.and_(b.ushr(x, 7), 7), constant(at, I32))
        cases = [((number,), to) for number, to in enumerate(ways[:-1])]
        return Multiway(bits, cases, ways[-1])
