"""A mesh of the Nintendo 3DS with textures, by a description of its fragment stage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
from unshade.cli import main
from unshade.isa.source import Source

SHADER = """.out outpos position
.out outuv texcoord0
.out outcol color
.in inPosition v0
.in inTexCoord v1
.in inColor v2
.proc main
mov outpos, inPosition
mov outuv, inTexCoord
mov outcol, inColor
end
.end"""
SQUARE = (
    "v -1 -1 -0.5\nv 1 -1 -0.5\nv -1 1 -0.5\nv 1 1 -0.5\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\n"
    "f 1/1 2/2 3/3\nf 2/2 4/4 3/3\n"
)
STAGES = """stages:
  - both: {function: modulate, sources: [texture0, constant]}
    constant: [255, 128, 0, 255]
"""


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    unshade.assemble([Source(SHADER, "a.v.pica")], "shbin").save(tmp_path / "a.shbin")
    (tmp_path / "square.obj").write_text(SQUARE)
    (tmp_path / "tev.yaml").write_text(STAGES)
    texture = np.array([[[200, 200, 200, 255]], [[100, 100, 100, 64]]], np.uint8)
    np.save(tmp_path / "wall.npy", texture)
    return [
        "render", str(tmp_path / "a.shbin"), "--mesh", str(tmp_path / "square.obj"), "--size", "2",
        "--fragment", str(tmp_path / "tev.yaml"), "-o", str(tmp_path / "x.npy"),
        "--texture", f"0={tmp_path / 'wall.npy'}", "--bind", "ps:s0=point",
    ]  # fmt: skip


def picture(tmp_path: Path) -> list[list[float]]:
    found: list[list[float]] = (np.load(tmp_path / "x.npy")[:, 0] * 255).round(3).tolist()
    return found


@pytest.mark.slow
def test_textures_of_units(tmp_path: Path, line: list[str]) -> None:
    assert main(line) == 0
    # 200 * 128 / 255 = 100.4, 100 * 128 / 255 = 50.2; the first row of the image is the top.
    assert picture(tmp_path) == [[200, 100, 0, 255], [100, 50, 0, 64]]


@pytest.mark.slow
def test_alpha_test_and_blending(tmp_path: Path, line: list[str]) -> None:
    more = "alpha_test: {function: GPU_GEQUAL, reference: 100}\nblend: additive\n"
    (tmp_path / "tev.yaml").write_text(STAGES + more)
    assert main(line) == 0
    assert picture(tmp_path) == [[200, 100, 0, 255], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--texture", "3=a.png"], "--texture: expected unit 0, 1 or 2, got '3'"),
        (["--ps", "FILE"], "both FILE and --ps FILE"),
    ],
)
def test_options_that_are_refused(
    more: list[str], message: str, line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, *more]) == 2
    assert message in capsys.readouterr().err


def test_textures_need_a_fragment_stage(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    at = line.index("--fragment")
    assert main(line[:at] + line[at + 2 :]) == 2
    assert "--texture needs --fragment" in capsys.readouterr().err


def test_a_fault_names_the_description(
    tmp_path: Path, line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tev.yaml").write_text("stages: [{both: {function: mix}}]\n")
    assert main(line) == 2
    assert (
        "tev.yaml: stages[0].color: unknown function of a combiner 'mix'" in capsys.readouterr().err
    )
