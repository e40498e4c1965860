"""`unshade render frame.yaml`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.corpus import REPOSITORY
from unshade.cli import main

FRAME = """
targets:
  red: {size: [3, 2], clear: [1, 0, 0, 0.5]}
  depth: {size: [3, 2], format: D32_FLOAT, clear: 0.25}
passes: []
"""
TORUS = """
targets: {a: {size: [16, 16]}}
meshes: {torus: torus.obj}
pipelines: {clay: {vertex: clay.vert.spv, pixel: clay.frag.spv}}
passes: [{targets: [a], commands: [{draw: {pipeline: clay, mesh: torus, query: seen}}]}]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "frame.yaml"
    path.write_text(FRAME)
    return str(path)


def test_a_target_is_written(file: str, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert main(["render", file, "-o", str(out)]) == 0
    assert np.asarray(Image.open(out)).tolist() == [[[255, 0, 0]] * 3] * 2
    assert main(["render", file, "--alpha", "-o", str(out)]) == 0
    assert np.asarray(Image.open(out))[0, 0].tolist() == [255, 0, 0, 128]
    numbers = tmp_path / "out.npy"
    assert main(["render", file, "--target", "depth", "-o", str(numbers)]) == 0
    assert np.load(numbers).tolist() == [[0.25] * 3] * 2


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ([], 2, "-o is required"),
        (
            ["--bind", "t0=a.png", "-o", "x.png"],
            2,
            "--bind: not used with a frame, whose file describes it",
        ),
        (["--target", "rd", "-o", "x.png"], 2, "no target 'rd'; did you mean red"),
    ],
)
def test_mistakes(
    file: str, capsys: pytest.CaptureFixture[str], more: list[str], code: int, words: str
) -> None:
    assert main(["render", file, *more]) == code
    assert words in capsys.readouterr().err


def test_a_file_that_is_no_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yml"
    path.write_text("format: dxcontainer\n")
    assert main(["render", str(path), "-o", str(tmp_path / "x.png")]) == 3
    assert "expected a field of FrameDescription, got 'format'" in capsys.readouterr().err


def test_one_layer_is_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("targets: {a: {size: [3, 2], layers: 4, clear: 1}}\npasses: []\n")
    out, numbers = str(tmp_path / "a.png"), str(tmp_path / "a.npy")
    assert main(["render", str(path), "-o", out]) == 2
    assert "expected one layer for a picture: --target 'a[0]'" in capsys.readouterr().err
    assert main(["render", str(path), "--target", "a[3]", "-o", out]) == 0
    assert np.asarray(Image.open(out)).shape == (2, 3, 3)
    assert main(["render", str(path), "-o", numbers]) == 0
    assert np.load(numbers).shape == (4, 2, 3, 4)


def test_the_camera_and_the_queries_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = REPOSITORY / "examples"
    for name in ("clay.vert.spv", "clay.frag.spv", "torus.obj"):
        (tmp_path / name).write_bytes((examples / name).read_bytes())
    path = tmp_path / "a.yaml"
    path.write_text(TORUS)
    assert main(["render", str(path), "-o", str(tmp_path / "a.png")]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"unshade: {path}: clay: camera: view and projection from viewProjection"
    (seen,) = (each for each in lines if "query seen: " in each)
    assert "samples_passed" in seen
    assert "gs_invocations" not in seen


def test_the_history_of_a_pixel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the target that --target names, or of the output; no picture is written."""
    examples = REPOSITORY / "examples"
    for name in ("clay.vert.spv", "clay.frag.spv", "torus.obj"):
        (tmp_path / name).write_bytes((examples / name).read_bytes())
    path = tmp_path / "a.yaml"
    path.write_text(TORUS.replace("seen}}]", "seen}}, {draw: {pipeline: clay, mesh: torus}}]"))
    assert main(["render", str(path), "--history", "4,8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "pixel (4, 8)"
    assert lines[1].split()[:3] == ["draw", "primitive", "face"]
    assert any(each.startswith("passes[0].commands[1] ") for each in lines)
    assert main(["render", str(path), "--history", "4,8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["draws"] == ["passes[0].commands[0]", "passes[0].commands[1]"]
    assert main(["render", str(path), "--history", "16,3"]) == 2
    assert "history: expected x from 0 to 15, got 16" in capsys.readouterr().err
    assert main(["render", str(path), "--history", "1,1", "-o", "-"]) == 2
    assert "-o -: --history is written to standard output" in capsys.readouterr().err
