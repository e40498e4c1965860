"""Target environments, and the capabilities that belong to an extension before some version."""

from ...tuples import NamedTuple

__all__ = ["ENVIRONMENTS", "extension_of"]

Version = tuple[int, int]

ENVIRONMENTS: dict[str, Version] = {
    "vulkan1.1": (1, 3), "vulkan1.2": (1, 5), "vulkan1.3": (1, 6),
}  # fmt: skip
NEVER = (9, 9)


class _Origin(NamedTuple):
    """The extension of a capability, and the version of SPIR-V that includes it."""

    extension: str
    core: Version


FLOAT_CONTROLS = _Origin("SPV_KHR_float_controls", (1, 4))
VIEWPORTS = _Origin("SPV_EXT_shader_viewport_index_layer", (1, 5))
BARYCENTRICS = _Origin("SPV_KHR_fragment_shader_barycentric", NEVER)
ORIGINS: dict[str, _Origin] = {
    "DenormPreserve": FLOAT_CONTROLS, "DenormFlushToZero": FLOAT_CONTROLS,
    "SignedZeroInfNanPreserve": FLOAT_CONTROLS,
    "DemoteToHelperInvocation": _Origin("SPV_EXT_demote_to_helper_invocation", (1, 6)),
    "ShaderViewportIndexLayerEXT": VIEWPORTS,
    "FragmentBarycentricKHR": BARYCENTRICS,
    "StencilExportEXT": _Origin("SPV_EXT_shader_stencil_export", NEVER),
    "StorageBuffer8BitAccess": _Origin("SPV_KHR_8bit_storage", (1, 5)),
    "RuntimeDescriptorArray": _Origin("SPV_EXT_descriptor_indexing", (1, 5)),
    "FragmentShaderPixelInterlockEXT": _Origin("SPV_EXT_fragment_shader_interlock", NEVER),
    "MeshShadingEXT": _Origin("SPV_EXT_mesh_shader", NEVER),
    "ComputeDerivativeGroupQuadsNV": _Origin("SPV_NV_compute_shader_derivatives", NEVER),
}  # fmt: skip


def extension_of(capability: str, version: Version) -> str:
    """Return the extension that declares a capability in a version of SPIR-V; "" if none does."""
    found = ORIGINS.get(capability)
    return found.extension if found is not None and version < found.core else ""
