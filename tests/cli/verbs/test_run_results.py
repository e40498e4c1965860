"""Outputs of `unshade run` and `unshade render`, and their messages."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.terminal import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.ramp import ramp
from tests.run.binding.test_arguments import particles
from unshade.cli import main
from unshade.cli.results import encoded, line, numbers_of, plain
from unshade.cli.values import value_of
from unshade.errors import not_installed

EXAMPLES = REPOSITORY / "examples"
SAXPY = str(EXAMPLES / "saxpy.dxbc")
GYROID = str(EXAMPLES / "gyroid.dxbc")
BIND = ("--bind", "X=iota(64)", "--bind", "Y=ones(64)", "--set", "a=2")
DTYPE = np.dtype([("p", "<f4", (2,)), ("n", "<i4"), ("q", [("r", "<f4")])])


# ---------------------------------------------------------------- JSON


def test_structures_are_dicts_in_json() -> None:
    array = np.zeros(2, DTYPE)
    array["p"] = [[1, 2], [3, np.nan]]
    array["q"]["r"] = [np.inf, -np.inf]
    output = plain(array)
    assert output == [
        {"p": [1, 2], "n": 0, "q": {"r": "Infinity"}},
        {"p": [3, "NaN"], "n": 0, "q": {"r": "-Infinity"}},
    ]
    assert json.loads(encoded(array, ".json")) == output
    assert plain(array[0]) == output[0]
    assert plain(array.reshape(2, 1)) == [[output[0]], [output[1]]]
    again = numbers_of(output)
    assert math.isnan(again[1]["p"][1])
    assert again[1]["q"]["r"] == -math.inf


def test_results_with_members_can_be_given_again() -> None:
    kernel = particles()
    given = [{"p": [1, 2], "v": [0, 0], "id": 7}, {"p": [3, 4], "v": [1, 1], "id": 8}]
    found = kernel.dispatch(1, Y=given)["Y"]
    data = json.loads(encoded(found, ".json"))
    assert data[1] == {"p": [3, 4], "v": [4, 5], "id": 8}
    assert kernel.dispatch(1, Y=data)["Y"]["v"].tolist() == [[2, 4], [7, 9]]


def test_json_has_words_for_nan_and_infinity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(word: str) -> float:
        raise AssertionError(f"{word} is not JSON")

    out = tmp_path / "y.json"
    run = ["run", SAXPY, "--groups", "1", "--set", "a=nan", "--bind", "X=ones(4)"]
    assert main([*run, "--bind", "Y=ones(4)", "--json", "-o", str(out)]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert data["results"]["Y"] == ["NaN"] * 4
    assert json.loads(out.read_text(), parse_constant=refuse) == ["NaN"] * 4
    assert np.isnan(value_of(str(out), None)).all()


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.zeros(0, np.float32), "Y  float32 (0,)"),
        (np.arange(9, dtype=np.float32), "Y  float32 (9,)  0 1 2 3 4 5 6 7 …"),
        (np.arange(6).reshape(2, 3), "Y  int64 (2, 3)  0 1 2, 3 4 5"),
        (np.arange(9).reshape(3, 3), "Y  int64 (3, 3)  0 1 2, 3 4 5 …"),
        (np.arange(10).reshape(2, 5), "Y  int64 (2, 5)  0 1 2 3 4 5 6 7 …"),
        (np.zeros(3, DTYPE), "Y  {p, n, q} (3,)  {p 0 0, n 0, q {r 0}} {p 0 0, n 0, q {r 0}} …"),
        (5, "Y  int64 ()  5"),
    ],
)
def test_lines_show_rows_and_members(array: object, expected: str) -> None:
    assert line("Y", array) == expected


def test_inputs_of_a_shader_are_listed_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(EXAMPLES / "phong.dxbc")]) == 2
    err = capsys.readouterr().err.splitlines()
    assert any("L {float4 p, float4 c} u_l[4], float4 u_eye" in each for each in err)
    resource = next(each for each in err if "u_l[4]" in each)
    row = next(each for each in err if each.split()[0] == "TEXCOORD1")
    assert row.split() == ["TEXCOORD1", "input", "(n,", "2)", "float32"]
    assert resource.index("constants") == row.index("input")
    assert resource.index("a dict") == row.index("(n, 2)")


# ---------------------------------------------------------------- files


def test_a_dash_is_standard_output(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", SAXPY, "--groups", "1", *BIND, "-o", "Y=-"]) == 0
    assert np.frombuffer(capsysbinary.readouterr().out, "<f4")[:3].tolist() == [1, 3, 5]
    shader = tmp_path / "ramp.dxbc"
    shader.write_bytes(ramp())
    assert main(["render", str(shader), "--size", "4", "-o", "-"]) == 0
    with Image.open(io.BytesIO(capsysbinary.readouterr().out)) as image:
        assert (image.format, image.size) == ("PNG", (4, 4))
    assert list(tmp_path.iterdir()) == [shader]
    assert main(["run", SAXPY, "--groups", "1", *BIND, "-o", "-", "--json"]) == 2


def test_in_place_needs_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    y = tmp_path / "y.npy"
    np.save(y, np.ones(64, np.float32))
    assert main(["run", SAXPY, "--groups", "1", *BIND, "-i"]) == 2
    captured = capsys.readouterr()
    assert "-i: no file is bound to Y (u1)" in captured.err
    assert not captured.out
    given = ("--bind", f"u1={y}", *BIND[:2], *BIND[4:])
    assert main(["run", SAXPY, "--groups", "1", *given, "-o", str(y)]) == 2
    assert (
        f"will not overwrite the input {y}; use --in-place to replace it" in capsys.readouterr().err
    )
    assert main(["run", SAXPY, "--groups", "1", *given, "-i"]) == 0
    assert np.load(y)[1] == 3


def test_inputs_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "a.png"
    Image.new("RGB", (2, 2)).save(image)
    line = ["render", str(EXAMPLES / "phong.dxbc"), "--size", "4", "--bind", f"t1={image},srgb"]
    assert main([*line, "-o", str(image)]) == 2
    assert f"will not overwrite the input {image}" in capsys.readouterr().err


def test_a_folder_of_shaders_becomes_a_folder_of_images(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shaders, pictures = tmp_path / "shaders", tmp_path / "pictures"
    shaders.mkdir()
    for name in ("a", "b"):
        (shaders / f"{name}.dxbc").write_bytes(ramp())
    assert main(["render", str(shaders), "--size", "4x4", "-o", str(pictures)]) == 0
    assert sorted(each.name for each in pictures.iterdir()) == ["a.png", "b.png"]
    assert main(["run", str(shaders), "--groups", "1"]) == 2
    assert "expected a single shader, got the folder" in capsys.readouterr().err


# ---------------------------------------------------------------- which file


@pytest.mark.slow
def test_errors_name_the_file_at_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mesh = tmp_path / "mesh.obj"
    mesh.write_text("v 1 2\n")
    vertex, pixel = str(EXAMPLES / "skinning.dxbc"), str(EXAMPLES / "phong.dxbc")
    run = ["render", "--size", "4", "-o", str(tmp_path / "x.png"), "--ps", pixel]

    def error_of(*line: str) -> str:
        assert main([*run, *line]) in (2, 3)
        return capsys.readouterr().err

    assert f"unshade: {mesh}: line 1: expected 3 number" in error_of(
        "--vs", vertex, "--mesh", str(mesh)
    )
    torus = ("--mesh", str(EXAMPLES / "torus.obj"))
    assert f"unshade: {vertex}: expected a pixel shader" in error_of(
        "--vs", pixel, "--ps", vertex, *torus
    )
    assert f"unshade: {vertex}: " in error_of("--vs", vertex, *torus, "--set", "vs:u_vp=1,2")
    assert f"unshade: {vertex}: " in error_of("--vs", vertex, *torus, "--attribute", "NORMAL=uv")
    assert f"unshade: {mesh}x: No such" in error_of("--vs", f"{mesh}x", *torus)
    assert f"unshade: {mesh}x: No such" in error_of("--vs", vertex, "--mesh", f"{mesh}x")


@pytest.mark.slow
def test_the_error_without_numpy_says_what_to_install(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY / 'src')!r})\n"
        "sys.modules['numpy'] = None\n"
        "from unshade import UnsupportedError\n"
        "from unshade.cli import main\n"
        f"print(main(['debug', {SAXPY!r}, '--groups', '1', '--set', 'a=1']))\n"
        f"print(main(['run', {SAXPY!r}, '--groups', '1', '--set', 'a=1']))\n"
        f"print(main(['render', {GYROID!r}, '-o', {str(tmp_path / 'x.png')!r}]))\n"
        "try:\n"
        "    from unshade.testing import approx_ulp\n"
        "except UnsupportedError as error:\n"
        "    print(error)\n"
        "try:\n"
        "    from unshade.testing import vectors\n"
        "except UnsupportedError as error:\n"
        "    print(error)\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    output = str(not_installed("running shaders", "NumPy", "run"))
    assert made.stdout.splitlines() == ["4", "4", "4", output, output], made.stderr
    assert made.stderr.count(output) == 3


@pytest.mark.parametrize("name", ["y.hdr", "Y=y.csv", "y.npz"])
def test_suffixes_of_other_formats_are_refused(name: str) -> None:
    line = "--groups", "1", "--set", "a=2", "--bind", "X=ones(4)", "--bind", "Y=ones(4)"
    ended = unshade("run", SAXPY, *line, "-o", name)
    assert ended.code == 2
    assert "expected one of .npy, .json, .exr, .png, " in ended.err
