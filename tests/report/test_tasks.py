"""What readers open a page for, done without documentation, in at most five clicks."""

from pathlib import Path
from typing import Any

import pytest

import unshade
from unshade.report.difference import difference_page
from unshade.report.page import page

from .browser import need_browser, opened

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST = 5
BLACK = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 2
max r0.x, v0.x, l(0)
mul r0.y, r0.x, l(0.5)
mov r1.xyz, l(0.25, 0.5, 1.0, 0)
mul o0.xyz, r1.xyzx, r0.yyyy
mov o0.w, l(1.0)
ret
"""


class Reader:
    """Clicks on a page and counts them."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown
        self.clicks = 0

    def click(self, selector: str, number: int = 0, **options: Any) -> None:
        self.shown.locator(selector).nth(number).click(timeout=5000, **options)
        self.clicks += 1
        assert self.clicks <= MOST


def chosen_bytes(shown: Any) -> str:
    """Return the chosen bytes in hexadecimal, without their column of letters."""
    text = " ".join(shown.locator("#hex .row:not([hidden]) .chosen").all_inner_texts())
    return " ".join(each for each in text.split() if len(each) == 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line", "literal", "letter", "data"),
    [
        ("gyroid.dxbc", 81, "l(0.140000)", 4, "29 5c 0f 3e"),  # 0.14 as float32
        ("gyroid.dxbc", 81, "l(120)", 3, "78 00 00 00"),
        ("lit.shbin", 8, "1.0", 1, "00 00 3f"),  # as float24
        ("clay.frag.spv", 30, "0.5", 1, "00 00 00 3f"),
        ("plasma.skslb", 10, "1.4", 1, "33 33 b3 3f"),
    ],
)
def test_which_bytes_hold_this_constant(
    name: str, line: int, literal: str, letter: int, data: str, tmp_path: Path
) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page(unshade.open(EXAMPLES / name), name), encoding="utf-8")
    with opened(file, f"#line={line}", viewport={"width": 1440, "height": 2000}) as shown:
        reader = Reader(shown)
        place = {"x": 7 * letter, "y": 8}
        reader.click(f"#listing .u-literal:text-is('{literal}')", position=place)
        assert data in chosen_bytes(shown)
        assert len(chosen_bytes(shown).split()) <= 8
        assert reader.clicks == 1


@pytest.mark.slow
def test_each_number_of_a_vector_leads_to_its_own_bytes(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page(unshade.assemble(BLACK, "dxcontainer"), "black"), encoding="utf-8")
    with opened(file, viewport={"width": 1440, "height": 2000}) as shown:
        word = shown.locator("#listing .u-literal", has_text="l(0.250000,0.500000,1.000000,0)")
        letters = word.inner_text()
        width = word.bounding_box()["width"] / len(letters)
        for text, data in (("0.25", "00 00 80 3e"), ("0.5", "00 00 00 3f"), ("1.0", "00 00 80 3f")):
            word.click(position={"x": (letters.index(text) + 1.5) * width, "y": 8})
            assert chosen_bytes(shown).startswith(data)


def traced(text: str) -> tuple[unshade.Shader, Any]:
    numpy = pytest.importorskip("numpy", reason="not installed: pip install unshade[run]")
    shader = unshade.assemble(text, "dxcontainer")
    debugger = unshade.kernel(shader).debug(0)
    debugger.shade({"TEXCOORD": numpy.array([[-3, 1]], "f4")})
    return shader, debugger


@pytest.mark.slow
def test_why_is_this_pixel_black(tmp_path: Path) -> None:
    """The output, what it was computed from, and the clamped input that made that 0."""
    need_browser()
    shader, debugger = traced(BLACK)
    file = tmp_path / "page.html"
    file.write_text(page(shader, "black", debugger), encoding="utf-8")
    with opened(file) as shown:
        reader = Reader(shown)
        reader.click("#steps button[title='last step']")
        output = "#steps .list .row:has-text('o0') button"
        assert shown.locator(output).first.inner_text().strip() in ("0", "0.0", "-0")
        reader.click(output)
        assert "mul o0.xyz" in shown.locator("#steps .origin").inner_text()
        reader.click("#steps .origin button:has-text('r0.y = 0')")
        reader.click("#steps .origin button:has-text('r0.x = 0')")
        text = shown.locator("#steps .origin").inner_text()
        assert "max r0.x, v0.x, l(0.000000)" in text
        assert "v0.x = -3" in text


@pytest.mark.slow
def test_what_changed_between_two_builds(tmp_path: Path) -> None:
    """The first change is on the screen; a click on a field that differs leads to its line."""
    need_browser()
    before = unshade.assemble(BLACK, "dxcontainer")
    after = unshade.assemble(BLACK.replace("l(0.5)", "l(0.75)"), "dxcontainer")
    file = tmp_path / "page.html"
    file.write_text(difference_page(before, after, ("a", "b")), encoding="utf-8")
    with opened(file) as shown:
        reader = Reader(shown)
        assert shown.locator("#aligned .row:visible", has_text="0.750000").count() == 1
        reader.click("#fields .row:has-text('literal')")
        assert "0.75" in shown.locator("#fields .row.chosen").inner_text()
