"""Conversions of pointers, casts, and conversions of values of storage-only types.

Source: SPIR-V specification, section 3.42.11.
"""

from ..tables.numbers import AddressingModel, Capability, Decoration, Opcode, StorageClass
from .instruction import CheckTable, Inst
from .operations import has_limited_use
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = StorageClass

NUMBERS = (
    Opcode.ConvertFToU, Opcode.ConvertFToS, Opcode.ConvertSToF, Opcode.ConvertUToF,
)  # fmt: skip
SPECIFIC = (S.Workgroup, S.CrossWorkgroup, S.Function, S.CodeSectionINTEL)
CONVERSIONS = (
    Capability.CooperativeMatrixConversionsNV, Capability.CooperativeMatrixConversionsEXT,
)  # fmt: skip
ACCUMULATOR = 2  # use of a cooperative matrix


@CHECKS.on(*NUMBERS)
def check_small(state: State, inst: Inst) -> None:
    """Check that storage-only types are used only in width conversions."""
    if not state.shader:
        return
    types = (inst.type, state.operand_type(inst, 0))
    if any(has_limited_use(state, each) for each in types):
        state.report("spirv.small-type", inst)


def _address(state: State, inst: Inst, pointer: int, number: int) -> None:
    """Check a conversion between a pointer type and a type of integers."""
    types = state.types
    if state.has(Capability.MaskedGatherScatterINTEL):
        return  # vectors of pointers
    if not types.fits(number, "uint s"):
        state.report("spirv.conversion", inst, "expected a scalar of uint")
    found = types.pointer(pointer)
    if found is None:
        state.report("spirv.conversion", inst, "expected a pointer")
        return
    if state.addressing == AddressingModel.Logical:
        state.report("spirv.conversion", inst, "logical addresses are no numbers")
    elif state.addressing == AddressingModel.PhysicalStorageBuffer64:
        if found[0] != S.PhysicalStorageBuffer:
            state.report("spirv.conversion", inst, "expected a pointer to physical storage")
        if state.vulkan and types.width(number) != 64:
            vuid = "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710"
            state.report("spirv.conversion", inst, "expected an address of 64 bits", vuid)


@CHECKS.on(Opcode.ConvertPtrToU)
def check_pointer_to_number(state: State, inst: Inst) -> None:
    """Check an address."""
    _address(state, inst, state.operand_type(inst, 0), inst.type)


@CHECKS.on(Opcode.ConvertUToPtr)
def check_number_to_pointer(state: State, inst: Inst) -> None:
    """Check a pointer made from an address."""
    _address(state, inst, inst.type, state.operand_type(inst, 0))


@CHECKS.on(Opcode.PtrCastToGeneric, Opcode.GenericCastToPtr, Opcode.GenericCastToPtrExplicit)
def check_generic(state: State, inst: Inst) -> None:
    """Check casts from and to the storage class Generic."""
    types = state.types
    result, given = types.pointer(inst.type), types.pointer(state.operand_type(inst, 0))
    if result is None or given is None:
        state.report("spirv.conversion", inst, "expected pointers")
        return
    generic, other = (
        (result[0], given[0]) if inst.code == Opcode.PtrCastToGeneric else (given[0], result[0])
    )
    if generic != S.Generic or other not in SPECIFIC:
        message = "expected Generic, and Workgroup, CrossWorkgroup or Function"
        state.report("spirv.conversion", inst, message)
    if result[1] != given[1]:
        state.report("spirv.conversion", inst, "expected the same pointee")
    if inst.code == Opcode.GenericCastToPtrExplicit and inst.word(1) != result[0]:
        state.report("spirv.conversion", inst, "expected the storage class of the result")


@CHECKS.on(Opcode.Bitcast)
def check_bitcast(state: State, inst: Inst) -> None:
    """Check that a cast keeps the number of bits."""
    types = state.types
    given = state.operand_type(inst, 0)
    result, operand = types.pointer(inst.type), types.pointer(given)
    one, two = types.numeric(inst.type), types.numeric(given)
    allowed = "int svcn|float svcn"
    if result is None and not types.fits(inst.type, allowed):
        state.report("spirv.conversion", inst, "expected a result of int, float or a pointer")
        return
    if operand is None and not types.fits(given, allowed):
        state.report("spirv.conversion", inst, "expected an operand of int, float or a pointer")
        return
    if result is not None and operand is not None:
        return
    if result is not None or operand is not None:
        number = two if result is not None else one
        newer = state.at_least(5) or "SPV_KHR_physical_storage_buffer" in state.extensions
        assert number is not None
        if number.base != "int":
            state.report("spirv.conversion", inst, "expected ints for a pointer")
        elif number.form != "s" and not newer:
            state.report("spirv.conversion", inst, "expected a scalar for a pointer")
        elif number.form == "v" and (number.size != 2 or number.width != 32):
            state.report("spirv.conversion", inst, "expected two ints of 32 bits for a pointer")
        return
    assert one is not None
    assert two is not None
    if (one.form == "c") != (two.form == "c"):
        state.report("spirv.conversion", inst, "expected the same form")
    elif one.width * one.size != two.width * two.size:
        state.report("spirv.conversion", inst, "expected the same number of bits")
    elif one.form == "c":
        sizes, others = _sizes(state, inst.type), _sizes(state, given)
        if state.has(*CONVERSIONS):
            others = [*others[:3], *sizes[3:]]
        if not _agree(sizes, others):
            state.report("spirv.conversion", inst, "expected a matrix of the result's size")


@CHECKS.on(Opcode.ConvertUToAccelerationStructureKHR)
def check_acceleration(state: State, inst: Inst) -> None:
    """Check an acceleration structure made from an address."""
    types = state.types
    if types.code(inst.type) != Opcode.TypeAccelerationStructureKHR:
        state.report("spirv.conversion", inst, "expected an acceleration structure as result")
    given = state.operand_type(inst, 0)
    if not types.fits(given, "uint64 s|uint32 v2"):
        state.report("spirv.conversion", inst, "expected 64 bits")


@CHECKS.on(
    Opcode.ConvertFToU, Opcode.ConvertFToS, Opcode.ConvertSToF, Opcode.ConvertUToF,
    Opcode.UConvert, Opcode.SConvert, Opcode.FConvert,
)  # fmt: skip
def check_forms(state: State, inst: Inst) -> None:
    """Check that matrices stay matrices of the same use and size."""
    types = state.types
    one, two = types.numeric(inst.type), types.numeric(state.operand_type(inst, 0))
    if one is None or two is None:
        return
    if (one.form == "c") != (two.form == "c"):
        state.report("spirv.operand-type", inst, "expected the form of the result")
    elif one.form == "c":
        sizes, others = _sizes(state, inst.type), _sizes(state, state.operand_type(inst, 0))
        other_use = [*others[:3], *sizes[3:]]
        if state.decorated(Decoration.CooperativeMatrixTransposeEXT, inst.id):
            turned = others[3:] == [ACCUMULATOR] and sizes[3:] != [ACCUMULATOR]
            matching = [[*others[:1], *others[2:0:-1], *sizes[3:]]] if turned else []
        elif state.has(*CONVERSIONS):
            matching = [other_use]
        else:
            matching = [others]
        if not any(_agree(sizes, each) for each in matching):
            state.report("spirv.operand-type", inst, "expected a matrix of the result's size")


def _sizes(state: State, type: int) -> list[int | None]:
    """Return scope, rows, columns and use of a cooperative matrix, where they are known."""
    return [state.integer(each) for each in state.types.words(type)[3:]]


def _agree(one: list[int | None], two: list[int | None]) -> bool:
    """Return True if scope, rows, columns and use are equal where both are known."""
    return all(a == b or None in (a, b) for a, b in zip(one, two, strict=False))
