"""`debug --against`: the first step that differs in two versions of a shader."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES
from tests.report.browser import need_browser, opened

pytestmark = pytest.mark.heavy

SAXPY = str(EXAMPLES / "saxpy.dxbc")
CALL = ["--thread", "3", "--set", "a=2", "--bind", "X=iota(60)", "--bind", "Y=ones(64)"]


@pytest.fixture
def other(tmp_path: Path) -> str:
    """The shader, in which the product is halved before the sum."""
    lines = unshade("dis", SAXPY).out
    sum_ = "add r0.x, r0.xxxx, r0.yyyy"
    assert sum_ in lines
    path = tmp_path / "other.asm"
    path.write_text(lines.replace(sum_, f"mul r0.x, r0.xxxx, l(0.5)\n{sum_}"))
    return str(path)


def test_the_first_step_that_differs(other: str) -> None:
    ran = unshade("debug", SAXPY, "--against", other, *CALL, "--findings", "none")
    assert ran.code == 1
    assert ran.out.startswith("first step that differs: the step writes another value\n")
    assert ran.out.count("add r0.x, r0.xxxx, r0.yyyy") == 2
    assert "was 6" in ran.out
    assert "was 3" in ran.out


def test_no_step_differs() -> None:
    ran = unshade("debug", SAXPY, "--against", SAXPY, *CALL, "--findings", "none")
    assert (ran.code, ran.out) == (0, "no step differs\n")


@pytest.fixture
def rounded(tmp_path: Path) -> tuple[str, str]:
    """Two shaders that round a product otherwise, and subtract nearly equal numbers."""
    lines = unshade("dis", SAXPY).out
    sum_ = "add r0.x, r0.xxxx, r0.yyyy"
    far = "mul r0.x, r0.xxxx, l({})\nadd r0.x, r0.xxxx, l(100.0)\nadd r0.x, r0.xxxx, l(-100.0)"
    paths = []
    for name, factor in (("one", "1.3"), ("two", "1.3000002")):
        path = tmp_path / f"{name}.asm"
        path.write_text(lines.replace(sum_, f"{far.format(factor)}\n{sum_}"))
        paths.append(str(path))
    return paths[0], paths[1]


def test_lines_that_amplify_a_difference_of_rounding(rounded: tuple[str, str]) -> None:
    one, two = rounded
    call = [*CALL, "--findings", "none"]
    call[1] = "30"
    ran = unshade("debug", one, "--against", two, *call)
    assert ran.code == 1
    head, lines = ran.out.split("lines that amplify the difference, most first:\n")
    assert "l(-100.0" in lines.splitlines()[0]
    assert "first step that differs" in head
    found = json.loads(unshade("debug", one, "--against", two, *call, "--json").out)
    assert found["amplifies"][0]["factor"] > 1.5


def test_prove_says_why_results_differ_by_rounding(rounded: tuple[str, str]) -> None:
    ran = unshade("prove", *rounded, "--rounds", "1", "--lanes", "64")
    assert ran.code == 1
    assert "first step that differs" in ran.out
    assert "rounding: the results are" in ran.out
    assert "lines that amplify the difference, most first:" in ran.out
    ran = unshade("prove", *rounded, "--rounds", "1", "--lanes", "64", "--json")
    explanation = json.loads(ran.out)["explanation"]
    assert explanation["apart"] > 0
    assert explanation["lines"]


def test_json(other: str) -> None:
    ran = unshade("debug", SAXPY, "--against", other, *CALL, "--findings", "none", "--json")
    found = json.loads(ran.out)
    assert found["against"] == other
    assert found["difference"]["kind"] == "value"
    assert found["difference"]["after"] == found["difference"]["before"] + 1


@pytest.mark.slow
def test_the_page_shows_both_versions_side_by_side(other: str, tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    unshade("debug", SAXPY, "--against", other, *CALL, "--findings", "none", "--html", str(file))
    with opened(file) as page:
        pane = page.locator("#against")
        chosen = pane.locator(".row.chosen")
        pane.get_by_role("button", name="first difference").click()
        assert "add r0.x, r0.xxxx, r0.yyyy" in chosen.inner_text()
        assert "add r0.x, r0.xxxx, r0.yyyy" in page.locator("#listing .row.chosen").inner_text()
        assert pane.locator(".differs").inner_text() == "r0.x 4, here 7"
        assert "mul r0.x, r0.xxxx, l(0.500000)" in pane.locator(".row.alone").inner_text()
        page.get_by_role("button", name="step back (p)").click()
        assert "ld_structured r0.y" in chosen.inner_text()
        assert pane.locator(".differs").count() == 0  # equal so far
        pane.locator(".row:has-text('store_structured')").click()
        assert "store_structured" in page.locator("#listing .row.chosen").inner_text()
        found = page.locator("#steps .where").inner_text()
        assert found.startswith("thread (3, 0, 0), step 11 of 12")
        pane.locator(".body").press("ArrowDown")
        assert (
            page.locator("#steps .where").inner_text().startswith("thread (3, 0, 0), step 12 of 12")
        )


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_versions_are_accessible(other: str, tmp_path: Path, scheme: str) -> None:
    need_browser()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    file = tmp_path / "page.html"
    unshade("debug", SAXPY, "--against", other, *CALL, "--findings", "none", "--html", str(file))
    with opened(file, color_scheme=scheme, viewport={"width": 390, "height": 844}) as page:
        page.get_by_role("button", name="Other version").click()
        page.get_by_role("button", name="first difference").click()
        assert page.locator("#against .alone").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        found = axe.Axe().run(page).response["violations"]
        assert [each for each in found if each["impact"] in ("serious", "critical")] == []


def test_the_page_leads_to_the_step(other: str, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="not installed: pip install unshade[report]")
    page = tmp_path / "page.html"
    call = [*CALL, "--findings", "none", "--html", str(page), "--json"]
    ran = unshade("debug", SAXPY, "--against", other, *call)
    step = json.loads(ran.out)["difference"]["before"]
    text = page.read_text(encoding="utf-8")
    assert "<h4>Compared with " in text
    link = f'<a href="#thread=0&amp;step={step}">Go to the first step that differs</a>'
    assert link in text
    assert "was 3" in text


@pytest.mark.parametrize("more", ["--step", "--no-trace", "--break=3", "--watch=r0"])
def test_options_that_contradict_each_other(more: str) -> None:
    ran = unshade("debug", SAXPY, "--against", SAXPY, *CALL, more)
    assert ran.code == 2
    assert "--against cannot be combined with --step" in ran.err


def test_compiled_code_is_another_version(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="not installed: pip install unshade[jit]")
    pixel = ["--size", "24x16", "--thread", "11,7", "--findings", "none"]
    gyroid = str(EXAMPLES / "gyroid.dxbc")
    ran = unshade("debug", gyroid, "--against", "jit", *pixel)
    assert (ran.code, ran.out) == (0, "no step differs\n")
    ran = unshade("debug", gyroid, "--against", "fast", *pixel)
    assert ran.code == 1
    assert "-- the compiled code with fast: step " in ran.out
    # The first by the processor: its reciprocal square root, or a multiplication and addition.
    assert re.search(r"step \d+ of [\d,]+\n(?:.*\n){0,8}.*\b(?:rsq r0\.w, r0\.wwww|mad )", ran.out)
    file = tmp_path / "page.html"
    unshade("debug", gyroid, "--against", "fast", *pixel, "--html", str(file))
    assert "Compared with the compiled code with fast" in file.read_text(encoding="utf-8")


def test_prove_of_loops_that_go_on_has_an_exit_code_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "endless.asm"
    path.write_text("ps_5_0\ndcl_output o0.x\nloop\nendloop\nmov o0.x, l(1.0)\nret\n")
    ran = unshade("prove", str(path), str(path), "--rounds", "2", "--lanes", "4", "--budget", "99")
    assert ran.code == 5
    assert ran.out.startswith("unknown: no round could be compared, of 2 rounds of 4 lanes")
    ran = unshade("prove", str(path), str(path), "--rounds", "2", "--budget", "99", "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["verdict"], found["equal"]) == (5, "unknown", False)
    assert (found["rounds"], found["compared_rounds"], found["difference"]) == (2, 0, None)
