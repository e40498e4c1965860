"""Depth tests that a pixel shader asks for before it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.dxil.lower.support import ENGINES, LAYOUT
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
# The same two in one, in DXIL: counts, discards those of the second, outputs a depth on request.
DXIL = """
target datalayout = "{layout}"
target triple = "dxil-ms-dx"
%dx.types.Handle = type {{ i8* }}
%struct.Buffer = type {{ i32 }}
define void @main() {{
  %u = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)
  %n = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %u, i32 0, i32 0, i32 undef, \
i32 undef, i32 1)
  %p = call i32 @dx.op.primitiveID.i32(i32 108)
  %c = icmp eq i32 %p, 1
  call void @dx.op.discard(i32 82, i1 %c)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float 1.0)
  {store}
  ret void
}}
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)
declare i32 @dx.op.primitiveID.i32(i32)
declare void @dx.op.discard(i32, i1)
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.resources = !{{!12}}
!dx.entryPoints = !{{!2}}
!0 = !{{i32 1, i32 1}}
!1 = !{{!"ps", i32 6, i32 1}}
!2 = !{{void ()* @main, !"main", !3, !12, !11}}
!3 = !{{!4, !7, null}}
!4 = !{{!5}}
!5 = !{{i32 0, !"SV_PrimitiveID", i8 5, i8 10, !6, i8 1, i32 1, i8 1, i32 0, i8 0, null}}
!6 = !{{i32 0}}
!7 = !{{!8{depth}}}
!8 = !{{i32 0, !"SV_Target", i8 9, i8 16, !6, i8 0, i32 1, i8 1, i32 0, i8 0, null}}
!9 = !{{i32 1, !"SV_Depth", i8 9, i8 17, !6, i8 0, i32 1, i8 1, i32 -1, i8 -1, null}}
!11 = !{{i32 0, i64 {flags}}}
!12 = !{{null, !13, null, null}}
!13 = !{{!14}}
!14 = !{{i32 0, %struct.Buffer* undef, !"u", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false,
  i1 false, null}}
"""
STORE = "call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float 0.125)"
FORCED = 8  # the flag of the entry point


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


def dxil(flags: int, engine: str, store: str = "") -> Runner:
    text = DXIL.format(layout=LAYOUT, flags=flags, store=store, depth=", !9" * bool(store))
    return unshade.kernel(unshade.assemble(text, "dxcontainer"), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("flags", "ran", "depth"), [(0, 48, 0.75), (FORCED, 32, 0.5)])
def test_early_tests_of_dxil(flags: int, ran: int, depth: float, engine: str) -> None:
    counter = np.zeros(1, "<u4")
    picture = drawn(dxil(flags, engine), 0.75, 0.5, 0.875, pixel_bindings={"u1": counter})
    assert counter[0] == ran
    assert (picture.depth == depth).all()
    assert (picture.triangle == 0).all()


@pytest.mark.parametrize(("flags", "depth"), [(0, 0.125), (FORCED, 0.75)])
def test_a_depth_of_dxil_is_ignored(flags: int, depth: float) -> None:
    pixel = dxil(flags, "lockstep", STORE)
    picture = drawn(pixel, 0.75, pixel_bindings={"u1": np.zeros(1, "<u4")})
    assert (picture.depth == depth).all()
