"""`debug --serve`: pictures, traces and constants of the page, and the process."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from base64 import b64decode
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.live_process import BODY, ENDLESS, LEVEL, ROOTS, edited, pixels, served
from tests.cli.terminal import SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.commands import DebugOptions, SceneOptions
from unshade.cli.live_scene import LiveScene
from unshade.errors import LimitError, UsageError
from unshade.report.serve import LiveRequest


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "level.rts"
    path.write_text(LEVEL)
    return path


def scene(path: Path, *sets: str, size: str | None = "16x8", **given: Any) -> LiveScene:
    options = DebugOptions(sets=sets, scene=SceneOptions(size=size), **given)
    return LiveScene(options, str(path))


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
        "thread": None,
        "constants": [
            {"name": "level", "label": "level", "kind": "float", "value": [0.0], "role": ""},
            {
                "name": "tint",
                "label": "tint",
                "kind": "float",
                "value": [0.25, 0.5, 1.0, 1.0],
                "role": "colour",
            },
            {"name": "count", "label": "count", "kind": "int", "value": [0], "role": ""},
        ],
    }  # fmt: skip


def test_the_thread_of_the_command_line_is_shown_first(level: Path) -> None:
    assert scene(level, thread="5,3").answer(LiveRequest("page"))["facts"]["thread"] == (5, 3)


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


def test_a_pixel_without_a_shaded_fragment_has_a_history_alone(tmp_path: Path) -> None:
    mesh = tmp_path / "one.obj"
    mesh.write_text("v -1 -1 0\nv 1 -1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n")
    found = []
    for cull in ("front", "back"):
        options = DebugOptions(
            file=str(EXAMPLES / "clay.frag.spv"),
            vs=str(EXAMPLES / "clay.vert.spv"),
            scene=SceneOptions(mesh=str(mesh), size="24x16", cull=cull),
        )
        live = LiveScene(options, str(EXAMPLES / "clay.frag.spv"))
        found.append(live.answer(LiveRequest("trace", thread=(12, 8))))
    drawn, culled = sorted(found, key=lambda each: "block" not in each)
    assert "<td>written</td>" in drawn["sections"]
    assert culled.keys() == {"sections"}
    assert "<td>face culling</td>" in culled["sections"]


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
    found = live.answer(LiveRequest("trace", thread=(12, 5)))
    sections = found["sections"]
    against = values(found["block"])["against"]
    assert (against["title"], against["differs"]) == ("clay.frag.spv", False)
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
        ({"level\0": [1.0]}, r"no constant has the name 'level\\x00'"),
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
        assert (status, found["error"]) == (422, "level.rts: No such file or directory")


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces the limit")
def test_the_memory_of_the_process_that_runs_shaders_has_a_limit() -> None:
    code = """
from unshade.cli.live import _answer
from unshade.limits import limit_memory
from unshade.cli.output import CommandOutput, recorded
from unshade.report.serve import LiveRequest

class Large:
    def answer(self, request):
        return {"picture": bytearray(1 << 30)}

limit_memory(1 << 29)
with recorded(CommandOutput()) as effects:
    code = _answer(Large(), LiveRequest("picture"), CommandOutput())
print(code)
"""
    from unshade.cli import live

    assert live.MEMORY == 4 << 30
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "2\n"


def descendants(process: int) -> list[int]:
    """Return the processes that a process started, theirs included."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for each in map(int, (task / "children").read_text().split()):
            found += [each, *descendants(each)]
    return found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_process_that_crashes_is_replaced_and_none_has_the_token(level: Path) -> None:
    with served(level, "--size", "4x4") as live:
        assert live.ask("page", BODY)[0] == 200
        [worker] = descendants(live.process.pid)
        for each in (live.process.pid, worker):
            for name in ("cmdline", "environ"):
                assert live.token.encode() not in Path(f"/proc/{each}/{name}").read_bytes()
        os.kill(worker, signal.SIGSEGV)
        status, found = live.ask("picture", BODY)
        assert (status, found) == (422, {"error": "the process that ran it has ended"})
        assert live.ask("picture", BODY)[0] == 200
        assert descendants(live.process.pid) != [worker]
