"""Functions, parameters, calls and returns.

Source: SPIR-V specification, sections 2.16.1 and 3.42.9.
"""

from ..tables.numbers import Capability, Opcode, StorageClass
from .declarations import is_description
from .instruction import CheckTable, Inst
from .large import of
from .matching import logically_match
from .state import State

__all__ = ["CHECKS", "check_parameters"]

CHECKS = CheckTable()
S = StorageClass

# What refers to a function.
USERS = frozenset({
    Opcode.GroupDecorate, Opcode.EnqueueKernel, Opcode.EntryPoint, Opcode.ExecutionMode,
    Opcode.ExecutionModeId, Opcode.FunctionCall, Opcode.GetKernelNDrangeSubGroupCount,
    Opcode.GetKernelNDrangeMaxSubGroupSize, Opcode.GetKernelWorkGroupSize,
    Opcode.GetKernelPreferredWorkGroupSizeMultiple, Opcode.GetKernelLocalSizeForSubgroupCount,
    Opcode.GetKernelMaxNumSubgroups, Opcode.CooperativeMatrixPerElementOpEXT,
    Opcode.CooperativeMatrixReduceEXT, Opcode.CooperativeMatrixLoadTensorNV,
    Opcode.ConditionalEntryPointINTEL, Opcode.ConstantFunctionPointerINTEL,
})  # fmt: skip
# Storage classes of pointers that a call may pass.
PASSED = frozenset({
    S.UniformConstant, S.Function, S.Private, S.Workgroup, S.AtomicCounter, S.TileImageEXT,
    S.ShaderRecordBufferKHR, S.PhysicalStorageBuffer,
})  # fmt: skip
OBJECTS = (Opcode.Variable, Opcode.UntypedVariableKHR, Opcode.FunctionParameter)


@CHECKS.on(Opcode.Function)
def check_function(state: State, inst: Inst) -> None:
    """Check the type of a function, and references to the function."""
    type_ = state.definitions.get(inst.word(1))
    if type_ is None or type_.code != Opcode.TypeFunction:
        state.report("spirv.function", inst, "expected a function type")
    elif type_.words[2] != inst.type:
        state.report("spirv.function", inst, "expected the result type of the function type")
    for user in state.uses.get(inst.id, ()):
        if user.code not in USERS and not is_description(user):
            state.report("spirv.function-use", user)


def check_parameters(state: State) -> None:
    """Check the parameters of all functions."""
    for code in state.functions:
        type_ = state.types.words(code[0].word(1))
        given = [*of(code, Opcode.FunctionParameter)]
        for at, each in enumerate(given):
            if at >= len(type_) - 3:
                message = f"expected {max(0, len(type_) - 3)} parameters"
                state.report("spirv.parameter", each, message)
            elif each.type != type_[3 + at]:
                state.report("spirv.parameter", each, "expected the type of the function type")
        if 0 < len(given) < len(type_) - 3 and code[-1].code == Opcode.FunctionEnd:
            message = f"expected {len(type_) - 3} parameters, got {len(given)}"
            state.report("spirv.parameter", code[-1], message)


@CHECKS.on(Opcode.FunctionCall)
def check_call(state: State, inst: Inst) -> None:
    """Check a call against the type of the function."""
    function = state.definitions.get(inst.word(0))
    if function is None or function.code != Opcode.Function:
        state.report("spirv.call", inst, "expected a function")
        return
    if function.type != inst.type:
        state.report("spirv.call", inst, "expected the result type of the function")
    strict = state.logical and not state.options.relax_logical_pointer
    if strict:
        _check_returned(state, inst, function.type)
    type_ = state.types.words(function.word(1))
    arguments = inst.words[4:]
    if len(type_) < 3 or len(arguments) != len(type_) - 3:
        message = f"expected {max(0, len(type_) - 3)} arguments, got {len(arguments)}"
        state.report("spirv.call", inst, message)
        return
    for argument, parameter in zip(arguments, type_[3:], strict=True):
        given = state.type_of(argument)
        if given != parameter and not (
            state.options.before_hlsl_legalization and _match(state, given, parameter)
        ):
            state.report("spirv.call", inst, "an argument of another type than the parameter")
        elif strict:
            _check_pointer(state, inst, argument, parameter)


def _match(state: State, one: int, two: int) -> bool:
    first, second = state.types.pointer(one), state.types.pointer(two)
    return first is not None and second is not None and logically_match(state, first[1], second[1])


def _check_returned(state: State, inst: Inst, type_: int) -> None:
    pointer = state.types.pointer(type_)
    if pointer is None or pointer[0] == S.PhysicalStorageBuffer:
        return
    needed = {
        S.StorageBuffer: Capability.VariablePointersStorageBuffer,
        S.Workgroup: Capability.VariablePointers,
    }.get(pointer[0])
    if needed is None or not state.has(needed):
        state.report("spirv.call-pointer", inst, "a pointer as result needs VariablePointers")


def _check_pointer(state: State, inst: Inst, argument: int, parameter: int) -> None:
    pointer = state.types.pointer(parameter)
    if pointer is None:
        return
    storage = pointer[0]
    buffers = state.has(Capability.VariablePointers, Capability.VariablePointersStorageBuffer)
    if storage == S.StorageBuffer:
        if not buffers:
            state.report("spirv.call-pointer", inst, "StorageBuffer needs VariablePointers")
    elif storage not in PASSED:
        state.report("spirv.call-pointer", inst, "a pointer of this class is not passed")
    if storage == S.PhysicalStorageBuffer or state.code(argument) in OBJECTS:
        return
    free = (
        (storage == S.StorageBuffer and buffers)
        or (storage == S.Workgroup and state.has(Capability.VariablePointers))
        or storage == S.UniformConstant
    )
    if not free and not state.options.before_hlsl_legalization:
        state.report("spirv.call-pointer", inst, "expected a variable or parameter as pointer")
