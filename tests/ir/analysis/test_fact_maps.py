"""Maps of facts that paths share."""

import random

import pytest

from unshade.ir.analysis.fact_maps import FactMap, changes, differences

Facts = dict[int, str]


@pytest.mark.parametrize("count", [1, 15, 16, 17, 256, 257, 5000])
def test_a_fork_is_a_map_of_its_own(count: int) -> None:
    """Against dictionaries, which are copied."""
    chosen = random.Random(count)
    ways: list[tuple[FactMap[int, str | None], Facts]] = [(FactMap(range(count)), {})]
    for step in range(300):
        env, facts = chosen.choice(ways)
        if step % 10 == 0:
            ways.append((env.fork(), dict(facts)))
        key = chosen.randrange(count)
        env[key] = facts[key] = f"{step}"
    for env, facts in ways:
        assert [env.get(key) for key in range(count)] == [facts.get(key) for key in range(count)]
    for env, facts in ways:
        found = list(differences(env, ways[0][0]))
        assert found == [
            (key, facts.get(key), ways[0][1].get(key))
            for key in range(count)
            if facts.get(key) != ways[0][1].get(key)
        ]


def test_an_absent_fact_is_none() -> None:
    env: FactMap[str, int | None] = FactMap(["a", "b"])
    other = env.fork()
    env["a"] = 1
    assert (env.get("a"), env.get("b"), other.get("a")) == (1, None, None)
    env["a"] = None
    assert not list(differences(env, other))


def test_changes_from_path_to_path() -> None:
    first: FactMap[str, int | None] = FactMap("abc")
    first["c"] = 7
    ways = [first, first.fork(), first.fork()]
    ways[1]["a"] = 1
    ways[2]["b"] = 2
    assert list(changes(ways)) == [("a", None, 1), ("a", 1, None), ("b", None, 2)]


def test_forks_of_many_facts_share_them() -> None:
    """Which is why comparing them takes as long as what was changed."""
    env: FactMap[int, int | None] = FactMap(range(100_000))
    for key in range(100_000):
        env[key] = key
    other = env.fork()
    other[70_000] = -1
    visited = sum(1 for one, two in zip(env._root, other._root, strict=True) if one is not two)
    assert visited == 2  # one node, and the owner
    assert list(differences(env, other)) == [(70_000, 70_000, -1)]
