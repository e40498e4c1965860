"""Several viewports and scissors, clip and cull distances together, and topologies with adjacency.

What each scene covers follows from where its corners lie; lavapipe draws the same
(benchmarks/states_against_lavapipe.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_beyond_the_view import drawn, pixels
from unshade.run.raster import Picture

SQUARE = [[-1, 1], [1, 1], [-1, -1], [1, -1]]  # a strip; y points up
FULL = [[-1, 1], [3, 1], [-1, -3]]  # a triangle around the view


def placed(places: Any, z: float = 0.5, **more: Any) -> dict[str, Any]:
    """Vertices at places of two numbers."""
    found = np.ones((len(places), 4), np.float32)
    found[:, :2], found[:, 2] = places, z
    return {"Position": found, **more}


def area(x: range, y: range) -> set[tuple[int, int]]:
    return {(i, j) for i in x for j in y}


def test_each_primitive_has_its_viewport_scissor_and_depths() -> None:
    """The number of the provoking vertex chooses; one out of range is number 0."""
    which = np.repeat([2, 0, 1, 7], 3).astype("<i4")
    which[[4, 8]] = 2  # of the other vertices
    depth = np.ones((8, 8), np.float32)
    drawn(
        placed(FULL * 4, 0.5, SV_ViewportArrayIndex=which), 8, depth=depth, depth_function="always",
        viewports=[[0, 0, 4, 4, 0, 1], [4, 0, 4, 8, 0.5, 0.75], [2, 5, 2, 3, 0.25, 0.25]],
        scissors=[[1, 1, 9, 9], [0, 2, 6, 8], [0, 0, 8, 7]],
    )  # fmt: skip
    wanted = {0.5: area(range(1, 4), range(1, 4)), 0.625: area(range(4, 6), range(2, 8)),
              0.25: area(range(2, 4), range(5, 7))}  # fmt: skip
    for value, where in wanted.items():
        assert {(int(x), int(y)) for y, x in np.argwhere(depth == value)} == where
    assert (depth == 1).sum() == 64 - sum(map(len, wanted.values()))


def test_the_last_scissor_is_that_of_further_viewports() -> None:
    which = np.repeat([0, 1], 3).astype("<i4")
    found = drawn(
        placed(FULL * 2, SV_ViewportArrayIndex=which), 8,
        viewports=[[0, 0, 4, 8], [4, 0, 4, 8]], scissors=[0, 0, 8, 3],
    )  # fmt: skip
    assert pixels(found) == area(range(8), range(3))


def test_planes_cut_and_cull_distances_remove() -> None:
    """Two planes leave the columns 2 to 5; a cull distance takes one of two triangles."""
    clip = np.array([[-0.5, 1.5], [1.5, -0.5]] * 2, "<f4")
    cull = np.array([[-1], [-1], [-1], [0]], "<f4")
    given = placed(SQUARE, SV_ClipDistance=clip)
    found = drawn(given, 8, topology="triangle_strip")
    assert pixels(found) == area(range(2, 6), range(8))
    given["SV_CullDistance"] = cull
    half = drawn(given, 8, topology="triangle_strip")
    assert {int(each) for each in np.unique(half.triangle)} == {-1, 1}
    assert pixels(half) < pixels(found)


PLAIN = {
    "line_list_adjacency": ("line_list", [1, 2, 5, 6]),
    "line_strip_adjacency": ("line_strip", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    "triangle_list_adjacency": ("triangle_list", [0, 2, 4, 6, 8, 10]),
    "triangle_strip_adjacency": ("triangle_strip", [0, 2, 4, 6, 8, 10]),
}


@pytest.mark.parametrize("topology", PLAIN)
@pytest.mark.parametrize("indexed", [False, True])
def test_neighbours_are_left_out_without_a_geometry_shader(topology: str, indexed: bool) -> None:
    source = np.random.default_rng(7)
    count = 8 if topology.startswith("line_list") else 12
    places = source.uniform(-0.95, 0.95, (count, 2))
    plain, chosen = PLAIN[topology]
    order = source.permutation(count) if indexed else np.arange(count)
    given = placed(places)
    wanted = drawn(given, 16, topology=plain, indices=order[chosen].astype(np.uint16))
    found = drawn(
        given, 16, topology=topology, indices=order.astype(np.uint16) if indexed else None
    )
    assert np.array_equal(found.covered, wanted.covered)
    assert wanted.covered.any()
    assert np.array_equal(found.triangle, wanted.triangle)


def test_a_cut_begins_a_strip_with_adjacency_anew() -> None:
    """Two strips of one triangle each; an incomplete one at the end draws nothing."""
    places = [[-0.9, 0.9], [0, 0], [-0.1, 0.9], [0, 0], [-0.9, 0.1], [0, 0],
              [0.1, -0.1], [0, 0], [0.9, -0.1], [0, 0], [0.1, -0.9], [0, 0]]  # fmt: skip
    cut = 0xFFFF
    indices = np.array([0, 1, 2, 3, 4, 5, cut, 6, 7, 8, 9, 10, 11, cut, 0, 1, 2, 3], np.uint16)
    found = drawn(placed(places), 16, topology="triangle_strip_adjacency", indices=indices)
    wanted = drawn(
        placed(places), 16, topology="triangle_list",
        indices=np.array([0, 2, 4, 6, 8, 10], np.uint16),
    )  # fmt: skip
    assert np.array_equal(found.triangle, wanted.triangle)
    assert {int(each) for each in np.unique(found.triangle)} == {-1, 0, 1}


def shown(picture: Picture) -> list[str]:
    return ["".join("#" if each else "." for each in row) for row in picture.covered]


def test_points_of_a_list_with_sizes_and_a_plane() -> None:
    """A point is removed or kept as a whole by the distance of its vertex."""
    given = placed(
        [[-0.5, 0.5], [0.5, 0.5]], PointSize=np.array([2, 4], "<f4"),
        SV_ClipDistance=np.array([0, -0.25], "<f4"),
    )  # fmt: skip
    found = drawn(given, 8, topology="point_list")
    assert shown(found) == ["........", ".##.....", ".##....."] + ["........"] * 5
