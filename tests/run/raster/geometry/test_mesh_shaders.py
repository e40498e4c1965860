"""Draws of mesh shaders, alone and after amplification shaders."""

from __future__ import annotations

import numpy as np
import pytest

from tests.programs.dxil.lower.test_mesh import METADATA, kernel
from unshade import UsageError
from unshade.run.kernels import Kernel
from unshade.run.raster import PipelineStatistics, PixelHistory, Rejection, draw
from unshade.run.raster.fallback import showing

pytestmark = pytest.mark.heavy

# A group of three threads makes a triangle, which the payload moves by eighths of the view.
MESH = """
%struct.Payload = type { i32, [2 x i32] }
define void @main() {
  %t = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %g = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %p = call %struct.Payload* @dx.op.getMeshPayload.struct.Payload(i32 170)
  %a = getelementptr %struct.Payload, %struct.Payload* %p, i32 0, i32 0
  %v = load i32, i32* %a
  call void @dx.op.setMeshOutputCounts(i32 168, i32 3, i32 1)
  %odd = and i32 %t, 1
  %high = lshr i32 %t, 1
  %both = add i32 %v, %g
  %x4 = mul i32 %odd, 2
  %xi = add i32 %x4, %both
  %xf = sitofp i32 %xi to float
  %xh = fmul float %xf, 2.500000e-01
  %x = fsub float %xh, 1.000000e+00
  %yf = uitofp i32 %high to float
  %y2 = fmul float %yf, 2.000000e+00
  %y = fsub float %y2, 1.000000e+00
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 0, float %x, i32 %t)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 1, float %y, i32 %t)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 2, float 5.000000e-01, i32 %t)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 3, float 1.000000e+00, i32 %t)
  call void @dx.op.emitIndices(i32 169, i32 0, i32 0, i32 {last}, i32 1)
  ret void
}
"""
SIGNATURE = """
!5 = !{null, !6, null}
!6 = !{!8}
!8 = !{i32 0, !"SV_Position", i8 9, i8 3, !10, i8 4, i32 1, i8 4, i32 0, i8 0, null}
!10 = !{i32 0}
!11 = !{!4, i32 4, i32 1, i32 2, i32 12}
"""
# Group g launches g groups; its payload is twice its number.
AMPLIFICATION = """
%struct.Payload = type { i32, [2 x i32] }
@payload = internal addrspace(3) global %struct.Payload zeroinitializer
define void @main() {
  %g = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %a = getelementptr %struct.Payload, %struct.Payload addrspace(3)* @payload, i32 0, i32 0
  %v = mul i32 %g, 2
  store i32 %v, i32 addrspace(3)* %a
  call void @dx.op.dispatchMesh.struct.Payload(i32 173, i32 %g, i32 1, i32 1,\
 %struct.Payload addrspace(3)* @payload)
  ret void
}
declare void @dx.op.dispatchMesh.struct.Payload(i32, i32, i32, i32, %struct.Payload addrspace(3)*)
"""


def mesh(engine: str, last: int = 2) -> Kernel:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    properties = "i32 8, i32 13, i32 9, !11"
    metadata = METADATA.format(stage="ms", signatures="!5", properties=properties) + SIGNATURE
    metadata = metadata.replace("!4 = !{i32 2,", "!4 = !{i32 3,")
    return kernel(MESH.replace("{last}", str(last)), metadata, engine)


def culling(engine: str) -> Kernel:
    """Return the mesh shader with groups of odd number culled."""
    code = MESH.replace("{last}", "2").replace(
        "  ret void",
        """\
  %culled = and i32 %g, 1
  call void @dx.op.storePrimitiveOutput.i32(i32 172, i32 0, i32 0, i8 0, i32 %culled, i32 0)
  ret void""",
    )
    signature = (
        SIGNATURE.replace("!{null, !6, null}", "!{null, !6, !12}")
        + """\
!12 = !{!13}
!13 = !{i32 0, !"SV_CullPrimitive", i8 5, i8 30, !10, i8 1, i32 1, i8 1, i32 0, i8 0, null}
"""
    )
    properties = "i32 8, i32 13, i32 9, !11"
    metadata = METADATA.format(stage="ms", signatures="!5", properties=properties) + signature
    return kernel(code, metadata.replace("!4 = !{i32 2,", "!4 = !{i32 3,"), engine)


def amplification(engine: str) -> Kernel:
    properties = "i32 8, i32 14, i32 10, !11"
    metadata = METADATA.format(stage="as", signatures="null", properties=properties)
    return kernel(AMPLIFICATION, metadata + "!11 = !{!4, i32 12}\n", engine)


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_groups_of_a_mesh_shader(engine: str) -> None:
    payload = {"payload": np.array([[1, 0, 0]], "<u4")}
    picture = draw([mesh(engine)], None, 2, None, (8, 4), mesh_bindings=payload)
    shown = picture.triangle.tolist()
    assert [min(column) for column in zip(*shown, strict=True)] == [-1] * 8
    assert [max(column) for column in zip(*shown, strict=True)] == [-1, 0, 1, 1, -1, -1, -1, -1]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_groups_that_an_amplification_shader_launches(engine: str) -> None:
    stages = [amplification(engine), mesh(engine)]
    picture = draw(stages, None, 3, None, (12, 4))
    # Group 1 launches one at 2, group 2 launches two at 4 and 5; group 0 launches nothing.
    assert np.unique(picture.triangle).tolist() == [-1, 0, 1, 2]
    alone = draw([stages[1]], None, 1, None, (12, 4),
                 mesh_bindings={"payload": np.array([[2, 0, 0]], "<u4")})  # fmt: skip
    assert ((picture.triangle == 0) == (alone.triangle == 0)).all()
    assert not draw(stages, None, 1, None, (12, 4)).covered.any()


def test_primitives_of_vertices_that_there_are_not_are_left_out() -> None:
    shader = mesh("lockstep", last=3)
    payload = {"payload": np.array([[0, 0, 0]], "<u4")}
    assert shader.dispatch(2, payload)["primitives"].tolist() == [
        [0, 0xFFFFFFFF, 1], [3, 0xFFFFFFFF, 4],
    ]  # fmt: skip
    assert not draw([shader], None, 2, None, (8, 4), mesh_bindings=payload).covered.any()


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_culled_primitives_keep_their_numbers_and_have_a_history(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    payload = {"payload": np.array([[0, 0, 0]], "<u4")}
    counted = PipelineStatistics()
    history = PixelHistory(1, 3)
    picture = draw(
        [culling(engine)], None, 3, None, (8, 4), mesh_bindings=payload, depth_function=None,
        history=history, statistics=counted,
    )  # fmt: skip
    assert np.unique(picture.triangle).tolist() == [-1, 0, 2]
    found = [(each.primitive, each.reason) for each in history.fragments]
    assert found == [(0, None), (1, Rejection.CULL_PRIMITIVE)]
    assert (counted.ms_primitives, counted.c_invocations) == (3, 2)


def test_the_order_of_the_stages() -> None:
    stages = [mesh("lockstep"), amplification("lockstep")]
    with pytest.raises(UsageError, match="alone or after an amplification shader, got mesh, ampl"):
        draw(stages, None, 1, None, (8, 4))


def test_a_shader_that_outputs_only_a_position_is_shown_in_white() -> None:
    shader = mesh("lockstep")
    white = showing(shader.program, "lockstep")
    assert white.shade((1, 1))["SV_Target"].tolist() == [[[1, 1, 1, 1]]]
