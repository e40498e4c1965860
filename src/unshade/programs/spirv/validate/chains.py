"""Access chains, lengths of arrays, comparisons of pointers.

    %p = OpAccessChain %pointer %base %index …     each index goes one level down

Sources: SPIR-V specification, section 3.42.8; Vulkan specification, appendix A.
"""

from ..tables.numbers import AddressingModel, Capability, Decoration, Opcode, StorageClass
from .declarations import contains_block
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["ACCESS_CHAINS", "CHECKS", "base_of"]

CHECKS = CheckTable()
S = StorageClass

UNTYPED_CHAINS = {
    Opcode.UntypedAccessChainKHR: 0,
    Opcode.UntypedInBoundsAccessChainKHR: 0,
    Opcode.UntypedPtrAccessChainKHR: 1,
    Opcode.UntypedInBoundsPtrAccessChainKHR: 1,
}
# Access chains, with the number of operands between the base and the indices.
ACCESS_CHAINS = {
    Opcode.AccessChain: 0,
    Opcode.InBoundsAccessChain: 0,
    Opcode.PtrAccessChain: 1,
    Opcode.InBoundsPtrAccessChain: 1,
    **UNTYPED_CHAINS,
}
POINTERS = frozenset({Opcode.TypePointer, Opcode.TypeUntypedPointerKHR})


def base_of(state: State, id_: int) -> Inst | None:
    """Return the instruction that a pointer comes from, through access chains and copies."""
    seen = set()
    inst = state.definitions.get(id_)
    while inst is not None and inst.id not in seen:
        seen.add(inst.id)
        if inst.code in UNTYPED_CHAINS:
            inst = state.definitions.get(inst.word(1))
        elif inst.code in ACCESS_CHAINS or inst.code == Opcode.CopyObject:
            inst = state.definitions.get(inst.word(0))
        else:
            return inst
    return None


@CHECKS.on(*ACCESS_CHAINS)
def check_chain(state: State, inst: Inst) -> None:
    """Follow an access chain down the type."""
    types = state.types
    untyped = inst.code in UNTYPED_CHAINS
    wanted = Opcode.TypeUntypedPointerKHR if untyped else Opcode.TypePointer
    if types.code(inst.type) != wanted:
        state.report("spirv.chain", inst, "expected a pointer as result")
        return
    place = 1 if untyped else 0
    base = types.pointer(state.operand_type(inst, place))
    if base is None or (not untyped and not base[1]):
        state.report("spirv.chain", inst, "expected a pointer as base")
        return
    result = types.pointer(inst.type) or (0, 0)
    if result[0] != base[0]:
        state.report("spirv.chain", inst, "expected the storage class of the base")
    type_ = inst.word(0) if untyped else base[1]
    if untyped:
        _check_untyped(state, inst, type_)
    first = place + 1 + ACCESS_CHAINS[inst.code]
    indices = inst.first_words()[first:]
    most = state.options.limits.access_chain_indexes
    if len(indices) > most:
        message = f"expected at most {most} indices, got {len(indices)}"
        state.report("spirv.limit", inst, message)
    for each in indices:
        _check_sign(state, inst, result[0], each)
        type_ = _step(state, inst, type_, each)
        if not type_:
            return
    if not untyped and type_ != result[1]:
        state.report("spirv.chain", inst, "expected a pointer to the type that is reached")
    if ACCESS_CHAINS[inst.code]:
        _check_element(state, inst, place, base)


def _check_sign(state: State, inst: Inst, storage: int, index: int) -> None:
    physical = state.addressing not in (
        AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64,
    )  # fmt: skip
    if physical or storage == S.PhysicalStorageBuffer or state.options.relax_logical_pointer:
        return
    if (state.integer(index) or 0) < 0:
        state.report("spirv.chain", inst, "expected indices of at least 0")


def _step(state: State, inst: Inst, type_: int, index: int) -> int:
    """Return the type that an index leads to; 0 after reporting a fault."""
    types = state.types
    if not types.fits(state.type_of(index), "int s"):
        state.report("spirv.chain", inst, "expected indices of int")
        return 0
    if types.code(type_) == Opcode.TypeStruct:
        words = types.words(type_)
        value = state.integer(index)
        if value is None:
            state.report("spirv.chain", inst, "expected a constant as index of a structure")
            return 0
        if not 0 <= value < len(words) - 2:
            message = f"expected an index below {len(words) - 2}, got {value}"
            state.report("spirv.chain", inst, message)
            return 0
        return words[2 + value]
    part = types.part(type_)
    if not part:
        state.report("spirv.chain", inst, "an index into a type that is not a composite")
    return part


def _check_untyped(state: State, inst: Inst, type_: int) -> None:
    types = state.types
    code = types.code(type_)
    if not code or code in POINTERS or inst.word(0) not in state.definitions:
        state.report("spirv.chain", inst, "expected a base type that is not a pointer")
        return
    base = state.definitions.get(inst.word(1))
    seen = set()
    while base is not None and base.code == Opcode.CopyObject and base.id not in seen:
        seen.add(base.id)
        base = state.definitions.get(base.word(0))
    held = 0
    if base is not None and base.code == Opcode.Variable:
        held = (types.pointer(base.type) or (0, 0))[1]
    elif base is not None and base.code == Opcode.UntypedVariableKHR:
        held = base.word(1)
    if held:
        one, two = (_is_block_array(state, each) for each in (type_, held))
        if one != two or (one and type_ != held):
            state.report("spirv.chain", inst, "expected the same array of blocks as the base")


def _is_block_array(state: State, type_: int) -> bool:
    return state.types.code(type_) == Opcode.TypeArray and contains_block(state, type_)


def _check_element(state: State, inst: Inst, place: int, base: tuple[int, int]) -> None:
    """Check the element of an access chain that begins with an index of the pointer."""
    element = inst.word(place + 1)
    storage = base[0]
    pointer = state.operand_type(inst, place)
    if not state.types.fits(state.type_of(element), "int s"):
        state.report("spirv.chain", inst, "expected an element of int")
    type_ = inst.word(0) if place else base[1]
    blocks = (Decoration.Block, Decoration.BufferBlock)
    if state.integer(element) and any(state.decorated(each, type_) for each in blocks):
        state.report("spirv.chain", inst, "expected element 0 of a block")
    laid = [S.Uniform, S.StorageBuffer, S.PhysicalStorageBuffer, S.PushConstant]
    if state.has(Capability.WorkgroupMemoryExplicitLayoutKHR):
        laid.append(S.Workgroup)
    strides = (Decoration.ArrayStride, Decoration.ArrayStrideIdEXT)
    strided = any(state.decorated(each, pointer) for each in strides)
    if state.shader and storage in laid and not strided:
        state.report("spirv.chain", inst, "expected a pointer with ArrayStride")
    if not state.vulkan or (place and state.has(Capability.UntypedPointersKHR)):
        return
    needed = {
        S.Workgroup: (7651, (Capability.VariablePointers,)),
        S.StorageBuffer: (
            7652, (Capability.VariablePointers, Capability.VariablePointersStorageBuffer),
        ),
        S.PhysicalStorageBuffer: (0, ()),
    }.get(storage, (7650, ()))  # fmt: skip
    if needed[0] and not state.has(*needed[1]):
        vuid = f"VUID-StandaloneSpirv-Base-{needed[0]:05}"
        state.report("spirv.chain", inst, "the storage class needs variable pointers", vuid)


@CHECKS.on(Opcode.RawAccessChainNV)
def check_raw(state: State, inst: Inst) -> None:
    """Check a raw access chain."""
    types = state.types
    pointer = types.pointer(inst.type)
    if types.code(inst.type) != Opcode.TypePointer or pointer is None:
        state.report("spirv.chain", inst, "expected a pointer as result")
        return
    storage, pointee = pointer
    if storage not in (S.StorageBuffer, S.PhysicalStorageBuffer, S.Uniform):
        state.report("spirv.chain", inst, "expected a pointer to a buffer")
    if types.code(pointee) in (Opcode.TypeArray, Opcode.TypeMatrix, Opcode.TypeStruct):
        state.report("spirv.chain", inst, "expected a pointer to a scalar or vector")
    stride = state.integer(inst.word(1))
    if state.code(inst.word(1)) != Opcode.Constant or stride is None:
        state.report("spirv.chain", inst, "expected a constant of int as stride")
    for at in (2, 3):
        if not types.fits(state.operand_type(inst, at), "int32 s"):
            state.report("spirv.chain", inst, "expected index and offset of 32-bit int")
    mask = inst.word(4)
    component, element = mask & 1, mask & 2
    if element and stride == 0:
        state.report("spirv.chain", inst, "expected a stride other than 0")
    if mask & 3 and storage == S.PhysicalStorageBuffer:
        state.report("spirv.chain", inst, "physical memory has no robustness")
    if component and element:
        state.report("spirv.chain", inst, "expected one kind of robustness")


@CHECKS.on(Opcode.ArrayLength, Opcode.UntypedArrayLengthKHR)
def check_length(state: State, inst: Inst) -> None:
    """Check the length of a runtime array."""
    types = state.types
    if not types.fits(inst.type, "uint32 s|uint64 s"):
        state.report("spirv.array-query", inst, "expected a result of uint")
    untyped = inst.code == Opcode.UntypedArrayLengthKHR
    at = 1 if untyped else 0
    pointer = types.pointer(state.operand_type(inst, at))
    code = types.code(state.operand_type(inst, at))
    if pointer is None or untyped != (code == Opcode.TypeUntypedPointerKHR):
        state.report("spirv.array-query", inst, "expected a pointer to a structure")
        return
    type_ = inst.word(0) if untyped else pointer[1]
    members = types.members(type_)
    if not members:
        state.report("spirv.array-query", inst, "expected a pointer to a structure")
    elif types.code(members[-1]) != Opcode.TypeRuntimeArray:
        state.report("spirv.array-query", inst, "expected a runtime array as last member")
    elif inst.word(at + 1) != len(members) - 1:
        state.report("spirv.array-query", inst, "expected the last member")
    if state.vulkan and pointer[0] == S.Uniform and state.decorated(Decoration.Block, type_):
        vuid = "VUID-StandaloneSpirv-OpArrayLength-11805"
        state.report("spirv.array-query", inst, "a uniform block", vuid)


@CHECKS.on(Opcode.PtrEqual, Opcode.PtrNotEqual, Opcode.PtrDiff)
def check_comparison(state: State, inst: Inst) -> None:
    """Check a comparison of pointers."""
    types = state.types
    one, two = state.operand_type(inst, 0), state.operand_type(inst, 1)
    first, second = types.pointer(one), types.pointer(two)
    difference = inst.code == Opcode.PtrDiff
    if difference and not types.fits(inst.type, "int s"):
        state.report("spirv.result-type", inst, "expected a scalar of int as result")
    if not difference and not types.fits(inst.type, "bool s"):
        state.report("spirv.result-type", inst, "expected a scalar of bool as result")
    if first is None or second is None:
        state.report("spirv.pointer", inst)
        return
    untyped = Opcode.TypeUntypedPointerKHR in (types.code(one), types.code(two))
    if untyped:
        if difference and one != two:
            state.report("spirv.pointer", inst, "expected pointers of the same type")
        elif first[0] != second[0]:
            state.report("spirv.pointer", inst, "expected the same storage class")
    elif one != two:
        state.report("spirv.pointer", inst, "expected pointers of the same type")
    if state.addressing != AddressingModel.Logical:
        return
    free = {
        S.Workgroup: (Capability.VariablePointers,),
        S.StorageBuffer: (Capability.VariablePointers, Capability.VariablePointersStorageBuffer),
    }.get(first[0])
    if free is None or not state.has(*free):
        state.report("spirv.pointer", inst, "comparing pointers needs VariablePointers")
