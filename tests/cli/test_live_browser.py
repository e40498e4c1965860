"""The live page in a browser: clicks, keys, controls, names that mean harm, other pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import unshade
from tests.cli.live_process import LEVEL, ROOTS, edited, pixels, served, until
from tests.examples import EXAMPLES
from tests.report.browser import need_browser, open_browser, visited
from tests.report.test_families import with_name

pytestmark = pytest.mark.slow


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "level.rts"
    path.write_text(LEVEL)
    return path


@pytest.mark.slow
def test_a_click_shows_the_steps_of_a_pixel_and_a_slider_draws_again(level: Path) -> None:
    need_browser()
    requests: list[str] = []
    with served(level, "--size", "16x8", "--set", "level=1") as live:
        with visited(live.address, requests) as page:
            assert "token" not in page.url
            picture = page.locator("#live img")
            until(page, "document.querySelector('#live img').naturalWidth === 16")
            box = picture.bounding_box()
            at = {"x": box["width"] * 4.5 / 16, "y": box["height"] * 2.5 / 8}
            picture.click(position=at)
            page.wait_for_selector("#steps:not([hidden])")
            assert page.locator("#live label input").nth(0).input_value() == "4"
            assert page.locator("#live label input").nth(1).input_value() == "2"
            page.locator("#listing .body").focus()
            shown = page.locator("#steps .list").inner_text()
            assert "4.5" in shown  # the place of the pixel, p.x
            before = picture.get_attribute("src")
            number = page.get_by_label("level, as a number")
            number.fill("0.5")
            until(page, "before => document.querySelector('#live img').src !== before", before)
            data = picture.get_attribute("src").partition(",")[2]
            assert pixels({"picture": data})[0, 8, 0] == round(255 * 0.5 * 8.5 / 16)
            edited(level, LEVEL.replace("tint.z", "tint.y"))
            page.wait_for_selector("#listing .row:has-text('tint.y')", timeout=10_000)
            assert page.get_by_label("level, as a number").input_value() == "0.5"
        assert {each.partition("#")[0] for each in requests} == {
            f"http://127.0.0.1:{live.port}/{kind}"
            for kind in ("", "page", "picture", "trace", "changes")
        }
        code, seconds = live.interrupt()
        assert code == 0
        assert seconds < 1


@pytest.mark.slow
def test_the_page_begins_with_the_thread_of_the_command_line(level: Path) -> None:
    need_browser()
    line = "--size", "16x8", "--thread", "5,3"
    with served(level, *line) as live, visited(live.address, []) as page:
        page.wait_for_selector("#steps:not([hidden])")
        fields = page.locator("#live label input")
        assert [fields.nth(at).input_value() for at in (0, 1)] == ["5", "3"]
        assert "5.5" in page.locator("#steps .list").inner_text()


@pytest.mark.slow
def test_findings_counts_and_a_picture_of_a_value_in_the_browser(tmp_path: Path) -> None:
    need_browser()
    path = tmp_path / "roots.asm"
    path.write_text(ROOTS)
    with served(path, "--size", "16x8") as live, visited(live.address, []) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 16")
        page.get_by_role("button", name="Trace", exact=True).click()
        page.wait_for_selector("#steps:not([hidden])")
        assert page.locator("#steps .findings").count() == 0
        assert page.locator("#listing .count").count() == 0
        page.get_by_role("button", name="step (n)").click()
        assert page.locator("#steps .where").inner_text().startswith("pixel (0, 0), step 2 of 3")
        page.get_by_label("Findings and counts of lines").check()
        page.wait_for_selector("#steps .findings")
        assert "nan" in page.locator("#steps .findings").inner_text()
        assert (
            page.locator("#steps .where").inner_text().startswith("pixel (0, 0), step 2 of 3")
        )  # it stays
        row = page.locator("#listing .row:has-text('sqrt')")
        assert row.locator(".count").inner_text().strip() == "128"
        page.locator("#steps .list .number-value").first.click()
        page.get_by_role("button", name="picture").click()
        page.wait_for_selector("#lenses canvas")
        about = page.locator("#lenses .about").inner_text()
        assert about == "16 × 8, minimum -1.5, maximum 13.5, 0 NaN"
        page.get_by_role("textbox", name="Lenses").fill("")
        page.get_by_role("textbox", name="Lenses").press("Enter")
        page.wait_for_selector("#lenses canvas", state="detached")


TIMED = """
uniform float iTime;
half4 main(float2 p) { return half4(fract(iTime), p.x / 16, p.y / 8, 1); }
"""


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1440, "dark")])
def test_the_live_page_is_accessible(level: Path, width: int, scheme: str) -> None:
    need_browser()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options: dict[str, Any] = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    with served(level, "--size", "16x8") as live, visited(live.address, [], **options) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 16")
        page.get_by_label("Findings and counts of lines").check()
        page.wait_for_selector("#steps:not([hidden])")
        page.get_by_role("textbox", name="Lenses").fill("p.x@1")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        found = axe.Axe().run(page).response["violations"]
        assert [each for each in found if each["impact"] in ("serious", "critical")] == []


def test_a_colour_draws_again(level: Path) -> None:
    need_browser()
    with served(level, "--size", "4x4") as live, visited(live.address, []) as page:
        picture = page.locator("#live img")
        until(page, "document.querySelector('#live img').naturalWidth === 4")
        before = picture.get_attribute("src")
        page.get_by_label("tint, as a colour").fill("#0000cc")
        until(page, "before => document.querySelector('#live img').src !== before", before)
        data = picture.get_attribute("src").partition(",")[2]
        assert pixels({"picture": data})[0, 0].tolist() == [0, 0, 0xCC]
        assert page.get_by_label("tint.z, as a number").input_value() == "0.8"


def test_time_passes_until_it_is_stopped(tmp_path: Path) -> None:
    need_browser()
    path = tmp_path / "timed.rts"
    path.write_text(TIMED)
    with served(path, "--size", "4x4") as live, visited(live.address, []) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 4")
        time_of = page.get_by_label("iTime, as a number")
        play = page.locator("#live .constant button")
        play.click()
        assert play.inner_text() == "❚❚"
        until(page, "Number(document.querySelector('#live .constant [type=number]').value) > 0.3")
        play.click()
        page.wait_for_timeout(300)
        stopped = float(time_of.input_value())
        page.wait_for_timeout(300)
        assert float(time_of.input_value()) == stopped
        data = page.locator("#live img").get_attribute("src").partition(",")[2]
        assert abs(pixels({"picture": data})[0, 0, 0] - 255 * (stopped % 1)) <= 1


def test_arrow_keys_choose_a_pixel(level: Path) -> None:
    need_browser()
    with served(level, "--size", "16x8") as live, visited(live.address, []) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 16")
        page.locator("#live .picture").focus()
        for key in (
            "ArrowRight",
            "ArrowRight",
            "ArrowRight",
            "ArrowLeft",
            "ArrowDown",
            "ArrowUp",
            "ArrowUp",
            "ArrowDown",
            "Enter",
        ):
            page.keyboard.press(key)
        page.wait_for_selector("#steps:not([hidden])")
        assert [each.input_value() for each in page.locator("#live .bar input").all()[:2]] == [
            "2",
            "1",
        ]
        assert "2.5" in page.locator("#steps .list").inner_text()


# ---------------------------------------------------------------- attacks

NAMES = {
    "markup": "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "bidi": "\u202eeye\u2066\u2028",
    "long": "a" * 260_000,  # SPIR-V has no longer ones
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_run_nothing_and_move_nothing(tmp_path: Path, name: str) -> None:
    need_browser()
    path = tmp_path / "<img src=x onerror=alert(1)>\u202e.spv"
    text = unshade.open(EXAMPLES / "clay.frag.spv").disassemble()
    changed = text.replace('Camera 0 "eye"', f'Camera 0 "{name}"')
    assert changed != text
    path.write_bytes(unshade.assemble(changed, "spirv").to_bytes())
    vertices = ("--vs", EXAMPLES / "clay.vert.spv", "--mesh", EXAMPLES / "torus.obj")
    options: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    line = (path, *vertices, "--size", "24x16")
    with served(*line) as live, visited(live.address, [], **options) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 24")
        page.get_by_label("Pixel x").fill("12")
        page.get_by_label("y", exact=True).fill("5")
        page.get_by_role("button", name="Trace", exact=True).click()
        page.wait_for_selector("#records table")
        assert page.locator("img").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("document.getElementsByTagName('*').length") < 3000
        assert page.locator("#live").bounding_box()["height"] < 844
        shown = page.locator("body").inner_text()
        assert not {"\u202e", "\u2066", "\u2028"} & {*shown}


def test_a_name_of_a_million_letters(tmp_path: Path) -> None:
    """It is too long for a request, so that it has no controls."""
    need_browser()
    path = tmp_path / "long.dxbc"
    path.write_bytes(with_name("dxbc", "a" * 1_000_000).to_bytes())
    options: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    with served(path, "--size", "8x8") as live, visited(live.address, [], **options) as page:
        until(page, "document.querySelector('#live img').naturalWidth === 8")
        assert "a" * 80 not in page.locator("#live").inner_text()
        page.get_by_role("button", name="Trace", exact=True).click()
        page.wait_for_selector("#steps:not([hidden])")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("document.getElementsByTagName('*').length") < 3000
        assert page.locator("#live").bounding_box()["height"] < 844


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """Serve a page of somebody else; yield its address."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def test_a_page_elsewhere_neither_frames_nor_asks(level: Path) -> None:
    need_browser()
    with served(level, "--size", "4x4") as live:
        target = f"http://127.0.0.1:{live.port}"
        html = f"""<!doctype html><html data-ready><link rel="icon" href="data:,">
            <iframe name="frame" src="{target}/"></iframe><iframe name="answer"></iframe>
            <form method="post" action="{target}/page" target="answer" enctype="text/plain">
            <input name='{{"client": "a", "x' value='": 1}}'></form>"""
        with another_site(html) as address, open_browser(address) as page:
            page.evaluate("document.forms[0].submit()")
            page.wait_for_timeout(500)
            for name in ("frame", "answer"):  # the browser shows neither
                assert page.frame(name).url == "chrome-error://chromewebdata/"
            ask = """async ([address, token, mode]) => {
              const headers = mode === "cors" ? { "Unshade-Token": token } : {};
              const answer = await fetch(address, { method: "POST", mode, headers, body: "{}" });
              return [answer.type, await answer.text()];
            }"""
            for mode in ("cors", "no-cors"):
                with pytest.raises(Exception, match="Failed to fetch"):
                    page.evaluate(ask, [f"{target}/page", live.token, mode])
