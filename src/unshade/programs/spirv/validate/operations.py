"""Arithmetic, bits, comparisons, logic, conversions, dot products: types of operands.

Source: SPIR-V specification, sections 3.42.11 to 3.42.16.
"""

from ..tables.numbers import Capability, Opcode
from .declarations import encoding_of
from .derivatives import DERIVATIVES
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS", "SIGNATURES"]

CHECKS = CheckTable()
STORAGE_ONLY_USES = frozenset({
    Opcode.Decorate, Opcode.DecorateId, Opcode.CopyObject, Opcode.Store, Opcode.FConvert,
    Opcode.UConvert, Opcode.SConvert, Opcode.Name,
})  # fmt: skip
ACCUMULATED = 3
# Dot products of integers, and the place of the packed format: behind two vectors, an accumulator.
INTEGER_DOTS = {
    **dict.fromkeys((Opcode.SDot, Opcode.UDot, Opcode.SUDot), 2),
    **dict.fromkeys((Opcode.SDotAccSat, Opcode.UDotAccSat, Opcode.SUDotAccSat), ACCUMULATED),
}
MIXED_DOTS = (Opcode.SUDot, Opcode.SUDotAccSat)
S = TypeSignature.of

_FLOAT_2 = S("float svcn", "same", "same")
_UINT_2 = S("uint svcn", "same", "same")
_INT_2 = S("int svcn", "int svcn, count, width", "int svcn, count, width")
_BITS_2 = S("int svn", "int svn, count, width", "int svn, count, width")
_SHIFT = S("int svn", "int svn, count, width", "int svn, count")
_FLOAT_TEST = S("bool svn", "float svn, count")
_FLOAT_RELATION = S("bool svn", "float svn, count", "float svn, same 0")
_INT_RELATION = S("bool svn", "int svn, count", "int svn, count, width 0")
_BOOL_2 = S("bool sv", "same", "same")

SIGNATURES = {
    **dict.fromkeys(
        (
            Opcode.FAdd, Opcode.FSub, Opcode.FMul, Opcode.FDiv, Opcode.FRem, Opcode.FMod,
            Opcode.FNegate,
        ),
        _FLOAT_2,
    ),
    Opcode.FmaKHR: S("float sv", "same", "same", "same"),
    **dict.fromkeys((Opcode.UDiv, Opcode.UMod), _UINT_2),
    **dict.fromkeys(
        (
            Opcode.IAdd, Opcode.ISub, Opcode.IMul, Opcode.SDiv, Opcode.SRem, Opcode.SMod,
            Opcode.SNegate,
        ),
        _INT_2,
    ),
    **dict.fromkeys((Opcode.BitwiseAnd, Opcode.BitwiseOr, Opcode.BitwiseXor, Opcode.Not), _BITS_2),
    **dict.fromkeys(
        (Opcode.ShiftLeftLogical, Opcode.ShiftRightLogical, Opcode.ShiftRightArithmetic), _SHIFT
    ),
    Opcode.BitFieldInsert: S("int sv", "same", "same", "int s", "int s"),
    Opcode.BitFieldSExtract: S("int sv", "same", "int s", "int s"),
    Opcode.BitFieldUExtract: S("int sv", "same", "int s", "int s"),
    Opcode.BitReverse: S("int sv", "same"),
    Opcode.BitCount: S("int sv", "int sv, count"),
    Opcode.Any: S("bool s", "bool v"),
    Opcode.All: S("bool s", "bool v"),
    **dict.fromkeys(
        (
            Opcode.IsNan, Opcode.IsInf, Opcode.IsFinite, Opcode.IsNormal, Opcode.SignBitSet,
        ),
        _FLOAT_TEST,
    ),
    **dict.fromkeys(
        (
            Opcode.FOrdEqual, Opcode.FUnordEqual, Opcode.FOrdNotEqual, Opcode.FUnordNotEqual,
            Opcode.FOrdLessThan, Opcode.FUnordLessThan, Opcode.FOrdGreaterThan,
            Opcode.FUnordGreaterThan, Opcode.FOrdLessThanEqual, Opcode.FUnordLessThanEqual,
            Opcode.FOrdGreaterThanEqual, Opcode.FUnordGreaterThanEqual, Opcode.LessOrGreater,
            Opcode.Ordered, Opcode.Unordered,
        ),
        _FLOAT_RELATION,
    ),
    **dict.fromkeys(
        (
            Opcode.IEqual, Opcode.INotEqual, Opcode.UGreaterThan, Opcode.UGreaterThanEqual,
            Opcode.ULessThan, Opcode.ULessThanEqual, Opcode.SGreaterThan,
            Opcode.SGreaterThanEqual, Opcode.SLessThan, Opcode.SLessThanEqual,
        ),
        _INT_RELATION,
    ),
    **dict.fromkeys(
        (
            Opcode.LogicalEqual, Opcode.LogicalNotEqual, Opcode.LogicalOr, Opcode.LogicalAnd,
            Opcode.LogicalNot,
        ),
        _BOOL_2,
    ),
    Opcode.ConvertFToU: S("uint svcn", "float svcn, count"),
    Opcode.ConvertFToS: S("int svcn", "float svcn, count"),
    Opcode.ConvertSToF: S("float svcn", "int svcn, count"),
    Opcode.ConvertUToF: S("float svcn", "int svcn, count"),
    Opcode.UConvert: S("uint svcn", "int svcn, count"),
    Opcode.SConvert: S("int svcn", "int svcn, count"),
    Opcode.FConvert: S("float svcn", "float svcn, count"),
    Opcode.QuantizeToF16: S("float32 sv", "same"),
    Opcode.SatConvertSToU: S("int sv", "int sv, count"),
    Opcode.SatConvertUToS: S("int sv", "int sv, count"),
    Opcode.ExpectKHR: S("int sv|bool sv", "same", "same"),
    Opcode.AssumeTrueKHR: S("", "bool s"),
    Opcode.VectorTimesScalar: S("float vn", "same", "float s"),
    Opcode.Dot: S("float s", "float v", "same 0"),
    Opcode.VectorExtractDynamic: S("", "any vn", "int s"),
    Opcode.VectorInsertDynamic: S("any vn", "same", "", "int s"),
}  # fmt: skip

_NOT_32 = "expected components of 32 bits in Vulkan"
_BITS = {
    Opcode.BitFieldInsert: 0, Opcode.BitFieldSExtract: 0, Opcode.BitFieldUExtract: 0,
    Opcode.BitReverse: 0, Opcode.BitCount: 0,
}  # fmt: skip


@CHECKS.on(*SIGNATURES)
def check_types(state: State, inst: Inst) -> None:
    """Check an operation by its row."""
    check_signature(state, inst, SIGNATURES[inst.code])


@CHECKS.on(*_BITS)
def check_bits(state: State, inst: Inst) -> None:
    """Check the width of bit operations in Vulkan."""
    if not state.vulkan or state.options.allow_vulkan_32_bit_bitwise:
        return
    if state.types.width(state.operand_type(inst, 0)) not in (0, 32):
        vuid = "VUID-StandaloneSpirv-Base-04781"
        state.report("spirv.bit-width", inst, _NOT_32, vuid)


@CHECKS.on(Opcode.UConvert, Opcode.SConvert)
def check_convert(state: State, inst: Inst) -> None:
    """Check that a conversion changes the width."""
    width = state.types.width(inst.type)
    if width and width == state.types.width(state.operand_type(inst, 0)):
        state.report("spirv.same-width", inst)


@CHECKS.on(Opcode.FConvert)
def check_fconvert(state: State, inst: Inst) -> None:
    """Check that a conversion changes the width or the encoding."""
    types = state.types
    one, two = types.numeric(inst.type), types.numeric(state.operand_type(inst, 0))
    if one is None or two is None or one.base != "float" or two.base != "float":
        return
    if one.width == two.width and types.words(one.part)[3:] == types.words(two.part)[3:]:
        state.report("spirv.same-width", inst)


@CHECKS.on(Opcode.IAddCarry, Opcode.ISubBorrow, Opcode.UMulExtended, Opcode.SMulExtended)
def check_pair(state: State, inst: Inst) -> None:
    """Check an operation whose result is a structure of two equal members."""
    types = state.types
    members = types.members(inst.type)
    if len(members) != 2 or members[0] != members[1]:
        state.report("spirv.result-type", inst, "expected a structure of two equal members")
        return
    base = "int sv" if inst.code == Opcode.SMulExtended else "uint sv"
    if not types.fits(members[0], base):
        state.report("spirv.result-type", inst, f"expected members of {base.split(maxsplit=1)[0]}")
    for at in (0, 1):
        if state.operand_type(inst, at) != members[0]:
            state.report("spirv.operand-type", inst, "expected the type of the members")


@CHECKS.on(Opcode.VectorTimesScalar)
def check_vector_times_scalar(state: State, inst: Inst) -> None:
    """Check the scalar."""
    if state.operand_type(inst, 1) != state.types.part(inst.type):
        state.report("spirv.operand-type", inst, "expected a scalar of the components' type")


@CHECKS.on(Opcode.Dot)
def check_dot(state: State, inst: Inst) -> None:
    """Check the components of a dot product."""
    if state.types.part(state.operand_type(inst, 0)) != inst.type:
        state.report("spirv.operand-type", inst, "expected components of the result's type")


@CHECKS.on(*INTEGER_DOTS)
def check_integer_dot(state: State, inst: Inst) -> None:
    """Check result, vectors and accumulator of a dot product of integers."""
    unsigned = inst.code in (Opcode.UDot, Opcode.UDotAccSat)
    result = "uint" if unsigned else "int"
    if not state.types.fits(inst.type, f"{result} s"):
        state.report("spirv.result-type", inst, f"expected a scalar of {result} as result")
    last = INTEGER_DOTS[inst.code]
    if last == ACCUMULATED and state.operand_type(inst, 2) != inst.type:
        state.report("spirv.operand-type", inst, "operand 2: expected the result type")
    forms = []
    for at in (0, 1):
        found = state.types.numeric(state.operand_type(inst, at))
        fits = found is not None and found.base == "int" and found.form in "sv"
        if found is None or not fits or (found.form == "s" and found.width != 32):
            message = f"operand {at}: expected a vector of int, or a scalar int32"
            state.report("spirv.operand-type", inst, message)
            return
        if found.form == "v" and found.signed and (unsigned or (at and inst.code in MIXED_DOTS)):
            state.report("spirv.operand-type", inst, f"operand {at}: expected components of uint")
        forms.append(found)
    one, two = forms
    if (one.form, one.size, one.width) != (two.form, two.size, two.width):
        state.report("spirv.operand-type", inst, "expected operands of one form")
    elif one.form == "s":
        if len(inst.operands) <= last:
            state.report("spirv.operand-type", inst, "expected a packed vector format")
        _need_input(state, inst, "DotProductInput4x8BitPacked")
    else:
        if state.types.width(inst.type) < one.width:
            state.report("spirv.result-type", inst, "expected at least the width of the components")
        small = (one.size, one.width) == (4, 8)
        bytes_ = ("DotProductInput4x8Bit",) if small else ()
        _need_input(state, inst, "DotProductInputAll", *bytes_)


def _need_input(state: State, inst: Inst, *names: str) -> None:
    if not state.has(*(getattr(Capability, name) for name in names)):
        words = " or ".join(names)
        state.report("spirv.capability", inst, f"operands of this form need {words}")


@CHECKS.on(Opcode.VectorExtractDynamic, Opcode.VectorInsertDynamic)
def check_component(state: State, inst: Inst) -> None:
    """Check the type of the extracted or inserted component."""
    if inst.code == Opcode.VectorExtractDynamic:
        vector, part = state.operand_type(inst, 0), inst.type
    else:
        vector, part = inst.type, state.operand_type(inst, 1)
    if state.types.part(vector) != part:
        state.report("spirv.operand-type", inst, "expected the type of the components")
    _forbid_small(state, inst, vector)


# Operations that only have IEEE 754, and where its type is: -1 is the result.
PLAIN = {
    **dict.fromkeys(
        (
            Opcode.FAdd, Opcode.FSub, Opcode.FMul, Opcode.FDiv, Opcode.FRem, Opcode.FMod,
            Opcode.FNegate, Opcode.FmaKHR, Opcode.VectorTimesScalar, Opcode.MatrixTimesScalar,
            Opcode.VectorTimesMatrix, Opcode.MatrixTimesVector, Opcode.MatrixTimesMatrix,
            Opcode.OuterProduct, *DERIVATIVES, Opcode.AtomicFAddEXT, Opcode.AtomicFMinEXT,
            Opcode.AtomicFMaxEXT, Opcode.AtomicLoad, Opcode.AtomicExchange,
            Opcode.GroupNonUniformRotateKHR, Opcode.GroupNonUniformBroadcast,
            Opcode.GroupNonUniformShuffle, Opcode.GroupNonUniformShuffleXor,
            Opcode.GroupNonUniformShuffleUp, Opcode.GroupNonUniformShuffleDown,
            Opcode.GroupNonUniformQuadBroadcast, Opcode.GroupNonUniformQuadSwap,
            Opcode.GroupNonUniformBroadcastFirst, Opcode.GroupNonUniformFAdd,
            Opcode.GroupNonUniformFMul, Opcode.GroupNonUniformFMin,
            Opcode.CooperativeMatrixMulAddNV, Opcode.Dot,
        ),
        -1,
    ),
    **dict.fromkeys(
        (
            Opcode.IsNan, Opcode.IsInf, Opcode.IsFinite, Opcode.IsNormal, Opcode.SignBitSet,
            Opcode.FOrdEqual, Opcode.FUnordEqual, Opcode.FOrdNotEqual, Opcode.FUnordNotEqual,
            Opcode.FOrdLessThan, Opcode.FUnordLessThan, Opcode.FOrdGreaterThan,
            Opcode.FUnordGreaterThan, Opcode.FOrdLessThanEqual, Opcode.FUnordLessThanEqual,
            Opcode.FOrdGreaterThanEqual, Opcode.FUnordGreaterThanEqual, Opcode.LessOrGreater,
            Opcode.Ordered, Opcode.Unordered,
        ),
        0,
    ),
    Opcode.GroupNonUniformAllEqual: 1,
    Opcode.AtomicStore: 3,
}  # fmt: skip


@CHECKS.on(*PLAIN)
def check_encoding(state: State, inst: Inst) -> None:
    """Check that floats are of IEEE 754."""
    at = PLAIN[inst.code]
    type_ = inst.type if at < 0 else state.operand_type(inst, at)
    found = state.types.numeric(type_)
    if found is None or (found.form == "c" and inst.code != Opcode.CooperativeMatrixMulAddNV):
        return
    encoding = encoding_of(state, found.part)
    if encoding == "BFloat16KHR" and inst.code == Opcode.Dot:
        if not state.has(Capability.BFloat16DotProductKHR):
            state.report("spirv.encoding", inst, "a product needs BFloat16DotProductKHR")
    elif encoding and not (inst.code == Opcode.AtomicStore and found.form == "s"):
        state.report("spirv.encoding", inst, f"{encoding} is for storage and conversion")


def _forbid_small(state: State, inst: Inst, type_: int) -> None:
    if state.shader and has_limited_use(state, type_):
        state.report("spirv.small-type", inst)


def has_limited_use(state: State, type_: int) -> bool:
    """Return True for types with storage-only parts of 8 or 16 bits."""
    types = state.types
    width = types.width(type_)
    found = types.numeric(type_)
    if found is None:
        return False
    if width == 8 and found.base == "int":
        return not state.has(Capability.Int8)
    if width == 16 and found.base == "int":
        return not state.has(Capability.Int16)
    if width == 16 and found.base == "float" and not encoding_of(state, found.part):
        return not state.has(Capability.Float16)
    return False


SMALL = frozenset({8, 16})


def contains_small(state: State, type_: int) -> bool:
    """Return True if a type has storage-only parts; pointers are not followed."""
    return not state.types.widths.isdisjoint(SMALL) and type_ in _small_types(state)


def _small_types(state: State) -> set[int]:
    return state.types.containing("small", lambda each: has_limited_use(state, each))


@CHECKS.on(
    Opcode.MatrixTimesScalar, Opcode.VectorTimesMatrix, Opcode.MatrixTimesVector,
    Opcode.MatrixTimesMatrix, Opcode.OuterProduct, Opcode.Transpose,
)  # fmt: skip
def check_matrix(state: State, inst: Inst) -> None:
    """Check products of matrices, vectors and scalars."""
    message = _matrix(state, inst)
    if message:
        state.report("spirv.operand-type", inst, message)


def _matrix(state: State, inst: Inst) -> str:
    types = state.types
    result = types.numeric(inst.type)
    one = types.numeric(state.operand_type(inst, 0))
    two = types.numeric(state.operand_type(inst, 1)) if len(inst.operands) > 1 else one
    if result is None or one is None or two is None:
        return "expected matrices, vectors and scalars"
    if result.base != "float" and (inst.code != Opcode.MatrixTimesScalar or result.form != "c"):
        return "expected components of float"
    forms = {
        Opcode.MatrixTimesScalar: ("mc", "mc", "s"),
        Opcode.VectorTimesMatrix: ("v", "v", "m"),
        Opcode.MatrixTimesVector: ("v", "m", "v"),
        Opcode.MatrixTimesMatrix: ("m", "m", "m"),
        Opcode.OuterProduct: ("m", "v", "v"),
        Opcode.Transpose: ("m", "m", "m"),
    }[inst.code]
    for each, allowed, name in zip(
        (result, one, two), forms, ("the result", "operand 1", "operand 2"), strict=True
    ):
        if each.form not in allowed:
            return f"expected another form of {name}"
        if each.part != result.part:
            return f"expected the components of {name} to be of the result's type"
    sizes = {
        Opcode.MatrixTimesScalar: [
            (inst.type, state.operand_type(inst, 0)),
        ],
        Opcode.VectorTimesMatrix: [(one.size, two.size), (result.size, two.columns)],
        Opcode.MatrixTimesVector: [(one.columns, two.size), (result.size, one.size)],
        Opcode.MatrixTimesMatrix: [
            (one.columns, two.size), (result.size, one.size), (result.columns, two.columns),
        ],
        Opcode.OuterProduct: [(result.size, one.size), (result.columns, two.size)],
        Opcode.Transpose: [(result.size, one.columns), (result.columns, one.size)],
    }[inst.code]  # fmt: skip
    return "expected matching sizes" if any(a != b for a, b in sizes) else ""


@CHECKS.on(Opcode.Select)
def check_select(state: State, inst: Inst) -> None:
    """Check a selection: of numbers, pointers, or composites since version 1.4."""
    types = state.types
    code = types.code(inst.type)
    condition = types.numeric(state.operand_type(inst, 0))
    found = types.numeric(inst.type)
    if types.pointer(inst.type) is not None:
        if (
            state.logical
            and not state.has(Capability.VariablePointers, Capability.VariablePointersStorageBuffer)
            and state.addressing == 0
        ):
            state.report("spirv.result-type", inst, "selecting pointers needs VariablePointers")
    elif found is None or found.form not in "sv":
        composite = code in (
            Opcode.TypeStruct, Opcode.TypeArray, Opcode.TypeMatrix,
            Opcode.TypeCooperativeMatrixNV, Opcode.TypeCooperativeMatrixKHR,
            Opcode.TypeVectorIdEXT,
        )  # fmt: skip
        allowed = composite and state.at_least(4)
        opaque = code in (Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage)
        if not allowed and not (opaque and state.has(Capability.BindlessTextureNV)):
            state.report("spirv.result-type", inst, "expected a scalar or vector as result")
            return
    if condition is None or condition.base != "bool" or condition.form not in "svn":
        state.report("spirv.operand-type", inst, "expected a condition of bool")
        return
    wide = condition.form != "s"
    same = found is not None and found.form == condition.form and found.size == condition.size
    if (wide and not same) or (not wide and not state.at_least(4) and found is not None
                             and found.form == "v"):  # fmt: skip
        state.report("spirv.operand-type", inst, "expected as many conditions as components")
    for at in (1, 2):
        if state.operand_type(inst, at) != inst.type:
            state.report("spirv.operand-type", inst, f"operand {at + 1}: expected the result type")


def check_small_uses(state: State) -> None:
    """Check the uses of all values of storage-only types.

    Source: SPIR-V specification, section 2.16.1, on StorageBuffer16BitAccess and its relatives.
    """
    if not state.shader:
        return
    small = _small_types(state)
    for inst in state.insts if small else ():
        if not inst.id or inst.type not in small:
            continue
        for user in state.uses.get(inst.id, ()):
            if user.code not in STORAGE_ONLY_USES:
                state.report("spirv.small-type", user, "a value of a type for storage only")
