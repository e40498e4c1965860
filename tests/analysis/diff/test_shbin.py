"""`unshade.diff` on SHBIN files: the categories of edits, as in docs/how-to/diff.md."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.diff import Category
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.records import BoolValue, Constant, ConstantType, Label

Edit = Callable[[Shbin], object]


def opened() -> Shbin:
    shader = unshade.open(EXAMPLES / "reverse.shbin")
    assert isinstance(shader, Shbin)
    return shader


def other_component(shader: Shbin) -> None:
    shader.program.instructions[0].word ^= 1 << 7


BOOL = Constant(type=ConstantType.BOOL, id=3, data=BoolValue(value=1))
EDITS: dict[str, tuple[Edit, set[str]]] = {
    "operand": (other_component, {"code"}),
    "program's version": (lambda s: setattr(s.dvlp, "version", 5), {"code"}),
    "constant": (lambda s: s.dvles[0].constants.append(BOOL), {"code", "reflection"}),
    "entry point": (lambda s: setattr(s.dvles[0], "main", 1), {"interface"}),
    "output": (lambda s: setattr(s.dvles[0].outputs[0], "mask", 7), {"interface"}),
    "geometry mode": (lambda s: setattr(s.dvles[1], "geometry_mode", 1), {"interface"}),
    "name of a uniform": (
        lambda s: setattr(s.dvles[0].uniforms[0], "symbol", "other"), {"reflection"},
    ),
    "label": (lambda s: s.dvles[0].labels.append(Label(id=0, offset=1, symbol="x")), {"debug"}),
    "behind the end": (lambda s: setattr(s, "trailing", b"more"), {"container"}),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_has_its_categories(name: str) -> None:
    edit, wanted = EDITS[name]
    after = opened()
    edit(after)
    found = unshade.diff(opened(), unshade.loads(after.to_bytes()))
    assert {each.value for each in found.categories} == wanted


def test_categories() -> None:
    """All categories but statistics, which change only with the length of the code."""
    shader = opened()
    text = shader.disassemble().replace("\tdp4 o0.x, ", "\tnop\n\tdp4 o0.x, ", 1)
    longer = unshade.diff(shader, unshade.assemble(text))
    assert Category.STATISTICS in longer.categories
    seen = {category for _, wanted in EDITS.values() for category in wanted} | {"statistics"}
    assert set(Category) - seen == {Category.COMPILER, Category.DIGEST, Category.PRIVATE}


def test_a_changed_constant_is_in_the_text() -> None:
    """It is no instruction, but the listing has it."""
    before = unshade.open(EXAMPLES / "lit.shbin")
    text = before.disassemble()
    assert ".setf c95(0.2, 0.2, 0.25, 1.0)" in text
    after = unshade.assemble(text.replace("0.25, 1.0)", "0.25, 0.5)"), "shbin")
    found = unshade.diff(unshade.assemble(text, "shbin"), after)
    assert found.verdict.startswith("the code differs: DVLE changed, the other code is the same;")
    assert [each.before_text for each in found.parts[0].fields] == ["1.0"]
