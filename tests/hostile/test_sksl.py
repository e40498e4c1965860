"""SkSL files with every simple mutation and random damage, and files that blow up."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.hostile.exercise import check, damaged, exercise, mutations
from tests.programs.sksl.samples import one_of_each
from tests.sampling import fewer, some

FILES = one_of_each()
SEED = 20220926
CASES = 20_000
BATCHES = 20


@pytest.mark.parametrize("name", FILES)
def test_the_file_itself(name: str) -> None:
    assert exercise(FILES[name]) == "read"


@pytest.mark.parametrize("name", FILES)
def test_every_mutation(name: str) -> None:
    check(some(mutations(FILES[name])))


def seeded(batch: int) -> Iterator[bytes]:
    chance = random.Random(SEED + batch)
    files = list(FILES.values())
    for _ in range(CASES // BATCHES):
        yield damaged(chance.choice(files), chance)


@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_random_damage(batch: int) -> None:
    seen: Counter[str] = Counter()
    check(seeded(batch), lambda outcome: seen.update([outcome]))
    assert seen.total() == CASES // BATCHES
    assert seen["read"], "damage that nothing survives tests nothing but the header"
