"""VBC files of every form, with every simple mutation, random damage, and huge numbers."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import unshade
from tests.fixtures.vbc import made, one_of_each
from tests.hostile.exercise import check, damaged, exercise, mutations
from tests.sampling import fewer, some
from unshade import FormatError
from unshade.formats.vbc.records import SlotBinding, StageVariable, TexelInfo, UniformMember
from unshade.formats.vbc.shader import Vbc

FILES = one_of_each()
REFLECTION = Vbc(made(vert=b"", frag=b"").record).to_bytes()  # every section, without modules
SEED = 20210130
CASES = 20_000
BATCHES = 20
COUNTS = (25, 37, 49)  # offsets of the numbers of inputs, outputs and bindings


@pytest.mark.parametrize("name", FILES)
def test_the_file_itself(name: str) -> None:
    assert exercise(FILES[name]) == "read"


def test_every_mutation_of_the_reflection() -> None:
    check(some(mutations(REFLECTION)))


@pytest.mark.parametrize("slice_", range(4))
def test_every_mutation_of_a_file_with_modules(slice_: int) -> None:
    cases = list(some(mutations(FILES["vertex"])))
    check(iter(cases[slice_::4]))


def seeded(batch: int) -> Iterator[bytes]:
    chance = random.Random(SEED + batch)
    files = [REFLECTION, *FILES.values()]
    weights = [1 / len(data) for data in files]
    for _ in range(CASES // BATCHES):
        (data,) = chance.choices(files, weights)
        yield damaged(data, chance)


@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_random_damage(batch: int) -> None:
    seen: Counter[str] = Counter()
    check(seeded(batch), lambda outcome: seen.update([outcome]))
    assert seen.total() == CASES // BATCHES
    assert seen["read"], "damage that nothing survives tests nothing but the header"


@pytest.mark.parametrize("at", COUNTS)
@pytest.mark.parametrize("count", [2**32 - 1, 2**31, 2**29])
def test_a_huge_count_allocates_nothing(at: int, count: int) -> None:
    data = bytearray(REFLECTION)
    data[at : at + 4] = count.to_bytes(4, "little")
    with pytest.raises(FormatError, match="bytes for"):
        unshade.loads(bytes(data))


def test_many_records_are_read_and_verified_in_linear_time() -> None:
    """Findings of one rule are counted, not listed, beyond a limit."""
    shader = made()
    record = shader.record
    record.inputs = [StageVariable(location=at % 256, base=9) for at in range(20_000)]
    record.bindings = [
        SlotBinding(slot=at % 256, base=5, stages=0x8000, data=TexelInfo(rank=9))
        for at in range(20_000)
    ]
    record.uniform.members = [
        UniformMember(name="m", offset=4 * (at % 9), base=4) for at in range(20_000)
    ]
    again = unshade.loads(shader.to_bytes())
    found = again.verify()
    assert len(found) < 1000
    assert any("more)" in each.message for each in found)
    assert len(again.spans()) > 200_000
    assert unshade.assemble(again.disassemble("exact")).to_bytes() == shader.to_bytes()
