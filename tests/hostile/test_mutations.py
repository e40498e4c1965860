"""A small file of each kind of part and program, with every simple mutation."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.examples import CONTAINERS
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import one_of_each
from tests.hostile.exercise import check, damaged, exercise, mutations
from tests.sampling import EACH, RARE, fewer, some

FILES = one_of_each()
SEED = 20150101
LARGE = 1500  # bytes: a mutation of such a file takes long, and it has many
CASES = 20_000  # of random damage, a format
BATCHES = 20


@pytest.mark.parametrize("name", FILES)
def test_the_file_itself(name: str) -> None:
    assert exercise(FILES[name]) == "read"


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_mutation(name: str) -> None:
    each = EACH if len(FILES[name]) < LARGE else RARE
    check(some(mutations(FILES[name]), each))


@pytest.mark.slow
@pytest.mark.parametrize("slice_", range(4))
def test_every_mutation_of_a_whole_shader(slice_: int) -> None:
    cases = list(some(mutations(blog.build())))
    check(iter(cases[slice_::4]))


def seeded(batch: int) -> Iterator[bytes]:
    chance = random.Random(SEED + batch)
    files = [*FILES.values(), blog.build()]
    files += [path.read_bytes() for path in CONTAINERS]
    weights = [1 / len(data) for data in files]  # as many bytes of each
    for _ in range(CASES // BATCHES):
        (data,) = chance.choices(files, weights)
        yield damaged(data, chance)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_random_damage(batch: int) -> None:
    seen: Counter[str] = Counter()
    check(seeded(batch), lambda outcome: seen.update([outcome]))
    assert seen.total() == CASES // BATCHES
    assert seen["read"], "damage that nothing survives tests nothing but the header"
