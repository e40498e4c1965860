"""The digests of tests/golden are those of all its inputs."""

import pytest

from tests.changes import SOURCES, mirror
from tests.golden.answers import answer, answers_of
from tests.golden.digests import changed, known
from tests.golden.inputs import FAMILIES, inputs


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_each_input_has_a_digest_of_each_answer(family: str) -> None:
    assert {name: tuple(each) for name, each in known(family).items()} == dict.fromkeys(
        inputs(family), answers_of(family)
    )


def test_an_answer_that_changes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(inputs("parts")))
    assert changed("parts", name, ("listing", "data")) == []
    monkeypatch.setitem(known("parts")[name], "data", "00000000")
    assert changed("parts", name, ("listing", "data")) == ["data"]


def test_an_error_is_an_answer() -> None:
    assert answer("listing", "parts/none", bytes).startswith("FormatError: ")


def test_the_folder_of_tests_of_each_table_holds_it() -> None:
    for name in known("tables"):
        module = mirror(SOURCES / name.partition("/")[2]) / "test_golden.py"
        assert "held_tables(__file__)" in module.read_text(encoding="utf-8"), name
