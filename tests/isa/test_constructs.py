"""Constructs that nest, against their definition: a search from each step."""

import random
from collections.abc import Sequence

import pytest

from unshade.isa.constructs import Constructs, Nesting, constructs

NESTING = Nesting(
    {"if": "endif", "loop": "endloop", "switch": "endswitch"},
    loops=frozenset({"loop"}),
    left=frozenset({"loop", "switch"}),
    cases=frozenset({"case", "default"}),
)
WORDS = (*NESTING.opens, *NESTING.opens.values(), *NESTING.cases, "else", "mov", "mov")


def closing(names: Sequence[str], start: int) -> int:
    """Return the end of what a step opens: where as many are closed as were opened since."""
    depth = 0
    for at in range(start, len(names)):
        depth += (names[at] in NESTING.opens) - (names[at] in NESTING.opens.values())
        if depth == 0:
            return at
    return len(names)


def by_search(names: Sequence[str]) -> Constructs:
    found = Constructs({}, {}, {}, {}, {}, {})
    starts = [at for at, name in enumerate(names) if name in NESTING.opens]
    for start in starts:
        found.ends[start] = end = closing(names, start)
        if end < len(names):
            found.openers[end] = start
    for at, name in enumerate(names):
        around = [each for each in starts if each < at < found.ends[each]]
        for inner, kinds in ((found.loops, NESTING.loops), (found.left, NESTING.left)):
            of_kind = [each for each in around if names[each] in kinds]
            if of_kind:
                inner[at] = of_kind[-1]
        if around and name == "else":
            found.openers[at] = around[-1]
            found.elses[around[-1]] = at
        elif around and name in NESTING.cases:
            found.openers[at] = around[-1]
            found.cases.setdefault(around[-1], []).append(at)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_constructs_of_any_names(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        names = chance.choices(WORDS, k=chance.randrange(20))
        assert constructs(names, NESTING) == by_search(names), names


def test_regions_of_a_loop_with_a_branch() -> None:
    names = ["loop", "if", "break", "else", "mov", "endif", "endloop", "if", "endif"]
    assert constructs(names, NESTING).regions() == [(0, 5), (1, 2), (3, 4)]


def test_an_end_without_a_construct_closes_nothing() -> None:
    found = constructs(["endif", "else", "case"], NESTING)
    assert found == Constructs({}, {}, {}, {}, {}, {})
