"""Scopes and memory semantics: which values the API and the memory model allow.

    OpAtomicLoad %uint %pointer %scope %semantics
                                |      +- at most one memory order, classes of memory with it
                                +- Device, Workgroup, …

Sources: SPIR-V specification, sections 3.27 and 3.28; Vulkan specification, appendix A.
"""

from ....tuples import NamedTuple
from ..tables.grammar import grammar
from ..tables.numbers import Capability, ExecutionModel, MemoryModel, Opcode, Scope
from ..tables.numbers import MemorySemantics as Bits
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["ATOMICS", "CHECKS", "check_scope"]

CHECKS = CheckTable()

ORDERS = Bits.Acquire | Bits.Release | Bits.AcquireRelease | Bits.SequentiallyConsistent
CLASSES = Bits.UniformMemory | Bits.WorkgroupMemory | Bits.ImageMemory | Bits.OutputMemory
ATOMICS = frozenset(each.code for each in grammar().core.by_code.values() if each.group == "Atomic")
NON_UNIFORM = frozenset(
    each.code for each in grammar().core.by_code.values() if each.group == "Non-Uniform"
) - {Opcode.GroupNonUniformPartitionEXT} | {Opcode.GroupNonUniformRotateKHR}
QUAD = (Opcode.GroupNonUniformQuadAllKHR, Opcode.GroupNonUniformQuadAnyKHR)
RAY = (
    ExecutionModel.RayGenerationKHR, ExecutionModel.IntersectionKHR, ExecutionModel.AnyHitKHR,
    ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR, ExecutionModel.CallableKHR,
)  # fmt: skip
WORKGROUP = (
    ExecutionModel.GLCompute, ExecutionModel.TessellationControl, ExecutionModel.TaskNV,
    ExecutionModel.MeshNV, ExecutionModel.TaskEXT, ExecutionModel.MeshEXT,
)  # fmt: skip
BARRIER = (*WORKGROUP, ExecutionModel.Kernel, ExecutionModel.CallableKHR)
SPLIT = (Opcode.ControlBarrierArriveEXT, Opcode.ControlBarrierWaitEXT)
COMPARE = (Opcode.AtomicCompareExchange, Opcode.AtomicCompareExchangeWeak)


class _Operands(NamedTuple):
    """Ids of the relevant operands; 0 for an operand that an instruction lacks."""

    execution: int
    memory: int
    semantics: tuple[int, ...]


def _operands(inst: Inst) -> _Operands:
    scopes = [each.words[0] for each in inst.operands if each.kind == "IdScope"]
    semantics = tuple(e.words[0] for e in inst.operands if e.kind == "IdMemorySemantics")
    if inst.code in NON_UNIFORM or inst.code in GROUPS:
        return _Operands(scopes[0] if scopes else 0, 0, semantics)
    if len(scopes) == 2:
        return _Operands(scopes[0], scopes[1], semantics)
    return _Operands(0, scopes[0] if scopes else 0, semantics)


GROUPS = frozenset(each.code for each in grammar().core.by_code.values() if each.group == "Group")


@CHECKS.on()
def check_semantics(state: State, inst: Inst) -> None:
    """Check scopes and semantics wherever they are operands in the grammar."""
    if inst.code not in _WITH_SCOPE:
        return
    found = _operands(inst)
    if found.execution:
        check_execution(state, inst, found.execution)
    if found.memory:
        check_memory(state, inst, found.memory)
    for at, each in enumerate(found.semantics):
        _check_semantics(state, inst, each, found, at)


_WITH_SCOPE = frozenset(
    each.code
    for each in grammar().core.by_code.values()
    if any(rule.kind in ("IdScope", "IdMemorySemantics") for rule in each.operands)
    and not each.name.startswith("OpType")
)


def _evaluated(state: State, id_: int) -> tuple[bool, int | None]:
    """Return if an id is a 32-bit integer, and its value if that is constant."""
    return state.types.fits(state.type_of(id_), "int32 s"), _unsigned(state.integer(id_))


def _unsigned(value: int | None) -> int | None:
    return value & 0xFFFFFFFF if value is not None else None


def check_scope(state: State, inst: Inst, id_: int) -> int | None:
    """Check a scope in isolation, and return its value if it is a valid constant."""
    is_int, value = _evaluated(state, id_)
    if not is_int:
        state.report("spirv.scope-type", inst)
        return None
    if value is None:
        _check_constant(state, inst, id_, "spirv.scope-constant")
    elif value not in grammar().kinds["Scope"].by_value:
        state.report("spirv.scope", inst, f"unknown scope {value}")
        return None
    return value


def _check_constant(state: State, inst: Inst, id_: int, code: str) -> None:
    if not state.shader:
        return
    if not state.has(Capability.CooperativeMatrixNV) or not state.is_constant(id_):
        state.report(code, inst)


def check_execution(state: State, inst: Inst, id_: int) -> None:
    """Check the scope of the invocations that an instruction waits for or works with."""
    value = check_scope(state, inst, id_)
    if value is None:
        return
    if state.vulkan:
        _check_vulkan_execution(state, inst, value)
    if inst.code in NON_UNIFORM and inst.code not in QUAD:
        allowed = [Scope.Subgroup]
        if inst.code == Opcode.GroupNonUniformRotateKHR:
            allowed.append(Scope.Workgroup)
        if value not in allowed:
            vuid = "VUID-StandaloneSpirv-None-04642" if state.vulkan else ""
            state.report("spirv.scope", inst, "expected the execution scope Subgroup", vuid)


def _check_vulkan_execution(state: State, inst: Inst, value: int) -> None:
    if inst.code == Opcode.ControlBarrier and value != Scope.Subgroup:
        state.require_models(
            "spirv.scope-model", inst, BARRIER,
            "only workgroups have barriers of a scope other than Subgroup",
            "VUID-StandaloneSpirv-OpControlBarrier-04682",
        )  # fmt: skip
    if value not in (Scope.Workgroup, Scope.Subgroup):
        vuid = "OpControlBarrierArriveEXT-13553" if inst.code in SPLIT else "None-04636"
        state.report(
            "spirv.scope", inst, "expected the execution scope Workgroup or Subgroup",
            f"VUID-StandaloneSpirv-{vuid}",
        )  # fmt: skip
    if value == Scope.Workgroup:
        state.require_models(
            "spirv.scope-model", inst, WORKGROUP, "only workgroups have this execution scope",
            "VUID-StandaloneSpirv-None-04637",
        )  # fmt: skip


def check_memory(state: State, inst: Inst, id_: int) -> None:
    """Check the scope of the invocations that see an access to memory."""
    value = check_scope(state, inst, id_)
    if value is None:
        return
    model = state.has(Capability.VulkanMemoryModel)
    if value == Scope.QueueFamily:
        if not model:
            state.report("spirv.scope", inst, "QueueFamily needs the capability VulkanMemoryModel")
        return
    if value == Scope.Device and model and not state.has(Capability.VulkanMemoryModelDeviceScope):
        state.report("spirv.scope", inst, "Device needs VulkanMemoryModelDeviceScope")
    if state.vulkan:
        _check_vulkan_memory(state, inst, value)


def _check_vulkan_memory(state: State, inst: Inst, value: int) -> None:
    if value == Scope.CrossDevice:
        message = "expected Device, QueueFamily, Workgroup, ShaderCallKHR, Subgroup or Invocation"
        state.report("spirv.scope", inst, message, "VUID-StandaloneSpirv-None-04638")
    elif (
        value == Scope.Subgroup
        and state.environment.api == (1, 0)
        and not state.has(Capability.SubgroupBallotKHR, Capability.SubgroupVoteKHR)
    ):
        message = "Subgroup needs SubgroupBallotKHR or SubgroupVoteKHR in Vulkan 1.0"
        state.report("spirv.scope", inst, message, "VUID-StandaloneSpirv-SubgroupVoteKHR-07951")
    elif value == Scope.ShaderCallKHR:
        state.require_models(
            "spirv.scope-model", inst, RAY, "only ray tracing has the scope ShaderCallKHR",
            "VUID-StandaloneSpirv-None-04640",
        )  # fmt: skip
    elif value == Scope.Workgroup:
        state.require_models(
            "spirv.scope-model", inst, WORKGROUP, "only workgroups have this memory scope",
            "VUID-StandaloneSpirv-None-07321",
        )  # fmt: skip
        if state.memory_model == MemoryModel.GLSL450:
            allowed = set(WORKGROUP) - {ExecutionModel.TessellationControl}
            state.require_models(
                "spirv.scope-model", inst, allowed,
                "this memory scope needs the Vulkan memory model in tessellation",
                "VUID-StandaloneSpirv-ExecutionModel-07320",
            )  # fmt: skip


def _check_semantics(state: State, inst: Inst, id_: int, found: _Operands, at: int) -> None:
    is_int, value = _evaluated(state, id_)
    if not is_int:
        state.report("spirv.semantics-type", inst)
        return
    if value is None:
        _check_constant(state, inst, id_, "spirv.semantics-constant")
        return
    for needed, capability, name in NEEDS:
        if value & needed and not state.has(capability):
            state.report("spirv.semantics-capability", inst, f"the bits 0x{needed:x} need {name}")
    orders = (value & ORDERS).bit_count()
    vulkan = state.vulkan or state.vulkan_memory_model

    def fail(message: str, vuid: str) -> None:
        state.report("spirv.semantics", inst, message, f"VUID-StandaloneSpirv-{vuid}")

    if orders > 1:
        fail("expected at most one memory order", "MemorySemantics-10865")
    if inst.code in (Opcode.AtomicStore, Opcode.AtomicFlagClear):
        if value & (Bits.Acquire | Bits.AcquireRelease):
            fail("a store does not acquire", "MemorySemantics-10867")
    elif inst.code == Opcode.AtomicLoad and value & (Bits.Release | Bits.AcquireRelease):
        fail("a load does not release", "MemorySemantics-10868")
    if value & Bits.MakeAvailable and not value & (Bits.Release | Bits.AcquireRelease):
        fail("MakeAvailable needs a release", "MemorySemantics-10872")
    if value & Bits.MakeVisible and not value & (Bits.Acquire | Bits.AcquireRelease):
        fail("MakeVisible needs an acquire", "MemorySemantics-10873")
    if value & Bits.Volatile and inst.code not in ATOMICS:
        fail("only atomic operations are volatile", "MemorySemantics-13551")
    if vulkan:
        _check_vulkan_semantics(state, inst, value, orders, found)
    if inst.code in COMPARE and at == 1:
        _check_unequal(state, inst, value, found)


NEEDS = (
    (Bits.UniformMemory, Capability.Shader, "Shader"),
    (Bits.OutputMemory, Capability.VulkanMemoryModel, "VulkanMemoryModel"),
    (Bits.MakeAvailable, Capability.VulkanMemoryModel, "VulkanMemoryModel"),
    (Bits.MakeVisible, Capability.VulkanMemoryModel, "VulkanMemoryModel"),
    (Bits.Volatile, Capability.VulkanMemoryModel, "VulkanMemoryModel"),
)


def _check_vulkan_semantics(
    state: State, inst: Inst, value: int, orders: int, found: _Operands
) -> None:
    def fail(message: str, vuid: str) -> None:
        state.report("spirv.semantics", inst, message, f"VUID-StandaloneSpirv-{vuid}")

    if value & Bits.SequentiallyConsistent:
        fail("Vulkan has no sequential consistency", "MemorySemantics-10866")
    if inst.code == Opcode.MemoryBarrier and not orders:
        fail("expected a memory order of a barrier", "MemorySemantics-10869")
    if orders and not value & CLASSES:
        fail("expected a class of memory with the memory order", "MemorySemantics-10870")
    if not orders and value & CLASSES:
        fail("expected a memory order with the class of memory", "MemorySemantics-10871")
    if orders and _evaluated(state, found.memory)[1] == Scope.Invocation:
        fail("expected no memory order with the scope Invocation", "None-04641")
    order = value & (Bits.Acquire | Bits.Release | Bits.AcquireRelease)
    if inst.code == Opcode.ControlBarrierArriveEXT and order not in (0, Bits.Release):
        fail("arriving at a barrier only releases", "MemorySemantics-13556")
    if inst.code == Opcode.ControlBarrierWaitEXT and order not in (0, Bits.Acquire):
        fail("waiting at a barrier only acquires", "MemorySemantics-13557")


def _check_unequal(state: State, inst: Inst, value: int, found: _Operands) -> None:
    def fail(message: str, vuid: str) -> None:
        state.report("spirv.semantics", inst, message, f"VUID-StandaloneSpirv-{vuid}")

    equal = _evaluated(state, found.semantics[0])[1] or 0
    if value & (Bits.Release | Bits.AcquireRelease):
        fail("an unequal comparison does not release", "UnequalMemorySemantics-10875")
    strong = value & Bits.SequentiallyConsistent and not equal & Bits.SequentiallyConsistent
    if strong or (value & Bits.Acquire and not equal & ORDERS):
        fail("the order when unequal is stronger than when equal", "UnequalMemorySemantics-10876")
    if not (state.vulkan or state.vulkan_memory_model):
        return
    if value & ~equal & CLASSES:
        fail("a class of memory when unequal only", "UnequalMemorySemantics-10877")
    if value & ~equal & Bits.MakeVisible:
        fail("MakeVisible when unequal only", "UnequalMemorySemantics-10878")
    if (value ^ equal) & Bits.Volatile:
        fail("Volatile of one comparison only", "UnequalMemorySemantics-10879")
