"""The gate on databases: budgets of their shaders, and a database as baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES
from tests.fixtures.databases import application
from unshade import open as load
from unshade.analysis.metrics import shaders_inside

MANDEL = (EXAMPLES / "mandel.dxbc").read_bytes()


@pytest.fixture
def builds(tmp_path: Path) -> tuple[Path, Path]:
    """Return two databases, of which the second has another shader `phong.dxbc`."""
    made = application()
    old, new = tmp_path / "old.sodb", tmp_path / "new.sodb"
    old.write_bytes(made.data())
    made.tables["shader_bytecode"][2].values["Bytecode"] = MANDEL
    new.write_bytes(made.data())
    return old, new


def test_budgets_are_of_each_shader(builds: tuple[Path, Path]) -> None:
    ended = unshade("check", "--max-instructions", "60", builds[0])
    assert ended.code == 1
    rows = [line.split() for line in ended.out.splitlines() if "> 60" in line]
    assert [row[1] for row in rows] == ["skinning.dxbc", "phong.dxbc"]
    assert unshade("check", "--max-instructions", "400", builds[0]).code == 0


def test_reports_have_what_changed(builds: tuple[Path, Path]) -> None:
    old, new = builds
    lines: list[list[str | Path]] = [
        ["check", "--format", "markdown", "--baseline", old, new],
        ["diff", "--format", "markdown", old, new],
    ]
    for line in lines:
        ended = unshade(*line)
        assert "`phong.dxbc` | 2,780 → 1,804" in ended.out
        assert "skinning" not in ended.out
        count = len(shaders_inside(load(new)))
        assert count > 1
        assert ended.out.startswith(f"**1 of {count} shaders changed**: 1 helped, 0 hurt\n")
    assert unshade("diff", "--format", "markdown", old, old).out == ""


def test_a_database_is_the_baseline_of_files(builds: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "shaders"
    folder.mkdir()
    (folder / "phong.dxbc").write_bytes(MANDEL)
    (folder / "saxpy.dxbc").write_bytes((EXAMPLES / "saxpy.dxbc").read_bytes())
    ended = unshade("check", "--format", "markdown", "--baseline", builds[0], folder)
    assert ended.code == 0
    assert "| `phong.dxbc` | 2,780 → 1,804" in ended.out
    assert "saxpy" not in ended.out
