"""Depth bias: a number that is added to the depths of a polygon, constant over the polygon.

    bias = depth_bias * r + slope_scaled_depth_bias * m        limited by depth_bias_clamp

    m    max(|dz/dx|, |dz/dy|): the greatest slope of the depth, for a step of a pixel
    r    normalised depths: 1 / (2**bits - 1), the least number above 0 that the format has
         floats: 2**(e - bits), with the exponent e of the greatest depth of the polygon, and the
         bits of the mantissa

A positive clamp is the greatest bias, a negative clamp the least; 0 is no limit. Vulkan defines r
and m in the same way. The slope is of the corners as they are rounded for the rasteriser.

Sources: Direct3D 11.3 functional specification, section 15.10 (depth bias); Vulkan specification,
Depth Bias.
"""

from typing import Any

import numpy as np

from ...vm.launch import Array
from .depth_target import BITS
from .pixel_coverage import STEPS, twice_area
from .states.rasterizer import RasterizerState

MOST_BITS = 23  # of a mantissa: depths of more bits are D32_FLOAT


def biases(
    state: RasterizerState, kind: np.dtype[Any], corners: Array, z: Array, polygon: Array
) -> Array:
    """Return the bias of each triangle.

    Args:
        state: The state of the rasteriser.
        kind: The dtype of the depth target.
        corners: The corners of triangles in steps, (t, 3, 2).
        z: The depths of the corners, (t, 3).
        polygon: The number of the polygon that each triangle is a part of.
    """
    bias = state.slope_scaled_depth_bias * _slopes(corners, z)
    bias = bias + state.depth_bias * _least(kind, z, polygon)
    if state.depth_bias_clamp > 0:
        return np.asarray(np.minimum(bias, state.depth_bias_clamp))
    if state.depth_bias_clamp < 0:
        return np.asarray(np.maximum(bias, state.depth_bias_clamp))
    return np.asarray(bias)


def _least(kind: np.dtype[Any], z: Array, polygon: Array) -> Array | float:
    """Return the least difference of depths that the format resolves."""
    if kind in BITS:
        return 1.0 / ((1 << BITS[kind]) - 1)
    bits = min(int(np.finfo(kind).nmant), MOST_BITS)
    greatest = np.zeros(int(polygon.max(initial=-1)) + 1)
    np.maximum.at(greatest, polygon, np.abs(z).max(axis=1))
    _, exponent = np.frexp(greatest[polygon])  # of a mantissa from 0.5 to 1
    found: Array = np.where(greatest[polygon] > 0, np.ldexp(1.0, exponent - 1 - bits), 0.0)
    return found


def _slopes(corners: Array, z: Array) -> Array:
    """Return the greatest slope of the depth of each triangle; 0 for triangles without area."""
    places = corners / STEPS
    (ax, ay), (bx, by) = (
        np.moveaxis(places[:, at] - places[:, 0], -1, 0) for at in (1, 2)
    )  # fmt: skip
    a, b = z[:, 1] - z[:, 0], z[:, 2] - z[:, 0]
    area = twice_area(corners) / (STEPS * STEPS)
    whole = np.where(area == 0, 1, area)
    along_x, along_y = (a * by - b * ay) / whole, (b * ax - a * bx) / whole
    return np.where(area == 0, 0.0, np.maximum(np.abs(along_x), np.abs(along_y)))
