"""Quaternions of the Nintendo 3DS's lighting: both signs are one rotation."""

from __future__ import annotations

import numpy as np

import unshade
from unshade.run import raster

PIXEL = """
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// NORMALQUAT               0   xyzw        0     NONE   float   xyzw
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
ps_5_0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v0.xyzw
ret
"""
VERTEX = """.out outpos position
.out outquat normalquat
.in inPosition v0
.in inQuaternion v1
.proc main
mov outpos, inPosition
mov outquat, inQuaternion
end
.end"""


def drawn(quaternions: list[list[float]], **more: object) -> np.ndarray:
    from unshade.isa.source import Source

    vertex = unshade.kernel(unshade.assemble([Source(VERTEX, "a.v.pica")], "shbin"))
    pixel = unshade.kernel(unshade.assemble(PIXEL))
    corners = np.array([[-1, 1, -0.5, 1], [1, 1, -0.5, 1], [-1, -1, -0.5, 1], [1, -1, -0.5, 1]])
    inputs = {"inPosition": corners.astype("<f4"), "inQuaternion": np.array(quaternions, "<f4")}
    found = raster.draw(vertex, pixel, inputs, [[0, 1, 2], [2, 1, 3]], (4, 4), **more)  # type: ignore[arg-type]
    assert found.covered.all()
    return np.asarray(found.targets["SV_Target"])


def test_signs_of_a_triangle_agree_with_its_first_vertex() -> None:
    one = [0.6, 0.0, 0.0, 0.8]
    same = drawn([one] * 4)
    assert np.allclose(same, one)
    other = drawn([one, [-each for each in one], one, one])
    assert np.array_equal(same, other)  # both triangles share the vertex that is turned
    first = drawn([[-each for each in one], one, one, one])
    assert np.allclose(np.abs(first), np.abs(same))
    assert np.allclose(first[0, 0], [-each for each in one])


def test_what_is_not_a_quaternion_stays() -> None:
    vertices = {
        "SV_Position": np.array([[-1, 3, 0, 1], [3, -1, 0, 1], [-1, -1, 0, 1]], "<f4"),
        "NORMALQUAT": np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0]], "<f4"),
    }
    pixel = unshade.kernel(unshade.assemble(PIXEL))
    found = raster.draw(None, pixel, vertices, [[0, 1, 2]], (2, 2))
    assert np.allclose(found.targets["SV_Target"][0, 0], [-0.25, 0, 0, 0])
