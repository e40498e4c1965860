"""Words of the vocabulary for the numbers of DxilConstants.h and DxilShaderFlags.h."""

import pytest

from unshade.programs.dxil.facts import words

# DXIL::ComponentType: the scalar of HLSL, the type in a register, the type that a resource returns.
COMPONENTS = """
    1  bool     uint32  uint        2  int16_t  sint16  sint      3  uint16_t uint16  uint
    4  int      sint32  sint        5  uint     uint32  uint      6  int64_t  sint64  sint
    7  uint64_t uint64  uint        8  half     float16 float     9  float    float32 float
    10 double   float64 double      11 half     -       snorm     12 half     -       unorm
    13 float    -       snorm       14 float    -       unorm     15 double   -       snorm
    16 double   -       unorm       17 -        -       sint      18 -        -       uint
"""
WORDS = COMPONENTS.split()
ROWS = [tuple(WORDS[at : at + 4]) for at in range(0, len(WORDS), 4)]


@pytest.mark.parametrize(("number", "scalar", "register", "returned"), ROWS)
def test_types_of_components(number: str, scalar: str, register: str, returned: str) -> None:
    found = [table.get(int(number), "-") for table in (words.SCALARS, words.COMPONENTS)]
    assert found == [scalar, register]
    assert words.RETURNS[int(number)] == returned


def test_no_other_types_of_components() -> None:
    known = {int(number) for number, *_ in ROWS}
    assert set(words.SCALARS) | set(words.COMPONENTS) | set(words.RETURNS) == known


def test_kinds_of_resources() -> None:
    """DXIL::ResourceKind, from Texture1D on."""
    found = [(kind.value, dimension) for kind, dimension in words.KINDS.values()]
    assert list(words.KINDS) == [*range(1, 14), *range(15, 19)]
    assert found == [
        ("texture", "1d"), ("texture", "2d"), ("texture", "2dms"), ("texture", "3d"),
        ("texture", "cube"), ("texture", "1darray"), ("texture", "2darray"),
        ("texture", "2dmsarray"), ("texture", "cubearray"), ("typed_buffer", "buffer"),
        ("raw_buffer", "buffer"), ("structured_buffer", "buffer"), ("constant_buffer", None),
        ("texture_buffer", "buffer"), ("acceleration_structure", None),
        ("feedback_texture", "2d"), ("feedback_texture", "2darray"),
    ]  # fmt: skip


# By bit of the flags of a shader (ShaderFlags in DxilShaderFlags.h).
FLAGS = {
    0: "disableOptimizations", 1: "disableMathRefactoring", 2: "enableDoublePrecision",
    3: "forceEarlyDepthStencil", 4: "enableRawAndStructuredBuffers", 5: "enableMinimumPrecision",
    6: "enableDoubleExtensions", 7: "enableMSAD", 8: "allResourcesBound",
}  # fmt: skip
FEATURES = {
    2: "Doubles", 6: "DX11_1_DoubleExtensions", 7: "DX11_1_ShaderExtensions",
    9: "ViewportAndRTArrayIndexFromAnyShader", 10: "InnerCoverage", 11: "StencilRef",
    12: "TiledResources", 13: "TypedUAVLoadAdditionalFormats", 14: "LEVEL9ComparisonFiltering",
    15: "Max64UAVs", 16: "UAVsAtEveryStage", 17: "ComputeShadersPlusRawAndStructuredBuffers",
    18: "ROVs", 19: "WaveOps", 20: "Int64Ops", 21: "ViewID", 22: "Barycentrics", 24: "ShadingRate",
    25: "Raytracing_Tier_1_1", 26: "SamplerFeedback", 27: "AtomicInt64OnTypedResource",
    28: "AtomicInt64OnGroupShared", 29: "DerivativesInMeshAndAmpShaders",
    30: "ResourceDescriptorHeapIndexing", 31: "SamplerDescriptorHeapIndexing",
    32: "AtomicInt64OnHeapResource", 34: "AdvancedTextureOps", 35: "WriteableMSAATextures",
    37: "SampleCmpGradientOrBias", 38: "ExtendedCommandInfo",
}  # fmt: skip


def test_flags() -> None:
    assert dict(words.FLAGS) == FLAGS


@pytest.mark.parametrize("bit", range(64))
def test_a_flag_requires_a_feature(bit: int) -> None:
    expected = [FEATURES[bit]] if bit in FEATURES else []
    if bit == 5:
        expected = ["MinimumPrecision"]
    assert words.features(1 << bit) == expected


def test_minimum_precision_is_native_with_another_flag() -> None:
    assert words.features(1 << 5 | 1 << 23) == ["NativeLowPrecision"]
    assert words.features(1 << 23) == []


def test_system_values() -> None:
    """DXIL::SemanticKind: names of the vocabulary that differ."""
    found = {
        number: words.SEMANTICS[number].value for number in (21, 22, 23, 24, 27, 29, 30, 31, 32)
    }
    assert found == {
        21: "thread_id", 22: "thread_group_id", 23: "thread_id_in_group_flattened",
        24: "thread_id_in_group", 27: "view_index", 29: "shadingrate", 30: "cullprimitive",
        31: "base_vertex", 32: "base_instance",
    }  # fmt: skip
    assert [words.SEMANTICS[number].value for number in (3, 10, 16, 17)] == [
        "position", "primitive_id", "target", "depth",
    ]  # fmt: skip
