"""A shader in a notebook: its page in a sandbox, or without it if that is too large."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest import mock

import html5lib
import pytest

import unshade
from tests.examples import EXAMPLES
from tests.report.browser import READY, need_browser, opened
from tests.screens.test_html import words
from unshade.report import notebook
from unshade.report.page import page
from unshade.screens import notebook as plain

FILES = [
    "phong.dxbc", "saxpy6.dxil", "clay.frag.spv", "everything.vbc", "reverse.shbin", "plasma.skslb",
]  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_shader_is_its_page_in_a_sandbox(name: str) -> None:
    shader = unshade.open(EXAMPLES / name)
    made = shader._repr_html_()
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(made)
    [frame] = tree.iter("iframe")
    assert frame.get("srcdoc") == page(shader, shader.format)
    assert frame.get("sandbox") == "allow-scripts"
    assert "Summary" in words(made)
    assert len(made) < notebook.LARGEST


def difference() -> unshade.Diff:
    text = "ps_5_0\ndcl_output o0.x\nmov o0.x, l({})\nret\n"
    before, after = (unshade.assemble(text.format(each), "dxcontainer") for each in (0.5, 0.75))
    return unshade.diff(before, after)


def test_a_difference_is_its_page_in_a_sandbox() -> None:
    found = difference()
    made = found._repr_html_()
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(made)
    [frame] = tree.iter("iframe")
    assert frame.get("sandbox") == "allow-scripts"
    content = frame.get("srcdoc")
    assert '<section id="aligned"' in content
    assert found.verdict in content
    assert "Summary" in words(made)
    with mock.patch.object(notebook, "LARGEST", 10_000):
        assert found._repr_html_() == plain.diff(found)
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    assert "<iframe" not in unshade.diff(shader, shader)._repr_html_()


def test_a_large_page_is_left_out() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    with mock.patch.object(notebook, "LARGEST", 10_000):
        assert shader._repr_html_() == plain.shader(shader)


def test_without_jinja_there_is_no_page() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    from unshade.report import assembly

    assembly._environment.cache_clear()
    with mock.patch.dict(sys.modules, {"jinja2": None}):
        assert shader._repr_html_() == plain.shader(shader)


def test_a_damaged_shader_is_shown() -> None:
    shader = unshade.loads((EXAMPLES / "phong.dxbc").read_bytes()[:2000], strict=False)
    words(shader._repr_html_())


@pytest.mark.slow
def test_the_page_works_inside_of_the_frame(tmp_path: Path) -> None:
    """Panes are filled and follow the cursor, nothing is requested, and no error is reported."""
    place = tmp_path / "cell.html"
    place.write_text(f"<!doctype html>{unshade.open(EXAMPLES / 'phong.dxbc')._repr_html_()}")
    need_browser()
    with opened(place, ready="iframe") as outer:
        frame = outer.frames[1]
        frame.wait_for_selector(READY, state="attached")
        frame.locator("#tree .row", has_text="rsq").first.click()
        frame.locator("#hex .chosen").first.wait_for()
        assert "Reciprocal square root" in frame.locator("#values .body").inner_text()


@pytest.mark.slow
def test_a_notebook_runs(tmp_path: Path) -> None:
    formats = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = formats.v4.new_notebook()
    code = f"import unshade\nunshade.open({str(EXAMPLES / 'phong.dxbc')!r})"
    book.cells = [formats.v4.new_code_cell(code)]
    client.NotebookClient(book, timeout=60).execute()
    [output] = book.cells[0].outputs
    assert "<iframe sandbox=" in output["data"]["text/html"]
