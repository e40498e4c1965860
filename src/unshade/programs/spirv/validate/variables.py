"""Variables: storage class, initialiser, and the types that each storage class may contain.

    %v = OpVariable %pointer StorageBuffer [%initialiser]

Sources: SPIR-V specification, section 3.42.8; Vulkan specification, appendix A and chapter
"Shader Interfaces".
"""

from functools import partial

from ..tables.numbers import BuiltIn, Capability, Decoration, Opcode, StorageClass
from ..tables.opcode_groups import VARIABLES
from .instruction import CheckTable, Inst
from .state import State
from .types import COOPERATIVE

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = StorageClass

ARRAYS = frozenset({Opcode.TypeArray, Opcode.TypeRuntimeArray})
RAY = (
    S.RayPayloadKHR, S.IncomingRayPayloadKHR, S.HitAttributeKHR, S.CallableDataKHR,
    S.IncomingCallableDataKHR, S.ShaderRecordBufferKHR,
)  # fmt: skip
VULKAN = frozenset({
    S.UniformConstant, S.Uniform, S.StorageBuffer, S.Input, S.Output, S.Image, S.Workgroup,
    S.Private, S.Function, S.PushConstant, S.PhysicalStorageBuffer, *RAY,
    S.TaskPayloadWorkgroupEXT, S.HitObjectAttributeNV, S.HitObjectAttributeEXT, S.TileImageEXT,
    S.NodePayloadAMDX, S.TileAttachmentQCOM,
})  # fmt: skip
# Storage classes whose Booleans have no form that others see.
BOOLEANS = frozenset({
    S.Workgroup, S.CrossWorkgroup, S.Private, S.Function, S.UniformConstant, S.RayPayloadKHR,
    S.IncomingRayPayloadKHR, S.HitAttributeKHR, S.CallableDataKHR, S.IncomingCallableDataKHR,
    S.TaskPayloadWorkgroupEXT, S.HitObjectAttributeNV, S.HitObjectAttributeEXT,
    S.NodePayloadAMDX,
})  # fmt: skip
NO_INITIALISER = (
    S.TaskPayloadWorkgroupEXT, S.Input, S.HitObjectAttributeNV, S.HitObjectAttributeEXT,
)  # fmt: skip
# Capabilities for values of 16 and 8 bits by storage class; where there are none, no capability
# but that of the type is enough.
SMALL = {
    16: {
        S.StorageBuffer: Capability.StorageBuffer16BitAccess,
        S.PhysicalStorageBuffer: Capability.StorageBuffer16BitAccess,
        S.Uniform: Capability.UniformAndStorageBuffer16BitAccess,
        S.PushConstant: Capability.StoragePushConstant16,
        S.Input: Capability.StorageInputOutput16,
        S.Output: Capability.StorageInputOutput16,
        S.Workgroup: Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    },
    8: {
        S.StorageBuffer: Capability.StorageBuffer8BitAccess,
        S.PhysicalStorageBuffer: Capability.StorageBuffer8BitAccess,
        S.Uniform: Capability.UniformAndStorageBuffer8BitAccess,
        S.PushConstant: Capability.StoragePushConstant8,
        S.Workgroup: Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,
    },
}
BUFFER = {16: Capability.StorageBuffer16BitAccess, 8: Capability.StorageBuffer8BitAccess}
DESCRIBED = (S.UniformConstant, S.Uniform, S.StorageBuffer)
HEAPS = (BuiltIn.ResourceHeapEXT, BuiltIn.SamplerHeapEXT)
OPAQUE = frozenset({
    Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage,
    Opcode.TypeAccelerationStructureKHR, Opcode.TypeTensorARM,
})  # fmt: skip


@CHECKS.on(*VARIABLES)
def check_variable(state: State, inst: Inst) -> None:
    """Check a variable."""
    types = state.types
    storage = inst.word(0)
    pointer = types.pointer(inst.type)
    if pointer is None or (inst.code == Opcode.Variable) != (
        types.code(inst.type) == Opcode.TypePointer
    ):
        state.report("spirv.variable-type", inst)
        return
    typed = inst.code == Opcode.Variable
    value = pointer[1] if typed else inst.word(1)
    _check_class(state, inst, storage, pointer[0], value)
    if typed or inst.word(1):
        _check_initialiser(state, inst, storage, value, 1 if typed else 2)
    _check_booleans(state, inst, storage, value)
    _check_pointers(state, inst, storage, value)
    if value and storage not in (S.Function, S.Private):
        if types.inner(value, COOPERATIVE):
            message = "cooperative matrices are for Function and Private"
            state.report("spirv.variable-holds", inst, message)
        _check_long_vectors(state, inst, storage, value)
    if state.vulkan:
        _check_vulkan(state, inst, storage, value)
    if state.shader:
        _check_small(state, inst, storage, value)


def _check_class(state: State, inst: Inst, storage: int, of_pointer: int, value: int) -> None:
    if storage != of_pointer:
        state.report("spirv.storage-class", inst, "expected the storage class of the pointer")
    if state.vulkan and storage not in VULKAN:
        vuid = "VUID-StandaloneSpirv-None-04643"
        state.report("spirv.storage-class", inst, "Vulkan does not have this class", vuid)
    if storage == S.Generic:
        state.report("spirv.storage-class", inst, "Generic is for pointers")
    if storage == S.PhysicalStorageBuffer:
        state.report("spirv.storage-class", inst, "PhysicalStorageBuffer is for pointers")
    if (inst.function >= 0) != (storage == S.Function):
        state.report("spirv.storage-class", inst, "Function is for variables of functions")
    held = (S.Function, S.Private, S.Workgroup)
    if inst.code == Opcode.UntypedVariableKHR and storage in held and not value:
        state.report("spirv.variable-type", inst, "expected a data type")


def _check_initialiser(state: State, inst: Inst, storage: int, value: int, at: int) -> None:
    if at >= len(inst.operands):
        return
    id_ = inst.word(at)
    found = state.definitions.get(id_)
    if found is None:
        return
    of_module = found.code in VARIABLES and found.word(0) != S.Function
    if not state.is_constant(id_) and not of_module:
        state.report("spirv.initialiser", inst, "expected a constant or a variable of the module")
    elif found.type != value:
        state.report("spirv.initialiser", inst, "expected the type of the variable")
    if storage in NO_INITIALISER:
        state.report("spirv.initialiser", inst, "expected none in this storage class")
    elif state.vulkan and storage == S.Workgroup:
        if found.code != Opcode.ConstantNull:
            vuid = "VUID-StandaloneSpirv-OpVariable-04734"
            state.report("spirv.initialiser", inst, "expected OpConstantNull", vuid)
    elif state.vulkan and storage not in (S.Output, S.Private, S.Function):
        vuid = "VUID-StandaloneSpirv-OpVariable-04651"
        state.report("spirv.initialiser", inst, "expected none in this storage class", vuid)


BOOL = frozenset({Opcode.TypeBool})


def _check_booleans(state: State, inst: Inst, storage: int, value: int) -> None:
    if storage in BOOLEANS or not value or not state.shader:
        return
    if storage in (S.Input, S.Output):
        if state.decorated(Decoration.BuiltIn, inst.id):
            return
        if state.types.inner(value, BOOL) and _holds_bool(state, value):
            state.report(
                "spirv.variable-holds", inst, "a Boolean that is not a built-in",
                "VUID-StandaloneSpirv-Input-07290",
            )  # fmt: skip
    elif state.types.inner(value, BOOL):
        message = "a Boolean in a storage class that others see"
        state.report("spirv.variable-holds", inst, message)


def _holds_bool(state: State, value: int) -> bool:
    """Return True if a type contains a Boolean, except in members that are built-ins."""
    return value in state.types.containing(
        "bool", lambda each: state.types.code(each) == Opcode.TypeBool, state.plain_parts
    )


POINTERS = frozenset({Opcode.TypePointer, Opcode.TypeUntypedPointerKHR})


def _check_pointers(state: State, inst: Inst, storage: int, value: int) -> None:
    """Check pointers held by variables of the logical addressing models."""
    if not state.logical or state.options.relax_logical_pointer or not value:
        return
    if not state.types.inner(value, POINTERS):
        return
    held = {
        each
        for each in (None, S.StorageBuffer, S.Workgroup)
        if value in state.types.containing(("pointer", each), partial(_points, state, each))
    }
    if None in held:
        message = "a pointer of another class than StorageBuffer and Workgroup"
        state.report("spirv.variable-pointer", inst, message)
    buffers = (Capability.VariablePointers, Capability.VariablePointersStorageBuffer)
    if S.StorageBuffer in held and not state.has(*buffers):
        state.report("spirv.variable-pointer", inst, "a pointer needs VariablePointers")
    if S.Workgroup in held and not state.has(Capability.VariablePointers):
        state.report("spirv.variable-pointer", inst, "a pointer needs VariablePointers")
    if held and storage not in (S.Function, S.Private):
        state.report("spirv.variable-pointer", inst, "expected Function or Private")


def _points(state: State, storage: int | None, type_: int) -> bool:
    """Return True for pointers of a class; None: all but pointers to buffers and workgroups."""
    pointer = state.types.pointer(type_)
    if pointer is None:
        return False
    if storage is None:
        return pointer[0] not in (S.StorageBuffer, S.Workgroup, S.PhysicalStorageBuffer)
    return pointer[0] == storage


LONG = frozenset({Opcode.TypeVectorIdEXT})
LONG_CLASSES = (
    S.StorageBuffer, S.PhysicalStorageBuffer, S.Workgroup, S.Uniform, S.PushConstant,
    S.ShaderRecordBufferKHR,
)  # fmt: skip


def _check_long_vectors(state: State, inst: Inst, storage: int, value: int) -> None:
    if not state.types.inner(value, LONG):
        return
    if not state.has(Capability.LongVectorEXT):
        message = "cooperative vectors are for Function and Private"
        state.report("spirv.variable-holds", inst, message)
    elif storage not in LONG_CLASSES and (state.types.count(value) or 9) > 4:
        vuid = "VUID-StandaloneSpirv-Type-12297"
        state.report("spirv.variable-holds", inst, "long vectors are not for this class", vuid)


# -- Vulkan --------------------------------------------------------------------------------------


def _check_vulkan(state: State, inst: Inst, storage: int, value: int) -> None:
    types = state.types
    code = types.code(value)

    def fail(message: str, rule: str) -> None:
        state.report("spirv.variable-holds", inst, message, f"VUID-StandaloneSpirv-{rule}")

    held = types.code(types.part(value)) if code in ARRAYS else code
    if storage == S.UniformConstant and value and held not in OPAQUE:
        if held not in (Opcode.TypeBufferEXT, Opcode.TypeUntypedPointerKHR):
            fail("expected an image, a sampler or an acceleration structure",
                 "UniformConstant-04655")  # fmt: skip
    elif storage in (S.Uniform, S.StorageBuffer) and value and held != Opcode.TypeStruct:
        fail("expected a structure, or an array of them", "Uniform-06807")
    elif storage == S.PushConstant and value and held != Opcode.TypeStruct:
        fail("expected a structure", "PushConstant-06808")
    elif storage == S.PushConstant and code in ARRAYS:
        fail("expected a structure, not an array", "PushConstant-06808")
    if storage in DESCRIBED:
        _check_bound(state, inst)
    if state.decorated(Decoration.Invariant, inst.id) and storage not in (S.Input, S.Output):
        fail("Invariant is for inputs and outputs", "Invariant-04677")
    if code == Opcode.TypeRuntimeArray:
        if not state.has(Capability.RuntimeDescriptorArray):
            fail("a runtime array needs RuntimeDescriptorArray", "OpTypeRuntimeArray-04680")
        elif storage not in (S.StorageBuffer, S.Uniform, S.UniformConstant):
            fail("a runtime array of descriptors only", "OpTypeRuntimeArray-04680")
    if code == Opcode.TypeStruct and any(
        types.code(each) == Opcode.TypeRuntimeArray for each in types.members(value)
    ):
        block = state.decorated(Decoration.Block, value)
        if storage in (S.StorageBuffer, S.PhysicalStorageBuffer):
            if not block:
                fail("a runtime array in a structure that is no block",
                     "OpTypeRuntimeArray-04680")  # fmt: skip
        elif storage != S.Uniform:
            fail("a runtime array outside of buffers", "OpTypeRuntimeArray-04680")


def _check_bound(state: State, inst: Inst) -> None:
    """Check that a resource has a set and a binding."""
    if state.index.decoration_word(Decoration.BuiltIn, inst.id) in HEAPS:
        return
    if state.options.before_hlsl_legalization and not state.functions_using(inst.id):
        return
    missing = [
        name
        for name in ("DescriptorSet", "Binding")
        if not state.decorated(getattr(Decoration, name), inst.id)
    ]
    if missing:
        vuid = "VUID-StandaloneSpirv-UniformConstant-06677"
        state.report("spirv.unbound", inst, f"expected {' and '.join(missing)}", vuid)


# -- small types ---------------------------------------------------------------------------------


def _check_small(state: State, inst: Inst, storage: int, value: int) -> None:
    type_ = value
    seen = set()
    while state.types.pointer(type_) is not None and type_ not in seen:
        seen.add(type_)
        storage, type_ = state.types.pointer(type_) or (0, 0)
    for width, needed in SMALL.items():
        if width not in state.types.widths:
            continue
        ints = _holds(state, value, "int", width) and not state.has(
            Capability.Int16 if width == 16 else Capability.Int8
        )
        floats = width == 16 and not state.has(Capability.Float16)
        floats = floats and _holds(state, value, "float", 16)
        if not ints and not floats:
            continue
        capability = needed.get(storage)
        block = state.decorated(Decoration.BufferBlock, state.types.part(type_) if
                                state.types.code(type_) in ARRAYS else type_)  # fmt: skip
        if capability is None:
            message = f"values of {width} bits are not for this storage class"
            state.report("spirv.variable-small", inst, message)
        elif not state.has(capability) and not (
            storage == S.Uniform and block and state.has(BUFFER[width])
        ):
            message = f"values of {width} bits need a capability in this storage class"
            state.report("spirv.variable-small", inst, message)


def _holds(state: State, value: int, base: str, width: int) -> bool:
    """Return True if a type has numbers of a base and width; pointers are followed."""
    types = state.types

    def wanted(type_: int) -> bool:
        found = types.numeric(type_)
        if found is None or found.form != "s" or (found.base, found.width) != (base, width):
            return False
        return base == "int" or len(types.words(type_)) < 4  # IEEE 754

    return value in types.containing((base, width), wanted, types.with_pointees)
