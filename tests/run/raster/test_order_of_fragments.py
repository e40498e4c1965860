"""Fragments of one pixel read what those of earlier primitives wrote."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.programs.dxil.lower.support import ENGINES
from unshade.run.raster import draw

pytestmark = pytest.mark.heavy

VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzw
ret
"""
# Doubles a number of the pixel and adds 1.
PIXEL = """\
ps_5_0
dcl_uav_typed_texture2d_rov (uint,uint,uint,uint) u0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_temps 2
ftou r0.xyzw, v0.xyyy
ld_uav_typed r1.xyzw, r0.xyyy, u0.xyzw
imad r1.x, r1.x, l(2), l(1)
store_uav_typed u0.xyzw, r0.xyyy, r1.xxxx
ret
"""
EVERYWHERE = np.array([[-1, -1, 0, 1], [-1, 3, 0, 1], [3, -1, 0, 1]], np.float32)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("translated", [False, True])
def test_a_rasterizer_ordered_view(engine: str, translated: bool) -> None:
    """Each of 20 triangles covers every pixel; SPIR-V has an interlock in place of the view."""
    shader = unshade.assemble(PIXEL)
    if translated:
        shader = shader.translate()
        assert "OpBeginInvocationInterlockEXT" in shader.disassemble()
    vertices = unshade.kernel(unshade.assemble(VERTEX), engine=engine)
    counts = np.zeros((8, 8), np.uint32)
    draw(
        vertices, unshade.kernel(shader, engine=engine), {"v0": np.tile(EVERYWHERE, (20, 1))},
        np.arange(60).reshape(20, 3), (8, 8), pixel_bindings={"u0": counts},
    )  # fmt: skip
    assert (counts == 2**20 - 1).all()
