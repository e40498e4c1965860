"""The counts on the format pages are those of the corpus."""

from pathlib import Path
from typing import Any

from tests.corpus import containers
from tools import census
from tools.pages import census as recorded

RECORDED = vars(recorded)


def test_census(corpus: Path) -> None:
    found: Any = census.counted(corpus)
    if len(containers(corpus)) == recorded.FILES:
        assert found == {name: RECORDED[name] for name in found}, "run: python tools/census.py"
    for name in ("PARTS", "PROFILES", "OPERATIONS"):  # a sample has fewer, and no others
        assert found[name].keys() <= RECORDED[name].keys()
