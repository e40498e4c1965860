"""Hardware features that shaders require beyond their shader model, in the order of SFI0's bits.

    0x0000_4001        SFI0, RDAT     Doubles, WaveOps
    0x0008_0004        the flags of an entry point in DXIL
    ; Note: shader requires additional functionality:
    ;       Wave level operations

Source: LLVM DXContainerConstants.def; DXC RDAT_LibraryTypes.inl and DxilShaderFlags.h; bit 27 of
d3d12shader.h; listings of dxc and fxc; DXC dxcdisassembler.cpp for features that no listing shows.
"""

from ..tuples import NamedTuple

__all__ = ["FEATURES", "Feature"]


class Feature(NamedTuple):
    """A feature and its spellings.

    name      in RDAT and in reports
    flag      the bit of the flags of an entry point in DXIL; None if no bit stands for it alone
    text      on pages
    listed    in listings of dxc
    fxc       in listings of fxc, if it differs there
    llvm      in LLVM's YAML, if it differs there
    """

    name: str
    flag: int | None
    text: str
    listed: str
    fxc: str = ""
    llvm: str = ""


FEATURES = (
    Feature("Doubles", 2, "double-precision floating point", "Double-precision floating point"),
    Feature(
        "ComputeShadersPlusRawAndStructuredBuffers",
        17,
        "raw and structured buffers on 4.x",
        "Raw and Structured buffers",
        fxc="Early depth-stencil",
    ),
    Feature("UAVsAtEveryStage", 16, "UAVs at every stage", "UAVs at every shader stage"),
    Feature("Max64UAVs", 15, "64 UAV slots", "64 UAV slots"),
    Feature(
        "MinimumPrecision",
        None,
        "minimum-precision data types",
        "Minimum-precision data types",
    ),
    Feature(
        "DX11_1_DoubleExtensions",
        6,
        "double extensions of 11.1",
        "Double-precision extensions for 11.1",
    ),
    Feature(
        "DX11_1_ShaderExtensions",
        7,
        "shader extensions of 11.1",
        "Shader extensions for 11.1",
    ),
    Feature(
        "LEVEL9ComparisonFiltering",
        14,
        "comparison filtering on feature level 9",
        "Comparison filtering for feature level 9",
    ),
    Feature("TiledResources", 12, "tiled resources", "Tiled resources"),
    Feature("StencilRef", 11, "PS output stencil reference", "PS Output Stencil Ref"),
    Feature("InnerCoverage", 10, "PS inner coverage", "PS Inner Coverage"),
    Feature(
        "TypedUAVLoadAdditionalFormats",
        13,
        "typed UAV loads of more formats",
        "Typed UAV Load Additional Formats",
    ),
    Feature("ROVs", 18, "rasterizer ordered views", "Raster Ordered UAVs"),
    Feature(
        "ViewportAndRTArrayIndexFromAnyShader",
        9,
        "viewport or target index from any stage",
        "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
        llvm="ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer",
    ),
    Feature("WaveOps", 19, "wave intrinsics", "Wave level operations"),
    Feature("Int64Ops", 20, "64-bit integers", "64-Bit integer"),
    Feature("ViewID", 21, "view instancing", "View Instancing"),
    Feature("Barycentrics", 22, "barycentrics", "Barycentrics"),
    Feature("NativeLowPrecision", None, "native 16-bit types", "Use native low precision"),
    Feature("ShadingRate", 24, "shading rate", "Shading Rate"),
    Feature("Raytracing_Tier_1_1", 25, "raytracing tier 1.1", "Raytracing tier 1.1 features"),
    Feature("SamplerFeedback", 26, "sampler feedback", "Sampler feedback"),
    Feature(
        "AtomicInt64OnTypedResource",
        27,
        "64-bit atomics on typed resources",
        "64-bit Atomics on Typed Resources",
    ),
    Feature(
        "AtomicInt64OnGroupShared",
        28,
        "64-bit atomics on group-shared memory",
        "64-bit Atomics on Group Shared",
    ),
    Feature(
        "DerivativesInMeshAndAmpShaders",
        29,
        "derivatives in mesh and amplification shaders",
        "Derivatives in mesh and amplification shaders",
    ),
    Feature(
        "ResourceDescriptorHeapIndexing",
        30,
        "resource descriptor heap indexing",
        "Resource descriptor heap indexing",
    ),
    Feature(
        "SamplerDescriptorHeapIndexing",
        31,
        "sampler descriptor heap indexing",
        "Sampler descriptor heap indexing",
    ),
    Feature("WaveMMA", None, "wave matrix operations", "Wave Matrix", llvm="RESERVED"),
    Feature(
        "AtomicInt64OnHeapResource",
        32,
        "64-bit atomics on heap resources",
        "64-bit Atomics on Heap Resources",
    ),
    Feature("AdvancedTextureOps", 34, "advanced texture operations", "Advanced Texture Ops"),
    Feature(
        "WriteableMSAATextures",
        35,
        "writeable multisampled textures",
        "Writeable MSAA Textures",
    ),
    Feature(
        "SampleCmpGradientOrBias",
        37,
        "SampleCmp with gradient or bias",
        "SampleCmp with gradient or bias",
        llvm="SampleCmpWithGradientOrBias",
    ),
    Feature("ExtendedCommandInfo", 38, "extended command information", "Extended command info"),
)
