"""Names of numbers, as LLVM's DXContainerConstants.def lists them."""

from enum import IntEnum

import pytest

from tests.enumerators import enumerators
from unshade.formats.dxcontainer.llvm_yaml import names
from unshade.formats.dxcontainer.parts.psv0 import PsvResourceType
from unshade.vocab.d3d import D3DMinPrecision, D3DName, RegisterComponentType
from unshade.vocab.dxil import DxilInterpolation, DxilResourceKind, DxilSemantic

# DXContainerConstants.def: the name and number of each line, where the last is not one more.
LISTS: dict[type[IntEnum], str] = {
    DxilSemantic: """
        Arbitrary VertexID InstanceID Position RenderTargetArrayIndex ViewPortArrayIndex
        ClipDistance CullDistance OutputControlPointID DomainLocation PrimitiveID GSInstanceID
        SampleIndex IsFrontFace Coverage InnerCoverage Target Depth DepthLessEqual
        DepthGreaterEqual StencilRef DispatchThreadID GroupID GroupIndex GroupThreadID TessFactor
        InsideTessFactor ViewID Barycentrics ShadingRate CullPrimitive
    """,
    RegisterComponentType: """
        Unknown UInt32 SInt32 Float32 UInt16 SInt16 Float16 UInt64 SInt64 Float64
    """,
    DxilInterpolation: """
        Undefined Constant Linear LinearCentroid LinearNoperspective LinearNoperspectiveCentroid
        LinearSample LinearNoperspectiveSample Invalid
    """,
    D3DMinPrecision: "Default Float16 Float2_8 Reserved SInt16 UInt16 Any16=0xf0 Any10=0xf1",
    PsvResourceType: """
        Invalid Sampler CBV SRVTyped SRVRaw SRVStructured UAVTyped UAVRaw UAVStructured
        UAVStructuredWithCounter
    """,
    DxilResourceKind: """
        Invalid Texture1D Texture2D Texture2DMS Texture3D TextureCube Texture1DArray Texture2DArray
        Texture2DMSArray TextureCubeArray TypedBuffer RawBuffer StructuredBuffer CBuffer Sampler
        TBuffer RTAccelerationStructure FeedbackTexture2D FeedbackTexture2DArray
    """,
    D3DName: """
        Undefined Position ClipDistance CullDistance RenderTargetArrayIndex ViewPortArrayIndex
        VertexID PrimitiveID InstanceID IsFrontFace SampleIndex FinalQuadEdgeTessfactor
        FinalQuadInsideTessfactor FinalTriEdgeTessfactor FinalTriInsideTessfactor
        FinalLineDetailTessfactor FinalLineDensityTessfactor Barycentrics=23 ShadingRate
        CullPrimitive Target=64 Depth Coverage DepthGE DepthLE StencilRef InnerCoverage
    """,
}


@pytest.mark.parametrize("enum", LISTS)
def test_names(enum: type[IntEnum]) -> None:
    expected = {number: each for each, number in enumerators(LISTS[enum]).items()}
    assert names.names_of(enum) == expected


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("start_row", "StartRow"),
        ("uses_view_id", "UsesViewID"),
        ("mip_lod_bias", "MipLODBias"),
        ("TEXTURE_2DMS_ARRAY", "Texture2DMSArray"),
        ("CONSTANTS_32BIT", "Constants32Bit"),
        ("SINT_16", "SInt16"),
        ("OPAQUE_WHITE_UINT", "OpaqueWhiteUint"),
        ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED", "CBVSRVUAVHeapDirectlyIndexed"),
    ],
)
def test_spellings(ours: str, theirs: str) -> None:
    assert names.spelled(ours) == theirs


def test_features_are_bits_in_order() -> None:
    places = {"Doubles": 0, "MinimumPrecision": 4, "LEVEL9ComparisonFiltering": 7, "ROVs": 12,
              "WaveOps": 14, "Int64Ops": 15, "NativeLowPrecision": 18, "SamplerFeedback": 21,
              "SamplerDescriptorHeapIndexing": 26, "AtomicInt64OnHeapResource": 28}  # fmt: skip
    assert {name: names.FEATURES.index(name) for name in places} == places
