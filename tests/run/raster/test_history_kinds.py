"""Histories of points, lines, layers and mesh shaders: each ends with what the picture shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.raster.geometry.test_mesh_shaders import mesh
from tests.run.raster.test_draw import FULL, selecting
from tests.run.raster.test_interpolation import PIXEL, VERTEX
from tests.run.raster.test_points_and_patches import SIZED, SPRITE
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, PixelHistory, Rejection, draw

pytestmark = pytest.mark.heavy

Drawn = Callable[[PixelHistory | None], Picture]
LAYERED = """\
ps_5_0
dcl_input_ps_siv constant v1.x, rendertarget_array_index
dcl_output o0.x
itof o0.x, v1.x
ret
"""


def points(history: PixelHistory | None) -> Picture:
    vertex = unshade.kernel(unshade.assemble(SIZED, "spirv"), engine="lockstep")
    pixel = unshade.kernel(SPRITE, engine="lockstep")
    inputs = {"place": np.array([[-0.3, 0, 0.5, 1], [0.2, 0.1, 0.25, 1]], np.float32)}
    return draw(vertex, pixel, inputs, None, (8, 8), topology="point_list", history=history)


def lines(history: PixelHistory | None, **more: Any) -> Picture:
    places = np.array([[-0.9, -0.6], [0.7, 0.5], [0.2, -0.8], [-0.4, 0.9]], np.float32)
    ends = np.concatenate([places, np.full((4, 1), 0.5), np.ones((4, 1))], axis=1)
    inputs = {"v0": ends.astype("<f4"), "v1": np.array([0, 1, 2, 3], "<f4")}
    return draw(
        assembled(VERTEX), assembled(PIXEL), inputs, None, (8, 8), topology="line_strip",
        depth_function=None, cull="back", history=history, **more,
    )  # fmt: skip


def layers(history: PixelHistory | None) -> Picture:
    return draw(
        selecting("rendertarget_array_index"), assembled(LAYERED), {"TEXCOORD0": FULL}, None,
        (4, 4), layers=2, instances=2, depth_function=None, history=history,
    )  # fmt: skip


def groups(history: PixelHistory | None) -> Picture:
    payload = {"payload": np.zeros((1, 3), "<u4")}
    return draw([mesh("lockstep")], None, 2, None, (8, 4), mesh_bindings=payload, history=history)


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [points, lines, layers, groups])
def test_the_last_values_are_those_of_the_picture(drawn: Drawn) -> None:
    plain = drawn(None)
    shape = plain.covered.shape
    count = 0
    for place in np.ndindex(shape):
        layer, y, x = place if len(shape) == 3 else (0, *place)
        found = PixelHistory(x, y, layer)
        picture = drawn(found)
        for name, target in plain.targets.items():
            assert np.array_equal(picture.targets[name], target)
            if found.fragments:
                assert np.array_equal(
                    found.fragments[-1].after[name].reshape(-1), target[place].reshape(-1)
                )
        written = [each.primitive for each in found.fragments if each.written]
        assert (written or [-1])[-1] == plain.triangle[place]
        count += len(written)
    assert count >= plain.covered.sum() > 0


def test_lines_have_no_face_and_no_part_in_the_pixel_whose_diamond_they_do_not_leave() -> None:
    """Pixel (2, 0), in whose diamond the strip ends, has no fragment, not even a rejected one."""
    reasons = set()
    for y, x in np.ndindex(8, 8):
        found = PixelHistory(x, y)
        lines(found)
        reasons |= {each.reason for each in found.fragments}
        if (x, y) == (2, 0):
            assert found.fragments == []
    assert reasons == {None}


def test_lines_that_the_scissor_cuts_off_are_in_the_history() -> None:
    found = PixelHistory(1, 5)
    lines(found, scissors=[4, 0, 4, 8])
    assert [(each.primitive, each.reason) for each in found.fragments] == [(0, Rejection.SCISSOR)]
