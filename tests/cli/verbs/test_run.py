"""The verbs that run shaders: run, render, debug."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.corpus import REPOSITORY
from tests.fixtures.containers import container
from tests.programs.dxil.modules import part
from unshade.cli import main

EXAMPLES = REPOSITORY / "examples"
SAXPY = str(EXAMPLES / "saxpy.dxbc")
BIND = ("--bind", "X=iota(64)", "--bind", "Y=ones(64)", "--set", "a=2")


def test_run_shows_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", SAXPY, "--groups", "1", *BIND]) == 0
    assert capsys.readouterr().out == "Y  float32 (64,)  1 3 5 7 9 11 13 15 …\n"


def test_run_reads_and_writes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x, y = tmp_path / "x.npy", tmp_path / "y.npy"
    np.save(x, np.arange(64, dtype=np.float32))
    np.save(y, np.ones(64, np.float32))
    constants = tmp_path / "c.json"
    constants.write_text('{"a": 3, "n": 64}')
    line = ["run", SAXPY, "--groups", "1,1,1", "--bind", f"X={x}", "--bind", f"u1={y}",
            "--bind", f"cb0={constants}"]  # fmt: skip
    out = tmp_path / "out.npy"
    assert main([*line, "-o", str(out)]) == 0
    assert np.load(out)[2] == 7
    assert np.load(y)[2] == 1
    assert main([*line, "-o", f"Y={tmp_path / 'out.json'}"]) == 0
    assert json.loads((tmp_path / "out.json").read_text())[:3] == [1, 4, 7]
    assert main([*line, "--in-place"]) == 0
    assert np.load(y)[2] == 7
    assert main([*line, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["results"]["Y"][2] == 13
    assert data["out_of_bounds"] == {}


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ((), 2, "this compute shader takes"),
        (BIND, 2, "--groups is required: number of groups of 64 x 1 x 1 threads"),
        (("--groups", "a", *BIND), 2, "--groups: expected up to 3 integers, got 'a'"),
        (("--groups", "1", "--bind", "X"), 2, "--bind: expected NAME=VALUE, got 'X'"),
        (("--groups", "1", "--bind", "X=zeros()"), 2, "expected sizes of up to"),
        (
            ("--groups", "1", "--bind", "X=iota(4,float3)"),
            2,
            "expected a size or dtype, got 'float3'",
        ),
        (("--groups", "1", "--bind", "X=no.npy"), 2, "no.npy: No such file"),
        (("--groups", "1", *BIND, "--bind", "Z=iota(4)"), 2, "unknown name 'Z'"),
        (("--groups", "1", *BIND, "-o", "Z=z.npy"), 2, "'Z' was not written"),
        (("--groups", "1", *BIND, "--set", "b=x y"), 2, "expected numbers or JSON"),
        (("--groups", "1", *BIND, "--program", "3"), 2, "no such program: 3; there are 1"),
    ],
)
def test_run_errors(
    line: tuple[str, ...], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", SAXPY, *line]) == code
    captured = capsys.readouterr()
    assert words in captured.err
    assert not captured.out


def test_run_reports_out_of_bounds_accesses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", SAXPY, "--groups", "2", *BIND, "--engine", "lockstep"]) == 0
    assert f"unshade: {SAXPY}: 64 out-of-bounds accesses to X (t0)\n" in capsys.readouterr().err


def test_run_vertex_shaders(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"--bind=TEXCOORD4_{n}={[int(n == k) for k in range(4)]}" for n in range(4)]
    eye = json.dumps(np.eye(4).tolist())
    bones = json.dumps([np.eye(4).tolist()] * 8)
    line = ["run", str(EXAMPLES / "skinning.dxbc"), "--bind", "TEXCOORD0=iota(2,3)",
            "--bind", "TEXCOORD1=[0,1,0]", "--bind", "TEXCOORD2=[0,0,0,0]",
            "--bind", "TEXCOORD3=[1,0,0,0]", *rows, "--set", f"u_vp={eye}",
            "--set", f"u_bone={bones}", "--set", "u_wind=0,0,0,0"]  # fmt: skip
    assert main(line) == 0
    assert "SV_Position  float32 (2, 4)  0 1 2 1, 3 4 5 1\n" in capsys.readouterr().out


CAMERA = f"view_projection={json.dumps(np.eye(4).tolist())}"


def test_run_geometry_shaders(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", str(EXAMPLES / "billboards.dxbc"), "--bind", "POSITION=zeros(2,3)", "--bind",
            "SIZE=[1,2]", "--bind", "COLOR=[0,0,0,0]", "--set", CAMERA, "--set", "right=1,0,0",
            "--set", "up=0,1,0"]  # fmt: skip
    assert main(line) == 0
    out = capsys.readouterr().out
    assert "SV_Position  float32 (8, 4)  -1 1 0 1, 1 1 0 1 …\n" in out
    assert "primitives  int64 (4, 3)  0 1 2, 1 3 2 …\n" in out
    assert main(line[:2]) == 2
    assert "this geometry shader takes\n  cb0 " in capsys.readouterr().err


def test_run_hull_and_domain_shaders(capsys: pytest.CaptureFixture[str]) -> None:
    corners = ("--bind", "POSITION=[[[0,0,0],[4,0,0],[0,0,2],[4,0,2]]]")
    assert main(["run", str(EXAMPLES / "sheet.h.dxbc"), *corners, "--set", "density=1"]) == 0
    out = capsys.readouterr().out
    assert "SV_TessFactor1  float32 (1,)  4\n" in out
    sheet = ["run", str(EXAMPLES / "sheet.d.dxbc"), *corners, "--set", CAMERA, "--set", "height=1"]
    assert main([*sheet, "--bind", "vDomain=[[0.5,0.5]]", "--bind", "SV_TessFactor1=[4]"]) == 0
    assert capsys.readouterr().out.startswith("SV_Position  float32 (1, 1, 4)  2 1 1 1\n")
    assert main(sheet) == 2
    assert "missing input vDomain: expected points (points, 2)" in capsys.readouterr().err
    assert main(sheet[:2]) == 2
    err = capsys.readouterr().err
    assert "        POSITION         input       (n, 4, 3) float32\n        vDomain  " in err


def test_debug_a_point_of_a_patch(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["debug", str(EXAMPLES / "sheet.d.dxbc"), "--bind", "POSITION=iota(2,4,3)", "--set",
            CAMERA, "--set", "height=0", "--bind", "vDomain=[[0,0],[1,0]]", "--thread", "1,1",
            "--watch", "o0.x"]  # fmt: skip
    assert main(line) == 0
    assert " 15.0 " in capsys.readouterr().out
    line = ["debug", str(EXAMPLES / "sheet.h.dxbc"), "--bind", "POSITION=iota(2,4,3)", "--set",
            "density=1", "--thread", "1", "--break", "27"]  # fmt: skip
    assert main(line) == 0
    assert "vicp[" in capsys.readouterr().out


@pytest.mark.slow
def test_render_writes_an_image(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.png"
    line = ["render", str(EXAMPLES / "gyroid.dxbc"), "--size", "48x32", "--time", "1"]
    assert main([*line, "-o", str(out)]) == 0
    assert not capsys.readouterr().err  # time and resolution go by their names
    with Image.open(out) as image:
        picture = np.asarray(image)
    assert picture.shape == (32, 48, 3)
    assert picture.std() > 20
    assert main([*line, "--flip", "--alpha", "--srgb", "-o", str(out)]) == 0
    with Image.open(out) as image:
        assert image.mode == "RGBA"
    assert main([*line, "-o", str(tmp_path / "out.npy")]) == 0
    numbers = np.load(tmp_path / "out.npy")
    assert np.abs(numbers[..., :3].clip(0, 1) * 255 - picture).max() <= 0.5 + 1e-3


@pytest.mark.slow
def test_render_draws_a_mesh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.png"
    lights = json.dumps([{"p": [3, 4, 5, 1], "c": [9, 9, 9, 1]}] * 4)
    line = ["render", "--vs", str(EXAMPLES / "skinning.dxbc"), "--ps",
            str(EXAMPLES / "phong.dxbc"), "--mesh", str(EXAMPLES / "torus.obj"), "--size",
            "40x30", "--attribute", "TEXCOORD3=1,0,0,0", "--attribute", "TEXCOORD4_0=1,0,0,0",
            "--attribute", "TEXCOORD4_1=0,1,0,0", "--attribute", "TEXCOORD4_2=0,0,1,0",
            "--attribute", "TEXCOORD4_3=0,0,0,1", "--set", f"u_l={lights}", "--set", "ps:u_n=1",
            "--bind", "ps:s1=linear,wrap", "--alpha", "-o", str(out)]  # fmt: skip
    assert main(line) == 0
    err = capsys.readouterr().err
    assert "not given: u_wind is 0, tex (t1) is white, env (t2) is white, TEXCOORD2 is 0" in err
    with Image.open(out) as image:
        alpha = np.asarray(image)[..., 3]
    assert alpha[0, 0] == 0
    assert 0.15 < (alpha > 0).mean() < 0.6  # a torus, whole
    assert not alpha[:, [0, -1]].any()
    assert not alpha[[0, -1]].any()


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("-o", "x.png"), "no pixel shader: give FILE or --ps FILE"),
        ((SAXPY, "-o", "x.png"), "got a compute shader: use unshade run"),
        (
            ("{}/phong.dxbc", "--mesh", "m.obj", "-o", "x.png"),
            "--mesh needs a vertex shader: --vs",
        ),
        (("{}/gyroid.dxbc", "--size", "0x4", "-o", "x.png"), "--size: expected 1 to 32,768"),
        (("{}/gyroid.dxbc", "--target", "SV_Target3", "-o", "x.png"), "did you mean SV_Target"),
    ],
)
def test_render_errors(
    line: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    size = () if "--size" in line else ("--size", "4x4")
    assert main(["render", *(each.format(EXAMPLES) for each in line), *size]) == 2
    assert words in capsys.readouterr().err


def test_debug_prints_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", SAXPY, "--thread", "3,0,0", *BIND]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("   12  mul r0.x, cb0[0].xxxx, r0.xxxx")
    assert lines[at + 1].split() == ["cb0[0].x", "P.a", "2.0", "0x40000000"]
    assert lines[at + 3].split() == ["->", "r0.x", "6.0", "0x40c00000", "was", "3.0"]


def test_debug_has_breaks_watches_and_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", SAXPY, "--thread", "1", *BIND, "--break", "17"]) == 0
    assert capsys.readouterr().out.startswith("   17  add r0.x")
    assert main(["debug", SAXPY, "--thread", "1", *BIND, "--watch", "r0.z"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["14", "15"]
    assert main(["debug", SAXPY, "--thread", "1", *BIND, "--watch", "Y", "--watch", "r0.yz",
                 "--break", "18", "--break", "mov"]) == 0  # fmt: skip
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["9", "10", "13", "14", "15", "15", "18"]
    assert main(["debug", SAXPY, "--groups", "2", *BIND, "--no-trace"]) == 1
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.startswith("out-of-bounds: t0[64] is outside")
    assert "Y (u1) has 64 elements" in captured.err
    for kinds, code in (("nan,race", 0), ("out-of-bounds", 1), ("none", 0)):
        line = ["debug", SAXPY, "--groups", "2", *BIND, "--no-trace", "--findings", kinds]
        assert main(line) == code
        assert bool(capsys.readouterr().err) == bool(code)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--break", "999"], "no such line: 999; the listing has 19"),
        (["--break", "1"], "line 1 has no code: 'cs_5_0'; the next line with code is 8"),
        (["--watch", "foo"], "unknown name 'foo'"),
        (["--findings", "nans"], "--findings: expected some of out-of-bounds, race"),
        (["--thread", "64", "--groups", "1"], "no such thread: 64; expected 0 to 63"),
        (["--thread", "-1"], "no such thread: -1; expected 0 to 63"),
        (["--size", "8x8"], "--size: expected a pixel shader, got a compute shader"),
        (["--mesh", "torus.obj"], "--mesh needs a vertex shader: --vs"),
        (["--step", "--no-trace"], "--step cannot be combined with"),
    ],
)
def test_debug_errors(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", SAXPY, *BIND, *options]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert not out


def test_debug_reports_places_that_are_not_reached(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", SAXPY, *BIND, "--watch", "r0.w"]) == 0
    assert "r0.w: never written by this thread" in capsys.readouterr().err
    assert main(["debug", SAXPY, *BIND, "--break", "17 if r0.x > 1e9"]) == 0
    assert "17 if r0.x > 1e9: not reached by this thread" in capsys.readouterr().err


def test_debug_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    assert main(["debug", SAXPY, "--thread", "3", *BIND, "--json", "-o", str(path)]) == 0
    assert not capsys.readouterr().out
    data = json.loads(path.read_text())
    assert (data["thread"], len(data["trace"]), data["findings"]) == ([3, 0, 0], 12, [])
    assert main(["debug", SAXPY, "--groups", "2", *BIND, "--json", "--watch", "Y"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [entry["line"] for entry in data["trace"]] == [18]
    assert {each["kind"] for each in data["findings"]} == {"out-of-bounds"}
    assert main(["debug", SAXPY, *BIND, "-o", str(path)]) == 0
    assert path.read_text().startswith("    8  mov r0.x, vThreadID.xxxx\n")


@pytest.mark.slow
def test_debug_has_the_defaults_of_render(capsys: pytest.CaptureFixture[str]) -> None:
    gyroid = str(EXAMPLES / "gyroid.dxbc")
    line = ["debug", gyroid, "--size", "8x4", "--thread", "5,2", "--time", "2"]
    assert main([*line, "--findings", "none", "--watch", "o0.w"]) == 0
    assert capsys.readouterr().out.split()[1:4] == ["o0.w", "SV_Target.w", "1.0"]
    assert main([*line, "--break", "11", "--json", "--findings", "none"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["trace"]
    labels = {each["label"]: each["value"] for each in entry["reads"]}
    assert any(str(label).startswith("SV_Position") for label in labels)


@pytest.mark.slow
def test_a_pixel_of_a_mesh_is_debugged(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["debug", str(EXAMPLES / "phong.dxbc"), "--vs", str(EXAMPLES / "skinning.dxbc"),
            "--mesh", str(EXAMPLES / "torus.obj"), "--size", "60x45", "--attribute",
            "TEXCOORD3=1,0,0,0", "--set", "u_n=0", "--findings", "none"]  # fmt: skip
    for row in range(4):
        unit = ",".join("1" if at == row else "0" for at in range(4))
        line += ["--attribute", f"TEXCOORD4_{row}={unit}"]
    assert main([*line, "--thread", "20,20", "--watch", "o0.w"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("-- pixel (20, 20) of triangle ")
    triangle = int(out[0].split()[6].rstrip(";"))
    others = [int(each) for each in out[0].partition("for ")[2].partition(":")[0].split(", ")]
    assert triangle not in others
    assert out[1].split()[1] == "o0.w"
    assert main([*line, "--thread", f"20,20,{others[0]}", "--watch", "o0.w"]) == 0
    assert f"-- pixel (20, 20) of triangle {others[0]}\n" in capsys.readouterr().out
    assert main([*line, "--thread", "0,0"]) == 2
    assert "nothing covers pixel 0, 0" in capsys.readouterr().err


def test_debug_steps_forwards_and_backwards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = "n\np\np\nb 17\nc\nc\nx r0.x\nw r0.z\nl\nr\ng 12\nx\nhuh\nq\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(commands))
    assert main(["debug", SAXPY, "--thread", "3", *BIND, "--step"]) == 0
    out = capsys.readouterr().out
    assert "-- 1 of 12 instructions\n    8  mov" in out
    assert "  the thread begins here\n  breakpoints: 17 (1 hit)\n-- 10 of 12" in out
    assert "  no later stop\n" in out
    assert "  r0.x                                     7.0  0x40e00000  " in out
    assert ">  17  add" in out
    assert "  no earlier stop\n-- 5 of 12 instructions\n   12  mul" in out
    assert "  cb0[0].x    P.a                          2.0" in out
    assert "  unknown command 'huh'; h: help" in out


def test_debug_seeks_writes_findings_and_conditions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = ["n 3", "p 2", "nw Y", "pw r0.z", "pw r0.z", "u mul", "b finding", "c", "b finding",
                "b r0.x > 5", "r", "b 99", "x P", "x bar", "f", "b", "q"]  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(commands)))
    line = ["debug", SAXPY, "--thread", "3", "--set", "a=2", "--bind", "X=iota(3)"]
    assert main([*line, "--bind", "Y=ones(64)", "--step", "--break", "add"]) == 1
    out = capsys.readouterr().out
    places = [each.split()[1] for each in out.splitlines() if each.startswith("-- ")]
    assert places == ["10", "12", "10", "11", "8", "7", "10"]
    assert "  no later mul" in out
    assert "  breakpoints: add (1 hit), finding (1 hit)\n" in out
    assert "  r0.x > 5: never reached by this thread\n" in out
    assert "  no such line: 99; the listing has 19\n" in out
    assert "  cb0[0].x    P.a" in out
    assert "unknown name 'bar'" in out
    assert "  out-of-bounds: t0[3] is outside: X (t0) has 3 elements" in out


def test_an_endless_loop_is_shown_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    constants = {"_21_x0": 0, "_21_y0": 0, "_21_dx": 0, "_21_dy": 0, "_21_w": 1}
    line = ["debug", str(EXAMPLES / "mandel.dxbc"), "--bind", "u0=zeros(64)", "--budget", "3",
            "--bind", f"P={json.dumps(constants)}"]  # fmt: skip
    assert main(line) == 5
    captured = capsys.readouterr()
    assert captured.out.count("mul r1.y, r1.yyyy, r1.zzzz") == 4  # the fourth round is one too many
    assert "limit budget = 3 exceeded" in captured.err


@pytest.mark.parametrize("verb", ["run", "render", "debug"])
def test_unsupported_code_is_named(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ps.dxil"
    output = ["-o", str(tmp_path / "ps.png")] if verb == "render" else []
    for parts, code, message in (
        ([("DXIL", bytes(8))], 3, "DXIL: expected a header of 24 bytes, got 8"),
        ([("ILDB", bytes(8))], 3, "ILDB: expected a header of 24 bytes, got 8"),
        ([("RDEF", b"")], 4, "this dxcontainer has no program that can be run"),
        ([("STAT", part(b"STAT"))], 4, "this dxcontainer has no program that can be run"),
        ([("SHEX", bytes(4))], 3, "expected at least 8 bytes, version and length, got 4"),
    ):
        path.write_bytes(container(parts))
        assert main([verb, str(path), *output]) == code
        err = capsys.readouterr().err
        assert err.startswith(f"unshade: {path}: ")
        assert message in err
