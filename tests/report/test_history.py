"""The history of a pixel on its page: rows, colours, and links to the traces of fragments."""

from pathlib import Path
from typing import Any

import pytest

import unshade
from unshade.report.page import page

from .browser import need_browser, opened

VERTEX = """
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v0.zzzw
ret
"""
PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
add o0.xyzw, v1.xyzw, l(0.25, 0, 0, 0)
ret
"""


def drawn() -> tuple[unshade.Shader, Any, Any]:
    """Draw four triangles over pixel (1, 2): the second is hidden, the last faces away."""
    numpy = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    from unshade.run.raster import PixelHistory, draw

    full = [[-1, 1], [3, 1], [-1, -3]]
    corners = [[*place, z, 1] for z in (0.5, 0.75, 0.25) for place in full]
    corners += [[*place, 0, 1] for place in full[::-1]]
    shader = unshade.assemble(PIXEL, "dxcontainer")
    debugger = unshade.kernel(shader).debug((1, 2))
    history = PixelHistory(1, 2)
    inputs = {"TEXCOORD": numpy.array(corners, "f4")}
    vertex = unshade.kernel(unshade.assemble(VERTEX, "dxcontainer"))
    draw(vertex, debugger, inputs, None, (4, 4), cull="back", history=history)
    return shader, debugger, history


@pytest.mark.heavy
def test_rows_lead_to_the_traces_of_fragments_that_were_shaded() -> None:
    from unshade.report.history import history_section

    _, debugger, history = drawn()
    assert debugger.traced == [(1, 2, 0), (1, 2, 2)]
    text = history_section(history, debugger)
    assert "<h4>History of pixel (1, 2)</h4>" in text
    assert '<a href="#thread=0&amp;step=0" title="Trace of the fragment">0</a>' in text
    assert '<a href="#thread=1&amp;step=0" title="Trace of the fragment">2</a>' in text
    assert text.count("<a ") == 2
    assert "<td>early depth test</td>" in text
    assert "<td>face culling</td>" in text
    assert '<span class="swatch" style="background:#bf8080"></span> 0.75 0.5 0.5 1' in text


@pytest.mark.heavy
def test_a_reason_of_the_output_merger_is_in_the_table() -> None:
    """The page names every rejection that the draw knows, without a list of its own."""
    numpy = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    from unshade.report.history import history_section
    from unshade.run.raster import Fragment, PixelHistory, Rejection

    shader = unshade.assemble(PIXEL, "dxcontainer")
    debugger = unshade.kernel(shader).debug((1, 2))
    for reason in Rejection:
        history = PixelHistory(1, 2)
        one = Fragment(0, 3, True, 1, numpy.zeros(1, "f4"), {}, {}, rejected={reason: 1})
        history.fragments.append(one)
        assert f"<td>{reason.value}</td>" in history_section(history, debugger)


@pytest.mark.slow
def test_a_click_on_a_fragment_shows_its_trace(tmp_path: Path) -> None:
    need_browser()
    shader, debugger, history = drawn()
    path = tmp_path / "page.html"
    path.write_text(page(shader, "a.dxbc", debugger, history), encoding="utf-8")
    with opened(path) as shown:
        chosen = "#steps select[aria-label=thread]"
        for number, value in ((0, "0.5"), (1, "0.25")):
            shown.locator(".history a").nth(number).click()
            assert shown.locator(chosen).input_value() == str(number)
            assert value in shown.locator("#steps .list").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_of_a_trace_is_hidden_or_covered(width: int, tmp_path: Path) -> None:
    """The chosen field is readable below the steps, and no table lies over another section."""
    need_browser()
    shader, debugger, history = drawn()
    path = tmp_path / "page.html"
    path.write_text(page(shader, "a.dxbc", debugger, history), encoding="utf-8")
    with opened(path, viewport={"width": width, "height": 900}) as shown:
        assert shown.locator("#values .body").bounding_box()["height"] > 100
        assert shown.locator("#steps .list").bounding_box()["height"] > 100
        boxes = shown.evaluate("""() => [...document.querySelectorAll("#overview > details")].map(
            (each) => [each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX,
              each.getBoundingClientRect().toJSON()])""")
        assert {wide for wide, _ in boxes} <= {False, "auto"}
        for at, (_, one) in enumerate(boxes):
            for _, other in boxes[at + 1 :]:
                across = min(one["right"], other["right"]) - max(one["left"], other["left"])
                along = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
                assert across <= 1 or along <= 1
