"""Defaults of a scene: constants by their names, a camera that has the mesh in view."""

from __future__ import annotations

import numpy as np
import pytest

from tests.run.examples import kernel
from unshade import UsageError
from unshade.run.raster import read_mesh
from unshade.run.raster.scene import Camera, Guesses

TRIANGLE = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/2\n")


def test_the_camera_has_the_mesh_in_view() -> None:
    for aspect in (0.5, 1.0, 2.0):
        camera = Camera.around(*TRIANGLE.bounds, aspect)
        matrix = camera.matrix("u_worldViewProj")
        assert matrix is not None
        clip = np.concatenate([TRIANGLE.position, np.ones((3, 1))], axis=1) @ matrix
        assert (np.abs(clip[:, :2]) < clip[:, 3:]).all()
        assert (clip[:, 2] > 0).all()
        assert (clip[:, 2] < clip[:, 3]).all()
        view = camera.matrix("View")
        assert view is not None
        assert np.allclose(view @ np.linalg.inv(view), np.eye(4))
        assert camera.matrix("world") is None


def test_matrices_are_turned_for_column_vectors() -> None:
    camera = Camera([0, 0, 3], [0, 0, 0])
    rows = camera.matrix("g_mVP")
    columns = camera.matrix("g_mVP", columns=True)
    assert rows is not None
    assert columns is not None
    assert (rows == columns.T).all()
    with pytest.raises(UsageError, match="expected a camera target other than its position"):
        _ = Camera([0, 0, 0], [0, 0, 0]).view


def test_constants_are_guessed_by_name() -> None:
    guesses = Guesses((64, 48), time=2.5)
    found = guesses.constants(kernel("gyroid.dxbc"), {})
    assert found == {"cb0": {"resolution": [64, 48], "time": 2.5}}
    assert guesses.silent == []
    given = guesses.constants(kernel("gyroid.dxbc"), {"time": 1.0})
    assert given["cb0"]["time"] == 1.0


def test_guesses_list_resources_without_a_value() -> None:
    guesses = Guesses((8, 8), camera=Camera([1, 2, 3], [0, 0, 0]))
    found = guesses.constants(kernel("phong.dxbc"), {"u_n": 1})
    assert found["cb0"]["u_eye"] == [1, 2, 3, 1.0]
    assert found["cb0"]["u_n"] == 1
    assert found["cb0"]["u_l"] == [{"p": [0.0] * 4, "c": [0.0] * 4}] * 4
    assert found["t2"].shape == (6, 1, 1, 4)
    assert "tex (t1) is white" in guesses.silent
