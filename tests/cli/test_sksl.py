"""SkSL on the command line: source and files, uniforms, children."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.terminal import unshade as run

RING = """
uniform shader image;
uniform colorFilter tone;
uniform half k;
half4 main(float2 p) {
    return tone.eval(image.eval(p * k));
}
"""
RAMP = "uniform half step;\nhalf4 main(float2 p) {\n    return half4(half2(p) * step, 0, 1);\n}\n"
TONE = "uniform half4 gain; half4 main(half4 color) { return color * gain; }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"ring.rts": RING, "ramp.rts": RAMP, "tone.rtcf": TONE}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def rendered(folder: Path, name: str, *options: str) -> np.ndarray[Any, Any]:
    ended = run("render", folder / name, "--size", "4x4", *options, "-o", folder / "o.npy")
    assert ended.code == 0, ended.err
    return np.asarray(np.load(folder / "o.npy"))


def test_source_and_file_give_the_same_picture(folder: Path) -> None:
    first = rendered(folder, "ramp.rts", "--set", "step=0.25")
    assert first[2, 1].tolist() == [0.375, 0.625, 0, 1]
    assert run("asm", folder / "ramp.rts", "-o", folder / "ramp.skslb").code == 0
    again = rendered(folder, "ramp.skslb", "--set", "step=0.25")
    assert np.array_equal(first, again)


def test_children_are_programs_with_uniforms_of_their_own(folder: Path) -> None:
    found = rendered(
        folder, "ring.rts", "--set", "k=2",
        "--bind", f"image={folder / 'ramp.rts'}", "--set", "image.step=0.125",
        "--bind", f"tone={folder / 'tone.rtcf'}", "--set", "tone.gain=1,2,1,1",
    )  # fmt: skip
    assert found[2, 1].tolist() == [0.375, 1.25, 0, 1]


def test_children_are_pictures_and_colours(folder: Path) -> None:
    picture = np.arange(64, dtype="f4").reshape(4, 4, 4)
    np.save(folder / "picture.npy", picture)
    found = rendered(folder, "ring.rts", "--set", "k=1", "--bind", f"image={folder}/picture.npy")
    assert np.array_equal(found, picture)
    found = rendered(folder, "ring.rts", "--set", "k=1", "--bind", "image=0.5,0.25,0,1")
    assert found.reshape(-1, 4).tolist() == [[0.5, 0.25, 0, 1]] * 16


def test_children_that_are_not_given(folder: Path) -> None:
    """A shader is transparent, and a filter changes nothing."""
    assert not rendered(folder, "ring.rts", "--set", "k=1").any()


def test_bindings_of_a_child_that_is_no_program_are_refused(folder: Path) -> None:
    ended = run("render", folder / "ring.rts", "--set", "image.step=1", "-o", folder / "o.npy")
    assert ended.code == 2
    assert "image has no bindings: it is not a program; give --bind image=FILE" in ended.err


def test_errors_of_the_source_are_shown(folder: Path) -> None:
    (folder / "bad.rts").write_text("half4 main(float2 p) {\n    return q;\n}\n")
    ended = run("render", folder / "bad.rts", "-o", folder / "o.npy")
    assert "bad.rts:2:12: unknown identifier 'q'" in ended.err
    assert ended.code == 3


def test_debug_shows_lines_of_the_source(folder: Path) -> None:
    ended = run("debug", folder / "ramp.rts", "--thread", "3,2", "--set", "step=0.5")
    assert ended.code == 0, ended.err
    assert "    3  return half4(half2(p) * step, 0, 1);" in ended.out


def test_check_counts_source(folder: Path) -> None:
    ended = run("check", folder / "ramp.rts", "--max-instructions", "5")
    assert ended.code == 1
    assert "> 5" in ended.out


def test_colour_space(folder: Path) -> None:
    (folder / "linear.rts").write_text(
        "half4 main(float2 p) { return half4(toLinearSrgb(half3(p.x)), 1); }"
    )
    found = rendered(folder, "linear.rts", "--color-space", "srgb")
    assert found[0, 0, 0] == pytest.approx(0.214, abs=2e-4)
    assert rendered(folder, "linear.rts")[0, 0, 0] == 0.5


def test_colour_filters_run_over_arrays(folder: Path) -> None:
    ended = run(
        "run", folder / "tone.rtcf", "--bind", "color=[[1,1,1,1],[0.5,0,0,1]]",
        "--set", "gain=0.5,1,1,1",
    )  # fmt: skip
    assert ended.out.startswith("main  float32 (2, 4)  0.5 1 1 1, 0.25 0 0 1"), ended.err
