"""Every figure of docs/status.md is from the ledger."""

import re

import pytest

from tests.corpus import REPOSITORY
from tests.ratchet import WHOLE, Ledger, read_ledger
from tools import status

PAGE = (REPOSITORY / "docs" / "status.md").read_text(encoding="utf-8")
LEDGER: Ledger = {
    "a": {"passed": 1200, "total": 1201},
    "b: x": {"passed": 5, "total": 5},
    "b: y": {"passed": 5, "total": 5},
    "c: x": {"passed": 5, "total": 5},
    "c: y": {"passed": 4, "total": 5},
}


def test_figures_match_the_ledger() -> None:
    assert status.filled(PAGE, read_ledger(WHOLE)) == PAGE, "run: python tools/status.py"


def test_every_figure_has_a_mark() -> None:
    marked = status.MARK.sub("", PAGE)
    assert (
        re.findall(r"\d[\d,]* (?:and \d+ )?of (?:the )?\d[\d,]*|\d,\d{3}|\d+ times", marked) == []
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a", "1,200 of 1,201"),
        ("a + b: x", "1,205 of 1,206"),
        ("b: *", "5 of 5"),
        ("total of a", "1,201"),
        ("passed of a", "1,200"),
    ],
)
def test_texts_of_marks(name: str, shown: str) -> None:
    page = status.filled(f"| <!-- figure: {name} -->old<!-- / --> |", LEDGER)
    assert page == f"| <!-- figure: {name} -->{shown}<!-- / --> |"


@pytest.mark.parametrize("name", ["d", "c: *", "d*"])
def test_unknown_figure_is_refused(name: str) -> None:
    with pytest.raises(KeyError, match=re.escape(name)):
        status.filled(f"<!-- figure: {name} --><!-- / -->", LEDGER)
