"""What a program asks of the hardware, seen from its declarations, for files without SFI0.

    dcl_uav_typed_buffer (…) u9     Max64UAVs: older hardware has u0 to u7

fxc writes SFI0 only where it asks for something, and strippers drop it. What a typed load needs is
not declared: TypedUAVLoadAdditionalFormats is the one feature that only SFI0 tells.
"""

from ....model import Builtin, Stage
from ....programs.tpf.enumerations import Name
from ..parts.sfi0 import FEATURES
from .program_facts import ProgramFacts

OF_FLAGS = {
    "enableDoublePrecisionFloatOps": "Doubles",
    "enableMinimumPrecision": "MinimumPrecision",
    "enable11_1DoubleExtensions": "DX11_1_DoubleExtensions",
    "enable11_1ShaderExtensions": "DX11_1_ShaderExtensions",
}
LAYERS = (Name.RENDER_TARGET_ARRAY_INDEX, Name.VIEWPORT_ARRAY_INDEX)
OLD_VIEWS = 8


def features_of(declared: ProgramFacts, stage: str | None, model: str) -> list[str]:
    """Names of SFI0's bits, in their order."""
    views = [each for each in declared.resources if each.writable]
    found = {OF_FLAGS[flag] for flag in declared.global_flags if flag in OF_FLAGS}
    if model.startswith("4") and "enableRawAndStructuredBuffers" in declared.global_flags:
        found.add("ComputeShadersPlusRawAndStructuredBuffers")
    if views and stage not in (Stage.PIXEL, Stage.COMPUTE):
        found.add("UAVsAtEveryStage")
    if any(each.count is None or each.register + each.count > OLD_VIEWS for each in views):
        found.add("Max64UAVs")
    if any(each.rasterizer_ordered for each in views):
        found.add("ROVs")
    if declared.tiled:
        found.add("TiledResources")
    if declared.stencil_ref:
        found.add("StencilRef")
    if Builtin.INNER_COVERAGE in declared.builtins:
        found.add("InnerCoverage")
    layered = any(each.system_value in LAYERS for each in declared.outputs)
    if layered and stage in (Stage.VERTEX, Stage.DOMAIN):
        found.add("ViewportAndRTArrayIndexFromAnyShader")
    return [name for _, name, _ in FEATURES if name in found]
