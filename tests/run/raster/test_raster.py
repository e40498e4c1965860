"""The rasteriser: which pixels a triangle covers, what they are given, meshes, clipping."""

from __future__ import annotations

import numpy as np
import pytest

from tests.run.examples import kernel
from tests.run.stages.test_stages import IDENTITY, phong, skinning
from unshade import UsageError
from unshade.run.raster import Picture, draw, read_mesh
from unshade.run.raster.clip import clipped
from unshade.run.raster.pixel_coverage import STEPS, fixed, quads, twice_area
from unshade.vm.launch import Array


def coverage(corners: list[list[list[float]]], width: int, height: int) -> Array:
    """Return the number of triangles that cover each pixel."""
    found = fixed(np.array(corners, float))
    turned = np.where((twice_area(found) < 0)[:, None, None], found[:, [0, 2, 1]], found)
    made = np.zeros((height, width), int)
    limits = np.tile([0, 0, width * STEPS, height * STEPS], (len(turned), 1))
    for chunk in quads(turned, limits, np.zeros((1, 2), int)):
        covered = chunk.covered[..., 0]
        np.add.at(made, (chunk.y[covered], chunk.x[covered]), 1)
    return made


def test_triangles_that_share_edges_cover_each_pixel_once() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        middle = random.integers(1, 9, 2) + random.choice([0.0, 0.25, 0.5], 2)
        ring = [[0, 0], [5.5, 0], [10, 0], [10, 4.5], [10, 10], [3.5, 10], [0, 10], [0, 0.5]]
        fan = [[middle.tolist(), ring[at], ring[(at + 1) % 8]] for at in range(8)]
        assert (coverage(fan, 10, 10) == 1).all(), middle


@pytest.mark.parametrize(
    ("triangle", "covered"),
    [
        ([[0.5, 0.5], [2.5, 0.5], [0.5, 2.5]], [[1, 1, 0], [1, 0, 0], [0, 0, 0]]),  # top, left: in
        ([[2.5, 2.5], [0.5, 2.5], [2.5, 0.5]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]),  # diagonal: left
        ([[0.6, 0.6], [1.4, 0.6], [1.0, 1.4]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
    ],
)
def test_top_and_left_edges_own_pixel_centres(
    triangle: list[list[float]], covered: list[list[int]]
) -> None:
    assert coverage([triangle], 3, 3).tolist() == covered


def test_geometry_behind_the_eye_is_clipped() -> None:
    clip = np.array([[-1, 0, 0.5, 1], [1, 0, 0.5, 1], [0, 1, -5, -1.0], [9, 9, 0.5, 1]])
    numbers, shares, is_cut = clipped(clip, np.array([[0, 1, 2], [0, 1, 3], [3, 3, 3]]))
    assert set(numbers.tolist()) <= {0, 1}
    assert is_cut.all()
    corners = np.einsum("tcv,tvk->tck", shares, clip[np.array([[0, 1, 2], [0, 1, 3]])[numbers]])
    assert (corners[..., 3] > 0).all()
    assert (np.abs(corners[..., :2]) <= corners[..., 3:] + 1e-12).all()
    assert (corners[..., 2] >= -1e-12).all()


def test_clipping_tells_which_triangles_are_cut() -> None:
    clip = np.array([[0, 0, 0.5, 1], [0.5, 0.5, 0.5, 1], [0, 0.5, 0.5, 1], [2, 0, 0.5, 1]])
    numbers, shares, is_cut = clipped(clip, np.array([[0, 2, 3], [2, 0, 1], [3, 3, 3]]))
    assert numbers.tolist() == [0, 0, 1]
    assert is_cut.tolist() == [True, True, False]
    assert (shares[2] == np.eye(3)).all()


def picture(
    positions: list[list[float]], triangles: list[list[int]], cull: str = "none"
) -> Picture:
    given = skinning(len(positions))
    given["TEXCOORD0"] = np.array(positions, np.float32)
    bindings = {"u_vp": IDENTITY, "u_bone": np.tile(IDENTITY, (8, 1, 1)), "u_wind": [0] * 4}
    return draw(
        kernel("skinning.dxbc"), kernel("phong.dxbc"), given, np.array(triangles), (8, 8),
        vertex_bindings=bindings, pixel_bindings=phong(), cull=cull,
    )  # fmt: skip


CORNERS = [[-1, -1, 0.5], [-1, 3, 0.5], [3, -1, 0.5]]  # clockwise: the whole screen
NEAR = [[-1, -1, 0.25], [-1, 1, 0.25], [1, -1, 0.25]]


@pytest.mark.slow
def test_the_nearer_triangle_stays_whatever_the_order() -> None:
    for order in ([[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]):
        found = picture(CORNERS + NEAR, order)
        assert found.covered.all()
        ids = found.targets["SV_Target1"]
        assert ids[7, 0] == 3  # the first corner's number, not interpolated
        assert ids[0, 7] == 0
        assert found.depth[7, 0] == 0.25
        assert found.depth[0, 7] == 0.5


@pytest.mark.slow
def test_faces_are_culled_by_the_way_their_corners_run() -> None:
    assert picture(CORNERS, [[0, 1, 2]], "back").covered.all()
    assert not picture(CORNERS, [[0, 1, 2]], "front").covered.any()
    assert not picture(CORNERS, [[0, 2, 1]], "back").covered.any()


@pytest.mark.slow
def test_triangles_name_vertices_that_exist() -> None:
    with pytest.raises(UsageError, match="no such vertex: -1; there are 3"):
        picture(CORNERS, [[0, 1, -1]])
    with pytest.raises(UsageError, match="no such vertex: 3; there are 3"):
        picture(CORNERS, [[0, 1, 3]])
    with pytest.raises(UsageError, match="unknown cull mode 'all'; known: none, front, back"):
        picture(CORNERS, [[0, 1, 2]], "all")


SQUARE = """
v 0 0 0
v 1 0 0  # a comment
v 1 1 0
v 0 1 0
vt 0 0
vt 1 1
f 1/1 2/1 3/2 -1/2
"""


def test_a_mesh_is_read_and_gets_normals() -> None:
    mesh = read_mesh(SQUARE)
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.position[3].tolist() == [0, 1, 0]
    assert mesh.uv[2].tolist() == [1, 1]
    assert (mesh.normal == [0, 0, 1]).all()
    middle, far = mesh.bounds
    assert middle.tolist() == [0.5, 0.5, 0]
    assert far == pytest.approx(0.5**0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("v 1 2", "line 1: expected 3 numbers"),
        ("v 1 2 x", "line 1: could not convert"),
        ("v 0 0 0\nf 1 2 3", "line 2: no such v: 2; 1 are defined before this line"),
        ("v 0 0 0\nf 1 1", "line 2: expected a face of at least three corners, got 2"),
        ("v 0 0 0", "with faces, found none"),
    ],
)
def test_a_mesh_is_refused_by_line(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_mesh(text)
