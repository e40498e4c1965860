"""Atomic operations: the pointer, the type of its value, and the rules of the APIs.

Sources: SPIR-V specification, section 3.42.18; Vulkan specification, appendix A.
"""

from ..tables.numbers import Capability, Opcode, StorageClass
from .instruction import CheckTable, Inst
from .semantics import ATOMICS
from .state import State
from .storage import check_class_models

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = StorageClass

FLOATS = frozenset({
    Opcode.AtomicFAddEXT, Opcode.AtomicFMinEXT, Opcode.AtomicFMaxEXT,
})  # fmt: skip
ANY = frozenset({Opcode.AtomicLoad, Opcode.AtomicStore, Opcode.AtomicExchange})
FLAGS = frozenset({Opcode.AtomicFlagTestAndSet, Opcode.AtomicFlagClear})
SHADER = frozenset({
    S.Uniform, S.StorageBuffer, S.Workgroup, S.Image, S.PhysicalStorageBuffer,
    S.TaskPayloadWorkgroupEXT, S.CrossWorkgroup, S.AtomicCounter,
})  # fmt: skip
VULKAN = SHADER - {S.CrossWorkgroup, S.AtomicCounter}
OPENCL = frozenset({S.Function, S.Workgroup, S.CrossWorkgroup, S.Generic})
# Capabilities for vectors of halves; and for floats of each width, for additions and extremes.
VECTORS = (Capability.AtomicFloat16VectorNV,)
ADD = {
    16: Capability.AtomicFloat16AddEXT,
    32: Capability.AtomicFloat32AddEXT,
    64: Capability.AtomicFloat64AddEXT,
}
EXTREMES = {
    16: Capability.AtomicFloat16MinMaxEXT,
    32: Capability.AtomicFloat32MinMaxEXT,
    64: Capability.AtomicFloat64MinMaxEXT,
}


@CHECKS.on(*ATOMICS)
def check_atomic(state: State, inst: Inst) -> None:
    """Check an atomic operation."""
    types = state.types
    store = inst.code == Opcode.AtomicStore
    type_ = state.operand_type(inst, 3) if store else inst.type
    pointer_type = state.operand_type(inst, 0)
    pointer = types.pointer(pointer_type)
    if inst.code in FLAGS:
        _check_flag(state, inst, pointer)
        return
    _check_value(state, inst, type_)
    if pointer is None:
        state.report("spirv.atomic", inst, "expected a pointer")
        return
    storage, pointee = pointer
    typed = types.code(pointer_type) == Opcode.TypePointer
    if typed and pointee != type_:
        state.report("spirv.atomic", inst, "expected a pointer to the value's type")
    _check_width(state, inst, type_)
    _check_storage(state, inst, storage)
    _check_operands(state, inst, type_)


def _check_flag(state: State, inst: Inst, pointer: tuple[int, int] | None) -> None:
    if inst.type and not state.types.fits(inst.type, "bool s"):
        state.report("spirv.atomic", inst, "expected a result of bool")
    if pointer is None or not state.types.fits(pointer[1], "int32 s"):
        state.report("spirv.atomic", inst, "expected a pointer to a 32-bit int")
    if pointer is not None:
        _check_storage(state, inst, pointer[0])


def _check_value(state: State, inst: Inst, type_: int) -> None:
    types = state.types
    if inst.code in FLOATS:
        vector = types.fits(type_, "float16 v") and types.count(type_) in (2, 4)
        table = ADD if inst.code == Opcode.AtomicFAddEXT else EXTREMES
        if vector:
            if not state.has(*VECTORS):
                state.report("spirv.atomic", inst, "vectors need AtomicFloat16VectorNV")
        elif not types.fits(type_, "float s"):
            state.report("spirv.atomic", inst, "expected a scalar of float")
        else:
            needed = table.get(types.width(type_))
            if needed is not None and not state.has(needed):
                state.report("spirv.atomic", inst, "floats of this width need a capability")
    elif inst.code in ANY:
        if types.fits(type_, "float16 v") and state.has(*VECTORS):
            return
        if not types.fits(type_, "int s|float s"):
            state.report("spirv.atomic", inst, "expected a scalar of int or float")
    elif not types.fits(type_, "int s"):
        state.report("spirv.atomic", inst, "expected a scalar of int")


def _check_width(state: State, inst: Inst, type_: int) -> None:
    types = state.types
    if not types.fits(type_, "int s"):
        return
    width = types.width(type_)
    if width == 64 and not state.has(Capability.Int64Atomics):
        state.report("spirv.atomic", inst, "64 bits need Int64Atomics")
    elif width < 32 and state.vulkan:
        vuid = "VUID-StandaloneSpirv-None-04686"
        state.report("spirv.atomic", inst, "expected 32 or 64 bits", vuid)
    elif width not in (32, 64) and state.shader:
        state.report("spirv.atomic", inst, "expected 32 or 64 bits")


def _check_storage(state: State, inst: Inst, storage: int) -> None:
    if state.vulkan and storage not in VULKAN:
        vuid = "VUID-StandaloneSpirv-None-04686"
        state.report("spirv.atomic-storage", inst, "", vuid)
    elif state.shader and not state.kernel and storage not in SHADER:
        state.report("spirv.atomic-storage", inst)
    if state.environment.opencl:
        old = storage == S.Generic and state.environment.api < (2, 0)
        if storage not in OPENCL or old:
            state.report("spirv.atomic-storage", inst)
    check_class_models(state, inst, storage)


def _check_operands(state: State, inst: Inst, type_: int) -> None:
    values = [at for at, each in enumerate(inst.operands) if at and each.kind == "IdRef"]
    for at in values:
        if state.operand_type(inst, at) != type_:
            state.report("spirv.atomic", inst, "expected values of the result's type")
            return


@CHECKS.on(Opcode.AtomicCompareExchangeWeak)
def check_weak(state: State, inst: Inst) -> None:
    """Check that the weak comparison is for kernels."""
    if not state.kernel:
        state.report("spirv.atomic", inst, "expected the capability Kernel")
