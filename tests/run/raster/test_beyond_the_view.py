"""Points and lines that reach beyond the viewport, and outlines of polygons that are clipped.

Source: Vulkan specification, Polygon Mode (a polygon is clipped before its mode applies), Primitive
Clipping (new edges lie along the border of the clip volume), Basic Point Rasterization.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import fragment
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, draw

WHITE = "%all = OpCompositeConstruct %v4float %f1 %f1 %f1 %f1\nOpStore %out %all"
OF_DIRECT3D = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n"
# The first corner is as far before the near plane as the others are behind it.
NEAR = np.array([[-0.5, -0.5, -0.5, 1], [0.5, -0.5, 0.5, 1], [-0.5, 0.5, 0.5, 1]], "<f4")
LEVEL = np.array([[-0.5, -0.5, 0.5, 1], [0.5, -0.5, 0.5, 1], [-0.5, 0.5, 0.5, 1]], "<f4")


def drawn(
    vertices: dict[str, Any],
    size: int = 16,
    *,
    d3d: bool = False,
    indices: Any = None,
    **more: Any,
) -> Picture:
    """The picture of vertices that are supplied, in Vulkan unless for Direct3D."""
    pixel = assembled(OF_DIRECT3D) if d3d else unshade.kernel(fragment(WHITE), engine="lockstep")
    return draw(None, pixel, vertices, indices, (size, size), **more)


def square(x: int, y: int, half: int = 2) -> set[tuple[int, int]]:
    """The pixels of a point."""
    return {(x + i, y + j) for i in range(-half, half) for j in range(-half, half)}


def pixels(picture: Picture) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for y, x in np.argwhere(picture.covered)}


@pytest.mark.parametrize("scissor", [None, (0, 0, 4, 8)])
def test_a_point_reaches_beyond_the_viewport_but_not_the_scissor(scissor: Any) -> None:
    """A point of 4 pixels in the middle of the column beside the border."""
    given = {"Position": np.array([[0.5, 0, 0.5, 1]], "<f4"), "PointSize": np.array([4], "<f4")}
    found = drawn(given, 8, topology="point_list", viewports=(0, 0, 4, 8), scissors=scissor)
    most = 5 if scissor is None else 4
    assert pixels(found) == {(x, y) for x in range(1, most) for y in range(2, 6)}


def test_a_point_outside_of_the_view_is_left_out() -> None:
    given = {"Position": np.array([[1.25, 0, 0.5, 1]], "<f4"), "PointSize": np.array([4], "<f4")}
    assert not drawn(given, 8, topology="point_list", viewports=(0, 0, 4, 8)).covered.any()


@pytest.mark.parametrize("d3d", [False, True])
def test_wide_lines_end_at_the_viewport_in_direct3d_only(d3d: bool) -> None:
    """A line of 3 pixels along the last column; its end beyond the view is cut off."""
    given = {"Position": np.array([[0.75, -0.5, 0.5, 1], [0.75, 3, 0.5, 1]], "<f4")}
    found = drawn(
        given, 8, d3d=d3d, topology="line_list", viewports=(0, 2, 4, 4),
        rasterizer={"line_mode": "rectangular", "line_width": 3},
    )  # fmt: skip
    columns = range(2, 4) if d3d else range(2, 5)
    assert pixels(found) == {(x, y) for x in columns for y in range(2, 5)}


@pytest.mark.parametrize("depth_clip", [False, True])
def test_corners_that_clipping_makes_are_points(depth_clip: bool) -> None:
    """The near plane is in the middle of two edges."""
    given = {"Position": NEAR, "PointSize": np.array([4, 4, 4], "<f4")}
    found = drawn(given, rasterizer={"fill_mode": "point"}, depth_clip=depth_clip)
    wanted = square(12, 12) | square(4, 4)
    assert pixels(found) == wanted | (
        square(8, 12) | square(4, 8) if depth_clip else square(4, 12)
    )  # fmt: skip


def test_sizes_of_new_points_are_mixed() -> None:
    given = {"Position": NEAR, "PointSize": np.array([6, 2, 2], "<f4")}
    found = drawn(given, rasterizer={"fill_mode": "point"})
    small = square(12, 12, 1) | square(4, 4, 1)
    assert pixels(found) == small | square(8, 12) | square(4, 8)


@pytest.mark.parametrize("cut", ["depth", "distance", ""])
def test_edges_that_clipping_makes_are_lines(cut: str) -> None:
    """From (8, 12) to (4, 8); the corner at (4, 12) is cut off."""
    given: dict[str, Any] = {"Position": NEAR if cut == "depth" else LEVEL}
    if cut == "distance":
        given["SV_ClipDistance"] = np.array([-1, 1, 1], "<f4")
    found = drawn(given, rasterizer={"fill_mode": "line"}).covered
    assert bool(found[9, 5]) == bool(found[10, 6]) == bool(cut)
    assert bool(found[11:13, 4:6].any()) == (not cut)
    assert found[11:13, 10].any()
    assert found[6, 3:5].any()


def test_points_of_a_polygon_that_a_distance_cuts() -> None:
    given = {
        "Position": LEVEL, "PointSize": np.array([4, 4, 4], "<f4"),
        "SV_ClipDistance": np.array([-1, 1, 1], "<f4"),
    }  # fmt: skip
    found = drawn(given, rasterizer={"fill_mode": "point"})
    assert pixels(found) == square(12, 12) | square(4, 4) | square(8, 12) | square(4, 8)


@pytest.mark.parametrize("topology", ["triangle_list", "line_list"])
def test_a_corner_in_the_eye_beside_one_far_beyond_it(topology: str) -> None:
    """No number between w of 0 and of 3e38 is small: the new corner stays in the eye."""
    places = np.array(
        [[-1.1, -0.25, -0.06, 3e38], [0.45, -0.25, 0.6, 0.0], [-0.08, 0.36, 0.4, 1.0]], "<f4"
    )
    with np.errstate(all="raise", under="ignore"):
        found = draw(None, None, {"SV_Position": places}, None, (8, 8), topology=topology)
    assert found.covered.shape == (8, 8)
