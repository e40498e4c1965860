"""Lenses of a page: pictures of every lane, their numbers under the pointer, colours by choice."""

from pathlib import Path
from typing import Any

import pytest

import unshade
from unshade.report.page import page

from .browser import need_browser, opened

CODE = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.x
dcl_temps 1
add r0.xy, v0.xyxx, l(-1.5, -0.5, 0, 0)
mov o0.x, r0.x
ret
"""
# The first row, read from a copy: of a canvas that is read twice Chromium says that it is slow.
PIXELS = """each => {
  const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  copy.drawImage(each, 0, 0);
  return [...copy.getImageData(0, 0, 3, 1).data];
}"""


def seen(tmp_path: Path) -> Path:
    pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.assemble(CODE, "dxcontainer")
    debugger = unshade.kernel(shader).debug((0, 0))
    line = next(n for n, text in enumerate(debugger.listing, 1) if "add r0" in text)
    debugger.lens("r0.x", line)
    debugger.lens("r0.xy", line)
    debugger.shade((3, 2))
    path = tmp_path / "page.html"
    path.write_text(page(shader, "a.dxbc", debugger), encoding="utf-8")
    return path


@pytest.mark.slow
def test_numbers_and_colours(tmp_path: Path) -> None:
    need_browser()
    with opened(seen(tmp_path)) as shown:
        first = shown.locator("#lenses .lens").first
        assert "3 × 2, minimum -1, maximum 1, 0 NaN" in first.inner_text()

        def colours() -> Any:
            return first.locator("canvas").evaluate(PIXELS)

        assert colours() == [0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255]
        first.locator("select").select_option("signed")
        assert colours() == [20, 60, 200, 255, 240, 240, 240, 255, 200, 40, 20, 255]
        second = shown.locator("#lenses .lens").nth(1)
        second.locator("canvas").focus()
        shown.keyboard.press("ArrowDown")
        assert second.locator(".under").inner_text() == "(0, 1)  r0.x -1  r0.y 1"
        box = second.locator("canvas").bounding_box()
        shown.mouse.move(box["x"] + box["width"] - 2, box["y"] + 2)
        assert second.locator(".under").inner_text() == "(2, 0)  r0.x 1  r0.y 0"
