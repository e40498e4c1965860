"""SFI0: hardware features that a shader requires beyond its shader model, one bit each. 8 bytes.

Bit 1 differs from the flags of the reflection API: in D3D_SHADER_REQUIRES_* it means early
depth-stencil tests, which SFI0 does not record.

Source: LLVM DXContainerConstants.def, DXC RDAT_LibraryTypes.inl, d3d12shader.h (bit 27).
"""

from ....wire import Record, field, u64
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind

FEATURES = (
    (0, "Doubles", "double-precision floating point"),
    (1, "ComputeShadersPlusRawAndStructuredBuffers", "raw and structured buffers on 4.x"),
    (2, "UAVsAtEveryStage", "UAVs at every stage"),
    (3, "Max64UAVs", "64 UAV slots"),
    (4, "MinimumPrecision", "minimum-precision data types"),
    (5, "DX11_1_DoubleExtensions", "double extensions of 11.1"),
    (6, "DX11_1_ShaderExtensions", "shader extensions of 11.1"),
    (7, "LEVEL9ComparisonFiltering", "comparison filtering on feature level 9"),
    (8, "TiledResources", "tiled resources"),
    (9, "StencilRef", "PS output stencil reference"),
    (10, "InnerCoverage", "PS inner coverage"),
    (11, "TypedUAVLoadAdditionalFormats", "typed UAV loads of more formats"),
    (12, "ROVs", "rasterizer ordered views"),
    (13, "ViewportAndRTArrayIndexFromAnyShader", "viewport or target index from any stage"),
    (14, "WaveOps", "wave intrinsics"),
    (15, "Int64Ops", "64-bit integers"),
    (16, "ViewID", "view instancing"),
    (17, "Barycentrics", "barycentrics"),
    (18, "NativeLowPrecision", "native 16-bit types"),
    (19, "ShadingRate", "shading rate"),
    (20, "Raytracing_Tier_1_1", "raytracing tier 1.1"),
    (21, "SamplerFeedback", "sampler feedback"),
    (22, "AtomicInt64OnTypedResource", "64-bit atomics on typed resources"),
    (23, "AtomicInt64OnGroupShared", "64-bit atomics on group-shared memory"),
    (24, "DerivativesInMeshAndAmpShaders", "derivatives in mesh and amplification shaders"),
    (25, "ResourceDescriptorHeapIndexing", "resource descriptor heap indexing"),
    (26, "SamplerDescriptorHeapIndexing", "sampler descriptor heap indexing"),
    (27, "WaveMMA", "wave matrix operations"),
    (28, "AtomicInt64OnHeapResource", "64-bit atomics on heap resources"),
    (29, "AdvancedTextureOps", "advanced texture operations"),
    (30, "WriteableMSAATextures", "writeable multisampled textures"),
    (31, "SampleCmpGradientOrBias", "SampleCmp with gradient or bias"),
    (32, "ExtendedCommandInfo", "extended command information"),
)
NAMES = {bit: name for bit, name, _ in FEATURES}


class FeatureInfo(Record, source="LLVM DXContainerConstants.def"):
    """The SFI0 part."""

    flags: u64 = field("required features, one bit each")


def feature_names(flags: int) -> list[str]:
    """Return the names of the set bits; `bit N` for a bit without a name."""
    return [NAMES.get(bit, f"bit {bit}") for bit in range(flags.bit_length()) if flags >> bit & 1]


PARTS = {
    "SFI0": PartDescription(
        "required features",
        Category.INTERFACE,
        RecordKind(FeatureInfo),
        llvm=LlvmForm("Flags", "programs:FEATURES_FORM"),
    )
}
