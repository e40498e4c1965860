"""Comparing a figure with its ledger, and recording it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ratchet import Figure, Known, corpus_name, read_ledger, write_ledger

HERE: Known = {"passed": 90, "total": 100, "corpus": "aa"}
THERE: Known = {"passed": 90, "total": 100, "corpus": "bb"}


@pytest.mark.parametrize(
    ("passed", "total", "known", "comparison", "fails"),
    [
        (90, 100, None, "not recorded", False),
        (90, 100, HERE, "as recorded", False),
        (91, 100, HERE, "rose from 90 of 100", False),
        (89, 100, HERE, "fell from 90 of 100", True),
        (80, 80, HERE, "fell from 90 of 100", True),  # what is not counted did not pass
        (90, 110, HERE, "as recorded, of 100", False),
        (89, 100, THERE, "fell from 90 of 100", True),
        (80, 80, THERE, "another corpus (recorded 90 of 100)", False),
    ],
)
def test_a_figure_may_only_rise(
    passed: int, total: int, known: Known | None, comparison: str, fails: bool
) -> None:
    figure = Figure("reading", passed, total, "aa")
    assert figure.compared(known) == comparison
    fault = figure.fault(known)
    assert bool(fault) == fails
    assert not fails or fault == f"reading: {passed} of {total}, {comparison}"


def test_a_sample_fails_no_more_than_the_whole() -> None:
    assert not Figure("reading", 20, 30, "aa").fault(None, HERE)
    assert Figure("reading", 19, 30, "aa").fault(None, HERE) == (
        "reading: 19 of 30: 11 of the sample fail, 10 of the whole corpus did"
    )
    assert not Figure("reading", 19, 30, "aa").fault(None, THERE)
    assert Figure("reading", 19, 30, "aa").fault(None, {"passed": 90, "total": 100})
    sample: Known = {"passed": 28, "total": 30, "corpus": "aa"}
    assert "fell from 28 of 30" in Figure("reading", 27, 30, "aa").fault(sample, HERE)


def test_other_figures_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    write_ledger([Figure("a", 1, 2, "aa"), Figure("b", 3, 4, "aa")], path)
    write_ledger([Figure("b", 4, 4, "bb")], path)
    assert read_ledger(path) == {
        "a": {"passed": 1, "total": 2, "corpus": "aa"},
        "b": {"passed": 4, "total": 4, "corpus": "bb"},
    }


def test_a_corpus_is_named_by_its_files(tmp_path: Path) -> None:
    for root in ("one", "two"):
        for name in ("x/1", "x/2", "y"):
            path = tmp_path / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(root)
    assert corpus_name(tmp_path / "one") == corpus_name(tmp_path / "two")
    (tmp_path / "two" / "x" / "2").unlink()
    assert corpus_name(tmp_path / "one") != corpus_name(tmp_path / "two")
