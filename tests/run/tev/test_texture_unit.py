"""Texture unit 0 of the Nintendo 3DS: projections, cubes, shadows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UsageError
from unshade.run import Sampler, Texture
from unshade.run.tev import FragmentStage, pixel_shader, shadow_texture

SHOW = [{"both": {"sources": ["texture0"]}}]
POINT = Sampler("point", "clamp")
AXES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def shaded(unit: dict[str, Any], texture: Any, places: Any, engine: str = "lockstep") -> Any:
    """The red of lanes in a row, by s, t and w."""
    stage = FragmentStage.of({"stages": SHOW, "texture0": unit})
    kernel = unshade.kernel(pixel_shader(stage), engine=engine)
    s, t, w = np.asarray(places, np.float32).T[..., np.newaxis]
    inputs = {"TEXCOORD": np.stack([s, t], -1).reshape(1, -1, 2), "TEXCOORD0W": w.reshape(1, -1, 1)}
    given = {row.label: inputs[row.name] for row in kernel.inputs}
    found = kernel.shade((len(s), 1), given, {"t0": texture, "s0": POINT})
    return (np.asarray(found["SV_Target"])[0, :, 0] * 255).round().tolist()


def test_projections() -> None:
    texture = np.array([[[10] * 4, [20] * 4]], np.uint8)
    assert shaded({"type": "GPU_TEX_PROJECTION"}, texture, [(1, 1, 4), (3, 1, 4)]) == [10, 20]
    assert shaded({"type": "2d"}, texture, [(0.25, 0, 9), (0.75, 0, 9)]) == [10, 20]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_cubes(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    faces = np.stack([np.full((2, 2, 4), 10 * at, np.uint8) for at in range(6)])
    cube = Texture(faces)
    assert shaded({"type": "cube_map"}, cube, AXES, engine) == [0, 10, 20, 30, 40, 50]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_shadows(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    # The left half of the map is at 0.25, the right half is far away.
    depths = np.array([[0.25, 0.25, 1.0, 1.0]] * 4)
    lit = [(0.125, 0.5, 0.2), (0.125, 0.5, 0.3), (0.875, 0.5, 0.3), (0.5, 0.5, 0.3)]
    texture = shadow_texture(depths)
    unit = {"type": "GPU_TEX_SHADOW_2D", "perspective": False}
    assert shaded(unit, texture, lit, engine) == [255, 0, 255, 128]
    divided = [(s * w, t * w, w) for s, t, w in lit]
    assert shaded({"type": "shadow_2d"}, texture, divided, engine) == [255, 0, 255, 128]
    assert shaded({**unit, "bias": 0.1}, texture, lit, engine) == [255, 255, 255, 255]
    assert shaded(unit, shadow_texture(depths, 100), lit, engine) == [100, 0, 100, 50]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_shadows_of_cubes(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    faces = np.stack([shadow_texture(np.full((4, 4), at / 8)) for at in range(6)])
    cube = Texture(faces)
    near = [tuple(0.3 * each for each in axis) for axis in AXES]
    wanted = [0, 0, 0, 255, 255, 255]  # farther than 0.3
    assert shaded({"type": "GPU_TEX_SHADOW_CUBE"}, cube, near, engine) == wanted


def test_shadows_of_cubes_are_mixed_on_their_face() -> None:
    """Every face has a step of depth down its middle; a quarter from it, the far side counts."""
    depths = np.zeros((4, 4))
    depths[:, 2:] = 1.0
    cube = Texture(np.stack([shadow_texture(depths)] * 6))
    right = ((0, 0, -1), (0, 0, 1), (1, 0, 0), (1, 0, 0), (1, 0, 0), (-1, 0, 0))
    for axis, across in zip(AXES, right, strict=True):
        places = [
            tuple(0.5 * (a + 2 * x * r) for a, r in zip(axis, across, strict=True))
            for x in (-0.375, -0.0625, 0.0625, 0.375)
        ]
        assert shaded({"type": "shadow_cube"}, cube, places) == [0, 64, 191, 255]


def test_shadow_textures() -> None:
    assert shadow_texture(np.array([0.0, 1.0, 2.0]), 9).tolist() == [
        [9, 0, 0, 0], [9, 255, 255, 255], [9, 255, 255, 255],
    ]  # fmt: skip
    assert shadow_texture(np.array([0x123456 / 0xFFFFFF])).tolist() == [[255, 0x56, 0x34, 0x12]]
    for depths in ([1, 2], [np.nan]):
        with pytest.raises(UsageError, match="depths: expected finite floats"):
            shadow_texture(np.array(depths))


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ({"type": "3d"}, "texture0: unknown type '3d'"),
        ({"bias": 1}, r"texture0\.bias: expected 0 to 1, got 1"),
        ({"bias": "x"}, r"texture0\.bias: expected a number, got 'x'"),
        ({"perspective": 2.0}, r"texture0\.perspective: expected True or False"),
    ],
)
def test_descriptions_that_are_refused(unit: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        FragmentStage.of({"texture0": unit})
