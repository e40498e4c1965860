"""Draws through geometry, hull and domain shaders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.examples import kernel
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import draw

PASS = """\
vs_5_0
dcl_input v0.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v0.xyzw
ret
"""
CORNER = """\
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyz         0     NONE   float   xyz
//
vs_5_0
dcl_input v0.xyz
dcl_output o0.xyz
mov o0.xyz, v0.xyzx
ret
"""
NUMBERED = """\
gs_5_0
dcl_input v[1][0].xyzw
dcl_input vPrim
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output_sgv o1.x, primitive_id
dcl_output_siv o1.y, rendertarget_array_index
dcl_maxout 4
dcl_temps 1
add r0.xyzw, v[0][0].xyzw, l(-0.5, 0.5, 0, 0)
mov o0.xyzw, r0.xyzw
iadd o1.x, vPrim, l(5)
mov o1.y, vPrim
emit_stream m0
add r0.xyzw, v[0][0].xyzw, l(0.5, 0.5, 0, 0)
mov o0.xyzw, r0.xyzw
iadd o1.x, vPrim, l(5)
mov o1.y, vPrim
emit_stream m0
add r0.xyzw, v[0][0].xyzw, l(-0.5, -0.5, 0, 0)
mov o0.xyzw, r0.xyzw
iadd o1.x, vPrim, l(5)
mov o1.y, vPrim
emit_stream m0
add r0.xyzw, v[0][0].xyzw, l(0.5, -0.5, 0, 0)
mov o0.xyzw, r0.xyzw
iadd o1.x, vPrim, l(5)
mov o1.y, vPrim
emit_stream m0
ret
"""
SHOWING = """\
ps_5_0
dcl_input_ps_sgv constant v1.x, primitive_id
dcl_output o0.x
utof o0.x, v1.x
ret
"""


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_a_geometry_shader_numbers_its_primitives_and_selects_layers(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    stages = [assembled(PASS, engine), assembled(NUMBERED, engine)]
    points = np.array([[-0.5, 0.5, 0, 1], [0.5, -0.5, 0, 1]], np.float32)
    picture = draw(
        stages, assembled(SHOWING, engine), {"TEXCOORD": points}, None, (2, 2),
        topology="point_list", layers=2,
    )  # fmt: skip
    assert picture.targets["SV_Target"].tolist() == [[[5, 0], [0, 0]], [[0, 0], [0, 6]]]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_a_patch_is_divided_by_its_factors(engine: str) -> None:
    """The sheet of examples/: density is the factor of every edge; the inside has a half of it."""
    if engine == "jit":
        pytest.importorskip("llvmlite")
    stages = [assembled(CORNER, engine), kernel("sheet.h.dxbc", engine),
              kernel("sheet.d.dxbc", engine)]  # fmt: skip
    corners = np.array([[0, 0, 0], [4, 0, 0], [0, 0, 2], [4, 0, 2]], np.float32)
    view = np.zeros((4, 4), np.float32)  # x from 0 to 4, z from 0 to 2 as y
    view[0, 0], view[0, 3], view[1, 2], view[1, 3], view[3, 3] = 0.5, -1, 1, -1, 1
    given: dict[str, Any] = {
        "hull_bindings": {"density": 1.0}, "domain_bindings": {"view_projection": view.T,
                                                               "height": 0.0},
    }  # fmt: skip
    picture = draw(stages, None, {"TEXCOORD": corners}, None, (8, 8), **given)
    assert picture.covered.all()
    assert np.unique(picture.triangle).tolist() == list(range(16))
    twice = draw(stages, None, {"TEXCOORD": np.concatenate([corners] * 2)}, None, (8, 8), **given)
    assert (twice.triangle == picture.triangle).all()  # of two patches the first stays
    with pytest.raises(UsageError, match="expected patches for the hull shader"):
        draw(stages, None, {"TEXCOORD": corners}, None, (8, 8), topology="triangle_list", **given)
    with pytest.raises(UsageError, match="expected patches of 4 control points"):
        draw(
            stages, None, {"TEXCOORD": corners}, None, (8, 8),
            topology="3 control point patch list", **given,
        )  # fmt: skip
