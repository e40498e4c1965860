"""A camera that has the mesh in view, and its matrices."""

from __future__ import annotations

import numpy as np
import pytest

from unshade import UsageError
from unshade.run.camera.camera import Camera
from unshade.run.camera.names import MatrixRole, matrix_role
from unshade.run.raster import read_mesh

TRIANGLE = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/2\n")


def role(name: str) -> MatrixRole:
    found = matrix_role(name)
    assert found is not None
    return found


def test_the_camera_has_the_mesh_in_view() -> None:
    for aspect in (0.5, 1.0, 2.0):
        for least in (0, -1):
            camera = Camera.around(*TRIANGLE.bounds, aspect)
            camera.least_depth = least
            matrix = camera.matrix(role("u_worldViewProj"))
            clip = np.concatenate([TRIANGLE.position, np.ones((3, 1))], axis=1) @ matrix
            assert (np.abs(clip[:, :2]) < clip[:, 3:]).all()
            assert (clip[:, 2] > least * clip[:, 3]).all()
            assert (clip[:, 2] < (least + 1) * clip[:, 3]).all()


def test_matrices_of_roles() -> None:
    camera = Camera([0, 0, 3], [0, 0, 0], fov=90, near=1, far=11)
    assert camera.matrix(role("view")).tolist() == [
        [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, -3, 1]
    ]  # fmt: skip
    wanted: list[list[float]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1.1, -1], [0, 0, -1.1, 0]]
    assert np.allclose(camera.matrix(role("proj")), wanted)
    both = camera.matrix(role("viewProj"))
    assert np.allclose(both, camera.matrix(role("view")) @ camera.matrix(role("proj")))
    assert np.allclose(camera.matrix(role("invViewProj")) @ both, np.eye(4))
    assert camera.matrix(role("world")).tolist() == np.eye(4).tolist()
    assert camera.matrix(role("normalMatrix")).tolist() == np.eye(4).tolist()
    assert camera.matrix(role("viewTransposed")).tolist() == camera.view.T.tolist()


def test_a_camera_looks_somewhere() -> None:
    with pytest.raises(UsageError, match="expected a camera target other than its position"):
        _ = Camera([0, 0, 0], [0, 0, 0]).view


def test_the_far_plane_is_behind_what_is_far_away() -> None:
    middle, radius = TRIANGLE.bounds
    camera = Camera.around(middle, radius, 1.0)
    before = camera.far
    camera.reach(middle, radius)
    assert camera.far == before
    camera.eye = [1.0, 1.0, 500.0]
    camera.reach(middle, radius)
    assert 500 + radius < camera.far < 510
