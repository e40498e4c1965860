"""Dominators, against their definition."""

import random

import pytest

from unshade.isa.dominance import Dominance


def reachable(successors: list[list[int]], without: int = -1) -> set[int]:
    """Return the nodes that are reached from node 0 without passing another."""
    found: set[int] = set()
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node not in found and node != without:
            found.add(node)
            waiting += successors[node]
    return found


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int) -> None:
    choose = random.Random(seed)
    count = choose.randrange(1, 20)
    successors = [
        [choose.randrange(count) for _ in range(choose.randrange(4))] for _ in range(count)
    ]
    tree = Dominance(successors)
    all_nodes = reachable(successors)
    assert {node for node in range(count) if tree.reaches(node)} == all_nodes
    for one in all_nodes:
        without = reachable(successors, one)
        for other in all_nodes:
            assert tree.dominates(one, other) == (other not in without or one == other)
        assert set(tree.below(one)) == {each for each in all_nodes if tree.dominates(one, each)}
        assert tree.below(one)[0] == one
        apart = choose.sample(sorted(all_nodes), min(2, len(all_nodes)))
        left = {node for each in apart for node in tree.below(each)}
        assert tree.below(one, apart) == [each for each in tree.below(one) if each not in left]


def test_an_empty_graph() -> None:
    assert Dominance([]).parents == []


@pytest.mark.slow
def test_a_long_chain_with_branches_back() -> None:
    """Nothing is recursive, and the time is not quadratic."""
    count = 20_000
    successors = [[min(node + 1, count - 1), node // 2] for node in range(count)]
    tree = Dominance(successors)
    assert tree.parents[count - 1] == count - 2
    assert tree.dominates(7, count - 1)
    assert not tree.dominates(count - 1, 7)
