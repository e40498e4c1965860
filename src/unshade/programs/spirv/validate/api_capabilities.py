"""Capabilities that the APIs accept without an extension, whether required or optional.

Sources: Vulkan specification, appendix A (Capabilities); OpenCL SPIR-V environment specification.
"""

from functools import cache

from .environment import Environment

__all__ = ["allowed"]

VULKAN = {
    (1, 0): """
        Matrix Shader InputAttachment Sampled1D Image1D SampledBuffer ImageBuffer ImageQuery
        DerivativeControl Geometry Tessellation Float64 Int64 Int16 TessellationPointSize
        GeometryPointSize ImageGatherExtended StorageImageMultisample
        UniformBufferArrayDynamicIndexing SampledImageArrayDynamicIndexing
        StorageBufferArrayDynamicIndexing StorageImageArrayDynamicIndexing ClipDistance
        CullDistance ImageCubeArray SampleRateShading SparseResidency MinLod SampledCubeArray
        ImageMSArray StorageImageExtendedFormats InterpolationFunction
        StorageImageReadWithoutFormat StorageImageWriteWithoutFormat MultiViewport Int64Atomics
        TransformFeedback GeometryStreams Float16 Int8 BFloat16TypeKHR Float8EXT Float4EXT
        Float6EXT Float8UnsignedE8M0EXT MXInt8EXT BitcastExtractEXT PushConstantBanksNV""",
    (1, 1): """
        DeviceGroup MultiView GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic
        GroupNonUniformBallot GroupNonUniformShuffle GroupNonUniformShuffleRelative
        GroupNonUniformClustered GroupNonUniformQuad DrawParameters StorageUniformBufferBlock16
        StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess StorageUniform16
        StoragePushConstant16 StorageInputOutput16 VariablePointersStorageBuffer
        VariablePointers""",
    (1, 2): """
        ShaderNonUniform DenormPreserve DenormFlushToZero SignedZeroInfNanPreserve
        RoundingModeRTE RoundingModeRTZ VulkanMemoryModel VulkanMemoryModelDeviceScope
        StorageBuffer8BitAccess UniformAndStorageBuffer8BitAccess StoragePushConstant8
        ShaderViewportIndex ShaderLayer PhysicalStorageBufferAddresses RuntimeDescriptorArray
        UniformTexelBufferArrayDynamicIndexing StorageTexelBufferArrayDynamicIndexing
        UniformBufferArrayNonUniformIndexing SampledImageArrayNonUniformIndexing
        StorageBufferArrayNonUniformIndexing StorageImageArrayNonUniformIndexing
        InputAttachmentArrayNonUniformIndexing UniformTexelBufferArrayNonUniformIndexing
        StorageTexelBufferArrayNonUniformIndexing InputAttachmentArrayDynamicIndexing""",
    (1, 3): """
        DotProduct DotProductInputAll DotProductInput4x8Bit DotProductInput4x8BitPacked
        DemoteToHelperInvocation""",
    (1, 4): "FloatControls2",
}
OPENCL = {
    (1, 2): """
        Addresses Float16Buffer Int16 Int8 Kernel Linkage Vector16 Int64 ImageBasic Float64
        Float16""",
    (2, 0): "DeviceEnqueue GenericPointer Groups Pipes",
    (2, 2): "SubgroupDispatch PipeStorage",
}
# Those that ImageBasic brings with it.
OPENCL_IMAGES = {
    (1, 2): "LiteralSampler Sampled1D Image1D SampledBuffer ImageBuffer",
    (2, 0): "ImageReadWrite",
}


def _until(table: dict[tuple[int, int], str], api: tuple[int, int]) -> set[str]:
    return {name for since, names in table.items() if since <= api for name in names.split()}


@cache
def allowed(environment: Environment, images: bool) -> frozenset[str]:
    """Return the names of an API's capabilities; `images`: the module has ImageBasic."""
    if environment.vulkan:
        return frozenset(_until(VULKAN, environment.api))
    found = _until(OPENCL, environment.api)
    if images:
        found |= _until(OPENCL_IMAGES, environment.api)
    if environment.embedded:
        found -= {"Int64"}
    return frozenset(found)
