"""Interpolation over primitives: what is cut, and values that are linear on the screen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, draw
from unshade.vm.launch import Array

VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_input v1.x
dcl_output_siv o0.xyzw, position
dcl_output o1.x
dcl_output o2.x
mov o0.xyzw, v0.xyzw
mov o1.x, v1.x
mov o2.x, v1.x
ret
"""
PIXEL = """\
ps_5_0
dcl_input_ps linear noperspective v1.x
dcl_input_ps linear v2.x
dcl_output o0.xy
mov o0.x, v1.x
mov o0.y, v2.x
ret
"""


def drawn(corners: list[list[float]], values: list[float], topology: str) -> Picture:
    given = {"v0": np.array(corners, "<f4"), "v1": np.array(values, "<f4")}
    return draw(assembled(VERTEX), assembled(PIXEL), given, None, (8, 8), topology=topology)


def both(picture: Picture) -> tuple[Array, Array, Array]:
    """Where the picture is, and there the values linear on the screen and with perspective."""
    rows, columns = np.nonzero(picture.covered)
    found = picture.targets["SV_Target"][rows, columns]
    return columns + 0.5, found[:, 0], found[:, 1]


# The value at x of the screen, of 8 pixels from -1 to 1, is 8 * (x + 1) / 2 at each corner.
CUT_BY_DEPTH = [[-1, -1, 0.5, 1], [-1, 3, 0.5, 1], [12, -4, -3, 4]]
BEHIND_THE_EYE = [[-1, -1, 0.5, 1], [-1, 3, 0.5, 1], [2, 1, -1, -1]]
FAR_OFF = [[-1, -1, 0.5, 1], [-1, 3, 0.5, 1], [8e6, -4, 1, 4]]


@pytest.mark.parametrize("corners", [CUT_BY_DEPTH, BEHIND_THE_EYE, FAR_OFF])
def test_values_linear_on_the_screen_stay_so_where_a_triangle_is_cut(
    corners: list[list[float]],
) -> None:
    """Source: Vulkan specification, clipping shader outputs (NoPerspective)."""
    values = [4 * (x / w + 1) for x, _, _, w in corners]
    x, flat, deep = both(drawn(corners, values, "triangle_list"))
    assert len(x) > 8
    assert np.allclose(flat, x, rtol=0, atol=0.02)  # corners are rounded to 1/256 of a pixel
    assert np.abs(deep - x).max() > 0.1 or corners is FAR_OFF


def test_values_linear_on_the_screen_stay_so_where_a_line_is_cut() -> None:
    corners = [[-1, 0.125, 0.5, 1], [12, 0.5, -3, 4]]
    x, flat, deep = both(drawn(corners, [0, 16], "line_list"))
    assert 1 < len(x) < 8
    assert np.allclose(flat, x, rtol=0, atol=0.02)
    assert np.abs(deep - x).max() > 0.1
