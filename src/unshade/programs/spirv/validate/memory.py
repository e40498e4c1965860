"""Loads, stores, copies of memory.

    %v = OpLoad %type %p Aligned 16

Sources: SPIR-V specification, section 3.42.8; Vulkan specification, appendix A.
"""

from functools import partial

from ..tables.numbers import (
    AddressingModel,
    Capability,
    Decoration,
    ExecutionModel,
    MemoryAccess,
    Opcode,
    StorageClass,
)
from .chains import base_of
from .instruction import CheckTable, Inst
from .operations import contains_small
from .semantics import check_memory
from .state import State

__all__ = ["CHECKS", "is_logical_pointer", "largest_scalar"]

CHECKS = CheckTable()
S = StorageClass
LAYOUT = frozenset({  # what places the members of a structure
    Decoration.Offset, Decoration.ArrayStride, Decoration.MatrixStride, Decoration.RowMajor,
    Decoration.ColMajor,
})  # fmt: skip

RUNTIME = frozenset({Opcode.TypeRuntimeArray})
DESCRIPTORS = frozenset({
    Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage,
    Opcode.TypeAccelerationStructureKHR,
})  # fmt: skip
LOADS = (
    Opcode.Load, Opcode.CooperativeMatrixLoadNV, Opcode.CooperativeMatrixLoadTensorNV,
    Opcode.CooperativeMatrixLoadKHR, Opcode.CooperativeVectorLoadNV, Opcode.PredicatedLoadINTEL,
)  # fmt: skip
STORES = (
    Opcode.Store, Opcode.CooperativeMatrixStoreNV, Opcode.CooperativeMatrixStoreKHR,
    Opcode.CooperativeMatrixStoreTensorNV, Opcode.CooperativeVectorStoreNV,
    Opcode.PredicatedStoreINTEL,
)  # fmt: skip
COPIES = (Opcode.CopyMemory, Opcode.CopyMemorySized)
# What a logical pointer comes from; the second set with variable pointers only.
LOGICAL = frozenset({
    Opcode.Variable, Opcode.UntypedVariableKHR, Opcode.AccessChain, Opcode.InBoundsAccessChain,
    Opcode.UntypedAccessChainKHR, Opcode.UntypedInBoundsAccessChainKHR, Opcode.BufferPointerEXT,
    Opcode.FunctionParameter, Opcode.ImageTexelPointer, Opcode.UntypedImageTexelPointerEXT,
    Opcode.CopyObject, Opcode.RawAccessChainNV, Opcode.AllocateNodePayloadsAMDX,
})  # fmt: skip
VARIABLE = LOGICAL | {
    Opcode.Select, Opcode.Phi, Opcode.FunctionCall, Opcode.PtrAccessChain,
    Opcode.UntypedPtrAccessChainKHR, Opcode.Load, Opcode.ConstantNull,
}  # fmt: skip
READ_ONLY = (S.UniformConstant, S.Input, S.PushConstant, S.ShaderRecordBufferKHR)
SHARED = (
    S.Uniform, S.Workgroup, S.CrossWorkgroup, S.Generic, S.Image, S.StorageBuffer,
    S.PhysicalStorageBuffer,
)  # fmt: skip


def is_logical_pointer(state: State, id_: int) -> bool:
    """Return True for an id that may be a pointer in logical addressing."""
    if state.addressing != AddressingModel.Logical:
        return True
    free = state.has(Capability.VariablePointers, Capability.VariablePointersStorageBuffer)
    return state.code(id_) in (VARIABLE if free else LOGICAL)


def _pointer(state: State, inst: Inst, at: int) -> tuple[int, int] | None:
    """Return storage class and pointee of a pointer operand; report any other operand."""
    id_ = inst.word(at)
    pointer = state.types.pointer(state.type_of(id_))
    if pointer is None or not is_logical_pointer(state, id_):
        state.report("spirv.pointer", inst)
        return None
    return pointer


@CHECKS.on(Opcode.Load)
def check_load(state: State, inst: Inst) -> None:
    """Check a load."""
    pointer = _pointer(state, inst, 0)
    if pointer is None:
        return
    storage, pointee = pointer
    typed = state.types.code(state.operand_type(inst, 0)) == Opcode.TypePointer
    if typed and pointee != inst.type:
        state.report("spirv.access-type", inst, "expected the type that is pointed to")
    if state.types.inner(inst.type, RUNTIME) and not state.options.before_hlsl_legalization:
        state.report("spirv.access-type", inst, "a runtime array is not loaded")
    _check_access(state, inst, 1, [storage], largest_scalar(state, pointee or inst.type))
    meshes = state.has(Capability.MeshShadingEXT)
    if meshes and storage == S.Output and ExecutionModel.MeshEXT in state.models_of(inst):
        vuid = "VUID-StandaloneSpirv-MeshEXT-07107"
        state.report("spirv.access", inst, "outputs of a mesh are not read", vuid)


@CHECKS.on(Opcode.Store)
def check_store(state: State, inst: Inst) -> None:
    """Check a store."""
    pointer = _pointer(state, inst, 0)
    if pointer is None:
        return
    storage, pointee = pointer
    given = state.operand_type(inst, 1)
    types = state.types
    if types.code(given) == Opcode.TypeVoid or not given:
        state.report("spirv.access-type", inst, "expected a value")
    elif pointee and given != pointee:
        structures = types.code(given) == types.code(pointee) == Opcode.TypeStruct
        relaxed = state.options.relax_struct_store and structures
        if not relaxed or not compatible_structures(state, pointee, given):
            state.report("spirv.access-type", inst, "expected the type that is pointed to")
    if storage in READ_ONLY:
        state.report("spirv.read-only", inst)
    elif storage == S.HitAttributeKHR:
        read = {ExecutionModel.AnyHitKHR, ExecutionModel.ClosestHitKHR}
        if state.models_of(inst) & read:
            vuid = "VUID-StandaloneSpirv-HitAttributeKHR-04703"
            state.report("spirv.read-only", inst, "only intersections write hit attributes", vuid)
    _check_access(state, inst, 2, [storage], largest_scalar(state, pointee or given))
    if not state.vulkan:
        return
    if storage == S.Uniform and _in_block(state, inst.word(0)):
        vuid = "VUID-StandaloneSpirv-Uniform-06925"
        state.report("spirv.read-only", inst, "a uniform block", vuid)
    if types.inner(given, DESCRIPTORS) and not state.options.before_hlsl_legalization:
        vuid = "VUID-StandaloneSpirv-OpTypeImage-06924"
        state.report("spirv.access-type", inst, "images and samplers are not stored", vuid)


def _in_block(state: State, pointer: int) -> bool:
    base = base_of(state, pointer)
    if base is None or base.code != Opcode.Variable:
        return False
    found = state.types.pointer(base.type)
    type_ = found[1] if found is not None else 0
    if state.types.code(type_) in (Opcode.TypeArray, Opcode.TypeRuntimeArray):
        type_ = state.types.part(type_)
    return state.decorated(Decoration.Block, type_)


@CHECKS.on(*COPIES)
def check_copy(state: State, inst: Inst) -> None:
    """Check a copy of memory."""
    types = state.types
    pointers = [types.pointer(state.operand_type(inst, at)) for at in (0, 1)]
    if None in pointers:
        state.report("spirv.pointer", inst)
        return
    (target, of_target), (source, of_source) = (each or (0, 0) for each in pointers)
    first = 2
    if inst.code == Opcode.CopyMemory:
        void = Opcode.TypeVoid
        if types.code(of_target) == void or types.code(of_source) == void:
            state.report("spirv.access-type", inst, "expected pointers to values")
        elif of_target and of_source and of_target != of_source:
            state.report("spirv.access-type", inst, "expected pointers to the same type")
        elif not of_target and not of_source:
            state.report("spirv.access-type", inst, "expected a pointer with a type")
    else:
        first = 3
        _check_size(state, inst, (source, target))
    largest = max(largest_scalar(state, of_target), largest_scalar(state, of_source))
    accesses = _accesses(inst, first)
    _check_access(state, inst, first, [target, source], largest)
    if len(accesses) > 1:
        if not state.at_least(4):
            state.report("spirv.access", inst, "a second memory access needs version 1.4")
        if inst.word(accesses[0]) & MemoryAccess.MakePointerVisible:
            state.report("spirv.access", inst, "the target does not become visible")
        if inst.word(accesses[1]) & MemoryAccess.MakePointerAvailable:
            state.report("spirv.access", inst, "the source does not become available")
        _check_access(state, inst, accesses[1], [target, source], largest)
    if state.shader and of_target and _limited(state, of_target):
        state.report("spirv.small-type", inst)


def _limited(state: State, type_: int) -> bool:
    seen = set()
    while state.types.pointer(type_) is not None and type_ not in seen:
        seen.add(type_)
        type_ = (state.types.pointer(type_) or (0, 0))[1]
    return contains_small(state, type_)


SMALL = {
    S.StorageBuffer: (
        (Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess),
        (Capability.StorageBuffer8BitAccess, Capability.UniformAndStorageBuffer8BitAccess),
    ),
    S.Uniform: (
        (Capability.UniformAndStorageBuffer16BitAccess,),
        (Capability.UniformAndStorageBuffer8BitAccess,),
    ),
    S.PushConstant: (
        (Capability.StoragePushConstant16,), (Capability.StoragePushConstant8,),
    ),
    S.Input: ((Capability.StorageInputOutput16,), ()),
    S.Output: ((Capability.StorageInputOutput16,), ()),
    S.Workgroup: (
        (Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,),
        (Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,),
    ),
}  # fmt: skip


def _check_size(state: State, inst: Inst, classes: tuple[int, int]) -> None:
    size = inst.word(2)
    if not state.types.fits(state.type_of(size), "int s"):
        state.report("spirv.access-type", inst, "expected a size of int")
        return
    value = state.integer(size)
    if value is None:
        return
    if value <= 0:
        state.report("spirv.access-type", inst, f"expected a positive size, got {value}")
    if not state.shader or value % 4 == 0:
        return
    vuid = "VUID-RuntimeSpirv-Size-11165" if state.vulkan else ""
    bytes_ = state.has(Capability.Int8) or all(
        state.has(*SMALL.get(each, ((), ()))[1]) for each in classes
    )
    halves = (
        bytes_
        or state.has(Capability.Int16)
        or all(
            state.has(*(c for small in SMALL.get(each, ((), ())) for c in small))
            for each in classes
        )
    )
    if not (bytes_ if value % 2 else halves):
        state.report("spirv.access-type", inst, "expected a size of whole words", vuid)


def _accesses(inst: Inst, first: int) -> list[int]:
    return [
        at for at, each in enumerate(inst.operands) if at >= first and each.kind == "MemoryAccess"
    ]


def largest_scalar(state: State, type_: int) -> int:
    """Return the size of the largest scalar in a type in bytes; a pointer counts as 8."""
    types = state.types
    for size in (8, 4, 2, 1):
        if type_ in types.containing(("scalar", size), partial(_is_size, state, size)):
            return size
    return 0


def _is_size(state: State, size: int, type_: int) -> bool:
    if state.types.pointer(type_) is not None:
        return size == 8
    return state.types.width(type_) // 8 == size


def _check_access(state: State, inst: Inst, at: int, classes: list[int], largest: int) -> None:
    """Check the memory access operand at a place; it may be absent."""
    physical = S.PhysicalStorageBuffer in classes
    vuid = "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708"
    if at >= inst.count or inst.operands[at].kind != "MemoryAccess":
        if physical:
            state.report("spirv.aligned", inst, "expected Aligned", vuid)
        return
    mask = inst.word(at)
    private = not mask & MemoryAccess.NonPrivatePointer
    following = at + 1
    if mask & MemoryAccess.Aligned:
        alignment = inst.word(following)
        following += 1
        if not alignment or alignment & (alignment - 1):
            state.report("spirv.aligned", inst, f"expected a power of 2, got {alignment}")
        elif physical and alignment < largest:
            message = f"expected at least {largest}, got {alignment}"
            vuid = "VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314"
            state.report("spirv.aligned", inst, message, vuid)
    elif physical:
        state.report("spirv.aligned", inst, "expected Aligned", vuid)
    if mask & MemoryAccess.MakePointerAvailable:
        if inst.code in LOADS:
            state.report("spirv.access", inst, "a load makes nothing available")
        if private:
            state.report("spirv.access", inst, "MakePointerAvailable needs NonPrivatePointer")
        check_memory(state, inst, inst.word(following))
        following += 1
    if mask & MemoryAccess.MakePointerVisible:
        if inst.code in STORES:
            state.report("spirv.access", inst, "a store makes nothing visible")
        if private:
            state.report("spirv.access", inst, "MakePointerVisible needs NonPrivatePointer")
        check_memory(state, inst, inst.word(following))
    if not private and any(each not in SHARED for each in classes):
        state.report("spirv.access", inst, "NonPrivatePointer is for memory that is shared")


@CHECKS.on(*LOADS[1:], *STORES[1:])
def check_cooperative_access(state: State, inst: Inst) -> None:
    """Check the memory access of other loads and stores."""
    found = _accesses(inst, 0)
    classes = [
        pointer[0]
        for each in inst.ids()[:1]
        if (pointer := state.types.pointer(state.type_of(each))) is not None
    ]
    if found and classes:
        _check_access(state, inst, found[0], classes, 0)


def compatible_structures(state: State, one: int, two: int) -> bool:
    """Return True if two structures have compatible members at the same offsets.

    Source: SPIR-V specification, section 2.16.2, as under the option relax_struct_store.
    """
    types = state.types
    pending, seen = [(one, two)], {(one, two)}
    while pending:
        a, b = pending.pop()
        first, second = types.members(a), types.members(b)
        if len(first) != len(second):
            return False
        for at, pair in enumerate(zip(first, second, strict=True)):
            if _layout(state, a, at) != _layout(state, b, at):
                return False
            if pair[0] == pair[1] or pair in seen:
                continue
            if not types.code(pair[0]) == types.code(pair[1]) == Opcode.TypeStruct:
                return False
            seen.add(pair)
            pending.append(pair)
    return True


def _layout(state: State, type_: int, member: int) -> set[tuple[int, tuple[int, ...]]]:
    uses = state.index.members.get(type_, {}).get(member, ())
    return {(each.number, tuple(each.words)) for each in uses if each.number in LAYOUT}
