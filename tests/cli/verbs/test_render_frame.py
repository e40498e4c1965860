"""`unshade render frame.yaml`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unshade.cli import main

FRAME = """
targets:
  red: {size: [3, 2], clear: [1, 0, 0, 0.5]}
  depth: {size: [3, 2], format: D32_FLOAT, clear: 0.25}
passes: []
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
        (["--bind", "t0=a.png", "-o", "x.png"], 2, "--bind: a frame describes that itself"),
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
