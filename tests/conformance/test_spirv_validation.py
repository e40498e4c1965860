"""The validator of SPIR-V against recorded verdicts of SPIRV-Tools, by family of tests.

Four figures a family: valid modules without findings, invalid ones with findings, of those whose
instruction was recorded the ones with a finding at that instruction, and of those whose message has
an identifier of Vulkan the ones with a finding of that identifier.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.test_spirv import data_of, target, vectors
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import Diagnostic, FormatError, Severity
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.validate import ValidatorOptions, validate
from unshade.programs.spirv.validate.environment import ModuleLimits

pytestmark = pytest.mark.conformance

# Names of families by the beginnings of the names of their tests; the first that fits counts.
FAMILIES = (
    ("memory semantics and scopes", r"Error(?!s)|Success|ValidateBarriers|InvalidExecutionScope"),
    ("groups", r"GroupNonUniform|ValidateGroup|InvalidDelta|InvalidCluster"),
    (
        "capabilities, extensions, versions",
        r"Capabilities|AddressingAndMemoryModel|BuiltIn\b|Decoration\b|DecorationV|DecorationSpecId"
        r"|ExecutionMode\b|ExecutionModeV|ExecutionModel|StorageClass\b|Dim\b|Sampler|Matrix(?!Trace)"
        r"|Universal|KernelIn|New|Storage(8|16)|ValidateCapability|ValidateExtension|KHR_ext|OpenCL\b"
        r"|Vulkan\b|RequiresCap",
    ),
    ("layout of modules", r"InstructionsOrder|ValidateLayout|ValidateAdjacency|OnlyOp|Missing"),
    ("debug information", r".*DebugInfo|ValidateNSDI|AllLocal|OpenCLAndVk"),
    ("reflection sets", r"ValidateClspv"),
    ("extended instructions", r"All[A-Z]|ValidateExtInst|ExtInst|ValidateNonSemantic|.*ExtInst"),
    ("entry points and modes", r"Geometry|ValidateMode|ValidateEntry|Multiple|ValidateModeExec"),
    ("images", r"ValidateImage"),
    ("ids", r"ValidateIdWith|ValidateSSA|UnknownID|EntryPointRef|DecorationGroup|Function"),
    ("memory", r"ValidateMemory\b|CheckAccess|ValidateUntyped(?!PointerLayout)|LoadStore|Pointer"),
    ("logical pointers", r"ValidateLogicalPointers"),
    ("layout of blocks", r"ValidateExplicitLayout|ValidateUntypedPointerLayout"),
    ("decorations", r"Validate.*Decorations|DecorationTest|ValidateVulkanInterpolation"),
    ("interfaces", r"ValidateInterfaces|FragmentInput|ValidateLocation|ValidateVulkan"),
    ("control flow", r"ValidateCFG|Structured|ValidateFunctionCall"),
    ("constants", r"BadOperands|ValidateConstant|Small|KernelArgs|Literals|ValidateLiterals"),
    (
        "arithmetic, bits, comparisons, conversions",
        r"ValidateArith|ValidateBitwise|ValidateLogicals|ValidateConversion|.*Dot|HalfDeriv"
        r"|ValidateDeriv|UConvert|Expect|FailSil",
    ),
    ("composites", r"ValidateComposites"),
    ("atomic operations", r"ValidateAtomics"),
    ("types", r"ValidateData|ValidateType|ValidateInvalidType|InvalidResultType|CoopMatrix"),
    ("ray tracing and meshes", r"ValidateRay|ValidateMesh"),
    ("limits", r"ValidateLimits"),
    ("graphs and tensors", r"ValidateGraph|ValidateTensor|ValidateArm"),
    ("built-ins", r"ValidateBuiltIns"),
    ("built-ins", r".*(Success|Not|Invalid|Input|Output|Ok|Only|Arrayed|Enabled)"),
)
OPTIONS = {
    "rlp": "relax_logical_pointer",
    "hlsl": "before_hlsl_legalization",
    "sbl": "scalar_block_layout",
    "rss": "relax_struct_store",
    "rbl": "relax_block_layout",
    "lsid": "allow_localsizeid",
    "b32": "allow_vulkan_32_bit_bitwise",
}


def family(test: str) -> str:
    suite = re.split(r"[./]", test)[0]
    return next((name for name, begins in FAMILIES if re.match(begins, suite)), "others")


def options(row: dict[str, Any]) -> ValidatorOptions:
    given = {OPTIONS[key]: bool(value) for key, value in row.items() if key in OPTIONS}
    limits = ModuleLimits(*row["lim"]) if "lim" in row else ModuleLimits()
    return ValidatorOptions(**given, limits=limits)


def errors(row: dict[str, Any]) -> list[Diagnostic]:
    try:
        module = Module.loads(data_of(row["words"]))
    except FormatError as error:
        return [Diagnostic("format", Severity.ERROR, str(error))]
    found = validate(module, target(row["env"]), options(row["o"]))
    return [each for each in found if each.severity is Severity.ERROR]


def test_verdicts(corpus: Path, ratchet: Ratchet) -> None:
    good: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in vectors(corpus, "val"):
        name = family(row["t"])
        found = errors(row)
        figures = {}
        if row["r"] == "SUCCESS":
            figures["accepted"] = not found
        else:
            figures["refused"] = bool(found)
            if row["at"]:
                path = f"instructions[{row['at'] - 1}]"
                figures["located"] = any(each.path == path for each in found)
            rule = re.search(r"VUID-[\w-]+-\d{5}", row["msg"] or "")
            if rule:
                figures["identified"] = any(getattr(each, "vuid", "") == rule[0] for each in found)
        for figure, passed in figures.items():
            total[f"{name}: {figure}"] += 1
            good[f"{name}: {figure}"] += passed
    for name, count in total.items():
        ratchet(f"spirv/validation/{name}", good[name], count)


def test_modules_have_no_findings(corpus: Path, ratchet: Ratchet) -> None:
    """The modules of the corpus, three apart that spirv-val refuses, too."""
    good = total = 0
    for path in some(sorted(corpus.rglob("*.spv"))):
        found = validate(
            Module.loads(path.read_bytes()), options=ValidatorOptions(scalar_block_layout=True)
        )
        total += 1
        good += not any(each.severity is Severity.ERROR for each in found)
    ratchet("spirv/validation of modules", good, total)
