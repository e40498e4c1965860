"""SHBIN files and objects of every layout, with every simple mutation and random damage."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.fixtures.shbin import one_of_each, vertex
from tests.hostile.big_shbin import many_executables
from tests.hostile.exercise import check, damaged, exercise, mutations
from tests.sampling import fewer, some
from unshade.formats.shbin import Shbin

FILES = one_of_each()
SEED = 20111101
CASES = 20_000
BATCHES = 20


@pytest.mark.parametrize("name", FILES)
def test_the_file_itself(name: str) -> None:
    assert exercise(FILES[name]) == "read"


@pytest.mark.parametrize("name", [n for n in FILES if n not in ("trailing", "unpadded")])
def test_every_mutation(name: str) -> None:
    check(some(mutations(FILES[name])))


def seeded(batch: int) -> Iterator[bytes]:
    chance = random.Random(SEED + batch)
    files = [*FILES.values(), *(path.read_bytes() for path in sorted(EXAMPLES.glob("*.shbin")))]
    for _ in range(CASES // BATCHES):
        yield damaged(chance.choice(files), chance)


@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_random_damage(batch: int) -> None:
    seen: Counter[str] = Counter()
    check(seeded(batch), lambda outcome: seen.update([outcome]))
    assert seen.total() == CASES // BATCHES
    assert seen["read"], "damage that nothing survives tests nothing but the header"


def test_shared_executables_are_one_record() -> None:
    shader = unshade.loads(many_executables(1000))
    assert isinstance(shader, Shbin)
    assert all(each is shader.dvles[0] for each in shader.dvles)
    assert shader.dvles[0] == vertex()
