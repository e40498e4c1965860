"""Built-ins: their targets, and in Vulkan their types, storage classes and stages.

OpMemberDecorate %block 0 BuiltIn Position     the structure: the type of its member
%p = OpTypePointer Output %block               the storage class
%v = OpVariable %p Output
     OpAccessChain … %v …                      in a function: the stages that reach it
"""

import re
from functools import cache

from ....tuples import NamedTuple
from ..index import Decorated
from ..tables.grammar import grammar
from ..tables.numbers import (
    BuiltIn,
    Capability,
    Decoration,
    ExecutionMode,
    ExecutionModel,
    Opcode,
    StorageClass,
)
from ..tables.opcode_groups import VARIABLES
from .builtin_table import BUILTINS, BuiltInRow
from .ids import DEBUG, DECORATIONS
from .instruction import Inst
from .state import CONSTANTS, State, model_name

__all__ = ["check_builtins"]

ARRAYED = frozenset({
    ExecutionModel.Geometry, ExecutionModel.TessellationControl,
    ExecutionModel.TessellationEvaluation, ExecutionModel.MeshNV, ExecutionModel.MeshEXT,
})  # fmt: skip
MOST = 10_000  # types and variables that are followed from one decoration
# Storage class by the instruction that has it, as the index of its word.
STORAGE_WORD = {
    Opcode.TypePointer: 2,
    Opcode.TypeUntypedPointerKHR: 2,
    Opcode.TypeForwardPointer: 2,
    Opcode.Variable: 3,
    Opcode.UntypedVariableKHR: 3,
}
IGNORED = DEBUG | DECORATIONS | {
    Opcode.EntryPoint, Opcode.ExecutionMode, Opcode.ExecutionModeId, Opcode.TypeForwardPointer,
}  # fmt: skip
PER_PRIMITIVE = {
    BuiltIn.CullPrimitiveEXT: 7038,
    BuiltIn.Layer: 7039,
    BuiltIn.PrimitiveId: 7040,
    BuiltIn.PrimitiveShadingRateKHR: 7059,
    BuiltIn.ViewportIndex: 7060,
}
# Values that hold for a subgroup of whatever stage: variables, not members.
ONLY_VARIABLES = frozenset({
    BuiltIn.SubgroupEqMask, BuiltIn.SubgroupGeMask, BuiltIn.SubgroupGtMask,
    BuiltIn.SubgroupLeMask, BuiltIn.SubgroupLtMask, BuiltIn.SubgroupSize,
    BuiltIn.SubgroupLocalInvocationId, BuiltIn.ResourceHeapEXT, BuiltIn.SamplerHeapEXT,
})  # fmt: skip


class _Reach(NamedTuple):
    """Uses of a decorated id: the first instruction of each kind of use."""

    storage: dict[int, Inst]
    uses: dict[tuple[int, int], Inst]  # by storage class and execution model


def check_builtins(state: State) -> None:
    """Check all decorations with built-ins."""
    for target, uses in state.index.decorations.items():
        for each in uses:
            if each.number == Decoration.BuiltIn and each.words:
                _check(state, target, None, each)
    for target, members in state.index.members.items():
        for member, inner in members.items():
            for each in inner:
                if each.number == Decoration.BuiltIn and each.words:
                    _check(state, target, member, each)


def _check(state: State, target: int, member: int | None, use: Decorated) -> None:
    inst = state.definitions.get(target)
    decoration = state.at_position(use.position)
    if inst is None or decoration is None:
        return
    builtin = use.words[0]
    name = grammar().kinds["BuiltIn"].by_value[builtin].name
    if member is not None:
        if builtin in ONLY_VARIABLES:
            state.report("spirv.builtin-target", decoration, f"{name} is not for members")
        if inst.code != Opcode.TypeStruct or member >= len(inst.words) - 2:
            return  # another rule
        type_ = inst.words[2 + member]
    elif inst.code in VARIABLES:
        if builtin == BuiltIn.WorkgroupSize and not state.kernel:
            state.report("spirv.builtin-target", decoration, f"{name} is for constants")
        pointer = state.types.pointer(inst.type)
        type_ = pointer[1] if pointer is not None else 0
    elif inst.code in CONSTANTS:
        if builtin != BuiltIn.WorkgroupSize:
            state.report("spirv.builtin-target", decoration, f"{name} is for variables")
        type_ = inst.type
    else:
        state.report("spirv.builtin-target", decoration)
        return
    if state.vulkan:
        _check_vulkan(state, inst, member, builtin, type_)


def _check_vulkan(state: State, inst: Inst, member: int | None, builtin: int, type_: int) -> None:
    if builtin == BuiltIn.VertexId:
        state.report("spirv.builtin", inst, "Vulkan has no VertexId")
        return
    row = BUILTINS.get(builtin)
    if row is None:
        return
    reach = state.memo("builtins", inst.id, lambda: _reach(state, inst))
    _check_type(state, inst, member, row, type_, reach)
    _check_storage(state, inst, row, reach)
    _check_models(state, row, reach)
    _check_capability(state, row, builtin, reach)
    _check_mesh(state, inst, member, row, builtin, reach)
    if builtin == BuiltIn.FragDepth:
        for at in reach.uses.values():
            for entry in state.entries_of(at):
                if ExecutionMode.DepthReplacing not in state.modes_of(entry.function):
                    state.report(
                        "spirv.builtin", at, "FragDepth needs the mode DepthReplacing",
                        "VUID-FragDepth-FragDepth-04216",
                    )  # fmt: skip
                    return
    if builtin in (BuiltIn.TessLevelInner, BuiltIn.TessLevelOuter):
        patch = state.index.decoration(Decoration.Patch, inst.id, member)
        whole = state.index.decoration(Decoration.Patch, inst.id)
        if patch is None and whole is None and member is None:
            vuid = f"VUID-StandaloneSpirv-{row.name}-10880"
            state.report("spirv.builtin", inst, f"{row.name} needs the decoration Patch", vuid)


def _reach(state: State, inst: Inst) -> _Reach:
    storage: dict[int, Inst] = {}
    uses: dict[tuple[int, int], Inst] = {}
    pending = [(inst, -1)]
    seen = {(inst.id, -1)}
    while pending and len(seen) < MOST:
        each, inherited = pending.pop()
        at = STORAGE_WORD.get(each.code)
        own = each.words[at] if at is not None else inherited
        if at is not None:
            storage.setdefault(own, each)
        for user in state.uses.get(each.id, ()):
            if user.code in IGNORED:
                continue
            if user.function >= 0:
                for model in state.models_of(user):
                    known = uses.get((own, model))
                    if known is None or user.position < known.position:
                        uses[own, model] = user
            elif user.id and (user.id, own) not in seen:
                seen.add((user.id, own))
                pending.append((user, own))
    if pending:
        state.skipped("uses of built-ins", inst)
    return _Reach(storage, uses)


# -- types ---------------------------------------------------------------------------------------


@cache
def _parsed(text: str) -> tuple[str, int, int, str, bool]:
    """Return base and width as a pattern, components, columns, array length and per-vertex."""
    match = re.fullmatch(r"([a-z]+\d*)(?:x(\d))?(?:m(\d))?(?:\[(\d*)\])?(\+?)", text)
    assert match is not None, text
    length = "" if "[" not in text else match[4] or "any"
    return match[1], int(match[2] or 1), int(match[3] or 1), length, bool(match[5])


def _check_type(
    state: State, inst: Inst, member: int | None, row: BuiltInRow, type_: int, reach: _Reach
) -> None:
    arrays = (Opcode.TypeArray, Opcode.TypeRuntimeArray)
    types = state.types
    base, count, columns, length, vertices = _parsed(row.type)
    inner = type_
    depth = 1 if length else 0
    nested, probe = 0, type_
    while types.code(probe) in arrays and nested < 3:
        probe, nested = types.part(probe), nested + 1
    if vertices and nested == depth + 1 and member is None and _arrayed(state, reach):
        inner = types.part(inner)
    if length:
        size = types.constants.get(types.words(inner)[3]) if types.code(inner) in arrays[:1] else 0
        if types.code(inner) not in arrays or (length != "any" and size != int(length)):
            state.report("spirv.builtin-type", inst, _expected(row), row.vuid(row.rules[2]))
            return
        inner = types.part(inner)
    form = "m" if columns > 1 else "v" if count > 1 else "s"
    found = types.numeric(inner)
    if (
        found is None
        or not types.fits(inner, f"{base} {form}")
        or found.size != count
        or found.columns != columns
    ):
        state.report("spirv.builtin-type", inst, _expected(row), row.vuid(row.rules[2]))


def _arrayed(state: State, reach: _Reach) -> bool:
    models = {model for _, model in reach.uses} or {each.model for each in state.entries}
    return not models.isdisjoint(ARRAYED)


def _expected(row: BuiltInRow) -> str:
    return f"{row.name}: expected the type {row.type.removesuffix('+')}"


# -- storage classes and stages ------------------------------------------------------------------


def _check_storage(state: State, inst: Inst, row: BuiltInRow, reach: _Reach) -> None:
    if row.constant:
        return
    for storage, at in reach.storage.items():
        if storage not in row.storage:
            names = " or ".join(sorted("Input" if s == StorageClass.Input else "Output"
                                       for s in row.storage))  # fmt: skip
            message = f"{row.name}: expected the storage class {names}"
            state.report("spirv.builtin-storage", at, message, row.vuid(row.rules[1]))


def _check_models(state: State, row: BuiltInRow, reach: _Reach) -> None:
    for (storage, model), at in reach.uses.items():
        if row.models is not None and model not in row.models:
            message = f"{row.name} is not for {model_name(model)}"
            state.report("spirv.builtin-model", at, message, row.vuid(row.rules[0]))
        for wrong, models, rule in row.forbidden:
            if storage == wrong and model in models:
                way = "an input" if storage == StorageClass.Input else "an output"
                message = f"{row.name} is not {way} of {model_name(model)}"
                state.report("spirv.builtin-model", at, message, row.vuid(rule))


def _check_capability(state: State, row: BuiltInRow, builtin: int, reach: _Reach) -> None:
    if builtin not in (BuiltIn.Layer, BuiltIn.ViewportIndex):
        return
    layer = builtin == BuiltIn.Layer
    capability = Capability.ShaderLayer if layer else Capability.ShaderViewportIndex
    if state.has(capability, Capability.ShaderViewportIndexLayerEXT):
        return
    for (_, model), at in reach.uses.items():
        if model in (ExecutionModel.Vertex, ExecutionModel.TessellationEvaluation):
            message = f"{row.name} of {model_name(model)} needs ShaderViewportIndexLayerEXT"
            vuid = row.vuid(4273 if layer else 4405)
            state.report("spirv.builtin-model", at, message, vuid)


def _check_mesh(
    state: State, inst: Inst, member: int | None, row: BuiltInRow, builtin: int, reach: _Reach
) -> None:
    rule = PER_PRIMITIVE.get(builtin)
    use = reach.uses.get((StorageClass.Output, ExecutionModel.MeshEXT))
    if rule is None or use is None:
        return
    if (
        state.index.decoration(Decoration.PerPrimitiveEXT, inst.id, member) is None
        and state.index.decoration(Decoration.PerPrimitiveEXT, inst.id) is None
    ):
        message = f"{row.name} of a mesh needs the decoration PerPrimitiveEXT"
        state.report("spirv.builtin", use, message, row.vuid(rule))
