"""Smooth lines: alpha times the part of a pixel that the line covers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.run import raster
from unshade.run.raster.pixel_coverage import STEPS

PIXEL = """
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret
"""
SIZE = 8


def drawn(ends: Any, values: Any = None, *, size: int = SIZE, **more: Any) -> raster.Picture:
    """Lines between pixels, with the colours of their ends."""
    places = np.array(ends, np.float64)
    clip = np.zeros((len(places), 4), "<f4")
    clip[:, 0], clip[:, 1] = places[:, 0] * 2 / size - 1, 1 - places[:, 1] * 2 / size
    clip[:, 3] = 1
    colours = np.ones((len(places), 4)) if values is None else values
    vertices = {"SV_Position": clip, "TEXCOORD1": np.asarray(colours, "<f4")}
    state = {"line_mode": "rectangular_smooth", **more.pop("state", {})}
    pixel = unshade.kernel(unshade.assemble(PIXEL))
    return raster.draw(None, pixel, vertices, None, (size, size), topology="line_list",
                       rasterizer=state, **more)  # fmt: skip


def alpha(picture: raster.Picture) -> Any:
    return picture.targets["SV_Target"][..., 3]


def test_a_line_along_pixels_covers_them_whole() -> None:
    found = alpha(drawn([[1, 2.5], [5, 2.5]]))
    assert found[2].tolist() == [0, 1, 1, 1, 1, 0, 0, 0]
    assert found.sum() == 4


def test_a_line_between_pixels_covers_half_of_each() -> None:
    found = alpha(drawn([[1.5, 3], [5, 3]]))
    assert found[2].tolist() == found[3].tolist() == [0, 0.25, 0.5, 0.5, 0.5, 0, 0, 0]
    assert found.sum() == 3.5


@pytest.mark.parametrize("seed", range(6))
def test_the_sum_is_the_area(seed: int) -> None:
    """Every pixel that it touches is drawn once; the sum over pixels is length times width."""
    chance = np.random.default_rng(seed)
    ends, width = chance.uniform(2, 14, (2, 2)), float(chance.choice([1, 1, 2.5]))
    picture = drawn(ends, size=16, state={"line_width": width}, blend="additive")
    area = float(np.hypot(*(ends[1] - ends[0]))) * width
    assert abs(float(alpha(picture).sum()) - area) < 0.02 * area + 0.05
    assert (alpha(picture)[picture.covered] > 0).all()


def test_values_are_those_of_the_line() -> None:
    ends, colours = [[1.25, 4.5], [5.25, 4.5]], [[0, 0, 0, 1], [1, 0, 0, 1]]
    red = drawn(ends, colours).targets["SV_Target"][4, :, 0]
    wanted = [0.0625, 0.3125, 0.5625, 0.8125]
    assert np.allclose(red[1:5], wanted)
    assert red[5] == 1.0  # the end, whose pixel has its centre beyond it


def test_lines_are_blended() -> None:
    target = np.zeros((SIZE, SIZE, 4), np.float32)
    drawn([[1, 3], [5, 3]], blend="alpha", targets=[target])
    assert target[2, 2].tolist() == [0.5, 0.5, 0.5, 0.5]


def test_all_samples_and_dashes() -> None:
    four = drawn([[1, 2.5], [5, 2.5]], samples=4)
    assert four.targets["SV_Target"][2, 1, :, 3].tolist() == [1] * 4
    dashes = {"line_stipple_enable": True, "line_stipple_pattern": 0x5555}
    assert alpha(drawn([[1, 2.5], [5, 2.5]], state=dashes))[2].tolist() == [0, 1, 0, 1, 0, 0, 0, 0]


def test_the_words_of_both_apis() -> None:
    for word in (
        "VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH",
        "VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT",
        "D3D12_LINE_RASTERIZATION_MODE_ALPHA_ANTIALIASED",
    ):
        assert raster.RasterizerState(line_mode=word).line_mode == "rectangular_smooth"


def test_edges_of_triangles() -> None:
    places = np.array([[-1, 1, 0, 1], [1, 1, 0, 1], [-1, -1, 0, 1]], "<f4") * [0.5, 0.5, 1, 1]
    vertices = {"SV_Position": places.astype("<f4"), "TEXCOORD1": np.ones((3, 4), "<f4")}
    pixel = unshade.kernel(unshade.assemble(PIXEL))
    state = {"fill_mode": "wireframe", "line_mode": "rectangular_smooth"}
    found = raster.draw(None, pixel, vertices, [[0, 1, 2]], (SIZE, SIZE), rasterizer=state)
    assert alpha(found)[1, 3:5].tolist() == [0.5, 0.5]  # the upper edge is between two rows
    assert STEPS == 256


def test_a_line_of_no_length_is_not_drawn() -> None:
    assert not drawn([[3.5, 3.5], [3.5, 3.5]]).covered.any()
