"""Depth bias, fill modes, faces and the fields of the rasteriser's state in both spellings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, drawn, red
from unshade import UsageError
from unshade.run.raster import Picture, PixelHistory, RasterizerState, Rejection, draw
from unshade.run.raster.states.rasterizer import rasterizer_state
from unshade.vm.launch import Array

# Clockwise on the screen: the left upper half of the target, without its diagonal.
HALF = np.array([[-0.9, 0.9, 0.5, 1], [0.9, 0.9, 0.5, 1], [-0.9, -0.9, 0.5, 1]], np.float32)


def filled(position: Array, rasterizer: Any, size: int = 4, **more: Any) -> Picture:
    """Draw triangles without shaders."""
    found = {"SV_Position": np.asarray(position, np.float32)}
    return draw(None, None, found, None, (size, size), rasterizer=rasterizer, **more)


def at_depth(z: float) -> Array:
    return FULL * np.array([1, 1, 0, 1], np.float32) + np.array([0, 0, z, 0], np.float32)


# ---------------------------------------------------------------- depth bias


@pytest.mark.parametrize(("kind", "most"), [(np.uint16, 0xFFFF), (np.uint32, 0xFF_FFFF)])
@pytest.mark.parametrize("bias", [3, -7])
def test_a_bias_is_in_steps_of_a_normalised_format(kind: Any, most: int, bias: int) -> None:
    """Direct3D 11.3, section 15.10: depth_bias * r, with the least number above 0 as r."""
    depth = np.full((4, 4), most, kind)
    filled(at_depth(0.25), {"depth_bias": bias}, depth=depth)
    assert (depth == round(0.25 * most) + bias).all()


def test_a_bias_of_floats_depends_on_the_greatest_depth_of_each_polygon() -> None:
    """r = 2**(e - 23): of 0.5 the next float but one, as 0.5 is 2**-1, of 0.125 2**-26."""
    for z, r in ((0.5, 2.0**-24), (0.125, 2.0**-26), (0.75, 2.0**-24)):
        both = np.concatenate([at_depth(z), at_depth(0.9)])
        found = filled(both, {"DepthBias": 4})
        assert (found.depth == np.float32(z) + np.float32(4 * r)).all()
    assert filled(at_depth(0.0), {"DepthBias": 4}).depth.max() == 0.0


def test_the_greatest_depth_is_that_of_any_corner() -> None:
    for z in ((0.125, 0.75, 0.25), (0.75, 0.125, 0.25), (0.25, 0.125, 0.75)):
        sloped = FULL * np.array([1, 1, 0, 1], np.float32)
        sloped[:, 2] = z
        moved = filled(sloped, {"depth_bias": 1024}).depth - filled(sloped, {}).depth
        assert np.allclose(moved, 1024 * 2.0**-24, atol=2.0**-23)


def test_the_slope_is_the_greater_of_both_axes() -> None:
    """Over 4 pixels, z rises by 0.5 along x and falls by 0.25 along y: 0.125 and 0.0625."""
    sloped = np.array([[-1, 1, 0.25, 1], [3, 1, 1.25, 1], [-1, -3, -0.25, 1]], np.float32)
    plain = filled(sloped, {}, depth_clip=False).depth
    found = filled(sloped, {"slope_scaled_depth_bias": 2}, depth_clip=False).depth
    assert np.allclose(found[1:] - plain[1:], 0.25, atol=1e-7)
    upright = sloped[:, [1, 0, 2, 3]] * np.array([-1, -1, 1, 1], np.float32)
    plain = filled(upright, {}, depth_clip=False).depth
    found = filled(upright, {"depthBiasSlopeFactor": 2}, depth_clip=False).depth
    assert np.allclose((found - plain)[plain < 0.7], 0.25, atol=1e-7)


@pytest.mark.parametrize(
    ("bias", "clamp", "moved"),
    [(1000, 0.0, 1000), (1000, 10.0, 10), (-1000, 10.0, -1000), (-1000, -10.0, -10),
     (1000, -10.0, 1000)],
)  # fmt: skip
def test_a_clamp_limits_the_bias_on_one_side(bias: int, clamp: float, moved: int) -> None:
    depth = np.full((4, 4), 0xFFFF, np.uint16)
    state = RasterizerState(depth_bias=bias, depth_bias_clamp=clamp / 0xFFFF)
    filled(at_depth(0.25), state, depth=depth)
    assert (depth == 16384 + moved).all()


def test_a_biased_depth_is_clamped_to_the_viewport_and_not_clipped() -> None:
    """Direct3D 11.3, section 15.10: the bias comes after clipping."""
    state = RasterizerState(depth_bias=0x1000000)
    found = filled(at_depth(0.75), state, viewports=(0, 0, 4, 4, 0.0, 0.5))
    assert found.covered.all()
    assert (found.depth == 0.5).all()


def test_lines_and_points_have_no_bias_but_edges_of_polygons_have() -> None:
    state = RasterizerState(depth_bias=64)
    r = 64 * 2.0**-24
    for topology in ("line_strip", "point_list"):
        found = filled(HALF, state, topology=topology)
        assert {*found.depth[found.covered].tolist()} == {0.5}
    found = filled(HALF, RasterizerState(fill_mode="wireframe", depth_bias=64))
    assert {*found.depth[found.covered].tolist()} == {0.5 + r}


def test_a_bias_can_be_switched_off() -> None:
    state = {"depthBiasEnable": False, "depthBiasConstantFactor": 99}
    assert (filled(at_depth(0.5), state).depth == 0.5).all()


# ---------------------------------------------------------------- fill modes


def test_a_wireframe_covers_the_pixels_of_the_three_edges() -> None:
    size = 16
    corners = np.array([[-0.8, 0.7, 0.5, 1], [0.9, 0.2, 0.5, 1], [-0.3, -0.9, 0.5, 1]], np.float32)
    found = filled(corners, {"FillMode": "D3D12_FILL_MODE_WIREFRAME"}, size)
    edges = corners[[0, 1, 1, 2, 2, 0]]
    lines = filled(edges, None, size, topology="line_list")
    assert np.array_equal(found.covered, lines.covered)
    assert not found.covered[8, 8]
    assert {*found.triangle[found.covered].tolist()} == {0}


def test_points_of_polygons_have_the_size_of_their_vertices() -> None:
    corners = np.array([[-0.5, 0.5, 0, 1], [0.5, 0.5, 0, 1], [-0.5, -0.5, 0, 1]], np.float32)
    given = {"SV_Position": corners, "PointSize": np.array([[1], [2], [4]], np.float32)}
    found = draw(
        None, None, given, None, (16, 16), rasterizer={"polygonMode": "VK_POLYGON_MODE_POINT"}
    )
    there = [found.covered[:8, :8], found.covered[:8, 8:], found.covered[8:, :8]]
    assert [int(each.sum()) for each in there] == [1, 4, 16]
    assert found.covered.sum() == 21


@pytest.mark.parametrize("fill", ["solid", "wireframe", "point"])
def test_faces_of_polygons_are_culled_in_each_fill_mode(fill: str) -> None:
    there = {
        cull: bool(filled(HALF, RasterizerState(fill, cull)).covered.any())
        for cull in ("none", "front", "back", "front_and_back")
    }
    assert there == {"none": True, "front": False, "back": True, "front_and_back": False}
    other = RasterizerState(fill, "front", front_counter_clockwise=True)
    assert filled(HALF, other).covered.any()


def test_faces_of_lines_and_points_are_not_culled() -> None:
    for topology in ("line_list", "point_list"):
        assert filled(HALF, None, cull="front_and_back", topology=topology).covered.any()


def test_an_edge_has_the_constant_values_of_its_polygon() -> None:
    """The value of the first vertex, at every edge, and the values in between where linear."""
    values = np.array([[1.0] * 4, [3.0] * 4, [5.0] * 4])
    wire: dict[str, Any] = {"rasterizer": {"fill_mode": "wireframe"}}
    constant = red(drawn(HALF, values, 8, "constant", **wire))
    assert {each for row in constant for each in row} == {0.0, 1.0}
    linear = np.array(red(drawn(HALF, values, 8, "linear", **wire)))
    assert linear[0, 0] < 1.5
    assert linear[0, -1] > 2.5
    assert linear[-1, 0] > 4.5


def test_an_edge_of_a_triangle_without_area_is_drawn() -> None:
    """Such a triangle shows its back in both windings."""
    flat = np.array([[-0.9, 0, 0, 1], [0.9, 0, 0, 1], [0, 0, 0, 1]], np.float32)
    for front in ("clockwise", "counterclockwise"):
        wire = RasterizerState("wireframe")
        assert filled(flat, wire, front=front).covered.any()
        assert not filled(flat, wire, front=front, cull="back").covered.any()
    assert not filled(flat, None).covered.any()


def test_the_history_of_a_pixel_has_culled_edges_and_those_beside_it() -> None:
    history = PixelHistory(0, 0)
    filled(HALF, RasterizerState("wireframe", "front"), history=history)
    assert {each.reason for each in history.fragments} == {Rejection.FACE}
    history = PixelHistory(0, 0)
    filled(HALF, RasterizerState("wireframe"), history=history)
    assert history.fragments[0].reason is None


# ---------------------------------------------------------------- clipping and clamping apart


def test_depths_can_be_clamped_without_clipping() -> None:
    behind = at_depth(2.0)
    assert not filled(behind, None).covered.any()
    found = filled(behind, {"DepthClipEnable": False}, viewports=(0, 0, 4, 4, 0.25, 0.5))
    assert (found.depth == 0.5).all()


@pytest.mark.parametrize(
    ("given", "vulkan", "clip", "clamp"),
    [
        ({}, False, True, True),
        ({"depth_clip_enable": False}, False, False, True),
        ({}, True, True, False),
        ({"depthClampEnable": True}, True, False, True),
        ({"depthClampEnable": True, "depthClipEnable": True}, True, True, True),
        ({"depth_clip_enable": False}, True, False, True),
    ],
)
def test_the_defaults_of_clipping_and_clamping_are_those_of_the_api(
    given: dict[str, bool], vulkan: bool, clip: bool, clamp: bool
) -> None:
    """VkPipelineRasterizationDepthClipStateCreateInfoEXT: clipping is on without a clamp."""
    found = rasterizer_state(given).resolved(1, vulkan=vulkan)
    assert (found.depth_clip_enable, found.depth_clamp_enable) == (clip, clamp)


# ---------------------------------------------------------------- lines


def test_a_wide_aliased_line_repeats_its_pixels_along_the_shorter_axis() -> None:
    """Vulkan, Bresenham Line Segment Rasterization; a width is rounded to whole pixels."""
    ends = np.array([[-0.75, 0.125, 0, 1], [0.75, -0.125, 0, 1]], np.float32)
    thin = filled(ends, None, 16, topology="line_list").covered
    wide = {"line_width": 3.4, "lineRasterizationMode": "VK_LINE_RASTERIZATION_MODE_BRESENHAM"}
    found = filled(ends, wide, 16, topology="line_list").covered
    assert np.array_equal(found, thin | np.roll(thin, 1, 0) | np.roll(thin, -1, 0))


def test_a_rectangular_line_is_as_wide_as_its_width() -> None:
    ends = np.array([[-1, 0, 0, 1], [1, 0, 0, 1]], np.float32)
    state = RasterizerState(line_mode="D3D12_LINE_RASTERIZATION_MODE_QUADRILATERAL_NARROW")
    assert filled(ends, state, 8, topology="line_list").covered.sum() == 8
    state = RasterizerState(line_mode="rectangular", line_width=4)
    assert filled(ends, state, 8, topology="line_list").covered.sum(axis=0).tolist() == [4] * 8


# ---------------------------------------------------------------- spelling


def test_both_spellings_of_fields_and_words_are_one_state() -> None:
    direct3d = {
        "FillMode": "D3D12_FILL_MODE_WIREFRAME", "CullMode": "D3D12_CULL_MODE_BACK",
        "FrontCounterClockwise": True, "DepthBias": 2, "DepthBiasClamp": 0.5,
        "SlopeScaledDepthBias": 1.5,
    }  # fmt: skip
    vulkan = {
        "polygonMode": "VK_POLYGON_MODE_LINE", "cullMode": "VK_CULL_MODE_BACK_BIT",
        "frontFace": "VK_FRONT_FACE_COUNTER_CLOCKWISE", "depthBiasConstantFactor": 2,
        "depthBiasClamp": 0.5, "depthBiasSlopeFactor": 1.5,
    }  # fmt: skip
    own = RasterizerState("wireframe", "back", True, 2, 0.5, 1.5)
    assert rasterizer_state(direct3d) == rasterizer_state(vulkan) == own


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fill_mode": "holes"}, "unknown fill mode 'holes'"),
        ({"cull_mode": "sides"}, "unknown cull mode 'sides'"),
        ({"depth_bias": float("nan")}, "depth_bias: expected a finite number, got nan"),
        ({"line_width": 0}, "line_width: expected above 0 to 256, got 0"),
        ({"bias": 1}, "rasterizer: unknown field 'bias'"),
        ({"front_face": "left"}, "front: expected clockwise or counterclockwise, got 'left'"),
        (7, "rasterizer: expected a RasterizerState or a dict, got 7"),
    ],
)
def test_what_is_no_state_is_refused(given: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        filled(HALF, given)
    assert message in str(caught.value)
