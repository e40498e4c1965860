"""Random graphs: results and active sets of translations match the graph.

fuzz/regions.py runs the same endlessly; recorded runs are in fuzz/README.md.
"""

import random
from collections import defaultdict

import pytest

from tests.ir.cfg.compare import compared, translated_paths
from tests.ir.cfg.graphs import LANES, Graph, forest, iterations, random_graph, run_graph
from tests.ir.cfg.programs import compared_program
from tests.sampling import fewer

pytestmark = pytest.mark.heavy

EACH = 10


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 240, EACH))
def test_graphs(first: int) -> None:
    seeds = range(first, first + (EACH if first else 1))
    assert not [message for seed in seeds if (message := compared(seed))]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, EACH))
def test_programs_with_merge_blocks(first: int) -> None:
    seeds = range(first, first + (EACH if first else 2))
    assert not [message for seed in seeds if (message := compared_program(seed))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(fewer(3)))
def test_large_graphs(seed: int) -> None:
    assert not compared(seed, fewer(5000))


def test_a_third_of_the_graphs_is_irreducible() -> None:
    found = [forest(random_graph(seed).successors, 1 << 30).irreducible for seed in range(30)]
    assert sum(found) == 10


# ---------------------------------------------------------------- the immediate post-dominator


def postdominators(graph: Graph) -> list[int]:
    """Return the immediate post-dominator of each block; -1 if lanes end."""
    size = len(graph.ways)
    every = (1 << size + 1) - 1
    sets = [every] * size + [1 << size]
    changed = True
    while changed:
        changed = False
        for block in reversed(range(size)):
            common = every
            for to in graph.ways[block] or (size,):
                common &= sets[to]
            common |= 1 << block
            if common != sets[block]:
                sets[block] = common
                changed = True
    found = []
    for block in range(size):
        others = sets[block] & ~(1 << block)
        nearest = [at for at in range(size + 1) if others >> at & 1 and sets[at] == others]
        found.append(nearest[0] if nearest and nearest[0] < size else -1)
    return found


def stacked(graph: Graph, paths: list[list[int]]) -> dict[tuple[int, int], dict[int, int]]:
    """Run lanes on a machine with a stack, which reconverges at the immediate post-dominator.

    For each lane and step, return the lanes that run it together, with their step numbers.
    """
    meet = postdominators(graph)
    at = [0] * LANES
    found: dict[tuple[int, int], dict[int, int]] = {}
    stack: list[tuple[int, int, frozenset[int]]] = [(0, -1, frozenset(range(LANES)))]
    while stack:
        block, until, lanes = stack.pop()
        while block != until:
            ways: dict[int, set[int]] = defaultdict(set)
            here = {lane: at[lane] for lane in lanes}
            for lane in lanes:
                found[lane, at[lane]] = here
                at[lane] += 1
                if at[lane] < len(paths[lane]):
                    ways[paths[lane][at[lane]]].add(lane)
            if len(ways) == 1 and sum(map(len, ways.values())) == len(lanes):
                block = next(iter(ways))
                continue
            join = meet[block]
            if join >= 0:
                stack.append((join, until, lanes))
            stack += [(to, join, frozenset(some)) for to, some in ways.items() if to != join]
            break
    return found


@pytest.mark.parametrize("seed", [seed for seed in range(60) if seed % 3 != 1])
def test_lanes_reconverge_at_the_immediate_post_dominator(seed: int) -> None:
    """Unless they reach the head of a loop first: that machine lets some lanes iterate until
    they reach the position where the others wait.
    """
    graph = random_graph(seed, random.Random(seed).choice((5, 9, 16)))
    paths = run_graph(graph).paths
    together = translated_paths(graph)
    found = forest(graph.successors, 1 << 30)
    rounds = [iterations(path, found) for path in paths]
    for (lane, step), others in stacked(graph, paths).items():
        for other, its in others.items():
            same = rounds[other][its] == rounds[lane][step]
            assert not same or other in together[lane][step], (lane, step, other)
