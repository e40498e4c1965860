"""Names of numbers, as LLVM's DXContainerConstants.def lists them."""

import pytest

from tests.enumerators import enumerators
from unshade.formats.dxcontainer.llvm_yaml import names

# DXContainerConstants.def: the name and number of each line, where the last is not one more.
LISTS = {
    "SEMANTICS": """
        Arbitrary VertexID InstanceID Position RenderTargetArrayIndex ViewPortArrayIndex
        ClipDistance CullDistance OutputControlPointID DomainLocation PrimitiveID GSInstanceID
        SampleIndex IsFrontFace Coverage InnerCoverage Target Depth DepthLessEqual
        DepthGreaterEqual StencilRef DispatchThreadID GroupID GroupIndex GroupThreadID TessFactor
        InsideTessFactor ViewID Barycentrics ShadingRate CullPrimitive
    """,
    "COMPONENT_TYPES": "Unknown UInt32 SInt32 Float32 UInt16 SInt16 Float16 UInt64 SInt64 Float64",
    "INTERPOLATIONS": """
        Undefined Constant Linear LinearCentroid LinearNoperspective LinearNoperspectiveCentroid
        LinearSample LinearNoperspectiveSample Invalid
    """,
    "MIN_PRECISIONS": "Default Float16 Float2_8 Reserved SInt16 UInt16 Any16=0xf0 Any10=0xf1",
    "RESOURCE_TYPES": """
        Invalid Sampler CBV SRVTyped SRVRaw SRVStructured UAVTyped UAVRaw UAVStructured
        UAVStructuredWithCounter
    """,
    "RESOURCE_KINDS": """
        Invalid Texture1D Texture2D Texture2DMS Texture3D TextureCube Texture1DArray Texture2DArray
        Texture2DMSArray TextureCubeArray TypedBuffer RawBuffer StructuredBuffer CBuffer Sampler
        TBuffer RTAccelerationStructure FeedbackTexture2D FeedbackTexture2DArray
    """,
    "SYSTEM_VALUES": """
        Undefined Position ClipDistance CullDistance RenderTargetArrayIndex ViewPortArrayIndex
        VertexID PrimitiveID InstanceID IsFrontFace SampleIndex FinalQuadEdgeTessfactor
        FinalQuadInsideTessfactor FinalTriEdgeTessfactor FinalTriInsideTessfactor
        FinalLineDetailTessfactor FinalLineDensityTessfactor Barycentrics=23 ShadingRate
        CullPrimitive Target=64 Depth Coverage DepthGE DepthLE StencilRef InnerCoverage
    """,
}


@pytest.mark.parametrize("name", LISTS)
def test_names(name: str) -> None:
    expected = {number: each for each, number in enumerators(LISTS[name]).items()}
    assert getattr(names, name) == expected


def test_features_are_bits_in_order() -> None:
    places = {"Doubles": 0, "MinimumPrecision": 4, "LEVEL9ComparisonFiltering": 7, "ROVs": 12,
              "WaveOps": 14, "Int64Ops": 15, "NativeLowPrecision": 18, "SamplerFeedback": 21,
              "SamplerDescriptorHeapIndexing": 26, "AtomicInt64OnHeapResource": 28}  # fmt: skip
    assert {name: names.FEATURES.index(name) for name in places} == places
