"""Capabilities, extensions and versions that instructions and enumerants need, by the grammar.

A capability of an instruction's row is enough; so is an extension of the row, or the version that
the row names. Which capabilities an API takes at all is in `api_capabilities.py`.

Source: SPIR-V specification, sections 2.16.1, 3 (the columns "Enabling Capabilities" and
"Missing before").
"""

from functools import cache

from ..context import string_of
from ..operands import DecodedOperand
from ..tables.grammar import Enumerant, Needs, grammar
from ..tables.numbers import BuiltIn, Capability, Decoration, GroupOperation, Opcode
from .api_capabilities import allowed
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

# The grammar lists AMD's group operations under Groups; their extension is enough.
AMD_GROUP = frozenset({
    Opcode.GroupIAddNonUniformAMD, Opcode.GroupFAddNonUniformAMD, Opcode.GroupFMinNonUniformAMD,
    Opcode.GroupUMinNonUniformAMD, Opcode.GroupSMinNonUniformAMD, Opcode.GroupFMaxNonUniformAMD,
    Opcode.GroupUMaxNonUniformAMD, Opcode.GroupSMaxNonUniformAMD,
})  # fmt: skip
# The minor version that an extension builds upon, where it is not 1.0.
SINCE = dict.fromkeys(
    ("SPV_KHR_vulkan_memory_model", "SPV_QCOM_cooperative_matrix_conversion"), 3
) | dict.fromkeys(
    (
        "SPV_KHR_workgroup_memory_explicit_layout", "SPV_KHR_opacity_micromap",
        "SPV_EXT_mesh_shader", "SPV_NV_shader_invocation_reorder",
        "SPV_EXT_shader_invocation_reorder", "SPV_NV_cluster_acceleration_structure",
        "SPV_NV_linear_swept_spheres", "SPV_QCOM_image_processing", "SPV_QCOM_image_processing2",
    ),
    4,
)  # fmt: skip
RESERVED = frozenset(
    {
        Opcode.ImageSparseSampleProjImplicitLod,
        Opcode.ImageSparseSampleProjExplicitLod,
        Opcode.ImageSparseSampleProjDrefImplicitLod,
        Opcode.ImageSparseSampleProjDrefExplicitLod,
    }
)
# Storage of 16-bit values allows rounding modes without the capability Kernel.
ROUNDING = (
    Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess,
    Capability.StoragePushConstant16, Capability.StorageInputOutput16,
    Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
)  # fmt: skip
DECLARING = frozenset({Opcode.Capability, Opcode.ConditionalCapabilityINTEL})
# Names of these may be used without their capability; reading or writing them may not.
UNUSED_BUILTINS = (BuiltIn.PointSize, BuiltIn.ClipDistance, BuiltIn.CullDistance)


@cache
def version_word(text: str) -> int:
    """Return the version word of "1.4"."""
    major, _, minor = text.partition(".")
    return int(major) << 16 | int(minor) << 8


@cache
def _visible(name: str, version: int) -> int:
    """Return the number of a capability if modules of a version can declare it, else -1."""
    found = grammar().kinds["Capability"].by_name[name]
    needs = found.needs
    if needs.extensions or needs.capabilities:
        return found.value
    old = needs.since == "None" or version_word(needs.since) > version
    return -1 if old or (needs.until and version_word(needs.until) < version) else found.value


@cache
def _enabling(needs: Needs, version: int) -> tuple[int, ...]:
    found = (_visible(name, version) for name in needs.capabilities)
    return tuple(each for each in found if each >= 0)


def _list(names: "tuple[str, ...]") -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


@CHECKS.on()
def check_needs(state: State, inst: Inst) -> None:
    """Check the capabilities and versions that an instruction and its enumerants need."""
    met, code, places = state.met, inst.code, inst.places
    if code not in met:
        op = inst.op
        assert op is not None
        found_before = state.findings.number
        if op.needs:
            _check_instruction(state, inst, op.needs)
        if state.findings.number == found_before:
            met.add(code)
    if places is not None:
        named = places.enumerations
        if not named:
            return
        declaring, words = code in DECLARING, inst.words
        if all((kind, words[at], declaring) in met for at, kind in named):
            return
    for number, operand in enumerate(inst.operands, 1 + bool(inst.type) + bool(inst.id)):
        enum = operand.enum
        if enum is None:
            continue
        word = operand.words[0]
        if not enum.is_mask:
            _check_named(state, inst, number, operand, word)
            continue
        while word:
            bit = word & -word
            word ^= bit
            _check_named(state, inst, number, operand, bit)


def _check_named(state: State, inst: Inst, number: int, operand: DecodedOperand, word: int) -> None:
    enum = operand.enum
    assert enum is not None
    key = enum, word, inst.code in DECLARING
    found = enum.by_value.get(word)
    if found is None or key in state.met:
        return
    found_before = state.findings.number
    _check_enumerant(state, inst, number, operand.kind, found)
    if state.findings.number == found_before:
        state.met.add(key)


def _check_instruction(state: State, inst: Inst, needs: Needs) -> None:
    if inst.code in RESERVED:
        state.report("spirv.reserved", inst)
    exempt = inst.code in AMD_GROUP and "SPV_AMD_shader_ballot" in state.extensions
    enabling = _enabling(needs, state.environment.version)
    if enabling and not exempt and not state.has(*enabling):
        message = f"expected the capability {_list(needs.capabilities)}"
        state.report("spirv.capability", inst, message)
    if needs.until and version_word(needs.until) < state.version:
        state.report("spirv.instruction-version", inst, f"expected version {needs.until} or older")
        return
    if needs.capabilities and inst.code != Opcode.TerminateInvocation:
        return
    if needs.since != "None" and state.version >= version_word(needs.since):
        return
    if needs.extensions:
        if state.extensions.isdisjoint(needs.extensions):
            message = f"expected the extension {_list(needs.extensions)}"
            if needs.since != "None":
                message += f", or version {needs.since}"
            state.report("spirv.extension", inst, message)
    elif needs.since == "None":
        state.report("spirv.reserved", inst)
    else:
        state.report("spirv.instruction-version", inst, f"expected version {needs.since} or newer")


def _exempt(state: State, kind: str, found: Enumerant) -> bool:
    match kind:
        case "BuiltIn":
            return found.value in UNUSED_BUILTINS
        case "FPRoundingMode":
            return state.has(*ROUNDING)
        case "GroupOperation":
            known = state.kernel or "SPV_AMD_shader_ballot" in state.extensions
            return known and found.value <= GroupOperation.ExclusiveScan
        case "Decoration" if found.value == Decoration.FPRoundingMode:
            return state.has(*ROUNDING)
    return False


def _check_enumerant(state: State, inst: Inst, number: int, kind: str, found: Enumerant) -> None:
    needs = found.needs
    if _exempt(state, kind, found):
        return
    if inst.code not in DECLARING and needs.capabilities:
        enabling = _enabling(needs, state.environment.version)
        if kind == "Decoration" and found.value == Decoration.FPRoundingMode:
            enabling = ROUNDING[:4] if state.vulkan else ()
        if enabling and not state.has(*enabling):
            message = f"operand {number}: {found.name} needs {_list(needs.capabilities)}"
            state.report("spirv.capability", inst, message)
            return
    _check_version(state, inst, number, found)


def _check_version(state: State, inst: Inst, number: int, found: Enumerant) -> None:
    needs = found.needs
    if needs.until and version_word(needs.until) < state.version:
        message = f"operand {number}: {found.name} needs version {needs.until} or older"
        state.report("spirv.enumerant-version", inst, message)
        return
    if needs.since != "None" and state.version >= version_word(needs.since):
        return
    if needs.since != "None" and not needs.extensions:
        message = f"operand {number}: {found.name} needs version {needs.since} or newer"
        state.report("spirv.enumerant-version", inst, message)
    elif needs.extensions and state.extensions.isdisjoint(needs.extensions):
        message = f"operand {number}: {found.name} needs the extension {_list(needs.extensions)}"
        state.report("spirv.extension", inst, message)


@CHECKS.on(Opcode.Extension)
def check_extension(state: State, inst: Inst) -> None:
    """Check that an extension supports the version of the module."""
    name, _ = string_of(inst.words[1:])
    least = SINCE.get(name, 0)
    if not state.at_least(least):
        message = f"{name} needs version 1.{least} or newer"
        state.report("spirv.extension-version", inst, message)


@CHECKS.on(Opcode.Capability, Opcode.ConditionalCapabilityINTEL)
def check_capability(state: State, inst: Inst) -> None:
    """Check that the API of the target environment takes a capability."""
    number = inst.words[-1]
    found = grammar().kinds["Capability"].by_value.get(number)
    if found is None or state.environment.family not in ("vulkan", "opencl"):
        return
    if found.name in allowed(state.environment, Capability.ImageBasic in state.capabilities):
        return
    if not state.extensions.isdisjoint(found.needs.extensions):
        return
    message = f"{found.name} is not a capability of {state.environment.name}"
    state.report("spirv.api-capability", inst, message)
