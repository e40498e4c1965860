"""Defaults of a scene: constants by their names."""

from __future__ import annotations

import pytest

import unshade
from tests.run.examples import kernel
from unshade.run.camera.camera import Camera
from unshade.run.camera.guesses import Guesses, role_of


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


@pytest.mark.parametrize(
    ("name", "count", "role"),
    [
        ("iResolution", 3, "size"), ("u_resolution", 2, "size"), ("size", 2, "size"),
        ("uSize", 2, "size"), ("u_size", 2, "size"), ("size", 1, ""), ("size", 3, ""),
        ("light.size", 2, ""), ("imageSize", 2, ""), ("uTime", 1, "time"), ("deltaTime", 1, ""),
    ],
)  # fmt: skip
def test_roles_by_name(name: str, count: int, role: str) -> None:
    assert role_of(name, count) == role


def test_the_size_of_a_runtime_effect_is_that_of_the_picture() -> None:
    source = "uniform float2 uSize; half4 main(float2 p) { return half4(half2(p / uSize), 0, 1); }"
    guesses = Guesses((64, 48))
    found = guesses.constants(unshade.kernel(unshade.assemble(source, "sksl")), {})
    assert found == {"uniforms": {"uSize": [64, 48]}}
    assert guesses.silent == []
