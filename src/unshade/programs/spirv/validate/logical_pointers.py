"""Pointers in logical addressing, and the instructions that may make them.

    OpVariable, OpAccessChain, OpFunctionParameter, OpCopyObject …     any storage class
    OpSelect, OpPhi, OpLoad, OpFunctionCall, OpConstantNull …          StorageBuffer, Workgroup

The second kind are variable pointers, which need a capability for each of the two classes, and
point neither to a matrix nor into one. Pointers are not put into composites or taken out of them,
nor converted. Physical storage buffers have addresses and are free.

Source: SPIR-V specification, sections 2.16.1 and 2.2.2 (Variable Pointer).
"""

from ..tables.numbers import AddressingModel, Capability, Opcode
from ..tables.numbers import StorageClass as S
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()

NEEDED = {
    S.StorageBuffer: (Capability.VariablePointersStorageBuffer, Capability.VariablePointers),
    S.Workgroup: (Capability.VariablePointers,),
}
MATRIX = frozenset({Opcode.TypeMatrix})
MAKERS = (
    Opcode.Select, Opcode.Phi, Opcode.FunctionCall, Opcode.PtrAccessChain, Opcode.Load,
    Opcode.ConstantNull, Opcode.UntypedPtrAccessChainKHR,
)  # fmt: skip
# Instructions of values, which neither take nor return pointers.
VALUES = (
    Opcode.Bitcast, Opcode.CompositeConstruct, Opcode.CompositeExtract, Opcode.CompositeInsert,
)  # fmt: skip


@CHECKS.on(*VALUES)
def check_value(state: State, inst: Inst) -> None:
    """Check that a value is no pointer, and not made of pointers."""
    if not _is_checked(state):
        return
    if _is_logical(state, inst.type):
        state.report("spirv.pointer", inst, "a pointer is not made by this instruction")
    elif any(_is_logical(state, state.type_of(id_)) for id_ in inst.ids()):
        state.report("spirv.pointer", inst, "this instruction takes no pointers")


def _is_checked(state: State) -> bool:
    options = state.options
    return state.addressing in (
        AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64,
    ) and not (options.relax_logical_pointer or options.before_hlsl_legalization)  # fmt: skip


def _is_logical(state: State, type_: int) -> bool:
    pointer = state.types.pointer(type_)
    return pointer is not None and pointer[0] != S.PhysicalStorageBuffer


@CHECKS.on(*MAKERS)
def check_variable_pointer(state: State, inst: Inst) -> None:
    """Check that the module may have a variable pointer of this storage class and type."""
    pointer = state.types.pointer(inst.type)
    if pointer is None or not _is_checked(state):
        return
    storage, pointee = pointer
    if storage == S.PhysicalStorageBuffer:
        return
    needed = NEEDED.get(storage)
    if needed is None:
        state.report("spirv.pointer", inst, "a pointer of this storage class is not computed")
    elif not state.has(*needed):
        state.report("spirv.pointer", inst, "computing a pointer needs VariablePointers")
    elif pointee and state.types.inner(pointee, MATRIX):
        state.report("spirv.pointer", inst, "a computed pointer to a matrix")
