"""Regions of the listing fold by mouse, keyboard and address, and unfold for what they hide."""

import re
from pathlib import Path
from typing import Any

import pytest

from unshade import DxContainer
from unshade.isa.source import Source
from unshade.report.page import page

from .browser import need_browser, opened

NESTED = """\
ps_5_0
dcl_input_ps constant v0.x
dcl_output o0.x
dcl_temps 1
loop
if_nz v0.x
mov r0.x, l(7.5)
endif
breakc_z v0.x
endloop
mov o0.x, r0.x
ret
"""


TALL = {"width": 1440, "height": 2000}  # every line is shown


@pytest.fixture
def place(tmp_path: Path) -> Path:
    need_browser()
    file = tmp_path / "page.html"
    shader = DxContainer.assemble([Source(NESTED)])
    file.write_text(page(shader, "nested.dxbc"), encoding="utf-8")
    return file


def code(shown: Any) -> list[str]:
    """Return the shown lines from the loop on, without numbers and marks."""
    rows = shown.locator("#listing .row:visible").all_inner_texts()
    lines = [" ".join(each.strip(" 0123456789▾▸◆◇").split()) for each in rows]
    start = next(at for at, each in enumerate(lines) if each.startswith("loop"))
    return lines[start : lines.index("ret") + 1]


WHOLE = ["loop", "if_nz v0.x", "mov r0.x, l(7.500000)", "endif", "breakc_z v0.x", "endloop",
         "mov o0.x, r0.x", "ret"]  # fmt: skip
INNER = ["loop", "if_nz v0.x … 1 line", *WHOLE[3:]]
OUTER = ["loop … 4 lines", *WHOLE[5:]]


@pytest.mark.slow
def test_nested_regions_fold_by_mouse(place: Path) -> None:
    with opened(place, viewport=TALL) as shown:
        assert code(shown) == WHOLE
        shown.click("#listing .row:has-text('if_nz') .fold")
        assert code(shown) == INNER
        shown.click("#listing .row:has-text('loop') .fold >> nth=0")
        assert code(shown) == OUTER
        shown.click("#listing .folded")
        assert code(shown) == INNER  # the inner region stays folded
        shown.click("#listing .row:has-text('if_nz') .fold")
        assert code(shown) == WHOLE


@pytest.mark.slow
def test_regions_fold_by_keyboard_and_lines_are_passed_over(place: Path) -> None:
    with opened(place, viewport=TALL) as shown:
        shown.click("#listing .row:has-text('mov r0.x')")
        shown.keyboard.press("f")
        assert code(shown) == INNER
        chosen = shown.locator("#listing .row.chosen")
        assert "if_nz" in chosen.inner_text()  # it stands for the line that is hidden
        shown.keyboard.press("ArrowDown")
        assert "endif" in chosen.inner_text()
        shown.keyboard.press("F")
        assert code(shown) == WHOLE
        shown.keyboard.press("F")
        assert code(shown) == OUTER
        assert "loop" in chosen.inner_text()


@pytest.mark.slow
def test_folds_are_part_of_the_address_and_what_is_chosen_is_shown(place: Path) -> None:
    with opened(place, viewport=TALL) as shown:
        shown.click("#listing .row:has-text('loop') .fold >> nth=0")
        shown.wait_for_url(re.compile("fold="))
        fold = re.findall(r"fold=\d+", shown.url)[0]
    with opened(place, f"#b=0x0&{fold}", viewport=TALL) as shown:
        assert code(shown) == OUTER
        shown.keyboard.press("/")
        shown.keyboard.type("7.5")
        shown.keyboard.press("Enter")
        assert code(shown) == WHOLE  # a place that was found unfolds what hides it
        assert "7.5" in shown.locator("#listing .row.chosen").inner_text()
    line = int(fold.removeprefix("fold=")) + 2
    with opened(place, f"#line={line}&{fold}", viewport=TALL) as shown:
        assert code(shown) == WHOLE
        assert "7.5" in shown.locator("#listing .row.chosen").inner_text()


@pytest.mark.slow
def test_a_field_whose_line_is_hidden_lights_the_region(place: Path) -> None:
    with opened(place, viewport=TALL) as shown:
        shown.click("#listing .row:has-text('mov r0.x')")
        instruction = shown.locator("#tree .row.chosen .name").inner_text()
        shown.keyboard.press("f")
        shown.locator(f"#tree .row:has-text('{instruction}')").first.hover()
        assert "if_nz" in shown.locator("#listing .row.hovered").inner_text()
