"""Decorations: what each kind decorates, how often, and which exclude each other.

    OpDecorate %block Block           a structure
    OpDecorate %v Location 0          a variable
    OpMemberDecorate %block 0 …       a member: some decorations only, some not

Sources: SPIR-V specification, sections 2.16.1 and 3.20; Vulkan specification, appendix A.
"""

from collections.abc import Sequence

from ..index import Decorated
from ..tables.grammar import grammar
from ..tables.numbers import Decoration, ExecutionModel, MemoryModel, Opcode, StorageClass
from .declarations import is_description
from .image_types import image_of
from .instruction import CheckTable, Inst
from .large import of
from .semantics import check_execution
from .state import TYPES, State
from .types import ARRAYS

__all__ = ["CHECKS", "check_decorations"]

CHECKS = CheckTable()
S = StorageClass


def _numbers(names: str) -> frozenset[int]:
    return frozenset(getattr(Decoration, name) for name in names.split())


MEMBERS_ONLY = _numbers("RowMajor ColMajor MatrixStride")
NOT_MEMBERS = _numbers(
    "SpecId Block BufferBlock ArrayStride GLSLShared GLSLPacked CPacked Aliased Constant Uniform "
    "UniformId SaturatedConversion Binding DescriptorSet FuncParamAttr FPRoundingMode "
    "LinkageAttributes NoContraction MaxByteOffset AlignmentId MaxByteOffsetId NoSignedWrap "
    "NoUnsignedWrap NonUniform Alignment InputAttachmentIndex"
)
STRUCTURES = _numbers("Block BufferBlock GLSLShared GLSLPacked CPacked")
VARIABLES = _numbers("Location Index Binding DescriptorSet Invariant Constant InputAttachmentIndex")
OBJECTS = _numbers(
    "NoPerspective Flat Patch Centroid Sample Restrict Aliased Volatile Coherent NonWritable "
    "NonReadable XfbBuffer XfbStride Component Stream RestrictPointer AliasedPointer PerVertexKHR"
)
INTERPOLATION = _numbers("Flat NoPerspective Sample Centroid")
REPEATED = _numbers("UserSemantic FuncParamAttr")
UNKNOWN_TO_VULKAN = _numbers("GLSLShared GLSLPacked")
EXCLUSIVE = (
    ("Aliased", "Restrict"),
    ("AliasedPointer", "RestrictPointer"),
    ("FPFastMathMode", "NoContraction"),
    ("Block", "BufferBlock"),
    ("RowMajor", "ColMajor"),
    ("Offset", "OffsetIdEXT"),
)
NUMBERS = {pair: {getattr(Decoration, each) for each in pair} for pair in EXCLUSIVE}
WRAPPING = _numbers("NoSignedWrap NoUnsignedWrap")
WRAPPED = (
    Opcode.IAdd, Opcode.ISub, Opcode.IMul, Opcode.ShiftLeftLogical, Opcode.SNegate,
    Opcode.ExtInst, Opcode.DecorationGroup,
)  # fmt: skip
LOCATED = frozenset({
    S.Input, S.Output, S.RayPayloadKHR, S.IncomingRayPayloadKHR, S.HitAttributeKHR,
    S.CallableDataKHR, S.IncomingCallableDataKHR, S.ShaderRecordBufferKHR,
    S.HitObjectAttributeNV, S.HitObjectAttributeEXT, S.TileImageEXT,
})  # fmt: skip
SPECIALISED = (
    Opcode.SpecConstantTrue, Opcode.SpecConstantFalse, Opcode.SpecConstant,
    Opcode.SpecConstantDataKHR,
)  # fmt: skip
BOUND = (S.StorageBuffer, S.Uniform, S.UniformConstant)
OPCODES = (Opcode.Variable, Opcode.UntypedVariableKHR)
MEMORY = (*OPCODES, Opcode.FunctionParameter, Opcode.RawAccessChainNV, Opcode.BufferPointerEXT)
IMPORT = grammar().kinds["LinkageType"].by_name["Import"].value
PLAIN = (Opcode.Decorate, Opcode.MemberDecorate)
WITH_IDS = frozenset(
    each.value
    for each in grammar().kinds["Decoration"].by_value.values()
    if any(rule.kind in ("IdRef", "IdScope") for rule in each.operands)
)


def _name(number: int) -> str:
    found = grammar().kinds["Decoration"].by_value.get(number)
    return found.name if found is not None else str(number)


def _storage(state: State, target: Inst) -> int | None:
    pointer = state.types.pointer(target.type)
    return pointer[0] if pointer is not None else None


@CHECKS.on(Opcode.Decorate, Opcode.DecorateId)
def check_decorate(state: State, inst: Inst) -> None:
    """Check the target of a decoration."""
    target = state.definitions.get(inst.words[1])
    number = inst.words[2]
    if (inst.code == Opcode.DecorateId) != (number in WITH_IDS):
        state.report("spirv.decoration-ids", inst)
    if inst.code == Opcode.DecorateId and target is not None:
        for id_ in inst.words[3:]:
            found = state.definitions.get(id_)
            if found is not None and found.position >= target.position:
                message = f"expected id {id_} before the target"
                state.report("spirv.decoration-ids", inst, message)
    if target is None or target.code == Opcode.DecorationGroup:
        return
    if state.vulkan and number in UNKNOWN_TO_VULKAN:
        vuid = "VUID-StandaloneSpirv-GLSLShared-04669"
        state.report("spirv.decoration-storage", inst, "Vulkan does not have it", vuid)
    if number in MEMBERS_ONLY:
        state.report("spirv.decoration-target", inst, f"{_name(number)} is for members")
        return
    message = _wrong(state, target, number)
    if message:
        state.report("spirv.decoration-target", inst, f"{_name(number)}: {message}")
    elif state.vulkan:
        _check_vulkan(state, inst, target, number)
    volatile = number == Decoration.Volatile
    if volatile and state.memory_model == MemoryModel.Vulkan:
        state.report("spirv.decoration-target", inst, "Volatile is not for the Vulkan model")
    if number in (Decoration.Uniform, Decoration.UniformId):
        if not target.type or state.types.code(target.type) == Opcode.TypeVoid:
            state.report("spirv.decoration-target", inst, "expected a value")
        elif number == Decoration.UniformId and len(inst.words) > 3:
            check_execution(state, inst, inst.words[3])


def _wrong(state: State, target: Inst, number: int) -> str:
    code = state.types.code(target.id)
    if number == Decoration.RelaxedPrecision and target.code in TYPES:
        return "expected a value, a variable or a member"
    if number in STRUCTURES:
        return "" if code == Opcode.TypeStruct else "expected a structure"
    if number == Decoration.ArrayStride:
        arrays = (*ARRAYS, Opcode.TypePointer, Opcode.TypeUntypedPointerKHR)
        return "" if code in arrays else "expected an array or a pointer type"
    if number == Decoration.SpecId:
        return "" if target.code in SPECIALISED else "expected a scalar that can be specialised"
    if number in VARIABLES:
        return "" if target.code in OPCODES else "expected a variable"
    if number in OBJECTS:
        if target.code not in MEMORY:
            return "expected a variable or a parameter"
        if state.types.pointer(target.type) is None:
            return "expected a pointer"
    if number in WRAPPING and target.code not in WRAPPED:
        return "expected an integer operation that may wrap"
    if number == Decoration.NonWritable:
        return _not_written(state, target)
    return ""


def _not_written(state: State, target: Inst) -> str:
    """Return why a variable or parameter cannot be decorated with NonWritable."""
    pointer = state.types.pointer(target.type)
    if pointer is None or target.code not in (*OPCODES, Opcode.FunctionParameter):
        return ""
    storage, type_ = pointer
    if target.code == Opcode.UntypedVariableKHR:
        type_ = target.word(1)
    type_ = state.types.unarrayed(type_)
    if storage in (S.Function, S.Private):
        newer = state.at_least(4) and target.code in OPCODES
        return "" if newer else "expected memory that others see"
    if storage == S.UniformConstant:
        image = image_of(state, type_)
        tensor = state.types.code(type_) == Opcode.TypeTensorARM
        stored = image is not None and image.sampled == 2
        return "" if stored or tensor else "expected a storage image"
    if storage in (S.StorageBuffer, S.Uniform):
        blocks = (Decoration.Block, Decoration.BufferBlock)
        block = any(state.decorated(each, type_) for each in blocks)
        return "" if block or not type_ else "expected a block"
    return "" if storage in (S.PhysicalStorageBuffer,) else "expected a buffer or an image"


def _check_vulkan(state: State, inst: Inst, target: Inst, number: int) -> None:
    storage = _storage(state, target)

    def fail(message: str, vuid: str) -> None:
        message = f"{_name(number)}: {message}"
        state.report("spirv.decoration-storage", inst, message, f"VUID-StandaloneSpirv-{vuid}")

    if number in INTERPOLATION and storage not in (S.Input, S.Output):
        fail("expected an input or output", "Flat-04670")
    elif number in (Decoration.Location, Decoration.Component):
        if storage not in LOCATED:
            fail("expected an input or output", "Location-06672")
    elif number in (Decoration.Binding, Decoration.DescriptorSet):
        if storage not in BOUND:
            fail("expected a buffer, an image or a sampler", "DescriptorSet-06491")
    elif number == Decoration.PerVertexKHR:
        if storage != S.Input:
            fail("expected an input", "PerVertexKHR-06777")
        elif any(
            each.model != ExecutionModel.Fragment and target.id in each.interface
            for each in state.entries
        ):
            fail("expected an input of fragments", "PerVertexKHR-06777")
    elif number == Decoration.Index and storage != S.Output:
        fail("expected an output", "Index-04907")


@CHECKS.on(Opcode.MemberDecorate)
def check_member(state: State, inst: Inst) -> None:
    """Check the decoration of a member."""
    target = state.definitions.get(inst.words[1])
    member, number = inst.words[2], inst.words[3]
    if target is None or target.code != Opcode.TypeStruct:
        state.report("spirv.decoration-target", inst, "expected a structure")
    elif member >= len(target.words) - 2:
        message = f"expected a member below {len(target.words) - 2}, got {member}"
        state.report("spirv.decoration-target", inst, message)
    if number in NOT_MEMBERS:
        state.report("spirv.decoration-target", inst, f"{_name(number)} is not for members")
    if number == Decoration.Volatile and state.memory_model == MemoryModel.Vulkan:
        state.report("spirv.decoration-target", inst, "Volatile is not for the Vulkan model")


@CHECKS.on(Opcode.MemberName)
def check_member_name(state: State, inst: Inst) -> None:
    """Check the name of a member."""
    target = state.definitions.get(inst.words[1])
    if target is None or target.code != Opcode.TypeStruct:
        state.report("spirv.debug-target", inst, "expected a structure")
    elif inst.words[2] >= len(target.words) - 2:
        message = f"expected a member below {len(target.words) - 2}, got {inst.words[2]}"
        state.report("spirv.debug-target", inst, message)


@CHECKS.on(Opcode.Line)
def check_line(state: State, inst: Inst) -> None:
    """Check the file of a line."""
    if state.code(inst.words[1]) != Opcode.String:
        state.report("spirv.debug-target", inst, "expected a string as file")


@CHECKS.on(Opcode.DecorationGroup)
def check_group(state: State, inst: Inst) -> None:
    """Check that only decorations refer to a group."""
    users = (
        Opcode.Decorate, Opcode.GroupDecorate, Opcode.GroupMemberDecorate, Opcode.Name,
        Opcode.DecorateId, Opcode.DecorateString,
    )  # fmt: skip
    for user in state.uses.get(inst.id, ()):
        if user.code not in users and not is_description(user):
            state.report("spirv.decoration-group", inst, f"used by {user.name}")


@CHECKS.on(Opcode.GroupDecorate, Opcode.GroupMemberDecorate)
def check_group_use(state: State, inst: Inst) -> None:
    """Check the group and the targets of a group's decorations."""
    if state.code(inst.words[1]) != Opcode.DecorationGroup:
        state.report("spirv.decoration-group", inst, "expected a decoration group")
    if inst.code == Opcode.GroupDecorate:
        for target in inst.words[2:]:
            if state.code(target) == Opcode.DecorationGroup:
                state.report("spirv.decoration-group", inst, "a group in a group")
        return
    for target, member in zip(inst.words[2::2], inst.words[3::2], strict=False):
        words = state.types.words(target)
        if state.code(target) != Opcode.TypeStruct:
            state.report("spirv.decoration-group", inst, "expected structures")
        elif member >= len(words) - 2:
            state.report("spirv.decoration-group", inst, f"expected a member, got {member}")


def check_decorations(state: State) -> None:
    """Check the decorations of each id together."""
    for target, uses in state.index.decorations.items():
        _check_together(state, target, uses)
    for target, members in state.index.members.items():
        for inner in members.values():
            _check_together(state, target, inner)
    for code in state.functions:
        _check_linkage(state, code[0], next(of(code, Opcode.Label), None) is not None)
    for inst in state.of(*OPCODES):
        if state.vulkan:
            _check_block(state, inst)
        initialised = len(inst.operands) > (1 if inst.code == Opcode.Variable else 2)
        if initialised and _is_imported(state, inst.id):
            state.report("spirv.linkage", inst, "an imported variable has no initialiser")


def _check_linkage(state: State, function: Inst, has_body: bool) -> None:
    """Check that an imported function has no body here, and that an exported function has one."""
    if has_body == _is_imported(state, function.id):
        message = "a function with a body is not imported"
        if not has_body:
            message = "a function without a body is imported"
        state.report("spirv.linkage", function, message)


def _is_imported(state: State, id_: int) -> bool:
    return any(
        each.number == Decoration.LinkageAttributes and each.words[-1:] == (IMPORT,)
        for each in state.index.decorations.get(id_, ())
    )


def _check_together(state: State, target: int, uses: Sequence[Decorated]) -> None:
    """Check the decorations that name a target; decorations of its groups may repeat them."""
    seen: set[int] = set()
    for number, _, position in uses:
        place = state.at_position(position)
        if place is None or place.words[1] != target:
            continue
        if number in seen and number not in REPEATED and place.code in PLAIN:
            state.report("spirv.decoration-twice", place, f"{_name(number)} twice")
        seen.add(number)
    for pair, numbers in NUMBERS.items() if len(seen) > 1 else ():
        if numbers <= seen:
            at = state.definitions.get(target)
            message = f"{pair[0]} and {pair[1]} exclude each other"
            state.report("spirv.decoration-twice", at, message)


def _check_block(state: State, inst: Inst) -> None:
    """Check that a buffer is a block."""
    storage = inst.word(0)
    if storage not in (S.Uniform, S.StorageBuffer, S.PushConstant):
        return
    type_ = (state.types.pointer(inst.type) or (0, 0))[1]
    if inst.code == Opcode.UntypedVariableKHR:
        type_ = inst.word(1)
    type_ = state.types.unarrayed(type_)
    if state.types.code(type_) != Opcode.TypeStruct:
        return
    buffer = storage == S.Uniform and state.decorated(Decoration.BufferBlock, type_)
    if not buffer and not state.decorated(Decoration.Block, type_):
        rule = "Uniform-06676" if storage == S.Uniform else "PushConstant-06675"
        state.report(
            "spirv.block", inst, "expected the decoration Block", f"VUID-StandaloneSpirv-{rule}"
        )
