"""The features of SFI0 and the flags of entry points in DXIL: the numbers of their bits."""

import pytest

from tests.enumerators import enumerators
from unshade.vocab.features import FEATURES

pytestmark = pytest.mark.fast

# DXC DxilShaderFlags.h: bits of the flags of an entry point, by the name of the feature
FLAGS = """
    Doubles=2 DX11_1_DoubleExtensions=6 DX11_1_ShaderExtensions=7
    ViewportAndRTArrayIndexFromAnyShader=9 InnerCoverage=10 StencilRef=11 TiledResources=12
    TypedUAVLoadAdditionalFormats=13 LEVEL9ComparisonFiltering=14 Max64UAVs=15
    UAVsAtEveryStage=16 ComputeShadersPlusRawAndStructuredBuffers=17 ROVs=18 WaveOps=19
    Int64Ops=20 ViewID=21 Barycentrics=22 ShadingRate=24 Raytracing_Tier_1_1=25
    SamplerFeedback=26 AtomicInt64OnTypedResource=27 AtomicInt64OnGroupShared=28
    DerivativesInMeshAndAmpShaders=29 ResourceDescriptorHeapIndexing=30
    SamplerDescriptorHeapIndexing=31 AtomicInt64OnHeapResource=32 AdvancedTextureOps=34
    WriteableMSAATextures=35 SampleCmpGradientOrBias=37 ExtendedCommandInfo=38
"""
# d3d12shader.h, D3D_SHADER_REQUIRES_…: bits of SFI0 that no flag of an entry point stands for
OTHERS = {"MinimumPrecision": 4, "NativeLowPrecision": 18, "WaveMMA": 27}


def test_flags_of_entry_points() -> None:
    flags = {each.name: each.flag for each in FEATURES if each.flag is not None}
    assert flags == enumerators(FLAGS)


def test_bits_of_sfi0() -> None:
    without = {each.name: at for at, each in enumerate(FEATURES) if each.flag is None}
    assert without == OTHERS
    assert [each.name for each in FEATURES] == [
        "Doubles", "ComputeShadersPlusRawAndStructuredBuffers", "UAVsAtEveryStage", "Max64UAVs",
        "MinimumPrecision", "DX11_1_DoubleExtensions", "DX11_1_ShaderExtensions",
        "LEVEL9ComparisonFiltering", "TiledResources", "StencilRef", "InnerCoverage",
        "TypedUAVLoadAdditionalFormats", "ROVs", "ViewportAndRTArrayIndexFromAnyShader", "WaveOps",
        "Int64Ops", "ViewID", "Barycentrics", "NativeLowPrecision", "ShadingRate",
        "Raytracing_Tier_1_1", "SamplerFeedback", "AtomicInt64OnTypedResource",
        "AtomicInt64OnGroupShared", "DerivativesInMeshAndAmpShaders",
        "ResourceDescriptorHeapIndexing", "SamplerDescriptorHeapIndexing", "WaveMMA",
        "AtomicInt64OnHeapResource", "AdvancedTextureOps", "WriteableMSAATextures",
        "SampleCmpGradientOrBias", "ExtendedCommandInfo",
    ]  # fmt: skip
