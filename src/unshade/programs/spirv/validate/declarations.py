"""Declarations of types: widths, components, lengths, members, and types declared twice.

Source: SPIR-V specification, sections 2.8 (Types and Variables), 2.17 and 3.42.6.
"""

from ..tables.grammar import grammar
from ..tables.numbers import Capability, Decoration, Opcode, StorageClass
from .ids import DEBUG, DECORATIONS, is_debug_set, is_non_semantic
from .instruction import CheckTable, Inst
from .state import TYPES, State
from .variables import VULKAN

__all__ = ["CHECKS", "check_types", "contains_block", "encoding_of", "is_description"]

CHECKS = CheckTable()

# Capabilities for integers and floats of each width; none: always there.
INTEGERS = {
    4: (Capability.Int4TypeINTEL, Capability.ArbitraryPrecisionIntegersALTERA),
    8: (
        Capability.Int8, Capability.StorageBuffer8BitAccess, Capability.StoragePushConstant8,
        Capability.UniformAndStorageBuffer8BitAccess,
        Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,
    ),
    16: (
        Capability.Int16, Capability.StorageBuffer16BitAccess, Capability.StoragePushConstant16,
        Capability.UniformAndStorageBuffer16BitAccess, Capability.StorageInputOutput16,
        Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    ),
    32: (),
    64: (Capability.Int64,),
}  # fmt: skip
FLOATS = {
    4: (),
    6: (),
    8: (Capability.Float8EXT, Capability.Float8UnsignedE8M0EXT, Capability.MXInt8EXT),
    16: (Capability.Float16, Capability.Float16Buffer, *INTEGERS[16][1:]),
    32: (),
    64: (Capability.Float64,),
}
HALF = ("SPV_AMD_gpu_shader_half_float", "SPV_AMD_gpu_shader_half_float_fetch")
# Encodings of floats by width, with the names of the grammar.
ENCODINGS = {
    4: ("Float4E2M1EXT",),
    6: ("Float6E2M3EXT", "Float6E3M2EXT"),
    8: ("Float8E4M3EXT", "Float8E5M2EXT", "Float8UnsignedE8M0EXT", "MXInt8EXT"),
    16: ("BFloat16KHR",),
}
OPAQUE = frozenset({
    Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage, Opcode.TypeOpaque,
    Opcode.TypeEvent, Opcode.TypeDeviceEvent, Opcode.TypeReserveId, Opcode.TypeQueue,
    Opcode.TypePipe, Opcode.TypePipeStorage, Opcode.TypeNamedBarrier,
})  # fmt: skip
IMAGES = frozenset({Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage})
SCALARS = (Opcode.TypeInt, Opcode.TypeFloat, Opcode.TypeBool)
# Types that may be declared again with the same operands: decorations tell them apart.
AGAIN = (
    Opcode.TypeArray, Opcode.TypeRuntimeArray, Opcode.TypeStruct, Opcode.TypePointer,
    Opcode.TypeUntypedPointerKHR, Opcode.TypeNodePayloadArrayAMDX,
)  # fmt: skip


@CHECKS.on(Opcode.TypeInt)
def check_int(state: State, inst: Inst) -> None:
    """Check width and signedness."""
    width, signed = inst.words[2:4]
    any_width = state.has(Capability.ArbitraryPrecisionIntegersALTERA) and width > 0
    if width not in INTEGERS:
        if not any_width:
            state.report("spirv.width", inst, f"unknown width {width}")
    elif INTEGERS[width] and not state.has(*INTEGERS[width]) and not any_width:
        state.report("spirv.width", inst, f"{width} bits need a capability")
    if signed > 1:
        state.report("spirv.width", inst, f"expected signedness 0 or 1, got {signed}")
    elif signed and state.kernel:
        state.report("spirv.width", inst, "expected signedness 0 in kernels")


@CHECKS.on(Opcode.TypeFloat)
def check_float(state: State, inst: Inst) -> None:
    """Check width and encoding."""
    width = inst.words[2]
    encoding = inst.words[3] if len(inst.words) > 3 else None
    if width not in FLOATS:
        state.report("spirv.width", inst, f"unknown width {width}")
        return
    needed = FLOATS[width] if width != 16 or encoding is None else ()
    half = width == 16 and not state.extensions.isdisjoint(HALF)
    if needed and not state.has(*needed) and not half:
        state.report("spirv.width", inst, f"{width} bits need a capability")
    if encoding is None:
        if width < 16:
            state.report("spirv.width", inst, f"{width} bits need an encoding")
        return
    known = grammar().kinds["FPEncoding"].by_value.get(encoding)
    if known is None or known.name not in ENCODINGS.get(width, ()):
        state.report("spirv.width", inst, f"not an encoding of {width} bits")


@CHECKS.on(Opcode.TypeVector)
def check_vector(state: State, inst: Inst) -> None:
    """Check the components."""
    part, count = state.code(inst.words[2]), inst.words[3]
    pointers = state.has(Capability.MaskedGatherScatterINTEL) and part == Opcode.TypePointer
    if part not in SCALARS and not pointers:
        state.report("spirv.component", inst, "expected components that are scalars")
    if count in (2, 3, 4) or (count and state.has(Capability.LongVectorEXT)):
        return
    if count not in (8, 16) or not state.has(Capability.Vector16):
        vuid = "VUID-StandaloneSpirv-None-12295" if state.vulkan else ""
        state.report("spirv.component", inst, f"expected 2 to 4 components, got {count}", vuid)


@CHECKS.on(Opcode.TypeVectorIdEXT)
def check_vector_id(state: State, inst: Inst) -> None:
    """Check the components of a vector whose size is a constant."""
    part = state.code(inst.words[2])
    booleans = state.has(Capability.LongVectorEXT)
    if part not in SCALARS or (part == Opcode.TypeBool and not booleans):
        state.report("spirv.component", inst, "expected components that are numbers")
    _check_count(state, inst, inst.words[3])


def _check_count(state: State, inst: Inst, id_: int) -> None:
    if not state.is_constant(id_) or not state.types.fits(state.type_of(id_), "int32 s"):
        state.report("spirv.array-length", inst, "expected a constant of 32-bit int")
    elif state.integer(id_) == 0:
        state.report("spirv.array-length", inst, "expected at least 1, got 0")


@CHECKS.on(Opcode.TypeMatrix)
def check_matrix(state: State, inst: Inst) -> None:
    """Check the columns."""
    column, count = inst.words[2:4]
    if state.code(column) != Opcode.TypeVector:
        state.report("spirv.component", inst, "expected columns that are vectors")
    elif state.code(state.types.part(column)) != Opcode.TypeFloat:
        state.report("spirv.component", inst, "expected components of float")
    if count not in (2, 3, 4):
        state.report("spirv.component", inst, f"expected 2 to 4 columns, got {count}")


@CHECKS.on(Opcode.TypeArray, Opcode.TypeRuntimeArray)
def check_array(state: State, inst: Inst) -> None:
    """Check element and length."""
    element = inst.words[2]
    code = state.code(element)
    if code not in TYPES or code == Opcode.TypeVoid:
        state.report("spirv.member", inst, "expected a type of elements")
    strides = (Decoration.ArrayStride, Decoration.ArrayStrideIdEXT)
    strided = any(state.decorated(each, inst.id) for each in strides)
    if strided and state.shader and _is_block(state, element):
        state.report("spirv.member", inst, "an array of blocks has no stride")
    if state.vulkan and code == Opcode.TypeRuntimeArray:
        vuid = "VUID-StandaloneSpirv-OpTypeRuntimeArray-04680"
        state.report("spirv.member", inst, "a runtime array as element", vuid)
    if inst.code == Opcode.TypeRuntimeArray:
        return
    length = inst.words[3]
    if not state.is_constant(length) or not state.types.fits(state.type_of(length), "int s"):
        state.report("spirv.array-length", inst)
        return
    value = state.integer(length)
    if value is not None and value <= 0:
        state.report("spirv.array-length", inst, f"expected at least 1, got {value}")


def _is_block(state: State, type_: int) -> bool:
    blocks = (Decoration.Block, Decoration.BufferBlock)
    return any(state.decorated(each, type_) for each in blocks)


@CHECKS.on(Opcode.TypeStruct)
def check_struct(state: State, inst: Inst) -> None:
    """Check the members."""
    members = inst.words[2:]
    limits = state.options.limits
    if len(members) > limits.struct_members:
        message = f"expected at most {limits.struct_members} members, got {len(members)}"
        state.report("spirv.limit", inst, message)
    if _depth(state, inst) > limits.struct_depth:
        message = f"expected structures nested at most {limits.struct_depth} deep"
        state.report("spirv.limit", inst, message)
    block = _is_block(state, inst.id)
    for at, member in enumerate(members):
        code = state.code(member)
        if member == inst.id:
            state.report("spirv.member", inst, "a structure in itself")
        elif (code not in TYPES and code != Opcode.TypeForwardPointer) or code == Opcode.TypeVoid:
            state.report("spirv.member", inst, f"member {at}: expected a type of values")
        elif code == Opcode.TypeStruct and _has_builtins(state, member):
            state.report("spirv.member", inst, f"member {at}: a structure with built-ins")
        if state.vulkan and code == Opcode.TypeRuntimeArray:
            vuid = "VUID-StandaloneSpirv-OpTypeRuntimeArray-04680"
            if at != len(members) - 1:
                state.report("spirv.member", inst, "a runtime array that is not last", vuid)
            elif not block:
                state.report("spirv.member", inst, "a runtime array outside of blocks", vuid)
    if block and any(contains_block(state, member) for member in members):
        state.report("spirv.member", inst, "a block in a block")
    _check_builtin_members(state, inst)
    if state.vulkan and not state.options.before_hlsl_legalization:
        allowed: frozenset[int] = frozenset()
        if state.has(Capability.DescriptorHeapEXT, Capability.BindlessTextureNV):
            allowed = IMAGES
        if state.types.inner(inst.id, OPAQUE - allowed):
            vuid = "VUID-StandaloneSpirv-None-04667"
            state.report("spirv.member", inst, "an opaque type", vuid)


def _depth(state: State, inst: Inst) -> int:
    """Return how deep structures nest; members come before, so that depths are known."""
    depths = state.depths
    inner = (
        depths.get(each, 1) for each in inst.words[2:] if state.code(each) == Opcode.TypeStruct
    )
    depths[inst.id] = 1 + max(inner, default=0)
    return depths[inst.id]


def _has_builtins(state: State, type_: int) -> bool:
    return any(
        each.number == Decoration.BuiltIn
        for uses in state.index.members.get(type_, {}).values()
        for each in uses
    )


def contains_block(state: State, type_: int) -> bool:
    """Return True if a type is a block or contains one."""
    return type_ in state.types.containing("block", lambda each: _is_block(state, each))


def _check_builtin_members(state: State, inst: Inst) -> None:
    members = state.index.members.get(inst.id, {})
    found = {
        at for at, uses in members.items() if any(e.number == Decoration.BuiltIn for e in uses)
    }
    heaps = state.has(Capability.DescriptorHeapEXT)
    if found and len(found) != len(inst.words) - 2 and not heaps:
        state.report("spirv.member", inst, "built-ins beside other members")


@CHECKS.on(Opcode.TypePointer, Opcode.TypeUntypedPointerKHR)
def check_pointer(state: State, inst: Inst) -> None:
    """Check pointee and storage class."""
    if inst.code == Opcode.TypePointer and state.code(inst.words[3]) not in TYPES:
        state.report("spirv.member", inst, "expected a type that is pointed to")
    if state.vulkan and inst.words[2] not in VULKAN:
        vuid = "VUID-StandaloneSpirv-None-04643"
        state.report("spirv.storage-class", inst, "Vulkan does not have this class", vuid)
    if inst.code == Opcode.TypeUntypedPointerKHR and state.vulkan:
        allowed = (
            StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer, StorageClass.Uniform,
            StorageClass.PushConstant, StorageClass.Workgroup, StorageClass.UniformConstant,
        )  # fmt: skip
        heap = inst.words[2] == StorageClass.Image and state.has(Capability.DescriptorHeapEXT)
        if inst.words[2] not in allowed and not heap:
            message = "untyped pointers are for memory with a layout"
            vuid = "VUID-StandaloneSpirv-OpTypeUntypedPointerKHR-11417"
            state.report("spirv.storage-class", inst, message, vuid)
        elif inst.words[2] == StorageClass.Workgroup and not state.has(
            Capability.WorkgroupMemoryExplicitLayoutKHR
        ):
            message = "Workgroup needs WorkgroupMemoryExplicitLayoutKHR"
            state.report("spirv.storage-class", inst, message)


@CHECKS.on(Opcode.TypeForwardPointer)
def check_forward(state: State, inst: Inst) -> None:
    """Check an announced pointer."""
    pointer = state.definitions.get(inst.words[1])
    if pointer is None or pointer.code != Opcode.TypePointer:
        state.report("spirv.forward-pointer", inst, "expected a pointer type")
        return
    if pointer.words[2] != inst.words[2]:
        state.report("spirv.forward-pointer", inst, "expected the storage class of the pointer")
    if state.code(pointer.words[3]) != Opcode.TypeStruct:
        state.report("spirv.forward-pointer", inst, "expected a pointer to a structure")
    if state.vulkan and inst.words[2] != StorageClass.PhysicalStorageBuffer:
        vuid = "VUID-StandaloneSpirv-OpTypeForwardPointer-04711"
        state.report("spirv.forward-pointer", inst, "expected PhysicalStorageBuffer", vuid)


@CHECKS.on(Opcode.TypeFunction)
def check_function(state: State, inst: Inst) -> None:
    """Check the result, the parameters and the uses of the type."""
    if state.code(inst.words[2]) not in TYPES:
        state.report("spirv.member", inst, "expected a type as result")
    for each in inst.words[3:]:
        if state.code(each) not in TYPES or state.code(each) == Opcode.TypeVoid:
            state.report("spirv.member", inst, "expected types of values as parameters")
    most = state.options.limits.function_arguments
    if len(inst.words) - 3 > most:
        message = f"expected at most {most} parameters, got {len(inst.words) - 3}"
        state.report("spirv.limit", inst, message)
    for user in state.uses.get(inst.id, ()):
        pointer = user.code == Opcode.TypePointer and state.has(Capability.FunctionPointersINTEL)
        allowed = user.code in (Opcode.Function, Opcode.AsmINTEL) or pointer
        if not allowed and not is_description(user):
            state.report("spirv.function-type", user)


def is_description(inst: Inst) -> bool:
    """Return True for names, decorations and debug information, which may refer to anything."""
    return (
        inst.code in DEBUG
        or inst.code in DECORATIONS
        or is_non_semantic(inst)
        or is_debug_set(inst.set)
    )


MATRIX_CAPABILITIES = {
    "BFloat16KHR": Capability.BFloat16CooperativeMatrixKHR,
    "Float8E4M3EXT": Capability.Float8CooperativeMatrixEXT,
    "Float8E5M2EXT": Capability.Float8CooperativeMatrixEXT,
}


@CHECKS.on(Opcode.TypeCooperativeMatrixNV, Opcode.TypeCooperativeMatrixKHR)
def check_cooperative(state: State, inst: Inst) -> None:
    """Check component, scope, rows and columns."""
    part = inst.words[2]
    if state.code(part) not in (Opcode.TypeInt, Opcode.TypeFloat):
        state.report("spirv.component", inst, "expected components that are numbers")
    encoding = encoding_of(state, part)
    needed = MATRIX_CAPABILITIES.get(encoding)
    if needed is not None and not state.has(needed):
        state.report("spirv.component", inst, f"components of {encoding} need a capability")
    for id_ in inst.words[3:]:
        if not state.is_constant(id_) or not state.types.fits(state.type_of(id_), "int s"):
            state.report("spirv.array-length", inst, "expected constants of int")


def encoding_of(state: State, type_: int) -> str:
    """Return the name of a float's encoding; empty for IEEE 754 and other types."""
    words = state.types.words(type_)
    if state.types.code(type_) != Opcode.TypeFloat or len(words) < 4:
        return ""
    found = grammar().kinds["FPEncoding"].by_value.get(words[3])
    return found.name if found is not None else ""


def check_types(state: State) -> None:
    """Check that no type is declared twice, and limits on variables."""
    seen: set[tuple[int, ...]] = set()
    local = 0
    others = 0
    limits = state.options.limits
    unique = "SPV_VALIDATOR_ignore_type_decl_unique" not in state.extensions
    for inst in state.of(*TYPES, Opcode.Variable):
        if inst.code in TYPES and inst.code not in AGAIN and unique:
            key = (inst.code, *inst.words[2:])
            if key in seen:
                state.report("spirv.type-twice", inst)
            seen.add(key)
        elif inst.code == Opcode.Variable:
            local += inst.word(0) == StorageClass.Function
            others += inst.word(0) != StorageClass.Function
    for count, most, name in (
        (local, limits.local_variables, "of functions"),
        (others, limits.global_variables, "of the module"),
    ):
        if count > most:
            message = f"expected at most {most} variables {name}, got {count}"
            state.report("spirv.limit", None, message)
