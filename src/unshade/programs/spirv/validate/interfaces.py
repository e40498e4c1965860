"""Interfaces of entry points: which variables they list, and their locations.

    OpEntryPoint Fragment %main "main" %in %out …
    OpDecorate %in Location 2

Sources: SPIR-V specification, section 2.16.1; Vulkan specification, "Shader Interfaces".
"""

from functools import partial

from ..tables.numbers import Capability, Decoration, ExecutionModel, Opcode
from ..tables.numbers import StorageClass as S
from ..tables.opcode_groups import ARRAYS, VARIABLES
from .declarations import encoding_of
from .instruction import Inst
from .state import State

__all__ = ["check_interfaces"]

INTERPOLATION = (Decoration.Flat, Decoration.NoPerspective, Decoration.Sample, Decoration.Centroid)
# Models whose inputs, or outputs, have an array with an element for each vertex.
ARRAYED = {
    S.Input: {
        ExecutionModel.Geometry, ExecutionModel.TessellationControl,
        ExecutionModel.TessellationEvaluation,
    },
    S.Output: {
        ExecutionModel.TessellationControl, ExecutionModel.MeshEXT, ExecutionModel.MeshNV,
    },
}  # fmt: skip
# Storage classes of which an interface has one variable, and the rules of Vulkan.
ONCE = {
    S.PushConstant: "PushConstant-06673",
    S.IncomingRayPayloadKHR: "IncomingRayPayloadKHR-04700",
    S.HitAttributeKHR: "HitAttributeKHR-04702",
    S.IncomingCallableDataKHR: "IncomingCallableDataKHR-04706",
}
WORK = 2_000_000  # pairs of an entry point and a variable that are looked at
PATCH = 2  # added to the index: locations of a patch are apart from those of its vertices
MOST = 4096  # locations that are looked at for one variable


def check_interfaces(state: State) -> None:
    """Check the interfaces of all entry points."""
    users = _users(state)
    most = WORK // max(1, len(users))
    if most < len(state.entries):
        state.skipped("interfaces of entry points")
    for entry in state.entries[:most]:
        place = state.at_position(entry.position)
        if place is None:
            continue
        listed = set(entry.interface)
        if state.at_least(4) and len(listed) != len(entry.interface):
            state.report("spirv.interface", place, "a variable twice")
        reached = state.reached[entry.function]
        for id_, functions in users.items():
            if id_ not in listed and not functions.isdisjoint(reached):
                state.report("spirv.interface", place, f"expected variable {id_}, which is used")
        for id_ in listed:
            _check_listed(state, place, id_)
        if state.vulkan:
            _check_once(state, place, entry.interface)
            _check_locations(state, place, entry.model, entry.interface)
            _check_interpolation(state, entry.model, listed)


def _users(state: State) -> dict[int, set[int]]:
    """Return the functions that use each variable that an interface has to list."""
    found: dict[int, set[int]] = {}
    for inst in state.of(*VARIABLES):
        if inst.function >= 0:
            continue
        storage = inst.word(0)
        if storage not in (S.Input, S.Output) and not state.at_least(4):
            continue
        found[inst.id] = state.functions_using(inst.id)
    return found


def _check_listed(state: State, place: Inst, id_: int) -> None:
    inst = state.definitions.get(id_)
    if inst is None or inst.code not in VARIABLES:
        state.report("spirv.interface", place, f"expected variables, got %{id_}")
        return
    storage = inst.word(0)
    if not state.at_least(4) and storage not in (S.Input, S.Output):
        message = f"expected inputs and outputs before version 1.4, got %{id_}"
        state.report("spirv.interface", place, message)
    if storage == S.Input or (storage == S.Output and not state.has(Capability.TransformFeedback)):
        _check_offsets(state, inst)
    if storage not in (S.Input, S.Output) or not state.vulkan:
        return
    types = state.types
    type_ = (types.pointer(inst.type) or (0, 0))[1]
    if type_ in types.containing("physical", lambda each: _is_physical(state, each)):
        vuid = "VUID-StandaloneSpirv-Input-09557"
        state.report("spirv.interface-type", inst, "a pointer", vuid)
    for rule, brain in (("10370", True), ("10823", False)):
        found = types.containing(("encoded", brain), partial(_is_encoded, state, brain))
        if type_ in found:
            vuid = f"VUID-StandaloneSpirv-OpTypeFloat-{rule}"
            state.report("spirv.interface-type", inst, "a float of another encoding", vuid)


def _check_offsets(state: State, inst: Inst) -> None:
    """Check that members have no offsets, which are for memory and for transform feedback."""
    block = (state.types.pointer(inst.type) or (0, 0))[1]
    if state.types.code(block) != Opcode.TypeStruct:
        return
    for at, uses in state.index.members.get(block, {}).items():
        if any(each.number == Decoration.Offset for each in uses):
            state.report("spirv.interface-type", inst, f"member {at} has an offset")


def _is_physical(state: State, type_: int) -> bool:
    pointer = state.types.pointer(type_)
    return pointer is not None and pointer[0] == S.PhysicalStorageBuffer


def _is_encoded(state: State, brain: bool, type_: int) -> bool:
    encoding = encoding_of(state, type_)
    return bool(encoding) and (encoding == "BFloat16KHR") == brain


def _check_once(state: State, place: Inst, interface: tuple[int, ...]) -> None:
    """Check that a stage has at most one variable of a storage class that must be unique."""
    seen: set[int] = set()
    for id_ in interface:
        inst = state.definitions.get(id_)
        storage = inst.word(0) if inst is not None and inst.code in VARIABLES else None
        if storage in ONCE and not (
            storage == S.PushConstant and state.has(Capability.PushConstantBanksNV)
        ):
            if storage in seen:
                vuid = f"VUID-StandaloneSpirv-{ONCE[storage]}"
                state.report("spirv.interface", place, "two variables of a class", vuid)
            seen.add(storage)


def _check_flat(state: State, listed: set[int]) -> None:
    """Check that inputs of fragments that cannot be interpolated are flat."""
    types = state.types
    for id_ in listed:
        inst = state.definitions.get(id_)
        if inst is None or inst.code != Opcode.Variable or inst.word(0) != S.Input:
            continue
        type_ = (types.pointer(inst.type) or (0, 0))[1]
        whole = types.fits(type_, "int s|int v|float64 s")
        if whole and not state.decorated(Decoration.Flat, id_):
            vuid = "VUID-StandaloneSpirv-Flat-04744"
            state.report("spirv.decoration-storage", inst, "expected the decoration Flat", vuid)


def _check_interpolation(state: State, model: int, listed: set[int]) -> None:
    if model == ExecutionModel.Fragment:
        _check_flat(state, listed)
    wrong = {ExecutionModel.Fragment: S.Output, ExecutionModel.Vertex: S.Input}.get(model)
    if wrong is None:
        return
    for id_ in listed:
        inst = state.definitions.get(id_)
        if inst is None or inst.code not in VARIABLES or inst.word(0) != wrong:
            continue
        if any(state.decorated(each, id_) for each in INTERPOLATION):
            rule = "06201" if model == ExecutionModel.Fragment else "06202"
            vuid = f"VUID-StandaloneSpirv-Flat-{rule}"
            state.report("spirv.decoration-storage", inst, "nothing is interpolated", vuid)


# -- locations -----------------------------------------------------------------------------------


def _check_locations(state: State, place: Inst, model: int, interface: tuple[int, ...]) -> None:
    taken: dict[int, set[tuple[int, int, int]]] = {S.Input: set(), S.Output: set()}
    builtins: set[tuple[int, int]] = set()
    for id_ in dict.fromkeys(interface):
        inst = state.definitions.get(id_)
        if inst is None or inst.code not in VARIABLES or inst.word(0) not in taken:
            continue
        if state.decorated(Decoration.PerTaskNV, id_):
            continue  # it has an offset
        storage = inst.word(0)
        builtin = state.index.decoration_word(Decoration.BuiltIn, id_)
        if builtin is not None:
            if (storage, builtin) in builtins:
                _report_twice(state, place, storage)
            builtins.add((storage, builtin))
            continue
        for number in _member_builtins(state, inst):
            if (storage, number) in builtins:
                _report_twice(state, place, storage)
            builtins.add((storage, number))
        slots = _slots(state, place, inst, model)
        if slots is None:
            continue
        if not taken[storage].isdisjoint(slots):
            _report_overlap(state, place, inst)
        taken[storage] |= slots


def _report_twice(state: State, place: Inst, storage: int) -> None:
    vuid = f"VUID-StandaloneSpirv-OpEntryPoint-{'09658' if storage == S.Input else '09659'}"
    state.report("spirv.location", place, "a built-in twice", vuid)


def _report_overlap(state: State, place: Inst, inst: Inst) -> None:
    rule = "08721" if inst.word(0) == S.Input else "08722"
    vuid = f"VUID-StandaloneSpirv-OpEntryPoint-{rule}"
    state.report("spirv.location", place, f"the locations of variable {inst.id} overlap", vuid)


def _member_builtins(state: State, inst: Inst) -> set[int]:
    """Return the built-ins that are members of a block, or of the blocks of an array."""
    type_ = state.types.unarrayed((state.types.pointer(inst.type) or (0, 0))[1])
    members = state.index.members.get(type_, {}).values()
    uses = (each for inner in members for each in inner if each.number == Decoration.BuiltIn)
    return {each.words[0] for each in uses if each.words}


def _slots(state: State, place: Inst, inst: Inst, model: int) -> set[tuple[int, int, int]] | None:
    """Return the (location, component, index) that a variable takes; None if it is not known."""
    index, types = state.index, state.types
    type_ = (types.pointer(inst.type) or (0, 0))[1]
    patch = state.decorated(Decoration.Patch, inst.id)
    vertices = state.decorated(Decoration.PerVertexKHR, inst.id)
    arrayed = model in ARRAYED.get(inst.word(0), ()) and not patch
    if (arrayed or vertices) and types.code(type_) in ARRAYS:
        type_ = types.part(type_)
    location = index.decoration_word(Decoration.Location, inst.id)
    component = index.decoration_word(Decoration.Component, inst.id) or 0
    source = index.decoration_word(Decoration.Index, inst.id) or 0
    source += PATCH * patch
    if types.code(type_) == Opcode.TypeStruct:
        return _members(state, place, inst, type_, location, source)
    if location is None:
        vuid = "VUID-StandaloneSpirv-Location-04917"
        state.report("spirv.location", inst, "expected a location", vuid)
        return None
    return {(at, part, source) for at, part in _taken(state, type_, location, component)}


def _members(
    state: State, place: Inst, inst: Inst, type_: int, location: int | None, source: int
) -> set[tuple[int, int, int]] | None:
    found: set[tuple[int, int, int]] = set()
    members = state.index.members.get(type_, {})
    whole = location is not None
    for at, member in enumerate(state.types.members(type_)):
        uses = members.get(at, ())
        if any(each.number == Decoration.BuiltIn for each in uses):
            continue
        own = state.index.decoration_word(Decoration.Location, type_, at)
        if own is not None and whole:
            vuid = "VUID-StandaloneSpirv-Location-04918"
            message = f"member {at}: a location beside that of the variable"
            state.report("spirv.location", inst, message, vuid)
            return None
        component = state.index.decoration_word(Decoration.Component, type_, at) or 0
        if own is not None:
            location = own
        if location is None:
            vuid = "VUID-StandaloneSpirv-Location-04919"
            state.report("spirv.location", inst, f"member {at}: expected a location", vuid)
            return None
        slots = {(row, part, source) for row, part in _taken(state, member, location, component)}
        if not found.isdisjoint(slots):
            _report_overlap(state, place, inst)
            return found | slots
        found |= slots
        location = max((row for row, _, _ in slots), default=location) + 1
    return found


def _taken(state: State, type_: int, location: int, component: int) -> list[tuple[int, int]]:
    """Return the locations and components that a value takes."""
    own = state.memo(f"slots {component}", type_, lambda: _relative(state, type_, component))
    return [(location + place, part) for place, part in own]


def _relative(state: State, type_: int, component: int) -> list[tuple[int, int]]:
    """Return the locations of a value at location 0; types nested deeper than 8 take none."""
    types = state.types
    found = types.numeric(type_)
    code = types.code(type_)
    if types.depth(type_) > 8:
        return []
    if found is not None and found.form in "sv":
        words = (2 if found.width == 64 else 1) * found.size
        return [((component + at) // 4, (component + at) % 4) for at in range(min(words, 64))]
    if found is not None and found.form == "m":
        parts = [found.column] * min(found.columns, 4)
    elif code == Opcode.TypeArray:
        count = state.integer(types.words(type_)[3]) or 1
        parts = [types.part(type_)] * max(0, min(count, MOST))
    elif code == Opcode.TypeStruct:
        parts = list(types.members(type_))
        component = 0
    else:
        return [(0, component)]
    places: list[tuple[int, int]] = []
    location = 0
    for part in parts:
        inner = _taken(state, part, location, component)
        places += inner
        location = max((each for each, _ in inner), default=location - 1) + 1
        if len(places) > 4 * MOST:
            state.skipped("locations of inputs and outputs")
            break
    return places
