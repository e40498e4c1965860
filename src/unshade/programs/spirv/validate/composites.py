"""Composites: made of parts, taken apart, changed, shuffled, copied.

Source: SPIR-V specification, section 3.42.12.
"""

from ..tables.numbers import Capability, Opcode
from .instruction import CheckTable, Inst
from .matching import logically_match
from .operations import contains_small
from .state import State
from .types import COOPERATIVE

__all__ = ["CHECKS"]

CHECKS = CheckTable()

SMALL = (
    Opcode.VectorShuffle, Opcode.CompositeConstruct, Opcode.CompositeExtract,
    Opcode.CompositeInsert, Opcode.Transpose, Opcode.VectorInsertDynamic,
    Opcode.VectorExtractDynamic,
)  # fmt: skip


@CHECKS.on(*SMALL)
def check_small(state: State, inst: Inst) -> None:
    """Check that composites of storage-only types are not taken apart."""
    at = 1 if inst.code == Opcode.CompositeInsert else 0
    types = (inst.type, state.operand_type(inst, at))
    if state.shader and any(contains_small(state, each) for each in types):
        state.report("spirv.small-type", inst)


def _step(state: State, inst: Inst, type_: int, index: int) -> int:
    """Return the type of a part of a composite; 0 after reporting a fault."""
    types = state.types
    words = types.words(type_)
    count: int | None
    match types.code(type_):
        case Opcode.TypeVector | Opcode.TypeMatrix:
            count, part = words[3], words[2]
        case Opcode.TypeArray | Opcode.TypeVectorIdEXT:
            known = state.code(words[3]) in (Opcode.Constant, Opcode.ConstantNull)
            count, part = state.integer(words[3]) if known else None, words[2]
        case Opcode.TypeRuntimeArray:
            if state.vulkan and inst.function >= 0:
                state.report("spirv.composite", inst, "a runtime array is not a value")
            count, part = None, words[2]
        case Opcode.TypeStruct:
            count, part = len(words) - 2, 0
        case code if code in COOPERATIVE:
            count, part = None, words[2]
        case _:
            state.report("spirv.composite", inst, "an index into a type that is not a composite")
            return 0
    if count is not None and index >= count:
        state.report("spirv.composite", inst, f"expected an index below {count}, got {index}")
        return 0
    return part or words[2 + index]


def _walk(state: State, inst: Inst, type_: int, first: int) -> int:
    indices = inst.first_words()[first:]
    if not indices:
        state.report("spirv.composite", inst, "expected an index")
        return 0
    if len(indices) > 255:
        state.report("spirv.limit", inst, f"expected at most 255 indices, got {len(indices)}")
    for index in indices:
        if type_:
            type_ = _step(state, inst, type_, index)
    return type_


@CHECKS.on(Opcode.CompositeExtract)
def check_extract(state: State, inst: Inst) -> None:
    """Check the type of a part."""
    reached = _walk(state, inst, state.operand_type(inst, 0), 1)
    if reached and reached != inst.type:
        state.report("spirv.composite", inst, "expected the type that is reached as result")


@CHECKS.on(Opcode.CompositeInsert)
def check_insert(state: State, inst: Inst) -> None:
    """Check the type of the inserted part."""
    if state.operand_type(inst, 1) != inst.type:
        state.report("spirv.composite", inst, "expected the result type of the composite")
    reached = _walk(state, inst, inst.type, 2)
    if reached and reached != state.operand_type(inst, 0):
        state.report("spirv.composite", inst, "expected an object of the type that is reached")


@CHECKS.on(Opcode.CompositeConstruct)
def check_construct(state: State, inst: Inst) -> None:
    """Check the parts of a composite."""
    types = state.types
    parts = [state.type_of(each.words[0]) for each in inst.operands]
    words = types.words(inst.type)

    def fail(message: str) -> None:
        state.report("spirv.composite", inst, message)

    match types.code(inst.type):
        case Opcode.TypeVector | Opcode.TypeVectorIdEXT:
            of_id = types.code(inst.type) == Opcode.TypeVectorIdEXT
            if len(parts) < 2 and not of_id and not state.has(Capability.LongVectorEXT):
                fail("expected at least two constituents")
            if any(types.component(each) != words[2] for each in parts) or any(
                types.count(each) == 0 for each in parts
            ):
                fail("expected scalars and vectors of the components' type")
            elif sum(map(types.count, parts)) != types.count(inst.type) and (
                not of_id or state.code(words[3]) == Opcode.Constant
            ):
                fail("expected as many components as the result has")
        case Opcode.TypeMatrix:
            _check_parts(state, inst, parts, words[3], words[2])
        case Opcode.TypeArray:
            known = state.code(words[3]) in (Opcode.Constant, Opcode.ConstantNull)
            count = state.integer(words[3]) if known else None
            _check_parts(state, inst, parts, count, words[2])
        case Opcode.TypeStruct:
            if len(parts) != len(words) - 2:
                fail(f"expected {len(words) - 2} constituents, got {len(parts)}")
            elif tuple(parts) != words[2:]:
                fail("expected constituents of the members' types")
        case code if code in COOPERATIVE:
            _check_parts(state, inst, parts, 1, words[2])
        case _:
            fail("expected a composite type")


def _check_parts(
    state: State, inst: Inst, parts: list[int], count: int | None, wanted: int
) -> None:
    if count is not None and len(parts) != count:
        message = f"expected {count} constituents, got {len(parts)}"
        state.report("spirv.composite", inst, message)
    elif any(each != wanted for each in parts):
        state.report("spirv.composite", inst, "expected constituents of another type")


@CHECKS.on(Opcode.CompositeConstructReplicateEXT)
def check_replicate(state: State, inst: Inst) -> None:
    """Check a composite of equal parts."""
    parts = state.types.parts(inst.type)
    if not parts:
        state.report("spirv.composite", inst, "expected a composite type")
    elif any(each != state.operand_type(inst, 0) for each in parts):
        state.report("spirv.composite", inst, "expected a constituent of the parts' type")


@CHECKS.on(Opcode.VectorShuffle)
def check_shuffle(state: State, inst: Inst) -> None:
    """Check a choice of components of two vectors."""
    types = state.types
    one, two = state.operand_type(inst, 0), state.operand_type(inst, 1)
    choices = [each.words[0] for each in inst.operands[2:]]
    if not types.fits(inst.type, "any vn"):
        state.report("spirv.composite", inst, "expected a vector as result")
        return
    if not types.fits(one, "any vn") or not types.fits(two, "any vn"):
        state.report("spirv.composite", inst, "expected vectors")
        return
    if len(choices) != types.count(inst.type):
        state.report("spirv.composite", inst, "expected as many choices as components")
    if len({types.component(each) for each in (inst.type, one, two)}) != 1:
        state.report("spirv.composite", inst, "expected vectors of the result's components")
    total = types.count(one) + types.count(two)
    for each in choices:
        if each >= total and each != 0xFFFFFFFF:
            state.report("spirv.composite", inst, f"expected a choice below {total}, got {each}")
            break


@CHECKS.on(Opcode.CopyObject)
def check_copy(state: State, inst: Inst) -> None:
    """Check a copy."""
    if state.operand_type(inst, 0) != inst.type:
        state.report("spirv.composite", inst, "expected an operand of the result type")
    elif state.types.code(inst.type) == Opcode.TypeVoid:
        state.report("spirv.composite", inst, "expected a value")


@CHECKS.on(Opcode.CopyLogical)
def check_copy_logical(state: State, inst: Inst) -> None:
    """Check a copy to a type with the same values."""
    given = state.operand_type(inst, 0)
    if given == inst.type:
        state.report("spirv.composite", inst, "expected another type; OpCopyObject copies")
    elif not logically_match(state, given, inst.type):
        state.report("spirv.composite", inst, "expected types that match logically")
    elif state.shader and contains_small(state, inst.type):
        state.report("spirv.small-type", inst)


ARRAYS = (Opcode.BitCastArrayQCOM, Opcode.ExtractSubArrayQCOM)


@CHECKS.on(*ARRAYS)
def check_arrays(state: State, inst: Inst) -> None:
    """Check conversions and parts of arrays."""
    types = state.types
    given = state.operand_type(inst, 0)
    for each in (inst.type, given):
        if types.code(each) != Opcode.TypeArray:
            state.report("spirv.composite", inst, "expected arrays")
            return
        if not types.fits(types.part(each), "int32 s|float32 s|float16 s"):
            state.report("spirv.composite", inst, "expected elements of 32 bits, or halves")
            return
    if inst.code == Opcode.BitCastArrayQCOM:
        bits = [_bits(state, each) for each in (inst.type, given)]
        if None not in bits and bits[0] != bits[1]:
            state.report("spirv.composite", inst, "expected the same number of bits")
        return
    if types.part(inst.type) != types.part(given):
        state.report("spirv.composite", inst, "expected the same elements")
    if not types.fits(state.operand_type(inst, 1), "int32 s"):
        state.report("spirv.composite", inst, "expected a start of 32-bit int")


def _bits(state: State, array: int) -> int | None:
    count = state.integer(state.types.words(array)[3])
    return None if count is None else count * state.types.width(state.types.part(array))
