"""The trace of a page: each step's values, forwards, backwards and by address."""

from pathlib import Path
from typing import Any

import pytest

import unshade
from unshade.report.columns import Columns
from unshade.report.listing import CodeListing
from unshade.report.page import page
from unshade.report.trace import NEW, WRITES, write_trace
from unshade.report.tree import FieldTree

from .browser import need_browser, opened
from .test_columns import read

EXAMPLES = Path(__file__).parents[2] / "examples"


def debugged() -> tuple[unshade.Shader, Any]:
    pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.open(EXAMPLES / "gyroid.dxbc")
    debugger = unshade.kernel(shader).debug((40, 40))
    debugger.shade((64, 48), resolution=(64.0, 48.0), time=1.0)
    return shader, debugger


def test_columns_hold_what_the_debugger_recorded() -> None:
    shader, debugger = debugged()
    tree = FieldTree.of(shader.spans())
    listing = CodeListing.of(shader, tree)
    columns = Columns()
    write_trace(columns, debugger, listing)
    header, found = read(columns.packed())
    entries = debugger.trace.entries
    assert header["values"]["trace"]["thread"] == "pixel (40, 40)"
    assert [listing.lines[line].strip() for line in found["step.line"]] == [
        debugger.line(each.line) for each in entries
    ]
    assert found["step.reads"] == [len(each.reads) for each in entries]
    accesses = [each for entry in entries for each in (*entry.reads, *entry.writes)]
    assert [found["places"][place] for place in found["access.place"]] == [
        each.name for each in accesses
    ]
    assert [low & 0xFFFFFFFF for low in found["access.low"]] == [
        each.bits & 0xFFFFFFFF for each in accesses
    ]
    old = zip(found["access.flags"], found["access.old_low"], accesses, strict=True)
    for flags, low, each in old:
        assert (each.before is None) == bool(flags & NEW)
        assert flags & NEW or low & 0xFFFFFFFF == each.before & 0xFFFFFFFF
        assert not flags & WRITES or each in [one for entry in entries for one in entry.writes]


@pytest.mark.slow
def test_steps_go_forth_and_back(tmp_path: Path) -> None:
    need_browser()
    shader, debugger = debugged()
    file = tmp_path / "trace.html"
    file.write_text(page(shader, "gyroid.dxbc", debugger), encoding="utf-8")
    with opened(file) as shown:

        def state() -> tuple[str, ...]:
            return (
                shown.locator("#listing .row.chosen").inner_text(),
                shown.locator("#steps .about").inner_text(),
                *shown.locator("#steps .row:visible").all_inner_texts(),
            )

        first = state()
        assert "mad r0.xy" in first[0]
        assert first[1].startswith("step 1 of")
        shown.keyboard.press("n")
        second = state()
        shown.keyboard.press("n")
        shown.keyboard.press("p")
        assert state() == second
        shown.keyboard.press("p")
        assert state() == first
        shown.click("#steps button[title='last step']")
        last = len(debugger.trace.entries)
        assert f"step {last} of {last}" in state()[1]
    with opened(file, "#step=37") as shown:
        entry = debugger.trace.entries[37]
        assert debugger.line(entry.line) in shown.locator("#listing .row.chosen").inner_text()
        wrote = shown.locator("#steps .wrote .name").all_inner_texts()
        assert wrote == [each.name for each in entry.writes]
