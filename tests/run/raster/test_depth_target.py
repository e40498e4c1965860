"""Depth targets of normalised integers: D16_UNORM and D24_UNORM."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import fragment
from tests.run.raster.test_draw import FULL, drawn, red
from tests.run.raster.test_early_tests import DEEP, EARLY, triangles
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, draw
from unshade.run.raster.depth_target import DepthTarget
from unshade.vm.launch import Array

FORMATS = [(np.uint16, 65535), (np.uint32, 16777215)]


@pytest.mark.parametrize(("dtype", "most"), FORMATS)
def test_depths_are_rounded_to_the_nearest(dtype: Any, most: int) -> None:
    target = DepthTarget(np.zeros((1, 1, 1, 1), dtype))
    given = np.array([0, 1, 0.5, 1.49 / most, 1.51 / most, 2.5 / most, -1, 7, np.inf, np.nan])
    found = target.encoded(given)
    assert found.dtype == dtype
    assert found.tolist() == [0, most, (most + 1) // 2, 1, 2, 3, 0, most, most, 0]


def test_floats_are_stored_as_they_are() -> None:
    given = np.array([0.1, -3.0, np.inf])
    assert (DepthTarget(np.zeros(1, np.float32)).encoded(given) == given.astype("f4")).all()


def test_a_signalling_nan_is_read_without_a_warning() -> None:
    target = DepthTarget(np.full((1, 1, 1, 1), 0x7F80_0001, "<u4").view("<f4"))
    assert np.isnan(target.numbers((np.zeros(1, np.int64),) * 4)).all()


def test_a_write_keeps_the_bits_beside_the_depth() -> None:
    target = DepthTarget(np.full((1, 1, 2, 1), 0xAB00_0005, np.uint32))
    assert target.depths.tolist() == [5, 5]
    place = tuple(np.array([each]) for each in (0, 0, 1, 0))
    target.write(place, np.array([0x12_3456], np.uint32))
    assert target.array.reshape(-1).tolist() == [0xAB00_0005, 0xAB12_3456]


def two(near: float, far: float, depth: Array, function: str = "less") -> Picture:
    """Draw a triangle of colour 1 at the first depth, then one of colour 2 at the second."""
    position = np.concatenate([FULL] * 2)
    position[:, 2] = np.repeat([near, far], 3)
    colours = np.repeat([1, 2], 3)[:, np.newaxis] * np.ones(4)
    return drawn(position, colours, depth=depth, depth_function=function)


@pytest.mark.heavy
@pytest.mark.parametrize(("dtype", "most"), FORMATS)
def test_depths_that_are_equal_in_the_format_are_equal(dtype: Any, most: int) -> None:
    """The second triangle is nearer by a quarter of a step, or by two steps."""
    for steps, shown in ((0.25, 1.0), (2.0, 2.0)):
        number = most // 4
        depth = np.full((4, 4), most, dtype)
        picture = two(number / most, (number - steps) / most, depth)
        assert picture.depth is depth
        assert red(picture) == [[shown] * 4] * 4
        assert (depth == number - (2 if shown == 2.0 else 0)).all()
    picture = two(0.25, 0.25 - 0.25 / most, np.full((4, 4), most, dtype), "less_equal")
    assert red(picture) == [[2.0] * 4] * 4


@pytest.mark.heavy
def test_a_stencil_beside_the_depth_takes_no_part() -> None:
    depth = np.full((4, 4), 0x7FFF_FFFF, np.uint32)
    depth[0] = 0xFF00_0000
    picture = two(0.5, 0.75, depth)
    assert red(picture) == [[0.0] * 4, *[[1.0] * 4] * 3]
    assert depth[:, 0].tolist() == [0xFF00_0000, *[0x7F80_0000] * 3]


@pytest.mark.heavy
@pytest.mark.parametrize(("flag", "shown"), [("", 0.125), (EARLY, 0.75)])
def test_depths_of_the_shader_and_early_tests(flag: str, shown: float) -> None:
    pixel = assembled(DEEP.format(flag=flag), "lockstep")
    depth = np.full((4, 4), 0xFFFF, np.uint16)
    draw(None, pixel, triangles(0.75), None, (4, 4), depth=depth)
    assert (depth == int(shown * 0xFFFF + 0.5)).all()


@pytest.mark.heavy
def test_samples_and_layers_of_a_normalised_target() -> None:
    depth = np.full((1, 4, 4, 4), 0xFFFF, np.uint16)
    drawn(FULL, 1.0, depth=depth, samples=4, layers=1)
    assert (depth == 0).all()
    strided = np.full((4, 8), 0xFFFF, np.uint16)[:, ::2]
    drawn(FULL, 1.0, depth=strided)
    assert (strided == 0).all()


@pytest.mark.heavy
def test_a_depth_of_a_module_may_leave_the_range_of_the_viewport() -> None:
    """Vulkan clamps to the range of the viewport only if the pipeline clamps depths."""
    parts = {
        "modes": "OpExecutionMode %main DepthReplacing",
        "inputs": "%depth",
        "decorations": "OpDecorate %depth BuiltIn FragDepth",
        "globals": "%p_depth = OpTypePointer Output %float\n%depth = OpVariable %p_depth Output",
    }
    for value, free, clamped in (("%f2", 1.0, 0.75), ("%f0", 0.0, 0.25), ("%half", 0.5, 0.5)):
        shader = fragment(f"OpStore %depth {value}", **parts)
        pixel = unshade.kernel(shader, engine="lockstep")
        for clip, expected in ((True, free), (False, clamped)):
            picture = draw(
                None, pixel, triangles(0.5), None, (4, 4), depth_clip=clip,
                viewports=[(0, 0, 4, 4, 0.25, 0.75)], depth_function="always",
            )  # fmt: skip
            assert (picture.depth == expected).all()


@pytest.mark.heavy
def test_the_greatest_depth_of_a_viewport_may_be_the_nearest() -> None:
    pixel = unshade.kernel(fragment(""), engine="lockstep")
    picture = draw(None, pixel, triangles(0.25), None, (4, 4), viewports=[(0, 0, 4, 4, 1, 0)])
    assert (picture.depth == 0.75).all()
