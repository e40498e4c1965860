"""One run in place of many, with the rows that are visible."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.catalog.places import ask, state
from tests.cli.terminal import SAXPY, unshade
from unshade import catalog
from unshade.catalog.tables import TABLES
from unshade.errors import UsageError


def rows(folder: Path) -> dict[str, list[object]]:
    without = {"files": "* EXCLUDE run"}
    return {
        name: [*ask(folder, f"SELECT {without.get(name, '*')} FROM {name} ORDER BY ALL")]
        for name in TABLES
    }


def test_the_rows_are_those_of_a_new_scan(build: Path, made: Path, tmp_path: Path) -> None:
    (build / "cut.dxbc").unlink()
    shutil.copy(SAXPY, build / "phong.dxbc")
    catalog.scan([str(build)], str(made))
    before = rows(made)
    assert unshade("catalog", "compact", made).out == "run 3: 6 files, 3 shaders\n"
    assert rows(made) == before
    catalog.scan([str(build)], str(tmp_path / "new"))
    fresh = {name: data for name, data in state(tmp_path / "new").items() if "/" in name}
    mended = {name.replace("000003", "000001"): data for name, data in state(made).items()}
    assert {name: mended[name] for name in fresh} == fresh
    assert mended.keys() == state(tmp_path / "new").keys()
    assert catalog.scan([str(build)], str(made)).run is None


def test_a_single_run_is_left_alone(made: Path) -> None:
    before = state(made)
    catalog.compact(str(made))
    assert state(made) == before


def test_an_interrupted_scan_goes_first(build: Path, made: Path) -> None:
    (made / "pending").mkdir()
    (made / "pending" / "scan.json").write_text("{}")
    with pytest.raises(UsageError, match="a scan was interrupted"):
        catalog.compact(str(made))
