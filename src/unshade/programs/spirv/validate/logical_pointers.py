"""Pointers in logical addressing, and the instructions that may make them.

    OpVariable, OpAccessChain, OpFunctionParameter, OpCopyObject …     any storage class
    OpSelect, OpPhi, OpLoad, OpFunctionCall, OpConstantNull …          StorageBuffer, Workgroup

The second kind are variable pointers, which need a capability for each of the two classes, and
point neither to a matrix nor into one. Physical storage buffers have addresses and are free.

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


@CHECKS.on(*MAKERS)
def check_variable_pointer(state: State, inst: Inst) -> None:
    """Check that the module may have a variable pointer of this storage class and type."""
    pointer = state.types.pointer(inst.type)
    options = state.options
    if pointer is None or options.relax_logical_pointer or options.before_hlsl_legalization:
        return
    if state.addressing not in (AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64):
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
