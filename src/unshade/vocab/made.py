"""Names of the instruction sets and languages that compilers and translations make.

They are the names of programs and of formats, for which other code asks the formats; a compiler or
a translation makes one that no file decides.
"""

from typing import Literal, TypeAlias

__all__ = [
    "CALLED", "DXIL", "TPF", "TRANSLATIONS", "VULKAN_MODULE", "WEBGPU_SOURCE", "VulkanModule",
    "WebGpuSource",
]  # fmt: skip

VulkanModule: TypeAlias = Literal["spirv"]
WebGpuSource: TypeAlias = Literal["wgsl"]
TPF, DXIL = "tpf", "dxil"
CALLED = {TPF: "Direct3D bytecode", DXIL: "DXIL", "spirv": "SPIR-V"}  # in sentences
VULKAN_MODULE: VulkanModule = "spirv"
WEBGPU_SOURCE: WebGpuSource = "wgsl"
TRANSLATIONS = (VULKAN_MODULE, WEBGPU_SOURCE)
