"""Names of numbers in LLVM's YAML.

Source: LLVM, BinaryFormat/DXContainerConstants.def. Numbers without a name there are missing here.
"""

__all__ = [
    "COMPONENT_TYPES",
    "FEATURES",
    "INTERPOLATIONS",
    "MIN_PRECISIONS",
    "RESOURCE_KINDS",
    "RESOURCE_TYPES",
    "SEMANTICS",
    "SYSTEM_VALUES",
]


def _numbered(names: str) -> dict[int, str]:
    return dict(enumerate(names.split()))


SEMANTICS = _numbered(
    "Arbitrary VertexID InstanceID Position RenderTargetArrayIndex ViewPortArrayIndex"
    " ClipDistance CullDistance OutputControlPointID DomainLocation PrimitiveID GSInstanceID"
    " SampleIndex IsFrontFace Coverage InnerCoverage Target Depth DepthLessEqual DepthGreaterEqual"
    " StencilRef DispatchThreadID GroupID GroupIndex GroupThreadID TessFactor InsideTessFactor"
    " ViewID Barycentrics ShadingRate CullPrimitive"
)
COMPONENT_TYPES = _numbered(
    "Unknown UInt32 SInt32 Float32 UInt16 SInt16 Float16 UInt64 SInt64 Float64"
)
INTERPOLATIONS = _numbered(
    "Undefined Constant Linear LinearCentroid LinearNoperspective LinearNoperspectiveCentroid"
    " LinearSample LinearNoperspectiveSample Invalid"
)
MIN_PRECISIONS = _numbered("Default Float16 Float2_8 Reserved SInt16 UInt16") | {
    0xF0: "Any16",
    0xF1: "Any10",
}
RESOURCE_TYPES = _numbered(
    "Invalid Sampler CBV SRVTyped SRVRaw SRVStructured UAVTyped UAVRaw UAVStructured"
    " UAVStructuredWithCounter"
)
RESOURCE_KINDS = _numbered(
    "Invalid Texture1D Texture2D Texture2DMS Texture3D TextureCube Texture1DArray Texture2DArray"
    " Texture2DMSArray TextureCubeArray TypedBuffer RawBuffer StructuredBuffer CBuffer Sampler"
    " TBuffer RTAccelerationStructure FeedbackTexture2D FeedbackTexture2DArray"
)
SYSTEM_VALUES = _numbered(
    "Undefined Position ClipDistance CullDistance RenderTargetArrayIndex ViewPortArrayIndex"
    " VertexID PrimitiveID InstanceID IsFrontFace SampleIndex FinalQuadEdgeTessfactor"
    " FinalQuadInsideTessfactor FinalTriEdgeTessfactor FinalTriInsideTessfactor"
    " FinalLineDetailTessfactor FinalLineDensityTessfactor"
) | {
    23: "Barycentrics",
    24: "ShadingRate",
    25: "CullPrimitive",
    64: "Target",
    65: "Depth",
    66: "Coverage",
    67: "DepthGE",
    68: "DepthLE",
    69: "StencilRef",
    70: "InnerCoverage",
}
# The bits of SFI0; LLVM 19 has the first 31, and calls the next one NextUnusedBit.
FEATURES = (
    "Doubles",
    "ComputeShadersPlusRawAndStructuredBuffers",
    "UAVsAtEveryStage",
    "Max64UAVs",
    "MinimumPrecision",
    "DX11_1_DoubleExtensions",
    "DX11_1_ShaderExtensions",
    "LEVEL9ComparisonFiltering",
    "TiledResources",
    "StencilRef",
    "InnerCoverage",
    "TypedUAVLoadAdditionalFormats",
    "ROVs",
    "ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer",
    "WaveOps",
    "Int64Ops",
    "ViewID",
    "Barycentrics",
    "NativeLowPrecision",
    "ShadingRate",
    "Raytracing_Tier_1_1",
    "SamplerFeedback",
    "AtomicInt64OnTypedResource",
    "AtomicInt64OnGroupShared",
    "DerivativesInMeshAndAmpShaders",
    "ResourceDescriptorHeapIndexing",
    "SamplerDescriptorHeapIndexing",
    "RESERVED",
    "AtomicInt64OnHeapResource",
    "AdvancedTextureOps",
    "WriteableMSAATextures",
    "SampleCmpWithGradientOrBias",
    "ExtendedCommandInfo",
)
