"""Large modules, whose instructions are made when they are asked for: the same findings."""

from __future__ import annotations

import random
import subprocess
import sys
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


GARBAGE = """
import gc, sys
from pathlib import Path
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.validate import VERIFIED, validate
module = Module.loads(Path(sys.argv[1]).read_bytes())
validate(module, options=VERIFIED)  # what is made once
gc.collect()
gc.disable()
gc.set_debug(gc.DEBUG_SAVEALL)
validate(module, options=VERIFIED)
gc.collect()
modules = [str(getattr(each, "__module__", "")) for each in gc.garbage]
print([each for each in modules if each.startswith("unshade")])
"""


def test_a_validated_module_leaves_no_garbage() -> None:
    # A process of its own: threads of other tests free cycles of theirs.
    call = [sys.executable, "-c", GARBAGE, str(EXAMPLES[0])]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (ended.stdout.strip(), ended.stderr) == ("[]", "")
