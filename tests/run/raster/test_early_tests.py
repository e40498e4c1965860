"""Depth tests that a pixel shader asks for before it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import fragment
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import Picture, draw
from unshade.run.runner import Runner

pytestmark = pytest.mark.heavy

# Counts the pixels that it runs for, and discards those of the second triangle.
PIXEL = """\
ps_5_0
dcl_globalFlags refactoringAllowed{flag}
dcl_uav_raw u1
dcl_input_ps_sgv constant v1.x, primitive_id
dcl_output o0.x
dcl_temps 1
atomic_iadd u1, l(0), l(1)
ieq r0.x, v1.x, l(1)
discard_nz r0.x
mov o0.x, l(1.0)
ret
"""
DEEP = """\
ps_5_0
dcl_globalFlags refactoringAllowed{flag}
dcl_output o0.x
dcl_output oDepth
mov o0.x, l(1.0)
mov oDepth, l(0.125)
ret
"""
EARLY = " | forceEarlyDepthStencil"


def triangles(*depths: float) -> dict[str, Any]:
    """Triangles that cover everything, one after the other."""
    corners = [[[-1, -1, z, 1], [-1, 3, z, 1], [3, -1, z, 1]] for z in depths]
    return {"SV_Position": np.array(corners, np.float32).reshape(-1, 4)}


def drawn(pixel: Runner, *depths: float, **given: Any) -> Picture:
    return draw(None, pixel, triangles(*depths), None, (4, 4), **given)


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
@pytest.mark.parametrize(("flag", "ran", "depth"), [("", 48, 0.75), (EARLY, 32, 0.5)])
def test_hidden_pixels_do_not_run_and_discarded_ones_have_written(
    flag: str, ran: int, depth: float, engine: str
) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    pixel = assembled(PIXEL.format(flag=flag), engine)
    counter = np.zeros(4, "<u4")
    picture = drawn(pixel, 0.75, 0.5, 0.875, pixel_bindings={"u1": counter})
    assert counter[0] == ran
    assert (picture.depth == depth).all()
    assert (picture.targets["SV_Target"] == 1).all()  # of the first triangle
    assert (picture.triangle == 0).all()


@pytest.mark.parametrize(("flag", "depth"), [("", 0.125), (EARLY, 0.75)])
def test_a_depth_of_the_shader_is_ignored(flag: str, depth: float) -> None:
    assert (drawn(assembled(DEEP.format(flag=flag), "lockstep"), 0.75).depth == depth).all()


def test_early_fragment_tests_of_a_module() -> None:
    code = "OpStore %depth %quarter\nOpStore %out %one4"
    parts = {
        "inputs": "%depth",
        "decorations": "OpDecorate %depth BuiltIn FragDepth",
        "globals": "%p_depth = OpTypePointer Output %float\n%depth = OpVariable %p_depth Output\n"
        "%one4 = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n",
    }
    for modes, depth in (("", 0.25), ("OpExecutionMode %main EarlyFragmentTests", 0.75)):
        shader = fragment(code, modes=f"OpExecutionMode %main DepthReplacing\n{modes}", **parts)
        picture = drawn(unshade.kernel(shader, engine="lockstep"), 0.75)
        assert (picture.depth == depth).all()
