"""Operations on resources of another class or shape.

What is expected is the verdict of dxc's validator, INSTR.RESOURCECLASS…, INSTR.RESOURCEKIND…,
INSTR.SAMPLERMODE…; its test LitDXILValidation/load-store-validation.ll has some of the errors.
"""

from __future__ import annotations

import pytest

from tests.programs.dxil.lower.support import code_of, compute_text
from unshade.programs.dxil.verify import verify
from unshade.vocab.dxil import DxilResourceKind, DxilSamplerKind

K = DxilResourceKind
S = DxilSamplerKind
H = "%dx.types.Handle"
WORDS = "i32 undef, i32 undef"
SAMPLER_HANDLE = f"%s = call {H} @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)\n  "
SAMPLE = (
    f"call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, {H} %in, {H} %s, float 0.0, float 0.0, "
    f"float undef, float undef, i32 undef, {WORDS}, float undef)"
)
COMPARE = (
    f"call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, {H} %in, {H} %s, float 0.0, "
    f"float 0.0, float undef, float undef, i32 undef, {WORDS}, float 0.0)"
)
GATHER = (
    f"call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, {H} %in, {H} %s, float 0.0, "
    f"float 0.0, float undef, float undef, {WORDS}, i32 0)"
)
LOAD = f"call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, {H} %{{}}, i32 0, i32 undef)"
RAW_LOAD = (
    f"call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {H} %{{}}, i32 0, i32 undef, "
    "i8 1, i32 4)"
)
STORE = (
    f"call void @dx.op.bufferStore.i32(i32 69, {H} %{{}}, i32 0, i32 undef, i32 1, i32 1, i32 1, "
    "i32 1, i8 15)"
)
TEXEL = (
    f"call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, {H} %in, i32 undef, i32 0, i32 0, "
    f"{WORDS}, {WORDS})"
)
TEXEL_STORE = (
    f"call void @dx.op.textureStore.i32(i32 67, {H} %out, i32 0, i32 0, i32 undef, i32 1, i32 1, "
    "i32 1, i32 1, i8 15)"
)
ATOMIC = f"call i32 @dx.op.atomicBinOp.i32(i32 78, {H} %{{}}, i32 0, i32 0, {WORDS}, i32 1)"
COUNTER = f"call i32 @dx.op.bufferUpdateCounter(i32 70, {H} %out, i8 1)"
CONSTANTS = f"call %dx.types.fouri32 @dx.op.cbufferLoadLegacy.i32(i32 59, {H} %in, i32 0)"
RAY = (
    f"call void @dx.op.rayQuery_TraceRayInline(i32 179, i32 0, {H} %in, i32 0, i32 255, float 0.0, "
    "float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0)"
)


def problems(call: str, read: int, written: int, sampler: int) -> list[str]:
    """Return what is found in a call, where `%in`, `%out` and `%s` have these kinds."""
    body = (SAMPLER_HANDLE if "%s" in call else "") + call.replace("0.0", "0.000000e+00").replace(
        "1.0,", "1.000000e+00,"
    ).replace("1.0)", "1.000000e+00)")
    after = (
        f'!40 = !{{!41}}\n!41 = !{{i32 0, %struct.Buffer* undef, !"s", i32 0, i32 0, i32 1, '
        f"i32 {sampler}, null}}"
    )
    text = compute_text(body, after=after)
    for old, new in (
        ("i32 1, i32 11, i32 0, null", f"i32 1, i32 {read}, i32 0, null"),
        ("i32 1, i32 11, i1 false", f"i32 1, i32 {written}, i1 false"),
        ("!2 = !{!3, !5, null, null}", "!2 = !{!3, !5, null, !40}"),
    ):
        assert old in text
        text = text.replace(old, new)
    found = verify(code_of(text))
    return [each.message.partition(": ")[2] for each in found if each.code == "dxil.resource-kind"]


@pytest.mark.parametrize(
    ("call", "kinds", "problem"),
    [
        (SAMPLE, (K.TEXTURE_2D, K.RAW_BUFFER, S.DEFAULT), ""),
        (SAMPLE, (K.TEXTURE_3D, K.RAW_BUFFER, S.DEFAULT), ""),
        (
            SAMPLE,
            (K.TEXTURE_2DMS, K.RAW_BUFFER, S.DEFAULT),
            "as srv, got the SRV in (TEXTURE_2DMS)",
        ),
        (
            SAMPLE,
            (K.TYPED_BUFFER, K.RAW_BUFFER, S.DEFAULT),
            "as srv, got the SRV in (TYPED_BUFFER)",
        ),
        (SAMPLE, (K.TEXTURE_2D, 11, S.COMPARISON), "as sampler, got the sampler s (COMPARISON)"),
        (COMPARE, (K.TEXTURE_CUBE, K.RAW_BUFFER, S.COMPARISON), ""),
        (
            COMPARE,
            (K.TEXTURE_3D, 11, S.COMPARISON),
            "not in 3D as srv, got the SRV in (TEXTURE_3D)",
        ),
        (COMPARE, (K.TEXTURE_2D, 11, S.DEFAULT), "that compares as sampler, got the sampler s"),
        (GATHER, (K.TEXTURE_2D_ARRAY, K.RAW_BUFFER, S.DEFAULT), ""),
        (GATHER, (K.TEXTURE_1D, 11, S.DEFAULT), "as srv, got the SRV in (TEXTURE_1D)"),
        (LOAD.format("in"), (K.TYPED_BUFFER, K.RAW_BUFFER, 0), ""),
        (LOAD.format("out"), (K.RAW_BUFFER, K.STRUCTURED_BUFFER, 0), ""),
        (LOAD.format("in"), (K.TEXTURE_2D, 11, 0), "a buffer as srv, got the SRV in (TEXTURE_2D)"),
        (RAW_LOAD.format("in"), (K.STRUCTURED_BUFFER, K.RAW_BUFFER, 0), ""),
        (RAW_LOAD.format("in"), (K.TYPED_BUFFER, 11, 0), "a raw or structured buffer as srv, got"),
        (STORE.format("out"), (K.RAW_BUFFER, K.TYPED_BUFFER, 0), ""),
        (STORE.format("in"), (K.RAW_BUFFER, 11, 0), "that is written as uav, got the SRV in"),
        (STORE.format("out"), (K.RAW_BUFFER, K.TEXTURE_1D, 0), "got the UAV out (TEXTURE_1D)"),
        (TEXEL, (K.TEXTURE_2DMS_ARRAY, K.RAW_BUFFER, 0), ""),
        (TEXEL, (K.TEXTURE_CUBE, 11, 0), "that is no cube as srv, got the SRV in (TEXTURE_CUBE)"),
        (TEXEL_STORE, (K.RAW_BUFFER, K.TEXTURE_3D, 0), ""),
        (TEXEL_STORE, (K.RAW_BUFFER, K.TYPED_BUFFER, 0), "got the UAV out (TYPED_BUFFER)"),
        (ATOMIC.format("out"), (K.RAW_BUFFER, K.TEXTURE_2D, 0), ""),
        (ATOMIC.format("in"), (K.RAW_BUFFER, 11, 0), "as handle, got the SRV in (RAW_BUFFER)"),
        (COUNTER, (K.RAW_BUFFER, K.STRUCTURED_BUFFER, 0), ""),
        (COUNTER, (K.RAW_BUFFER, K.RAW_BUFFER, 0), "got the UAV out (RAW_BUFFER)"),
        (CONSTANTS, (K.RAW_BUFFER, 11, 0), "a constant buffer as handle, got the SRV in"),
        (RAY, (K.ACCELERATION_STRUCTURE, K.RAW_BUFFER, 0), ""),
        (RAY, (K.RAW_BUFFER, 11, 0), "an acceleration structure as accelerationStructure, got"),
    ],
)
def test_resources_of_operations(call: str, kinds: tuple[int, int, int], problem: str) -> None:
    found = problems(call, *kinds)
    assert len(found) == bool(problem)
    assert all(problem in each for each in found)


def test_several_operands() -> None:
    call = SAMPLE.replace("%s", "%out")
    found = problems(call, K.CBUFFER, K.RAW_BUFFER, 0)
    assert [each.partition(", got ")[2] for each in found] == [
        "the SRV in (CBUFFER)",
        "the UAV out (RAW_BUFFER)",
    ]


LOADED = (
    "call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, {}, i32 0, i32 undef, i8 1, i32 4)"
)
QUERY = "call i32 @dx.op.rayQuery_StateScalar.i32(i32 195, i32 {})"
HIT = "call i1 @dx.op.hitObject_StateScalar.i1(i32 269, %dx.types.HitObject {})"
REORDER = (
    "call void @dx.op.maybeReorderThread(i32 268, %dx.types.HitObject zeroinitializer, "
    "i32 {}, i32 {})"
)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (LOADED.format(f"{H} %in"), []),
        (LOADED.format(f"{H} undef"), ["srv"]),
        (LOADED.format(f"{H} zeroinitializer"), ["srv"]),
        (QUERY.format("0"), []),
        (QUERY.format("undef"), ["rayQueryHandle"]),
        (HIT.format("undef"), ["hitObject"]),
        (HIT.format("zeroinitializer"), []),
        (REORDER.format(241, 3), []),
        (REORDER.format("undef", 3), ["coherenceHint"]),
        (REORDER.format(241, "undef"), ["numCoherenceHintBitsFromLSB"]),
    ],
)
def test_operands_that_must_be_defined(call: str, names: list[str]) -> None:
    text = compute_text(call).replace(
        "%dx.types.Handle = type", "%dx.types.HitObject = type { i8* }\n%dx.types.Handle = type", 1
    )
    found = [each for each in verify(code_of(text)) if each.code == "dxil.undefined"]
    assert [each.message.rpartition(": ")[2] for each in found] == [
        f"{name} is undefined" for name in names
    ]
