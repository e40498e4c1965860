"""The rows of marks are those that a search of all rows finds, and common marks are not read."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from unshade.catalog import store
from unshade.catalog.marks import MarkIndex
from unshade.catalog.storage import storage_of

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def rows() -> list[tuple[int, int, int]]:
    """Return rows of sketches: rare marks, some that fill groups, and negative ones."""
    chance = random.Random(4)
    found = {(mark, chance.getrandbits(59), 9) for mark in range(-300, 300) for _ in range(4)}
    found |= {(7, chance.getrandbits(59), 9) for _ in range(500)}
    return sorted(found)


@pytest.fixture
def index(rows: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MarkIndex:
    monkeypatch.setitem(store.GROUPS, "sketches", 16)
    storage = storage_of(str(tmp_path))
    pieces = [
        store.arrow_table("sketches", rows[first : first + 200])
        for first in range(0, len(rows), 200)
    ]
    files = store.write_run(storage, "sketches", 1, pieces, largest=4000)
    assert len(files) > 2
    return MarkIndex(storage, [each.name for each in files])


def test_rows_of_marks(rows: list[Any], index: MarkIndex) -> None:
    wanted = {-300, -1, 0, 6, 7, 8, 299, 1000}
    found, common = index.rows(wanted, None)
    assert common == set()
    assert sorted(map(tuple, zip(*(each.to_pylist() for each in found.columns), strict=True))) == [
        each for each in rows if each[0] in wanted
    ]


def test_a_common_mark_is_not_read(index: MarkIndex) -> None:
    found, common = index.rows([6, 7, 8], 100)
    assert common == {7}
    assert Counter(found["mark"].to_pylist()) == {6: 4, 8: 4}


def test_nothing_is_there(index: MarkIndex, tmp_path: Path) -> None:
    assert index.rows([5000, -5000], 10)[0].num_rows == 0
    assert MarkIndex(storage_of(str(tmp_path)), []).rows([1], 10)[0].num_rows == 0
