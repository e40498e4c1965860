"""Constants: the types they can have, their parts, and operations on specialisation constants.

Source: SPIR-V specification, section 3.42.7.
"""

from ..constants import ConstantValues
from ..tables.numbers import Capability, Opcode, StorageClass
from ..tables.opcode_groups import COMPOSITES
from .instruction import CheckTable, Inst
from .operations import contains_small
from .state import TYPES, State
from .types import COOPERATIVE

__all__ = ["CHECKS"]

CHECKS = CheckTable()

TRUTH = (
    Opcode.ConstantTrue, Opcode.ConstantFalse, Opcode.SpecConstantTrue, Opcode.SpecConstantFalse,
)  # fmt: skip
REPLICATES = (Opcode.ConstantCompositeReplicateEXT, Opcode.SpecConstantCompositeReplicateEXT)
NULLABLE = frozenset({
    Opcode.TypeBool, Opcode.TypeInt, Opcode.TypeFloat, Opcode.TypeEvent, Opcode.TypeDeviceEvent,
    Opcode.TypeReserveId, Opcode.TypeQueue,
})  # fmt: skip
WITH_PARTS = COOPERATIVE | {
    Opcode.TypeArray, Opcode.TypeStruct, Opcode.TypeVector, Opcode.TypeMatrix,
    Opcode.TypeVectorIdEXT,
}  # fmt: skip
# Operations on specialisation constants, and those for kernels only.
ANYWHERE = frozenset({
    Opcode.SConvert, Opcode.FConvert, Opcode.UConvert, Opcode.SNegate, Opcode.Not, Opcode.IAdd,
    Opcode.ISub, Opcode.IMul, Opcode.UDiv, Opcode.SDiv, Opcode.UMod, Opcode.SRem, Opcode.SMod,
    Opcode.ShiftRightLogical, Opcode.ShiftRightArithmetic, Opcode.ShiftLeftLogical,
    Opcode.BitwiseOr, Opcode.BitwiseXor, Opcode.BitwiseAnd, Opcode.VectorShuffle,
    Opcode.CompositeExtract, Opcode.CompositeInsert, Opcode.LogicalOr, Opcode.LogicalAnd,
    Opcode.LogicalNot, Opcode.LogicalEqual, Opcode.LogicalNotEqual, Opcode.Select,
    Opcode.IEqual, Opcode.INotEqual, Opcode.ULessThan, Opcode.SLessThan, Opcode.UGreaterThan,
    Opcode.SGreaterThan, Opcode.ULessThanEqual, Opcode.SLessThanEqual,
    Opcode.UGreaterThanEqual, Opcode.SGreaterThanEqual, Opcode.QuantizeToF16,
    Opcode.CooperativeMatrixLengthNV, Opcode.CooperativeMatrixLengthKHR, Opcode.Undef,
})  # fmt: skip
KERNEL = frozenset({
    Opcode.ConvertFToS, Opcode.ConvertSToF, Opcode.ConvertFToU, Opcode.ConvertUToF,
    Opcode.ConvertPtrToU, Opcode.ConvertUToPtr, Opcode.GenericCastToPtr,
    Opcode.PtrCastToGeneric, Opcode.Bitcast, Opcode.FNegate, Opcode.FAdd, Opcode.FSub,
    Opcode.FMul, Opcode.FDiv, Opcode.FRem, Opcode.FMod, Opcode.AccessChain,
    Opcode.InBoundsAccessChain, Opcode.PtrAccessChain, Opcode.InBoundsPtrAccessChain,
})  # fmt: skip
UNTYPED = frozenset({
    Opcode.UntypedAccessChainKHR, Opcode.UntypedInBoundsAccessChainKHR,
    Opcode.UntypedPtrAccessChainKHR, Opcode.UntypedInBoundsPtrAccessChainKHR,
})  # fmt: skip


@CHECKS.on(Opcode.Undef)
def check_undefined(state: State, inst: Inst) -> None:
    """Check that an undefined value is a value."""
    if state.types.code(inst.type) == Opcode.TypeVoid:
        state.report("spirv.result-type", inst, "expected a type other than void")


@CHECKS.on(*TRUTH)
def check_truth(state: State, inst: Inst) -> None:
    """Check a constant of bool."""
    if not state.types.fits(inst.type, "bool s"):
        state.report("spirv.constant-type", inst, "expected the type bool")


@CHECKS.on(Opcode.Constant, Opcode.SpecConstant)
def check_number(state: State, inst: Inst) -> None:
    """Check a constant of a number: its type, and the bits above its width."""
    if not state.types.fits(inst.type, "int s|float s"):
        state.report("spirv.constant-type", inst, "expected a scalar of int or float")
        return
    _check_small(state, inst)
    found = state.types.numeric(inst.type)
    assert found is not None
    width = found.width % 32
    if not width or len(inst.words) < 4:
        return
    top = inst.words[-1]
    extended = (-1 << width) & 0xFFFFFFFF
    negative = found.base == "int" and found.signed and top >> (width - 1) & 1
    if top & extended != (extended if negative else 0):
        state.report("spirv.literal", inst)


def _check_small(state: State, inst: Inst) -> None:
    if state.shader and contains_small(state, inst.type):
        state.report("spirv.small-type", inst, "a constant of a type for storage only")


@CHECKS.on(Opcode.SpecConstant, Opcode.SpecConstantTrue, Opcode.SpecConstantFalse)
def check_specialisation(state: State, inst: Inst) -> None:
    """Check that constants with one SpecId have one type and one default."""
    number = state.index.specialisation(inst.id)
    if number is None:
        return
    first = state.memo("specialisation", number, lambda: inst)
    if (first.code, first.type, first.words[3:]) != (inst.code, inst.type, inst.words[3:]):
        values = (ConstantValues(state.index).value(each) for each in (inst.id, first.id))
        mine, other = (str(each).lower() for each in values)
        state.report(
            "spirv.spec-id", inst,
            f"SpecId {number}: default {mine}, that of id {first.id} is {other}",
        )  # fmt: skip


@CHECKS.on(Opcode.ConstantNull)
def check_null(state: State, inst: Inst) -> None:
    """Check that a type has a null value."""
    if not _nullable(state, inst.type):
        state.report("spirv.constant-type", inst, "the type has no null value")
    _check_small(state, inst)


def _nullable(state: State, type_: int) -> bool:
    lacking = state.types.containing("not null", lambda each: _lacks_null(state, each))
    return type_ not in lacking and not state.type_of(type_)


def _lacks_null(state: State, type_: int) -> bool:
    """Return True for a type that lacks a null value, regardless of its parts."""
    types = state.types
    code = types.code(type_)
    pointer = types.pointer(type_)
    if pointer is not None:
        return pointer[0] == StorageClass.PhysicalStorageBuffer
    if code == Opcode.TypeTensorARM:
        return len(types.words(type_)) < 5
    return code not in NULLABLE and code not in WITH_PARTS


@CHECKS.on(Opcode.ConstantSampler)
def check_sampler(state: State, inst: Inst) -> None:
    """Check a constant sampler."""
    if state.types.code(inst.type) != Opcode.TypeSampler:
        state.report("spirv.constant-type", inst, "expected a sampler")


@CHECKS.on(*COMPOSITES)
def check_composite(state: State, inst: Inst) -> None:
    """Check the parts of a composite constant."""
    if state.types.code(inst.type) == Opcode.TypeTensorARM:
        _check_tensor(state, inst)
        return
    parts = [each.words[0] for each in inst.operands]
    wanted = _parts(state, inst.type)
    spec = inst.code == Opcode.SpecConstantComposite
    if wanted is None:
        state.report("spirv.constant-type", inst, "expected a composite type")
        return
    count, kinds = wanted
    if count is not None and len(parts) != count:
        message = f"expected {count} constituents, got {len(parts)}"
        state.report("spirv.constituent", inst, message)
    for at, part in enumerate(parts):
        if not state.is_constant_or_undefined(part):
            state.report("spirv.constituent", inst, "expected constants")
            break
        given = state.type_of(part)
        expected = kinds[at] if at < len(kinds) else kinds[-1] if kinds else 0
        if expected and given != expected and not _same(state, given, expected):
            state.report("spirv.constituent", inst, f"constituent {at}: expected another type")
            break
    if not spec:
        _check_small(state, inst)


def _check_tensor(state: State, inst: Inst) -> None:
    """Check the parts of a constant tensor: scalars, or tensors of one rank less."""
    words = state.types.words(inst.type)
    shape = state.definitions.get(words[4]) if len(words) > 4 else None
    if shape is None or not shape.ids():
        state.report("spirv.constant-type", inst, "expected a tensor with a shape")
        return
    count = state.integer(shape.ids()[0])
    parts = [each.words[0] for each in inst.operands]
    if count is not None and len(parts) != count:
        message = f"expected {count} constituents, got {len(parts)}"
        state.report("spirv.constituent", inst, message)
    for part in parts:
        given = state.type_of(part)
        if state.integer(words[3]) == 1:
            good = given == words[2]
        else:
            good = state.types.code(given) == Opcode.TypeTensorARM
            good = good and state.types.words(given)[2] == words[2]
        if not good:
            state.report("spirv.constituent", inst, "expected parts of the element type")
            break


def _same(state: State, one: int, two: int) -> bool:
    """Return True for vectors that are the columns of a matrix under another id."""
    first, second = state.types.numeric(one), state.types.numeric(two)
    return first is not None and first == second and first.form == "v"


def _parts(state: State, type_: int) -> tuple[int | None, tuple[int, ...]] | None:
    """Return how many parts a composite has (None: not known), and their types."""
    types = state.types
    words = types.words(type_)
    match types.code(type_):
        case Opcode.TypeVector | Opcode.TypeMatrix:
            return words[3], (words[2],)
        case Opcode.TypeVectorIdEXT | Opcode.TypeArray:
            if state.code(words[3]) in (Opcode.Constant, Opcode.ConstantNull):
                return state.integer(words[3]), (words[2],)
            return None if not words[2] else (None, (words[2],))
        case Opcode.TypeStruct:
            return len(words) - 2, words[2:]
        case code if code in COOPERATIVE:
            return 1, (words[2],)
    return None


@CHECKS.on(*REPLICATES)
def check_replicate(state: State, inst: Inst) -> None:
    """Check a composite constant whose parts are equal."""
    wanted = _parts(state, inst.type)
    if wanted is None:
        state.report("spirv.constant-type", inst, "expected a composite type")
        return
    if not state.is_constant_or_undefined(inst.word(0)):
        state.report("spirv.constituent", inst, "expected a constant")
    elif any(each != state.operand_type(inst, 0) for each in wanted[1]):
        state.report("spirv.constituent", inst, "expected the type of the parts")


@CHECKS.on(Opcode.SpecConstantOp)
def check_operation(state: State, inst: Inst) -> None:
    """Check that an operation is allowed in specialisation constants."""
    code = inst.word(0)
    if code in KERNEL:
        if not state.kernel:
            state.report("spirv.spec-operation", inst, "expected the capability Kernel")
    elif code in UNTYPED:
        if not state.kernel and not state.has(Capability.UntypedPointersKHR):
            state.report("spirv.spec-operation", inst)
    elif code not in ANYWHERE:
        state.report("spirv.spec-operation", inst)
    elif code == Opcode.QuantizeToF16 and not state.shader:
        state.report("spirv.spec-operation", inst, "expected the capability Shader")
    elif (
        code == Opcode.UConvert
        and not state.at_least(4)
        and not state.kernel
        and "SPV_AMD_gpu_shader_int16" not in state.extensions
    ):
        state.report("spirv.spec-operation", inst, "UConvert needs version 1.4")
    for each in inst.operands[1:] if code in ANYWHERE else ():
        id_ = each.words[0]
        known = state.is_constant_or_undefined(id_) or state.code(id_) in TYPES
        if each.is_id and not known:
            state.report("spirv.spec-operation", inst, "expected constants as operands")
            break
