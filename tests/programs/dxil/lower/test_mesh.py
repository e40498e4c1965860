"""Mesh and amplification shaders, as dispatches."""

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.ir.specialisation import Specialisation
from unshade.programs.dxil.lower import lower
from unshade.run import engines
from unshade.run.kernels import Kernel

from .support import ENGINES, LAYOUT, code_of, declarations

MESH = """
%struct.Payload = type { i32, [2 x i32] }
define void @main() {
  %g = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %t = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %p = call %struct.Payload* @dx.op.getMeshPayload.struct.Payload(i32 170)
  %n = getelementptr %struct.Payload, %struct.Payload* %p, i32 0, i32 1, i32 1
  %v = load i32, i32* %n
  %count = add i32 %g, 2
  call void @dx.op.setMeshOutputCounts(i32 168, i32 %count, i32 1)
  %x = add i32 %v, %t
  %f = uitofp i32 %x to float
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 1, float %f, i32 %t)
  call void @dx.op.emitIndices(i32 169, i32 0, i32 0, i32 1, i32 0)
  call void @dx.op.storePrimitiveOutput.i32(i32 172, i32 0, i32 0, i8 0, i32 %g, i32 0)
  ret void
}
"""
POINTS = """
define void @main() {
  %t = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  call void @dx.op.setMeshOutputCounts(i32 168, i32 2, i32 1)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 0, float 0.5, i32 %t)
  ret void
}
"""
AMPLIFICATION = """
%struct.Payload = type { i32, [2 x i32] }
@payload = internal addrspace(3) global %struct.Payload zeroinitializer
define void @main() {
  %g = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %a = getelementptr %struct.Payload, %struct.Payload addrspace(3)* @payload, i32 0, i32 0
  store i32 %g, i32 addrspace(3)* %a
  %b = getelementptr %struct.Payload, %struct.Payload addrspace(3)* @payload, i32 0, i32 1, i32 1
  store i32 7, i32 addrspace(3)* %b
  call void @dx.op.dispatchMesh.struct.Payload(i32 173, i32 %g, i32 2, i32 3,\
 %struct.Payload addrspace(3)* @payload)
  ret void
}
declare void @dx.op.dispatchMesh.struct.Payload(i32, i32, i32, i32, %struct.Payload addrspace(3)*)
"""
METADATA = """
!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}
!0 = !{{i32 1, i32 6}}
!1 = !{{!"{stage}", i32 6, i32 6}}
!2 = !{{void ()* @main, !"main", {signatures}, null, !3}}
!3 = !{{{properties}}}
!4 = !{{i32 2, i32 1, i32 1}}
"""
SIGNATURES = """
!5 = !{null, !6, !7}
!6 = !{!8}
!7 = !{!9}
!8 = !{i32 0, !"SV_Position", i8 9, i8 3, !10, i8 4, i32 1, i8 4, i32 0, i8 0, null}
!9 = !{i32 0, !"ID", i8 5, i8 0, !10, i8 1, i32 1, i8 1, i32 0, i8 0, null}
!10 = !{i32 0}
!11 = !{!4, i32 4, i32 1, i32 1, i32 12}
"""


def kernel(text: str, metadata: str, engine: str) -> Kernel:
    head = f'target datalayout = "{LAYOUT}"\ntarget triple = "dxil-ms-dx"\n'
    body = text if "declare" in text else text + declarations(text)
    if "declare void @dx.op.dispatchMesh" in text:
        body = text + "declare i32 @dx.op.groupId.i32(i32, i32)\n"
    code = code_of(head + body + metadata)
    return kernel_of(lower(code, "main", Specialisation()), None, engines.choose(engine, False))


@pytest.mark.parametrize("engine", ENGINES)
def test_vertices_and_primitives(engine: str) -> None:
    metadata = (
        METADATA.format(stage="ms", signatures="!5", properties="i32 8, i32 13, i32 9, !11")
        + SIGNATURES
    )
    mesh = kernel(MESH, metadata, engine)
    found = mesh.dispatch(2, payload=np.array([[0, 0, 40]], "<u4"))
    assert found["o0"][:, 1].tolist() == [40, 41, 40, 41, 0]
    assert found["p0"].view("<u4").tolist() == [0, 1]
    assert found["primitives"].tolist() == [[0, 1], [2, 3]]
    assert found["sources"].tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_program_that_declares_no_primitives_outputs_none(engine: str) -> None:
    """`ms_nontrivial` of vkd3d-proton has no indices, but sets the number of primitives to 1."""
    metadata = (
        METADATA.format(stage="ms", signatures="!5", properties="i32 8, i32 13, i32 9, !11")
        + "!5 = !{null, !6, null}\n"
        + SIGNATURES.split("\n", 2)[2].replace(
            "i32 4, i32 1, i32 1, i32 12", "i32 2, i32 0, i32 2, i32 0"
        )
    )
    mesh = kernel(POINTS, metadata, engine)
    found = mesh.dispatch(2)
    assert found["o0"][:, 0].tolist() == [0.5] * 4
    assert found["primitives"].shape == (0, 3)
    assert mesh.report is not None
    assert mesh.report.out_of_bounds == {"primitives": 2}


@pytest.mark.parametrize("engine", ENGINES)
def test_payloads(engine: str) -> None:
    metadata = (
        METADATA.format(stage="as", signatures="null", properties="i32 8, i32 14, i32 10, !11")
        + "!11 = !{!4, i32 12}\n"
    )
    found = kernel(AMPLIFICATION, metadata, engine).dispatch(3)
    assert found["groups"].tolist() == [[0, 2, 3], [1, 2, 3], [2, 2, 3]]
    assert found["payload"].tolist() == [[0, 0, 7], [1, 0, 7], [2, 0, 7]]
