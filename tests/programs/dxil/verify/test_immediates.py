"""Operands of operations that must be constants, and the values that they may have."""

from __future__ import annotations

import pytest

from tests.programs.dxil.lower.support import compute
from unshade.programs.dxil.tables.dxil_operations import operations
from unshade.programs.dxil.verify import verify
from unshade.programs.dxil.verify.immediates import ALLOWED, WANTED

VALUES = "i32 0, i32 0, i32 0, i32 0"


def problems(body: str, model: int = 6) -> list[str]:
    """Return what is found about constants of operations, without the name of the operation."""
    code = compute(body, model=model)
    code.version = code.version & ~0xF | model
    code.rewrite()
    return [
        each.message.partition(": ")[2] for each in verify(code) if each.code == "dxil.immediate"
    ]


def test_the_rows_name_operands_of_operations() -> None:
    known = {(op.name, operand.name) for op in operations() for operand in op.operands}
    assert ALLOWED.keys() <= known
    assert known >= WANTED


# How many values, from 0 on, DXIL's enumerations, axes and matrices of 3 x 4 give to an operand.
COUNTS = """
3: ThreadId.component GroupId.component ThreadIdInGroup.component DomainLocation.component
3: DispatchRaysIndex.col DispatchRaysDimensions.col WorldRayOrigin.col WorldRayDirection.col
3: ObjectRayOrigin.col ObjectRayDirection.col AttributeAtVertex.VertexID
3: ObjectToWorld.row WorldToObject.row
4: ObjectToWorld.col WorldToObject.col
3: RayQuery_CandidateObjectToWorld3x4.row RayQuery_CandidateWorldToObject3x4.row
4: RayQuery_CandidateObjectToWorld3x4.col RayQuery_CandidateWorldToObject3x4.col
3: RayQuery_CommittedObjectToWorld3x4.row RayQuery_CommittedWorldToObject3x4.row
4: RayQuery_CommittedObjectToWorld3x4.col RayQuery_CommittedWorldToObject3x4.col
3: RayQuery_CandidateTriangleBarycentrics.component RayQuery_CommittedTriangleBarycentrics.component
3: RayQuery_WorldRayOrigin.component RayQuery_WorldRayDirection.component
3: RayQuery_CandidateObjectRayOrigin.component RayQuery_CandidateObjectRayDirection.component
3: RayQuery_CommittedObjectRayOrigin.component RayQuery_CommittedObjectRayDirection.component
3: HitObject_WorldRayOrigin.component HitObject_WorldRayDirection.component
3: HitObject_ObjectRayOrigin.component HitObject_ObjectRayDirection.component
3: HitObject_ObjectToWorld3x4.row HitObject_WorldToObject3x4.row
4: HitObject_ObjectToWorld3x4.col HitObject_WorldToObject3x4.col
128: ReportHit.HitKind HitObject_FromRayQueryWithAttrs.HitKind
4: WaveActiveOp.op QuadReadLaneAt.quadLane EmitStream.streamId CutStream.streamId
4: EmitThenCutStream.streamId
2: WavePrefixOp.op WaveActiveOp.sop WavePrefixOp.sop WaveMultiPrefixOp.sop QuadVote.op
2: Unpack4x8.unpackMode
3: WaveActiveBit.op QuadOp.op Pack4x8.packMode
5: WaveMultiPrefixOp.op
9: AtomicBinOp.atomicOp
16: BarrierByMemoryType.MemoryTypeFlags
"""


def test_the_values_of_each_operand() -> None:
    expected = {
        (name.partition(".")[0], name.partition(".")[2]): [*range(int(count))]
        for count, _, names in (line.partition(": ") for line in COUNTS.split("\n")[1:-1])
        for name in names.split()
    }
    expected[("BufferUpdateCounter", "inc")] = [-1, 0, 1]
    expected[("BufferStore", "mask")] = expected[("RawBufferStore", "mask")] = [1, 3, 7, 15]
    expected[("TextureStore", "mask")] = [15]
    assert {key: [*values] for key, values in ALLOWED.items()} == expected


@pytest.mark.parametrize("name", ["threadId.i32(i32 93", "threadIdInGroup.i32(i32 95"])
def test_axes_of_threads(name: str) -> None:
    calls = [f"  %a{at} = call i32 @dx.op.{name}, i32 {at})" for at in (2, 3, 7, -1)]
    operation = f"{name[0].upper()}{name.partition('.')[0][1:]}"
    assert problems("\n".join(calls)) == [
        f"{operation}: expected 0 to 2 as component, got {each}" for each in (3, 7, -1)
    ]


CALLS = [
    ("i32 @dx.op.waveActiveOp.i32(i32 119, i32 %lane, i8 3, i8 1)", ""),
    ("i32 @dx.op.waveActiveOp.i32(i32 119, i32 %lane, i8 4, i8 1)", "0 to 3 as op, got 4"),
    ("i32 @dx.op.waveActiveOp.i32(i32 119, i32 %lane, i8 0, i8 2)", "0 to 1 as sop, got 2"),
    ("i32 @dx.op.wavePrefixOp.i32(i32 121, i32 %lane, i8 2, i8 0)", "0 to 1 as op, got 2"),
    ("i32 @dx.op.waveActiveBit.i32(i32 120, i32 %lane, i8 3)", "0 to 2 as op, got 3"),
    ("i32 @dx.op.quadOp.i32(i32 123, i32 %lane, i8 3)", "0 to 2 as op, got 3"),
    ("i32 @dx.op.quadReadLaneAt.i32(i32 122, i32 %lane, i32 3)", ""),
    ("i32 @dx.op.quadReadLaneAt.i32(i32 122, i32 %lane, i32 4)", "0 to 3 as quadLane, got 4"),
    ("i32 @dx.op.quadReadLaneAt.i32(i32 122, i32 %lane, i32 %lane)", ""),
    ("i32 @dx.op.pack4x8.i32(i32 220, i8 3, i32 0, i32 0, i32 0, i32 0)",
     "0 to 2 as packMode, got 3"),
    ("i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %out, i32 9, i32 0, i32 undef, "
     "i32 undef, i32 1)", "0 to 8 as atomicOp, got 9"),
    (f"void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 0, i32 undef, {VALUES}, "
     "i8 5, i32 4)", "1, 3, 7 or 15 as mask, got 5"),
    (f"void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 0, i32 undef, {VALUES}, "
     "i8 15, i32 %lane)", "a constant as alignment, got a value"),
    (f"void @dx.op.textureStore.i32(i32 67, %dx.types.Handle %out, i32 0, i32 0, i32 0, {VALUES}, "
     "i8 7)", "15 as mask, got 7"),
    ("void @dx.op.barrier(i32 80, i32 9)", ""),
    ("void @dx.op.barrier(i32 80, i32 1)", "a barrierMode that orders memory, got 1"),
    ("void @dx.op.barrier(i32 80, i32 16)", "a barrierMode that orders memory, got 16"),
    ("void @dx.op.barrier(i32 80, i32 6)",
     "UAVFenceGlobal or UAVFenceThreadGroup as barrierMode, got both"),
    ("void @dx.op.barrier(i32 80, i32 undef)", "a constant as barrierMode, got undef"),
    ("i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %out, i8 2)",
     "-1 to 1 as inc, got 2"),
]  # fmt: skip


def test_kinds_masks_and_modes() -> None:
    for call, problem in CALLS:
        left = "" if call.startswith("void") else "%r = "
        found = [each.partition(": ")[2] for each in problems(f"  {left}call {call}")]
        assert found == ([f"expected {problem}"] if problem else []), call


def sample(name: str, offset: str, more: str) -> str:
    """Return a call of an operation that samples, with its first offset."""
    return (
        f"  %r = call %dx.types.ResRet.f32 @dx.op.{name}, %dx.types.Handle %in, %dx.types.Handle "
        f"%out, float 0.0, float 0.0, float undef, float undef, i32 {offset}, i32 7, i32 undef"
        f"{more})"
    )


def test_offsets_of_texels_are_small_before_shader_model_6_7() -> None:
    level = "sampleLevel.f32(i32 62"
    for offset, problem in [
        ("-8", ""), ("7", ""), ("8", "expected -8 to 7 as offset0, got 8"),
        ("-9", "expected -8 to 7 as offset0, got -9"),
        ("%lane", "expected a constant as offset0 before shader model 6.7"),
    ]:  # fmt: skip
        body = sample(level, offset, ", float 0.0")
        assert problems(body) == ([f"SampleLevel: {problem}"] if problem else [])
        assert problems(body, model=7) == []


def test_the_bias_of_a_level() -> None:
    for bias, shown in [("0xC030000000000000", ""), ("1.600000e+01", "16"), ("-2.0e+01", "-20")]:
        body = sample("sampleBias.f32(i32 61", "0", f", float {bias}, float 0.0")
        expected = f"SampleBias: expected a bias from -16 to 15.99, got {shown}"
        assert problems(body) == ([expected] if shown else [])


def test_flags_of_barriers_of_shader_model_6_8() -> None:
    call = "  call void @dx.op.barrierByMemoryType(i32 244, i32 {}, i32 {})"
    assert problems(call.format(15, 7), model=8) == []
    assert problems(call.format(16, 8), model=8) == [
        "BarrierByMemoryType: expected 0 to 15 as MemoryTypeFlags, got 16",
        "BarrierByMemoryType: expected 0 to 7 as SemanticFlags, got 8",
    ]
    assert problems(call.format(1, 8), model=9) == []
