"""Rules of operations and memory that only shaders of some stages have.

    dx.op.discard(i32 82, i1 %c)                        pixel shaders
    dx.op.barrier(i32 80, i32 9)                        syncs a group: stages with groups
    dx.op.barrierByMemoryType(i32 244, i32 4, i32 0)    records of nodes: nodes
    dx.op.sample.f32(i32 60, …)                         derivatives: quads, hence groups of quads,
                                                        which validators require since 1.8
    @shared = addrspace(3) global [64 x i32] undef      stages with groups

A function is checked for the stage of every entry point that calls it; in a library, a function
that is no entry point also as a part of the library.

Source: microsoft/DirectXShaderCompiler: utils/hct/hctdb.py (stages of operations),
lib/DXIL/DxilOperations.cpp (OP::GetMinShaderModelAndMask, OP::BarrierRequiresGroup,
OP::BarrierRequiresNode, OP::BarrierRequiresReorder), lib/DxilValidation/DxilValidation.cpp (rules
SM.OPCODE, SM.OPCODEININVALIDFUNCTION, SM.INCOMPATIBLETHREADGROUPDIM, SM.INCOMPATIBLEDERIVLAUNCH,
SM.MAXTGSMSIZEONENTRY, INSTR.BARRIERMODEFORNONCS, INSTR.BARRIERREQUIRESNODE,
INSTR.SVCONFLICTINGLAUNCHMODE).
"""

from collections.abc import Iterator, Mapping

from ....tuples import NamedTuple
from ....vocab.d3d import ShaderKind
from ....vocab.dxil import NodeLaunch
from ..calls import functions_of, own_functions
from ..code import Code
from ..facts.layouts import size_of
from ..model.constants import DxilConstant, integer_of
from ..model.instructions import CallInst
from ..model.module import DxilModule
from ..model.values import DxilValue, Function, GlobalVariable
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilEntryPoint, DxilShader, EntryProperties
from ..tables.dxil_operations import ALL_STAGES, Op
from .reports import Reports

__all__ = ["check_stages"]

GROUPS = frozenset((ShaderKind.COMPUTE, ShaderKind.AMPLIFICATION, ShaderKind.MESH, ShaderKind.NODE))
LIBRARY = frozenset((ShaderKind.LIBRARY,))
SHARED_SPACE = 3
MOST_SHARED, MOST_SHARED_OF_MESH = 32 << 10, 28 << 10
VALIDATED_QUADS = 1, 8  # the validator since which groups must consist of quads
COMPUTE_DERIVATIVES = 6, 6  # the shader model since which threads of a group form quads
UAV_GLOBAL = 2  # DXIL::BarrierMode
GROUP_MEMORY, NODE_MEMORY, ALL_MEMORY = 2, 12, 15  # DXIL::MemoryTypeFlag
GROUP_SYNC_OR_SCOPE, REORDER_SCOPE = 3, 8  # DXIL::BarrierSemanticFlag
GRID = frozenset((NodeLaunch.BROADCASTING, NodeLaunch.MESH))
LAUNCHES = {
    "ThreadId": GRID,
    "GroupId": GRID,
    "ThreadIdInGroup": GRID | {NodeLaunch.COALESCING},
    "FlattenedThreadIdInGroup": GRID | {NodeLaunch.COALESCING},
}


class User(NamedTuple):
    """The caller of a function: an entry point, or None for the library that exports it."""

    stage: ShaderKind
    entry: DxilEntryPoint | None


def check_stages(code: Code, module: DxilModule, shader: DxilShader, reports: Reports) -> None:
    """Check that the entry points of each function have the stages that its operations need."""
    users = _users(code, module, shader)
    wants_quads = shader.is_validated_by(*VALIDATED_QUADS)
    for function, some in users.items():
        for number, each in enumerate(function.instructions):
            operation = operation_of(each)
            if operation is None or not isinstance(each, CallInst):
                continue
            allowed = _stages(each, operation)
            for user in some:
                problem = _problem(operation, allowed, user, code.shader_model)
                if not problem and wants_quads:
                    problem = _without_quads(operation, user)
                if problem:
                    message = f"{operation.name}: {problem}"
                    if user.entry is not None and function not in own_functions(user.entry):
                        message += f", called by {user.entry.name!r:.60}"
                    reports.instruction("dxil.stage", message, function, each, number)
                    break
    for number, entry in enumerate(shader.entry_points):
        if entry.function is not None:
            _shared(code, entry, f"dx.entryPoints[{number}]", reports)


def _users(code: Code, module: DxilModule, shader: DxilShader) -> dict[Function, list[User]]:
    """Return the users of each function that has a body."""
    found: dict[Function, list[User]] = {each: [] for each in module.functions if each.blocks}
    own: set[Function] = set()
    for entry in shader.entry_points:
        stage = _stage(code, entry.properties)
        if stage is None or entry.function is None:
            continue
        own.update(own_functions(entry))
        for each in functions_of(entry):
            if each in found:
                found[each].append(User(stage, entry))
    if shader.stage == "lib":
        for each, users in found.items():
            if each not in own:
                users.insert(0, User(ShaderKind.LIBRARY, None))
    return found


def _stage(code: Code, properties: EntryProperties) -> ShaderKind | None:
    """Return the stage of an entry point, None if it is unknown."""
    kind = code.kind if properties.shader_kind is None else properties.shader_kind
    return ShaderKind(kind) if kind in ALL_STAGES else None


def _stages(call: CallInst, operation: Op) -> frozenset[ShaderKind]:
    """Return the stages that may make a call, barriers by the memory that they order."""
    name = operation.name
    if not name.startswith("Barrier"):
        return operation.stages
    arguments = arguments_of(call, operation)
    if name == "Barrier":
        mode = _number(arguments, "barrierMode")
        return operation.stages if mode in (None, UAV_GLOBAL) else GROUPS | LIBRARY
    memory = _number(arguments, "MemoryTypeFlags") or 0
    if memory == ALL_MEMORY:  # all that the stage has
        memory = 0
    semantics = _number(arguments, "SemanticFlags") or 0
    if semantics & REORDER_SCOPE and name != "BarrierByNodeRecordHandle":
        return LIBRARY | {ShaderKind.RAYGENERATION}
    if memory & NODE_MEMORY or name == "BarrierByNodeRecordHandle":
        return LIBRARY | {ShaderKind.NODE}
    if memory & GROUP_MEMORY or semantics & GROUP_SYNC_OR_SCOPE:
        return GROUPS | LIBRARY
    return operation.stages


def _number(arguments: Mapping[str, DxilValue], name: str) -> int | None:
    value = arguments.get(name)
    return integer_of(value) if value is not None else None


def _problem(
    operation: Op, allowed: frozenset[ShaderKind], user: User, model: tuple[int, int]
) -> str:
    """Return what keeps a user from calling an operation, or nothing."""
    if user.stage not in allowed:
        if user.entry is None:
            return "not in functions of a library that are no entry points"
        return f"not in {user.stage.name.lower()} shaders"
    if user.entry is None or user.stage not in GROUPS:
        return ""
    properties = user.entry.properties
    launch = properties.launch
    launches = LAUNCHES.get(operation.name)
    if launches is not None and launch is not None and launch not in launches:
        return f"not in nodes that are launched for each {_launched(launch)}"
    if "g" not in operation.flags:
        return ""
    if model < COMPUTE_DERIVATIVES and user.stage is not ShaderKind.NODE:
        stage = user.stage.name.lower()
        return f"derivatives in {stage} shaders need shader model 6.6"
    if launch == NodeLaunch.THREAD:
        return "no derivatives in nodes that are launched for each thread"
    return ""


def _without_quads(operation: Op, user: User) -> str:
    """Return why threads cannot calculate derivatives together, or nothing."""
    if user.entry is None or user.stage not in GROUPS or "g" not in operation.flags:
        return ""
    threads = _threads(user.entry.properties)
    if len(threads) == 3 and not _has_quads(threads):
        size = " x ".join(map(str, threads))
        return f"derivatives need 4 n x 1 x 1 or 2 n x 2 m x k threads in a group, got {size}"
    return ""


def _launched(launch: int | None) -> str:
    return "thread" if launch == NodeLaunch.THREAD else "group of records"


def _threads(properties: EntryProperties) -> tuple[int, ...]:
    for each in (properties.mesh, properties.amplification):
        if each is not None:
            return each.threads
    return properties.threads


def _has_quads(threads: tuple[int, ...]) -> bool:
    """Return whether the threads of a group form quads."""
    x, y, z = threads
    return x % 4 == 0 if y == z == 1 else x % 2 == y % 2 == 0


def _shared(code: Code, entry: DxilEntryPoint, path: str, reports: Reports) -> None:
    """Check the size of the memory that the threads of a group share."""
    stage = _stage(code, entry.properties)
    if stage is None:
        return
    used: dict[GlobalVariable, None] = {}
    for function in functions_of(entry):
        for each in function.instructions:
            used.update(dict.fromkeys(_variables(each.operands)))
    size = sum(size_of(each.value_type) for each in used)
    most = 0
    if stage in GROUPS:
        limit = entry.properties.group_shared_limit
        usual = MOST_SHARED_OF_MESH if stage is ShaderKind.MESH else MOST_SHARED
        most = usual if limit is None else limit
    if size > most:
        message = f"expected at most {most} bytes of shared memory, got {size}"
        if stage not in GROUPS:
            message = f"no shared memory in {stage.name.lower()} shaders, got {size} bytes"
        reports.add("dxil.shared", message, path)


def _variables(values: list[DxilValue]) -> Iterator[GlobalVariable]:
    """Iterate over the shared variables among values, and those that constants point into."""
    waiting = list(values)
    while waiting:
        each = waiting.pop()
        if isinstance(each, GlobalVariable):
            if getattr(each.type, "space", 0) == SHARED_SPACE:
                yield each
        elif isinstance(each, DxilConstant):
            waiting.extend(each.operands)
