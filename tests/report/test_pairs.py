"""The index of pairs: the kinds of differences, and the filter by them."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.report.pairs import PairRow, pairs_page, status_of

from .browser import need_browser, opened


def phong(**changes: object) -> unshade.Shader:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    for name, value in changes.items():
        setattr(shader["RDEF"], name, value)
    return shader


def test_the_status_is_the_most_important_category() -> None:
    named, code, bound = phong(), phong(), phong()
    named["RDEF"].bindings[2].name = "albedo"
    code.programs[0].insert(-1, "mov r0.xyzw, r0.xyzw")
    bound["RDEF"].bindings[2].bind_point = 9
    statuses = [
        status_of(unshade.diff(phong(), each))
        for each in (phong(), named, phong(creator="another"), bound, code)
    ]
    assert statuses == [
        "the same", "names differ", "other data differ", "interface differs", "code differs",
    ]  # fmt: skip


def test_renumbered_lines_are_counted_apart() -> None:
    source = "ps_5_0\ndcl_temps 2\nmov r0.x, l(1.0)\nadd r0.x, r0.x, l(1.0)\nret\n"
    other = source.replace("r0", "r1").replace("add r1.x, r1.x, l(1.0)", "add r1.x, r1.x, l(2.0)")
    found = unshade.diff(unshade.assemble(source), unshade.assemble(other))
    row = PairRow.of(found, "a")
    assert (row.status, row.lines, row.renumbered) == ("code differs", 1, 1)


@pytest.mark.slow
def test_a_status_selects(tmp_path: Path) -> None:
    need_browser()
    rows = [
        PairRow("a.dxbc", "the same", before=10, after=10, verdict="the same, byte for byte"),
        PairRow("b.dxbc", "code differs", "./b.html", 3, 1, 10, 12, "the code differs"),
        PairRow("c.dxbc", "added", after=10),
        PairRow("d.dxbc", "not opened", error="not a shader"),
    ]
    file = tmp_path / "index.html"
    file.write_text(pairs_page(rows, "old → new"), encoding="utf-8")
    with opened(file) as shown:
        assert shown.locator("header p").inner_text() == (
            "4 shaders: code differs 1, added 1, not opened 1, the same 1"
        )
        assert shown.locator("#table .row:visible a").all_inner_texts() == [
            "b.dxbc", "c.dxbc", "d.dxbc", "a.dxbc",
        ]  # fmt: skip
        shown.click("#facets button:has-text('code differs')")
        row = shown.locator("#table .row:visible")
        assert row.all_inner_texts() == ["b.dxbc\ncode differs\n3\n1\n10\n12\nthe code differs"]
        assert row.locator("a").get_attribute("href") == "./b.html"
