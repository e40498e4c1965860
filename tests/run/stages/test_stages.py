"""Vertices and pixels by semantic: arrays, grids, quads, what is discarded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.examples import kernel

LIGHTS = [{"p": [0.0, 0.0, 1.0, 1.0], "c": [1.0, 1.0, 1.0, 1.0]}] * 4
IDENTITY = np.eye(4, dtype=np.float32)


def phong(tex: Any = None) -> dict[str, Any]:
    return {
        "u_l": LIGHTS, "u_eye": [0, 0, 1, 1], "u_n": 1,
        "tex": np.ones((2, 2, 4), np.float32) if tex is None else tex,
        "env": np.zeros((6, 1, 1, 4), np.float32),
    }  # fmt: skip


def test_a_grid_is_shaded_at_every_pixel() -> None:
    shader = kernel("phong.dxbc")
    inputs = {"TEXCOORD0": [0.0, 0.0, 1.0], "TEXCOORD2": 7}
    result = shader.shade((5, 3), inputs, **phong())
    assert result["SV_Target0"].shape == (3, 5, 4)
    assert result["SV_Target"] is result["SV_Target0"]
    assert result["SV_Target1"].dtype == np.uint32
    assert (result["SV_Target1"] == 7).all()
    assert result["covered"].all()
    # what is not given runs over the grid: the light stands nearer to the first pixel
    lit = result["SV_Target0"][..., 0]
    assert lit[0, 0] == lit.max()
    assert lit[2, 4] == lit.min()


@pytest.mark.slow
def test_pixels_that_are_discarded_are_not_covered() -> None:
    alpha = np.array([[1.0, 0.0]], np.float32)
    tex = np.stack([alpha] * 4, axis=-1)
    shader = kernel("phong.dxbc")
    result = shader.shade(
        (4, 2), {"TEXCOORD0": [0.0, 0.0, 1.0], "TEXCOORD2": 1},
        **phong(tex), s1=unshade.run.Sampler("point"),
    )  # fmt: skip
    assert result["covered"].tolist() == [[True, True, False, False]] * 2
    assert (result["SV_Target1"] == [[1, 1, 0, 0]] * 2).all()
    assert shader.report.discarded == 4


def test_rows_of_inputs_are_independent() -> None:
    shader = kernel("phong.dxbc")
    uv = np.array([[0.25, 0.5], [0.75, 0.5], [0.25, 0.5]], np.float32)
    result = shader.shade({"TEXCOORD0": [0.0, 0.0, 1.0], "texcoord1": uv, "TEXCOORD2": [1, 2, 3]},
                          **phong())  # fmt: skip
    assert result["SV_Target1"].tolist() == [1, 2, 3]
    assert (result["SV_Target0"][0] == result["SV_Target0"][2]).all()


def skinning(count: int) -> dict[str, Any]:
    random = np.random.default_rng(3)
    return {
        "TEXCOORD0": random.random((count, 3), np.float32),
        "TEXCOORD1": [0.0, 1.0, 0.0],
        "TEXCOORD2": np.zeros((count, 4), np.uint32),
        "TEXCOORD3": [1.0, 0.0, 0.0, 0.0],
        **{f"TEXCOORD4_{row}": IDENTITY[row] for row in range(4)},
    }


def test_vertices_are_rows() -> None:
    given = skinning(5)
    shift = IDENTITY.copy()
    shift[3] = [1, 2, 3, 1]  # for row vectors
    result = kernel("skinning.dxbc").transform(
        given, u_vp=shift, u_bone=np.tile(IDENTITY, (8, 1, 1)), u_wind=[0, 0, 0, 0]
    )
    expected = given["TEXCOORD0"] + [1, 2, 3]
    assert np.abs(result["SV_Position"][:, :3] - expected).max() < 1e-6
    assert (result["SV_Position"][:, 3] == 1).all()
    assert result["TEXCOORD2"].tolist() == [0, 1, 2, 3, 4]  # the vertex's number
    assert result["TEXCOORD2"].dtype == np.int32


def test_values_without_an_array_are_one_vertex() -> None:
    bones = np.tile(IDENTITY, (8, 1, 1))
    given = skinning(1)
    inputs = {key: each[0] if np.ndim(each) == 2 else each for key, each in given.items()}
    result = kernel("skinning.dxbc").transform(inputs, u_vp=IDENTITY, u_bone=bones, u_wind=[0] * 4)
    assert result["SV_Position"].shape == (1, 4)
    assert result["SV_Position"][0, :3].tolist() == pytest.approx(given["TEXCOORD0"][0].tolist())


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "no arrays of inputs: expected TEXCOORD0 float32"),
        ({"TEXCOORD0": np.zeros((2, 2), np.float32)}, r"TEXCOORD0: expected \(2, 3\) float32"),
        ({"TEXCOORD0": np.zeros((2, 3), np.int32)}, "TEXCOORD0: expected float32, got int32"),
        ({"TEXCOORD9": np.zeros((2, 3), np.float32)}, "unknown semantic 'TEXCOORD9'; did you mean"),
        (
            {"TEXCOORD0": np.zeros((2, 3), np.float32), "TEXCOORD1": np.zeros((3, 3), "f4")},
            "differ in length: TEXCOORD0 2, TEXCOORD1 3",
        ),
        (
            {"TEXCOORD0": np.zeros((2, 3), np.float32)},
            "missing inputs TEXCOORD1 float32 .*; TEXCOORD2",
        ),
    ],
)
def test_refusals_name_the_semantic(inputs: dict[str, Any], words: str) -> None:
    bones = np.tile(IDENTITY, (8, 1, 1))
    with pytest.raises(unshade.UsageError, match=words):
        kernel("skinning.dxbc").transform(inputs, u_vp=IDENTITY, u_bone=bones, u_wind=[0] * 4)


@pytest.mark.parametrize("size", [(0, 4), (4,), "4x4", (1 << 16, 1)])
def test_a_grid_has_a_size(size: Any) -> None:
    with pytest.raises(unshade.UsageError, match=r"pixel|grid"):
        kernel("phong.dxbc").shade(size, **phong())


@pytest.mark.slow
def test_both_engines_draw_the_same_picture() -> None:
    pictures = [
        kernel("gyroid.dxbc", engine).shade((48, 32), resolution=[48, 32], time=1.0)["SV_Target"]
        for engine in ("lockstep", "auto")
    ]
    assert (pictures[0] == pictures[1]).all()
    assert pictures[0].min() >= 0
    assert pictures[0].std() > 0.1
