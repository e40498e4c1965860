"""The rules of pipelines, in the words of the API that enforces them.

    link.register   D3D11 #343   D3D12 #660   "… defined for mismatched hardware registers …"
    link.missing    D3D11 #342   D3D12 #666   Vulkan VUID-RuntimeSpirv-OpEntryPoint-08743

A rule has a code and a severity for all APIs. `words` is the sentence of the debug layer of
Direct3D, in which {semantic} and {index} are replaced; `d3d11`, `d3d12` and `vulkan` identify the
message of each API, and are empty where the API has no such rule.

Source: d3d11sdklayers.h and d3d12sdklayers.h (numbers and names of messages), published logs of the
debug layers (sentences), the Vulkan specification (valid usage identifiers).
"""
# ruff: noqa: E501

from typing import NamedTuple

from ...errors import Severity
from ...rule import Rule, table

__all__ = ["BY_CODE", "DIRECT3D", "RULES", "VULKAN", "LinkRule", "reference"]

DIRECT3D, VULKAN = "direct3d", "vulkan"  # `Format.pipelines`
E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE
INCOMPATIBLE = "Signatures between stages are incompatible. "
PSO = "CREATEGRAPHICSPIPELINESTATE_"


class LinkRule(NamedTuple):
    """A rule of pipelines; the last fields identify the message of each API."""

    code: str
    severity: Severity
    summary: str
    explanation: str
    words: str = ""
    d3d11: str = ""
    d3d12: str = ""
    vulkan: str = ""


# fmt: off
LINKS = (
    # ---- outputs against inputs
    LinkRule("link.missing",        E, "a stage reads an input that the stage before does not write", "Direct3D matches by semantic and index, Vulkan by location and component. Values that the pipeline generates need no output.",
             INCOMPATIBLE + "The input stage requires Semantic/Index ({semantic},{index}) as input, but it is not provided by the output stage.",
             "#342: DEVICE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND", f"#666: {PSO}SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND", "VUID-RuntimeSpirv-OpEntryPoint-08743"),
    LinkRule("link.register",       E, "an output and the input of its name are in different registers", "Stages are joined by registers, which compilers number in the order of declaration: the inputs have to be the first outputs, in the same order.",
             INCOMPATIBLE + "Semantic '{semantic}' is defined for mismatched hardware registers between the output stage and input stage.",
             "#343: DEVICE_SHADER_LINKAGE_REGISTERINDEX", f"#660: {PSO}SHADER_LINKAGE_REGISTERINDEX"),
    LinkRule("link.mask",           E, "an input has components that its output does not have", "The mask of the input has to be a subset of the mask of the output.",
             INCOMPATIBLE + "Semantic '{semantic}' of the input stage has a hardware register component mask that is not a subset of the output of the previous stage.",
             "#345: DEVICE_SHADER_LINKAGE_REGISTERMASK", f"#662: {PSO}SHADER_LINKAGE_REGISTERMASK"),
    LinkRule("link.type",           E, "an output and its input have different types", "Bits are passed on as they are: a float that is read as an integer is another number. Direct3D distinguishes signed and unsigned integers; for Vulkan's validation layers both are integers.",
             INCOMPATIBLE + "Semantic '{semantic}' has different component types in the output stage and input stage.",
             "#344: DEVICE_SHADER_LINKAGE_COMPONENTTYPE", f"#661: {PSO}SHADER_LINKAGE_COMPONENTTYPE", "VUID-RuntimeSpirv-OpEntryPoint-07754"),
    LinkRule("link.system-value",   E, "an output and its input have different system values", "A value with a meaning to the pipeline in one stage has it in the next one, too.",
             INCOMPATIBLE + "Semantic '{semantic}' has different system values in the output stage and input stage.",
             "#346: DEVICE_SHADER_LINKAGE_SYSTEMVALUE", f"#663: {PSO}SHADER_LINKAGE_SYSTEMVALUE"),
    LinkRule("link.never-written",  E, "a stage reads components that the stage before declares but never writes", "The value is undefined.",
             "Stages are incompatible with each other. Semantic '{semantic}' is always read by the downstream shader, but never written by the upstream shader (even though the semantic is present in its output signature).",
             "#347: DEVICE_SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS", f"#664: {PSO}SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS"),
    LinkRule("link.min-precision",  E, "an output and its input have different minimum precisions", "The precision is part of the format of a register.",
             INCOMPATIBLE + "Semantic '{semantic}' has different minimum precisions in the output stage and input stage.",
             "#3146050: DEVICE_SHADER_LINKAGE_MINPRECISION", f"#665: {PSO}SHADER_LINKAGE_MINPRECISION"),
    LinkRule("link.vector-size",    W, "an input is a smaller vector than its output", "Allowed with the feature maintenance4, which Vulkan 1.3 guarantees and which has to be enabled. An error if the state lists features without it.",
             vulkan="VUID-RuntimeSpirv-maintenance4-06817"),
    LinkRule("link.unused",         N, "the next stage does not read an output", "The output takes bandwidth. Validation layers warn of it."),
)
# fmt: on

RULES = table(Rule(*each[:4]) for each in LINKS)
BY_CODE = {each.code: each for each in LINKS}
NUMBERED = {"d3d11": "EXECUTION ERROR ", "d3d12": "STATE_CREATION ERROR ", "vulkan": ""}


def reference(code: str, runtime: str) -> str:
    """Return the identifier of a rule's message in a runtime: d3d11, d3d12 or vulkan."""
    found = BY_CODE.get(code)
    text = "" if found is None else getattr(found, runtime, "")
    return f"{NUMBERED[runtime]}{text}" if text else ""
