"""Hardware features that a program requires beyond its shader model, by its declarations.

    dcl_uav_typed_buffer (…) u9     Max64UAVs: older hardware has u0 to u7

fxc writes SFI0 only if a program requires a feature, and strippers remove it. The formats of typed
loads are not declared, so TypedUAVLoadAdditionalFormats is the only feature that is in SFI0 alone.
Names are the names of the bits of SFI0.
"""

from ....model import Stage, SystemValue
from .gathering import Gathering

OF_FLAGS = {
    "enableDoublePrecisionFloatOps": "Doubles",
    "enableMinimumPrecision": "MinimumPrecision",
    "enable11_1DoubleExtensions": "DX11_1_DoubleExtensions",
    "enable11_1ShaderExtensions": "DX11_1_ShaderExtensions",
}
RAW_BUFFERS = "enableRawAndStructuredBuffers"
LAYERS = (SystemValue.RENDER_TARGET_ARRAY_INDEX, SystemValue.VIEWPORT_ARRAY_INDEX)
OLD_VIEWS = 8
# Looking up a member of an enumeration takes as long as a call in Python 3.11.
WITH_VIEWS = (Stage.PIXEL, Stage.COMPUTE)
BEFORE_RASTERIZER = (Stage.VERTEX, Stage.DOMAIN)
INNER_COVERAGE = SystemValue.INNER_COVERAGE


def features(found: Gathering) -> list[str]:
    """Return the names of the required features."""
    facts = found.facts
    stage = facts.stage
    flags = facts.global_flags
    needed = [OF_FLAGS[flag] for flag in flags if flag in OF_FLAGS]
    if RAW_BUFFERS in flags and (facts.model or "").startswith("4."):
        needed.append("ComputeShadersPlusRawAndStructuredBuffers")
    views = [each.resource for each in facts.resources if each.resource.writable]
    if views:
        if stage not in WITH_VIEWS:
            needed.append("UAVsAtEveryStage")
        if any(each.count is None or each.register + each.count > OLD_VIEWS for each in views):
            needed.append("Max64UAVs")
        if any(each.rasterizer_ordered for each in views):
            needed.append("ROVs")
    if found.tiled:
        needed.append("TiledResources")
    if found.stencil_ref:
        needed.append("StencilRef")
    builtins = facts.builtins
    if builtins and any(each.slot.place == INNER_COVERAGE for each in builtins):
        needed.append("InnerCoverage")
    layered = stage in BEFORE_RASTERIZER and any(
        each.system_value in LAYERS for each in facts.outputs
    )
    if layered:
        needed.append("ViewportAndRTArrayIndexFromAnyShader")
    return needed
