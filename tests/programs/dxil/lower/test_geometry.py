"""Geometry shaders: vertices of the primitive, instances, emitted vertices and ends of strips.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
section 13.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.ir import running
from tests.programs.dxil.lower.points import GUARD, memory, shader
from unshade.errors import UnsupportedError
from unshade.vocab.words import Topology

STRIPS = """
  %i = call i32 @dx.op.gsInstanceID.i32(i32 100)
  %f = uitofp i32 %i to float
  %n = call i32 @dx.op.primitiveID.i32(i32 108)
  %g = uitofp i32 %n to float
  %x = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %x)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 1, i8 0, float %f)
  call void @dx.op.emitStream.v0(i32 97, i8 0)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %g)
  call void @dx.op.emitThenCutStream.v0(i32 99, i8 0)
  call void @dx.op.cutStream.v0(i32 98, i8 0)
  call void @dx.op.emitStream.v0(i32 97, i8 0)"""


def properties(
    *, primitive: int = 2, most: int = 4, streams: int = 1, topology: int = 5, instances: int = 1
) -> str:
    numbers = (primitive, most, streams, topology, instances)
    return ", ".join(f"i32 {each}" for each in numbers)


@pytest.mark.slow
def test_vertices_are_emitted_in_strips() -> None:
    """Lines of two vertices, two instances of each."""
    kernel = shader("gs", STRIPS, properties(instances=2))
    assert kernel.instances == 2
    assert Topology.TRIANGLESTRIP in {each.topology for each in kernel.points}
    taken = np.arange(2 * 2 * 3 * 4, dtype="<f4").reshape(2, 2, 3, 4)
    outcome = running.run(
        kernel,
        memories={
            "v": taken.reshape(-1).view("<u4"), "stream0": memory(16, 3),
            "stream0.cut": np.full(16, GUARD, np.uint32),
        },
        inputs={
            "GSInstanceID": np.array([0, 1, 0, 1], "<u4"),
            "PrimitiveID": np.array([5, 5, 6, 6], "<u4"),
        },
        items=4,
    )  # fmt: skip
    left = outcome.memories["stream0"].reshape(4, 4, 3, 4)
    for lane in range(4):
        first = left[lane, :3, 0, 0].view("<f4").tolist()
        assert first == [taken[lane // 2, 1, 0, 2], 5.0 + lane // 2, 5.0 + lane // 2]
        assert left[lane, :3, 2, 1].view("<f4").tolist() == [lane % 2] * 3
        assert (left[lane, 3] == GUARD).all()
    assert outcome.outputs["stream0.count"].tolist() == [3] * 4
    assert outcome.memories["stream0.cut"].reshape(4, 4).tolist() == [[1, 0, 1, GUARD]] * 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"primitive": 0}, "unknown input primitive 0"),
        ({"instances": 0}, "expected 1 to 32 instances, got 0"),
        ({"instances": 33}, "expected 1 to 32 instances, got 33"),
        ({"most": 1025}, "expected 0 to 1024 vertices, got 1025"),
    ],
)
def test_what_direct3d_does_not_have_is_refused(changed: dict[str, int], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        shader("gs", STRIPS, properties(**changed))


def test_limits_and_streams() -> None:
    with pytest.raises(UnsupportedError, match="no such stream: 3"):
        shader("gs", STRIPS.replace("i32 97, i8 0", "i32 97, i8 3"), properties())
    for limit in ({"instances": 1}, {"instances": 32}, {"most": 0}, {"most": 1024}):
        assert shader("gs", STRIPS, properties(**limit)).instances == limit.get("instances", 1)
