"""Large modules, whose instructions are taken apart when they are asked for."""

import random
from array import array
from pathlib import Path

import pytest

from tests.programs.spirv.modules import one_of_each, op
from unshade.programs.spirv import reading
from unshade.programs.spirv.context import IdTable
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import HEADER, Module
from unshade.programs.spirv.reading import OperandsOnDemand

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.spv"))
SAMPLES = {**one_of_each(), **{path.stem: path.read_bytes() for path in EXAMPLES}}
VIEWS = (
    "names", "member_names", "decorations", "members", "entry_points", "modes", "capabilities",
    "extensions", "imports", "numbers", "bad", "functions",
)  # fmt: skip


def indexed(data: bytes, few: int, monkeypatch: pytest.MonkeyPatch) -> ModuleIndex:
    monkeypatch.setattr(reading, "FEW", few)
    return ModuleIndex(Module.loads(data))


def assert_alike(data: bytes, monkeypatch: pytest.MonkeyPatch) -> ModuleIndex:
    """Assert that the index of a module is the same with all operands kept and with none."""
    kept = indexed(data, 1 << 20, monkeypatch)
    large = indexed(data, 0, monkeypatch)
    assert isinstance(kept.decoded, list)
    assert list(large.decoded) == kept.decoded
    assert [large.decoded[at] for at in range(len(kept.decoded))] == kept.decoded
    assert list(large.definitions.items()) == list(kept.definitions.items())
    assert len(large.definitions) == len(kept.definitions)
    assert dict(large.types) == dict(kept.types)
    for name in VIEWS:
        assert getattr(large, name) == getattr(kept, name), name
    return large


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_index(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike(SAMPLES[name], monkeypatch)


def test_the_same_index_of_damaged_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some declare an id again, or use one too early; their operands are kept."""
    chance = random.Random(5)
    counts = {True: 0, False: 0}
    for _ in range(60):
        data = SAMPLES[chance.choice(sorted(SAMPLES))]
        words = array("I", data[: len(data) & ~3])
        for _ in range(chance.randrange(1, 4)):
            words[chance.randrange(HEADER, len(words))] = chance.randrange(1 << 7)
        large = assert_alike(words.tobytes(), monkeypatch)
        counts[isinstance(large.decoded, OperandsOnDemand)] += 1
    assert all(counts.values())


def test_slices_and_results_of_id_0(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [0x07230203, 0x10000, 0, 4, 0, *op(19, 0), *op(19, 1), *op(19), *op(19, 0)]
    large = assert_alike(array("I", words).tobytes(), monkeypatch)
    assert isinstance(large.decoded, OperandsOnDemand)
    assert large.decoded[1:3] == list(large.decoded)[1:3]
    assert large.decoded[-1].result == 0
    assert large.definitions[0].position == 0
    assert 2 not in large.definitions
    with pytest.raises(IndexError):
        large.decoded[4]
    with pytest.raises(KeyError):
        large.definitions[2]


def test_id_table_is_a_mapping() -> None:
    table, plain = IdTable(4), dict[int, int]()
    chance = random.Random(3)
    for _ in range(500):
        number, value = chance.randrange(8), chance.randrange(3)
        if value == 2 and number in plain:
            del table[number], plain[number]
        else:
            table[number] = plain[number] = value
        assert dict(table) == plain
        assert len(table) == len(plain)
        assert [table.get(each) for each in range(9)] == [plain.get(each) for each in range(9)]
        assert [each in table for each in range(9)] == [each in plain for each in range(9)]
    with pytest.raises(KeyError):
        del table[8]
