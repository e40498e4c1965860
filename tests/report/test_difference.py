"""The page of a difference: code and fields of two shaders, side by side."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from unshade import Shader, assemble, diff
from unshade import open as open_shader
from unshade.report.difference import difference_page
from unshade.report.fields import field_pairs

from .browser import need_browser, opened

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCE = """\
ps_5_0
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 3
mul r0.xy, v0.xyxx, l(2.0, 3.0, 0, 0)
add r1.xy, r0.xyxx, l(1.0, 1.0, 0, 0)
mul r1.xy, r1.xyxx, r0.xyxx
mov o0.xy, r1.xyxx
mov o0.zw, l(0, 0, 0, 1.0)
ret
"""


def phong() -> Shader:
    return open_shader(EXAMPLES / "phong.dxbc")


def page_of(before: Shader, after: Shader, file: Path) -> Path:
    text = difference_page(before, after, ("old/a.dxbc", "new/a.dxbc"))
    file.write_text(text, encoding="utf-8")
    return file


def renumbered(source: str) -> str:
    """Return the source with r0 as r2."""
    return re.sub(r"\br0\b", "r2", source)


@pytest.mark.parametrize(
    ("after", "rows"),
    [
        (renumbered(SOURCE), {4, 5, 6}),
        # The second factor is another value, although its register is a renumbered one.
        (renumbered(SOURCE).replace("r1.xyxx, r2.xyxx", "r1.xyxx, r1.xyxx"), {4, 5}),
        # Another input.
        (SOURCE.replace("v0", "v1"), set()),
        # Another output, which no line reads.
        (SOURCE.replace("o0", "o1"), set()),
    ],
)
def test_lines_are_renumbered_if_they_compute_the_same(after: str, rows: set[int]) -> None:
    (program,) = diff(assemble(SOURCE), assemble(after)).programs
    assert program.alignment.renumbered == rows


def test_another_write_to_the_register_is_a_change() -> None:
    added = "mov r2.x, l(5.0)\n"
    text = renumbered(SOURCE)
    place = text.index("mul r1.xy")
    (program,) = diff(assemble(SOURCE), assemble(text[:place] + added + text[place:])).programs
    # mul r1.xy, r1.xyxx, r2.xyxx reads the x of the added line.
    assert program.alignment.renumbered == {4, 5}
    (program,) = diff(
        assemble(SOURCE), assemble(text[:place] + added.replace(".x", ".z") + text[place:])
    ).programs
    assert program.alignment.renumbered == {4, 5, 7}


def test_fields_of_aligned_lines_are_paired() -> None:
    before, after = assemble(SOURCE), assemble(SOURCE.replace("add r1", "mov r2.z, l(7.0)\nadd r1"))
    pairs = field_pairs(before, after, diff(before, after))
    code = [each for each in pairs if ".instructions[" in each.path]
    # The added line, and no other: the instructions after it have another index.
    assert {each.path.split(".")[1] for each in code} == {"instructions[4]"}
    assert {each.before for each in code} == {None}
    assert {each.line for each in code} == {(0, 5)}


def test_a_changed_operand_is_one_field() -> None:
    before, after = assemble(SOURCE), assemble(SOURCE.replace("l(2.0,", "l(2.5,"))
    pairs = [each for each in field_pairs(before, after, diff(before, after)) if each.line]
    (pair,) = pairs
    assert pair.before is not None
    assert pair.after is not None
    assert (pair.before.value, pair.after.value) == (2.0, 2.5) or pair.before.length == 4
    assert pair.before.offset == pair.after.offset
    assert pair.line == (0, 4)


def test_without_a_script_the_differences_are_there() -> None:
    after = phong()
    after["RDEF"].creator = "another</noscript><script>"
    text = difference_page(phong(), after, ("a</script>", "b\u202e"))
    assert "the code is the same; the compiler differs" in text
    assert "\u202e" not in text
    assert text.count("<script>") == 1
    assert text.count("</noscript>") == 1
    kept = re.findall(r'<noscript id="without-script">(.*)</noscript>', text, re.DOTALL)[0]
    assert "vkd3d-shader 2.1 (Debian 2.1+ds-1) → another</noscript><script>" in unescape(kept)


def test_equal_shaders_have_a_page() -> None:
    text = difference_page(phong(), phong(), ("a", "b"))
    assert "the same, byte for byte" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("clay.frag.spv", "clay.vert.spv"), ("lit.shbin", "reverse.shbin"),
        ("plasma.skslb", "noise.skslb"), ("saxpy6.dxil", "saxpy.dxbc"),
        ("everything.vbc", "clay.vert.spv"),
    ],
)  # fmt: skip
def test_every_family_has_a_page(before: str, after: str, tmp_path: Path) -> None:
    need_browser()
    file = page_of(open_shader(EXAMPLES / before), open_shader(EXAMPLES / after), tmp_path / "p")
    file = file.rename(tmp_path / "page.html")
    with opened(file) as shown:
        assert "differ" in shown.locator("#verdict").inner_text()
        assert shown.evaluate("document.getElementsByTagName('*').length") < 3000


@pytest.mark.slow
def test_changes_are_reached_by_keys_and_have_an_address(tmp_path: Path) -> None:
    need_browser()
    after = renumbered(SOURCE).replace("l(0, 0, 0, 1.0)", "l(0, 0, 0, 0.5)")
    after = after.replace("v0.xyxx", "v0.yxxx")
    file = page_of(assemble(SOURCE), assemble(after), tmp_path / "page.html")
    with opened(file) as shown:
        chosen = shown.locator(".lines .row.chosen .text")
        assert "v0.yxxx" in chosen.nth(1).inner_text()
        words = shown.locator(".lines .row.chosen .removed .mark-word").all_inner_texts()
        assert "".join(words) == "r0.xyv0.xyxx"
        assert shown.locator(".place").inner_text() == "change 1 of 2"
        shown.keyboard.press("n")
        assert "0.500000" in chosen.nth(1).inner_text()
        assert "#program=0&row=8" in shown.url
        near = shown.locator("#fields .row.near").all_inner_texts()
        assert len(near) == 1
        assert "1" in near[0]
        assert "0.5" in near[0]
        shown.keyboard.press("p")
        assert "v0.yxxx" in chosen.nth(1).inner_text()
        assert shown.locator(".side.renumbered").count() == 4, "two lines on two sides"
        shown.click("text=Stop at renumbered registers")
        assert shown.locator(".place").inner_text() == "change 1 of 2"


@pytest.mark.slow
def test_equal_lines_fold_and_a_field_leads_to_its_line(tmp_path: Path) -> None:
    need_browser()
    after = phong()
    source = after.disassemble()
    line = next(each for each in source.split("\n") if each.startswith("discard"))
    edited = assemble(source.replace(line, line.replace("discard_nz", "discard_z")))
    file = page_of(assemble(source), edited, tmp_path / "page.html")
    with opened(file) as shown:
        folds = shown.locator(".fold")
        assert folds.all_inner_texts() == ["⋯ 19 equal lines", "⋯ 52 equal lines"]
        folds.first.click()
        assert shown.locator(".lines .row.chosen .number").first.inner_text() == "1"
        shown.click("#fields .row:has-text('instructions[21]')")
        assert "discard_nz" in shown.locator(".lines .row.chosen").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_no_serious_finding_of_accessibility(tmp_path: Path, width: int, scheme: str) -> None:
    need_browser()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    file = page_of(assemble(SOURCE), assemble(renumbered(SOURCE) + "nop\n"), tmp_path / "page.html")
    view = {"width": width, "height": 800}
    with opened(file, viewport=view, color_scheme=scheme, bypass_csp=True) as shown:
        found = axe.Axe().run(shown).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
