"""Defaults of a scene: constants by their names."""

from __future__ import annotations

from tests.run.examples import kernel
from unshade.run.camera.camera import Camera
from unshade.run.raster.scene import Guesses


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
