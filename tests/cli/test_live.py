"""`debug --serve`: pictures, traces and constants of the page, the process, and the browser."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.terminal import INTERRUPTIBLE, SAXPY, unshade
from tests.examples import EXAMPLES
from tests.report.browser import need_browser, visited
from unshade.cli.commands import DebugOptions, SceneOptions
from unshade.cli.live_scene import LiveScene
from unshade.errors import LimitError, UsageError
from unshade.report.serve import LiveRequest

LEVEL = """
uniform float level;
uniform float4 tint;
uniform int count;
half4 main(float2 p) { return half4(level * p.x / 16, float(count) / 255, tint.z, 1); }
"""
ENDLESS = """
ps_5_0
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, l(0)
loop
add r0.x, r0.x, l(1.0)
endloop
mov o0.xyzw, r0.xxxx
ret
"""
ROOTS = """
ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.x
dcl_temps 1
add r0.x, v0.x, l(-2.0)
sqrt o0.x, r0.x
ret
"""
BODY = {"client": "a test"}


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "level.rts"
    path.write_text(LEVEL)
    return path


def scene(path: Path, *sets: str, size: str | None = "16x8", **given: Any) -> LiveScene:
    options = DebugOptions(sets=sets, scene=SceneOptions(size=size), **given)
    return LiveScene(options, str(path))


def pixels(found: dict[str, Any]) -> Any:
    return np.array(Image.open(io.BytesIO(b64decode(found["picture"]))))


def values(packed: str) -> dict[str, Any]:
    """Return the plain values of a block."""
    data = gzip.decompress(b64decode(packed))
    size = int.from_bytes(data[:4], "little")
    found: dict[str, Any] = json.loads(data[4 : 4 + size])["values"]
    return found


def test_a_picture_is_that_of_render(tmp_path: Path, level: Path) -> None:
    place = tmp_path / "level.png"
    line = ["--size", "16x8", "--set", "level=1", "--set", "count=51"]
    assert unshade("render", level, *line, "-o", place).code == 0
    live = scene(level)
    constants: dict[str, list[float]] = {"level": [1.0], "count": [51]}
    found = live.answer(LiveRequest("picture", constants=constants))
    expected = np.array(Image.open(place))
    assert np.array_equal(pixels(found), expected)
    assert expected[0, 8].tolist() == [round(255 * 8.5 / 16), 51, 0]
    larger = live.answer(LiveRequest("picture", constants=constants, size=(5, 4)))
    assert pixels(larger).shape == (4, 5, 3)


def test_the_constants_that_can_be_set(level: Path) -> None:
    facts = scene(level, "tint=[0.25,0.5,1,1]").answer(LiveRequest("page"))["facts"]
    assert facts == {
        "stage": "pixel",
        "size": (16, 8),
        "constants": [
            {"name": "level", "kind": "float", "value": [0.0], "role": ""},
            {"name": "tint", "kind": "float", "value": [0.25, 0.5, 1.0, 1.0], "role": "colour"},
            {"name": "count", "kind": "int", "value": [0], "role": ""},
        ],
    }


def test_time_is_a_constant_and_the_size_of_the_picture_is_none() -> None:
    facts = scene(EXAMPLES / "gyroid.dxbc").answer(LiveRequest("page"))["facts"]
    assert [(each["name"], each["role"]) for each in facts["constants"]] == [("time", "time")]


def test_a_mesh_has_the_constants_of_all_stages() -> None:
    options = DebugOptions(
        file=str(EXAMPLES / "clay.frag.spv"),
        vs=str(EXAMPLES / "clay.vert.spv"),
        scene=SceneOptions(mesh=str(EXAMPLES / "torus.obj"), size="24x16"),
    )
    live = LiveScene(options, str(EXAMPLES / "clay.frag.spv"))
    facts = live.answer(LiveRequest("page"))["facts"]
    assert [each["name"] for each in facts["constants"]] == ["eye"]
    assert facts["constants"][0]["value"][0] > 0  # the camera, around the mesh
    trace = live.answer(LiveRequest("trace", thread=(12, 5)))
    assert values(trace["block"])["traces"]["all"][0]["thread"].startswith(
        "pixel (12, 5) of triangle"
    )
    with pytest.raises(UsageError, match="nothing covers pixel 0, 0"):
        live.answer(LiveRequest("trace", thread=(0, 0)))


def test_a_trace_has_findings_and_counts_of_all_lanes_on_request(tmp_path: Path) -> None:
    path = tmp_path / "roots.asm"
    path.write_text(ROOTS)
    live = scene(path, size="4x2")
    alone = values(live.answer(LiveRequest("trace", thread=(3, 0)))["block"])
    assert alone["traces"]["findings"] == []
    assert "branches" not in alone
    found = values(live.answer(LiveRequest("trace", thread=(3, 0), checks=True))["block"])
    assert [
        (each["kind"], each["count"], each["thread"]) for each in found["traces"]["findings"]
    ] == [("nan", 4, "pixel (0, 0)")]
    assert found["branches"] == []


def test_a_lens_is_at_a_line_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "roots.asm"
    path.write_text(ROOTS)
    live = scene(path, size="4x2")
    line = 1 + next(n for n, text in enumerate(live.opened.listing.lines) if "add r0.x" in text)
    packed = live.answer(LiveRequest("trace", thread=(3, 0), lenses=(f"r0.x@{line}",)))["block"]
    [lens] = values(packed)["lenses"]["all"]
    assert lens["title"] == f"r0.x@{line}"
    assert (lens["width"], lens["height"], lens["nans"]) == (4, 2, 0)
    assert (lens["minimum"], lens["maximum"]) == (-1.5, 1.5)
    for text, problem in [
        ("r0.x", "expected a place and a line"),
        ("r0.x@9999", "no line 9999 of the program"),
        ("r7.x@3", "r7.x"),
    ]:
        with pytest.raises(UsageError, match=problem):
            live.answer(LiveRequest("trace", thread=(3, 0), lenses=(text,)))


def test_a_pixel_of_a_mesh_has_its_history_and_another_version_its_first_difference(
    tmp_path: Path,
) -> None:
    options = DebugOptions(
        file=str(EXAMPLES / "clay.frag.spv"),
        vs=str(EXAMPLES / "clay.vert.spv"),
        scene=SceneOptions(mesh=str(EXAMPLES / "torus.obj"), size="24x16"),
        against=str(EXAMPLES / "clay.frag.spv"),
    )
    live = LiveScene(options, str(EXAMPLES / "clay.frag.spv"))
    sections = live.answer(LiveRequest("trace", thread=(12, 5)))["sections"]
    assert "<h4>History of pixel (12, 5)</h4>" in sections
    assert "<h4>Compared with clay.frag.spv</h4>" in sections
    assert "no step differs" in sections


def test_a_thread_of_a_compute_shader() -> None:
    live = scene(SAXPY, "a=2", size=None, bind=["X=iota(128)", "Y=ones(128)"])
    page = live.answer(LiveRequest("page"))
    assert page["facts"]["stage"] == "compute"
    assert page["facts"]["size"] is None
    trace = live.answer(LiveRequest("trace", thread=(70, 0, 0)))
    assert values(trace["block"])["traces"]["all"][0]["thread"] == "thread (70, 0, 0)"
    with pytest.raises(UsageError, match="only a pixel shader has a picture"):
        live.answer(LiveRequest("picture"))


@pytest.mark.parametrize(
    ("constants", "problem"),
    [
        ({"nothing": [1.0]}, "no constant has the name 'nothing'"),
        ({"level=1 --bind x": [1.0]}, "no constant has the name"),
        ({"level": [1.0, 2.0]}, "level: expected 1 numbers, got 2"),
        ({"count": [1.5]}, "count: expected integers"),
    ],
)
def test_constants_that_do_not_fit(
    level: Path, constants: dict[str, list[float]], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        scene(level).answer(LiveRequest("picture", constants=constants))


def test_a_loop_that_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "endless.asm"
    path.write_text(ENDLESS)
    live = scene(path, size="2x2", budget=1000)
    with pytest.raises(LimitError, match="limit budget = 1000 exceeded"):
        live.answer(LiveRequest("picture"))
    trace = live.answer(LiveRequest("trace", thread=(1, 1)))  # up to there
    assert values(trace["block"])["traces"]["all"][0]["thread"] == "pixel (1, 1)"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (["--serve", "--step"], "--serve cannot be combined with --step"),
        (
            ["--serve", "--html", "a.html"],
            "--serve cannot be combined with --step, --no-trace, --h",
        ),
        (
            ["--serve", "--break", "mul"],
            "--serve cannot be combined with --break, --watch or --lens",
        ),
        (["--serve", "--port", "65536"], "--port: expected 0 to 65535, got 65536"),
        (["--port", "8000"], "--port needs --serve"),
    ],
)
def test_options_that_contradict_each_other(line: list[str], problem: str) -> None:
    ended = unshade("debug", SAXPY, *line)
    assert ended.code == 2
    assert problem in ended.err


# ---------------------------------------------------------------- the process


class Live:
    """A process of `debug --serve`."""

    def __init__(self, *line: str | Path) -> None:
        command = [sys.executable, "-c", INTERRUPTIBLE, "debug", *map(str, line), "--serve"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", self.said)
        assert found is not None, self.said
        self.address, self.port, self.token = found[0], int(found[1]), found[2]

    def ask(self, kind: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        headers = {"Unshade-Token": self.token, "Content-Type": "application/json"}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request("POST", f"/{kind}", json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.load(answer)

    def interrupt(self) -> tuple[int, float]:
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=10)
        return code, time.monotonic() - began


@contextmanager
def served(*line: str | Path) -> Iterator[Live]:
    made = Live(*line)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def until(page: Any, script: str, argument: Any = None) -> None:
    """Wait until a script returns true; the page's policy refuses those of wait_for_function."""
    end = time.monotonic() + 10
    while not page.evaluate(script, argument):
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def edited(path: Path, text: str) -> None:
    path.write_text(text)
    os.utime(path, (time.time() + 10,) * 2)


@pytest.mark.slow
def test_a_process_answers_and_reads_a_changed_file_again(level: Path) -> None:
    with served(level, "--size", "4x4") as live:
        status, page = live.ask("page", BODY)
        assert (status, page["version"]) == (200, 0)
        assert "level.rts" in page["page"]
        assert str(level.parent) not in page["page"]
        edited(level, LEVEL.replace("tint.z", "0.2"))
        assert live.ask("changes", {"version": 0}) == (200, {"version": 1})
        _, found = live.ask("picture", BODY)
        assert pixels(found)[0, 0].tolist() == [0, 0, 51]
        edited(level, "nothing")
        assert live.ask("changes", {"version": 1}) == (200, {"version": 2})
        status, found = live.ask("page", BODY)
        assert status == 422
        assert str(level.parent) not in found["error"]
        os.unlink(level)
        assert live.ask("changes", {"version": 2}) == (200, {"version": 3})
        status, found = live.ask("page", BODY)
        assert (status, found["error"]) == (422, "No such file or directory")


@pytest.mark.slow
def test_ctrl_c_ends_it_while_a_shader_runs(tmp_path: Path) -> None:
    path = tmp_path / "endless.asm"
    path.write_text(ENDLESS)
    with served(path, "--size", "512", "--budget", "2000000000") as live:
        assert live.token not in " ".join(map(str, live.process.args))  # type: ignore[arg-type]
        connection = HTTPConnection("127.0.0.1", live.port, timeout=30)
        headers = {"Unshade-Token": live.token, "Content-Type": "application/json"}
        connection.request("POST", "/picture", json.dumps(BODY), headers)
        time.sleep(1)
        code, seconds = live.interrupt()
        connection.close()
        assert code == 0
        assert seconds < 1


# ---------------------------------------------------------------- the browser


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
        assert page.locator("#steps .where").inner_text().startswith("step 2 of 3")
        page.get_by_label("Findings and counts of lines").check()
        page.wait_for_selector("#steps .findings")
        assert "nan" in page.locator("#steps .findings").inner_text()
        assert page.locator("#steps .where").inner_text().startswith("step 2 of 3")  # it stays
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
