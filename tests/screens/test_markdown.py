"""Reports in Markdown: short, and safe whatever the names of files are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from unshade.analysis.changes import MetricChange, totals
from unshade.screens.markdown import code_span, report


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.cso", "`a.cso`"),
        ("a|b", "`a\\|b`"),
        ("a`b", "``a`b``"),
        ("`a``", "``` `a`` ```"),
        ("@user/x", "`@user/x`"),
        ("a\nb\u202e", "`a\\x0ab\\u202e`"),
        (" ", "`   `"),
    ],
)
def test_names_are_code_spans(name: str, expected: str) -> None:
    assert code_span(name) == expected


def test_a_report_of_40_of_4000_shaders_is_short() -> None:
    found = [
        MetricChange(f"{at}.cso", None, {"instructions": 100, "bytes": 999, "temps": 4},
                     {"instructions": 100 + (at % 2 or -1), "bytes": 999 + at, "temps": 4})
        for at in range(1, 41)
    ]  # fmt: skip
    lines = list(report(found, 4000))
    assert len(lines) <= 30
    assert lines[0] == "**40 of 4,000 shaders changed**: 0 helped, 20 hurt"
    assert "| instructions | 4,000 | 4,000 | +0.0 % | 20 | 20 |" in lines
    assert lines[-1] == "… and 28 more"


def test_totals_count_what_changed() -> None:
    found = [
        MetricChange("a", None, {"temps": 4}, {"temps": 3}),
        MetricChange("b", None, {"temps": 1}, {"temps": 6}),
        MetricChange("c", None, {}, {"temps": 6}),
    ]
    assert [tuple(each) for each in totals(found)] == [("temps", 5, 9, 1, 1)]
    assert next(report(found, 3)) == "**2 of 3 shaders changed**: 1 helped, 1 hurt, 1 new"


def test_nothing_is_said_of_nothing() -> None:
    assert list(report([], 4000)) == []


@pytest.mark.slow
def test_commands(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        for name in ("phong.dxbc", "mandel.dxbc"):
            shutil.copy(EXAMPLES / name, folder)
    assert command("diff", "--format", "markdown", old, new).out == ""
    same = command("check", new, "--baseline", old, "--format", "markdown")
    assert (same.code, same.out) == (0, "")
    assert command("strip", "--reflection", "-i", new / "phong.dxbc").code == 0
    told = command("diff", "--format", "markdown", old, new)
    assert told.code == 1
    assert told.out.startswith("**1 of 2 shaders changed**: 1 helped, 0 hurt\n")
    assert "| `phong.dxbc` | 2,780 → 2,148 (−22.7 %)" in told.out
    checked = command("check", new, "--baseline", old, "--format", "markdown")
    assert (checked.code, checked.out) == (0, told.out)
    over = command("check", new, "--baseline", old, "--format", "markdown", "--max-bytes", "1900")
    assert over.code == 1
    assert "**1 limit exceeded**" in over.out
    assert "phong.dxbc` | bytes | 1,900 | 2,148 |" in over.out
    assert command("check", new, "--baseline", old, "--max-bytes", "1900").code == 2
