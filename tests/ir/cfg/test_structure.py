"""The tree of regions: each block once, limited nesting, nearly linear time."""

import random
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.ir.cfg.compare import difference
from tests.ir.cfg.graphs import Graph, finished, random_graph
from unshade.errors import LimitError, UsageError
from unshade.ir.cfg import find_loops, structure
from unshade.ir.cfg.regions import (
    BlockCode,
    IfState,
    RepeatedRegion,
    Step,
    SwitchOnState,
    TakenEdge,
    Tree,
    inside,
)
from unshade.ir.kernel import DEEPEST

Ways = list[tuple[int, ...]]


def steps(tree: Tree) -> Iterator[tuple[Step, int]]:
    """Yield every step and its nesting."""
    todo = [(tree, 0)]
    while todo:
        each, depth = todo.pop()
        for step in each:
            yield step, depth
            todo += [(inner, depth + 1) for inner in inside(step)]


def chain(count: int) -> Ways:
    """A chain of if … return."""
    return [(block + 1, count) for block in range(count)] + [()]


def ladder(count: int) -> Ways:
    """Each block may skip the next one: many paths to every block."""
    return [(min(at + 1, count), min(at + 2, count)) for at in range(count)] + [()]


def crossed(count: int) -> Ways:
    """A switch whose cases may fall through, with crossing edges."""
    cases = [(at + 1, count + 1 + (at * 7 + 3) % count) for at in range(1, count)]
    ends = [(at + 1,) for at in range(count + 1, 2 * count)]
    return [tuple(range(1, count + 1)), *cases, (count + 1,), *ends, ()]


def nest(count: int) -> Ways:
    """Nested loops: all heads, then all tails, which branch back to the heads."""
    heads: Ways = [(1,)]
    for level in range(count):
        head = level + 1
        inner = head + 1 if level < count - 1 else count + 1 + level
        heads.append((inner, count + level if level else 2 * count + 1))
    tails: Ways = [(level + 1,) for level in range(count)]
    return [*heads, *tails, ()]


def dense(count: int) -> Ways:
    """Every block branches to all of the last few."""
    last = range(count, count + 5)
    return [(at + 1, *last) for at in range(count)] + [(at + 1,) for at in last] + [()]


FORMS = {"chain": chain, "ladder": ladder, "crossed": crossed, "nest": nest, "dense": dense}


@pytest.mark.parametrize("deepest", [20, 34, DEEPEST])
@pytest.mark.parametrize("name", FORMS)
def test_each_block_occurs_once_within_the_nesting_limit(name: str, deepest: int) -> None:
    ways = FORMS[name](150)
    found = list(steps(structure(ways, None, deepest)))
    assert max(depth for _, depth in found) <= deepest
    blocks = Counter(step.block for step, _ in found if isinstance(step, BlockCode))
    assert set(blocks.values()) == {1}
    assert len(blocks) == len(ways)
    edges = Counter((each.block, each.to) for each, _ in found if isinstance(each, TakenEdge))
    assert edges == Counter((at, to) for at, each in enumerate(ways) for to in dict.fromkeys(each))


@pytest.mark.parametrize("deepest", [20, DEEPEST])
@pytest.mark.parametrize("name", FORMS)
def test_trees_behave_like_their_graphs(name: str, deepest: int) -> None:
    graph = finished(Graph(FORMS[name](30)), random.Random(5))
    assert not difference(graph, deepest)


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_keep_the_nesting_limit(seed: int) -> None:
    graph = random_graph(seed, 200)
    for deepest in (13, 20, DEEPEST):
        found = list(steps(structure(graph.successors, None, deepest)))
        assert max(depth for _, depth in found) <= deepest
        assert set(Counter(s.block for s, _ in found if isinstance(s, BlockCode)).values()) == {1}


def test_reducible_graphs_of_usual_depth_need_no_state() -> None:
    for seed in (*range(0, 60, 3), *range(2, 60, 3)):
        graph = random_graph(seed, 30)
        found = [step for step, _ in steps(structure(graph.successors))]
        assert not [each for each in found if isinstance(each, SwitchOnState | IfState)], seed


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_work_is_nearly_linear(name: str) -> None:
    def calls(count: int) -> int:
        ways, made = FORMS[name](count), Counter[str]()
        sys.setprofile(lambda _frame, event, _arg: made.update([event]))
        try:
            structure(ways)
        finally:
            sys.setprofile(None)
        return made["call"] + made["c_call"]

    assert calls(4000) < 10 * calls(500)


def test_exits_of_a_loop_come_after_it() -> None:
    # Two ways out of the loop {1, 2}, which meet in 5; lanes leave at iterations of their own.
    tree = structure([(1,), (2, 3), (1, 4), (5,), (5,), ()])
    (loop,) = [step for step, _ in steps(tree) if isinstance(step, RepeatedRegion)]
    body = {step.block for step, _ in steps(loop.body) if isinstance(step, BlockCode)}
    assert body == {1, 2}


def test_blocks_before_a_merge_block_stay_in_the_loop() -> None:
    tree = structure([(1,), (2, 3), (1, 4), (5,), (5,), ()], {1: 5})
    (loop,) = [step for step, _ in steps(tree) if isinstance(step, RepeatedRegion)]
    body = {step.block for step, _ in steps(loop.body) if isinstance(step, BlockCode)}
    assert body == {1, 2, 3, 4}


def test_a_merge_block_in_its_own_loop_is_refused() -> None:
    with pytest.raises(
        UsageError, match="block 2, the merge block of block 1, is part of its loop"
    ):
        structure([(1,), (2, 3), (1,), ()], {1: 2})


def test_loops_by_their_headers() -> None:
    loops = find_loops([(1, 2), (2,), (1, 3), (3, 4), (4, 2, 5), ()])
    (outer,) = loops.outer
    assert sorted(outer.headers) == [1, 2]  # both are entered from 0
    assert sorted(inner.headers[0] for inner in outer.loops) == [3, 4]
    assert loops.owner[5] is None


def test_a_nesting_limit_that_is_too_low() -> None:
    with pytest.raises(LimitError, match="depth"):
        structure([()], None, 5)
