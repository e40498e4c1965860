"""The families under the library's own code: the contract of formats, and the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.terminal import unshade as run
from tests.contract.promises import PROMISES
from tests.contract.samples import Sample
from tests.families import d3d9, dxil, sksl, spirv
from tests.families.handmade import Family

FAMILIES: tuple[type[Family], ...] = d3d9.D3d9, dxil.Dxil, sksl.SkSL, spirv.SpirV
SAMPLES = [
    Sample(family.about, f"{family.format} {number}", family(text).to_bytes())
    for family in FAMILIES
    for number, text in enumerate(family.program.modules)
]


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample.name))
def test_families_keep_the_contract(sample: Sample, promise: str, tmp_path: Path) -> None:
    PROMISES[promise](sample, tmp_path)


def test_render(tmp_path: Path) -> None:
    (tmp_path / "tint").write_bytes(d3d9.D3d9(d3d9.TINT).to_bytes())
    np.save(tmp_path / "picture.npy", np.full((2, 2, 4), 0.5, "f4"))
    ended = run(
        "render", tmp_path / "tint", "--bind", f"picture={tmp_path / 'picture.npy'}",
        "--set", "tint=1,1,1,1", "--set", "gain=0.25", "--size", "2x2", "-o", tmp_path / "o.npy",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert np.load(tmp_path / "o.npy").shape == (2, 2, 4)


def test_run_and_debug(tmp_path: Path) -> None:
    (tmp_path / "steps").write_bytes(spirv.SpirV(spirv.COLLATZ).to_bytes())
    bound = "--groups", "1", "--bind", "InU=iota(64,uint32)", "--bind", "Out=zeros(256,uint32)"
    ended = run("run", tmp_path / "steps", *bound)
    assert ended.out.startswith("Out  uint32 (256,)  0 1 0 "), ended.err
    ended = run("debug", tmp_path / "steps", "--thread", "2", *bound)
    assert "%n0 = SpvOpIAdd %uint %low %uint_1" in ended.out, ended.err


def test_specialisation_constants_are_shown_and_set(tmp_path: Path) -> None:
    (tmp_path / "constants").write_bytes(spirv.SpirV(spirv.CONSTANTS).to_bytes())
    shown = run("reflect", tmp_path / "constants").out
    assert "0: uint N = 4\n" in shown
    assert "10: uint = 1\n" in shown
    bound = [
        "--groups", "1", "--bind", "InF=ones(16,float32)", "--bind", "Out=zeros(16,uint32)",
        *(f"--set={each}" for each in ("base=9", "scale=1", "off=0,0", "m=[[0,0],[0,0]]")),
    ]  # fmt: skip
    ended = run("run", tmp_path / "constants", *bound, "--constant", "N=2", "--constant", "10=4")
    words = ended.out.split()
    assert words[4:6] == ["16", "4"], ended.err
    ended = run("run", tmp_path / "constants", *bound, "--constant", "F=[1]")
    assert ended.code == 2
    assert "--constant F: expected a number, true or false, got '[1]'" in ended.err
    ended = run("run", tmp_path / "constants", *bound, "--constant", "M=1")
    assert "no such specialisation constant: 'M'" in ended.err


def test_wave_size_is_checked(tmp_path: Path) -> None:
    (tmp_path / "waves").write_bytes(spirv.SpirV(spirv.SUBGROUP).to_bytes())
    bound = "--groups", "1", "--bind", "InU=iota(64,uint32)", "--bind", "Out=zeros(256,uint32)"
    assert run("run", tmp_path / "waves", *bound, "--wave-size", "16").code == 0
    assert "wave_size" in run("run", tmp_path / "waves", *bound, "--wave-size", "3").err
    ended = run("run", tmp_path / "waves", *bound, "--group", "4,1")
    assert "fix the size of their groups" in ended.err


def test_reflect_shows_uniforms_by_offset(tmp_path: Path) -> None:
    (tmp_path / "grey").write_bytes(sksl.SkSL(sksl.GREY).to_bytes())
    assert "    16     16  float2x2 turn" in run("reflect", tmp_path / "grey").out
