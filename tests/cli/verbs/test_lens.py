"""`debug --lens`: the range of a place in every lane, as text, as JSON and on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES

pytestmark = pytest.mark.heavy

GYROID = [str(EXAMPLES / "gyroid.dxbc"), "--size", "8x6", "--set", "time=1", "--findings", "none"]


def test_the_range_is_printed_beside_the_trace() -> None:
    ran = unshade("debug", *GYROID, "--lens", "o0.w@155", "--break", "ret")
    assert ran.code == 0
    assert "o0.w@155: 8 x 6, 1 to 1, 0 NaN\n" in ran.err


def test_the_facts_as_json() -> None:
    ran = unshade("debug", *GYROID, "--lens", "r10.xy@154", "--break", "ret", "--json")
    [lens] = json.loads(ran.out)["lenses"]
    assert lens["components"] == ["r10.x", "r10.y"]
    assert (lens["line"], lens["iteration"], lens["shape"]) == (154, None, [6, 8])
    assert (lens["nan"], lens["not_reached"]) == (0, 0)
    assert 0 < lens["minimum"] < lens["maximum"]


def test_the_page_has_the_numbers(tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="not installed: pip install unshade[report]")
    page = tmp_path / "page.html"
    assert unshade("debug", *GYROID, "--lens", "r10@154", "--html", page).code == 0
    assert 'id="lenses"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r10", "lens: expected a place and a line as r0.xyz@47, got 'r10'"),
        ("r99@154", "unknown name 'r99'"),
        ("r10@1", "line 1 has no code"),
    ],
)
def test_lenses_that_show_nothing(text: str, message: str) -> None:
    ran = unshade("debug", *GYROID, "--lens", text)
    assert ran.code == 2
    assert message in ran.err


def test_the_page_and_the_trace_are_both_written(tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="not installed: pip install unshade[report]")
    page, trace = tmp_path / "page.html", tmp_path / "trace.txt"
    assert unshade("debug", *GYROID, "--html", page, "-o", trace).code == 0
    assert "<html" in page.read_text(encoding="utf-8")
    assert trace.read_text(encoding="utf-8") == unshade("debug", *GYROID).out
    assert unshade("debug", *GYROID, "--html", page).out == ""
