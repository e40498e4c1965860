"""Large modules, whose instructions are made when they are asked for: the same findings."""

from __future__ import annotations

import gc
import random
from array import array
from pathlib import Path

import pytest

from tests.programs.spirv.modules import one_of_each
from unshade.programs.spirv import reading
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import HEADER, Module
from unshade.programs.spirv.validate import VERIFIED, large, validate
from unshade.programs.spirv.validate.environment import environment
from unshade.programs.spirv.validate.large import InstsOnDemand
from unshade.programs.spirv.validate.state import State

EXAMPLES = sorted((Path(__file__).parents[4] / "examples").glob("*.spv"))
SAMPLES = {**one_of_each(), **{path.stem: path.read_bytes() for path in EXAMPLES}}
FORMS = (
    *("position", "words", "code", "type", "id", "function", "block", "set", "op", "name"),
    *("decoded", "operands", "count"),
)


def state(data: bytes, few: int, monkeypatch: pytest.MonkeyPatch) -> State:
    monkeypatch.setattr(reading, "FEW", few)
    return State(ModuleIndex(Module.loads(data)), environment("spv1.6"), VERIFIED)


def assert_alike(data: bytes, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Assert that both forms of a module are the same, and their findings; True if one is large."""
    kept, made = state(data, 1 << 20, monkeypatch), state(data, 0, monkeypatch)
    if not isinstance(made.insts, InstsOnDemand):
        return False  # it declares an id in two ways: its operands are kept
    assert len(made.insts) == len(kept.insts)
    for one, two in zip(made.insts, kept.insts, strict=True):
        assert [one.word(at) for at in range(one.count + 1)] == [
            two.word(at) for at in range(one.count + 1)
        ]
        assert one.ids() == two.ids()
        assert one.first_words() == two.first_words()
        assert [*one.all_ids()] == [*two.all_ids()]
        for name in FORMS:
            assert getattr(one, name) == getattr(two, name), name
    assert list(made.definitions) == list(kept.definitions)
    for id_ in {*kept.definitions, *kept.uses, 0, 1, 1 << 31}:
        assert made.code(id_) == kept.code(id_)
        assert made.type_of(id_) == kept.type_of(id_)
        assert made.place_of(id_) == kept.place_of(id_)
        uses = [[each.position for each in one.uses.get(id_, ())] for one in (made, kept)]
        assert uses[0] == uses[1]
    assert sorted(made.uses) == sorted(kept.uses)
    assert len(made.uses) == len(kept.uses)
    assert made.calls == kept.calls
    functions = [[[each.position for each in code] for code in s.functions] for s in (made, kept)]
    assert functions[0] == functions[1]
    found = []
    for few in (1 << 20, 0):
        monkeypatch.setattr(reading, "FEW", few)
        found.append([vars_of(each) for each in validate(Module.loads(data), "spv1.6", VERIFIED)])
    assert found[0] == found[1]
    return True


def vars_of(finding: object) -> list[object]:
    return [getattr(finding, name) for name in ("code", "message", "offset", "path")]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_findings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike(SAMPLES[name], monkeypatch)


@pytest.mark.parametrize("recent", [1, 1 << 14])
def test_the_same_findings_about_damaged_modules(
    recent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "RECENT", recent)
    chance = random.Random(7)
    names = sorted(SAMPLES)
    count = 0
    for _ in range(80):
        words = array("I", (data := SAMPLES[chance.choice(names)])[: len(data) & ~3])
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(HEADER, len(words))
            words[at] = chance.choice((chance.randrange(1 << 7), chance.getrandbits(32)))
        count += assert_alike(words.tobytes(), monkeypatch)
    assert count > 20


def test_a_validated_module_leaves_no_garbage() -> None:
    module = Module.loads(EXAMPLES[0].read_bytes())
    validate(module, options=VERIFIED)  # what is made once
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        validate(module, options=VERIFIED)
        gc.collect()
        # Threads of other tests, a browser's for instance, may leave some of theirs.
        made_here = [str(getattr(each, "__module__", "")) for each in gc.garbage]
        assert [each for each in made_here if each.startswith("unshade")] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
