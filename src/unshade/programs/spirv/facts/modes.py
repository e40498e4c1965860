"""Settings of a stage, from execution modes.

OpExecutionMode %main LocalSize 8 8 1
OpExecutionModeId %main LocalSizeId %x %y %z      ids of constants, which may be specialised
OpDecorate %size BuiltIn WorkgroupSize            a constant that overrides both
"""

from ....model import (
    Geometry,
    MeshShading,
    OutputPrimitive,
    Primitive,
    Stage,
    Tessellation,
    Topology,
)
from ....model.facts import ProgramFacts
from ..constants import ConstantValues
from ..index import ExecutionModeUse, ModuleIndex, SpirvEntryPoint
from ..tables.grammar import grammar
from ..tables.numbers import BuiltIn, Decoration, ExecutionMode
from ..tables.opcode_groups import COMPOSITES
from .vocabulary import (
    DOMAINS,
    INPUT_PRIMITIVES,
    MESHES,
    ORDERS,
    PARTITIONINGS,
    TOPOLOGIES,
)

__all__ = ["read_modes"]

DIMENSIONS = 3


def read_modes(
    facts: ProgramFacts, index: ModuleIndex, constants: ConstantValues, entry: SpirvEntryPoint
) -> None:
    """Apply the execution modes of an entry point."""
    modes = {each.number: each for each in reversed(index.modes.get(entry.function, []))}
    _workgroup(facts, index, constants, modes)
    match facts.stage:
        case Stage.GEOMETRY:
            facts.geometry = _geometry(modes)
        case Stage.HULL | Stage.DOMAIN:
            facts.tessellation = _tessellation(modes)
        case Stage.MESH:
            facts.mesh = _mesh(modes)
    names = grammar().kinds["ExecutionMode"].by_value
    facts.global_flags = [
        names[each.number].name
        for each in index.modes.get(entry.function, [])
        if each.number in names and not names[each.number].operands
    ]


def _workgroup(
    facts: ProgramFacts,
    index: ModuleIndex,
    constants: ConstantValues,
    modes: dict[int, ExecutionModeUse],
) -> None:
    ids = _size_ids(index, modes)
    if ids:
        sizes = [constants.integer(each) for each in ids]
        if None in sizes:
            facts.notes.append("the size of the workgroup cannot be computed")
            return
        facts.thread_group = [each or 0 for each in sizes]
        named = [index.specialisation(each) for each in ids]
        if any(each is not None for each in named):
            facts.thread_group_constants = named
        return
    found = modes.get(ExecutionMode.LocalSize)
    if found is not None and len(found.words) == DIMENSIONS:
        facts.thread_group = list(found.words)


def _size_ids(index: ModuleIndex, modes: dict[int, ExecutionModeUse]) -> tuple[int, ...]:
    """Return the ids of the workgroup's size in each dimension; empty if it is not given by ids."""
    for number in index.decorations:
        if index.decoration_word(Decoration.BuiltIn, number) == BuiltIn.WorkgroupSize:
            found = index.definitions.get(number)
            if found is not None and found.opcode in COMPOSITES:
                return found.words[3 : 3 + DIMENSIONS]
    by_id = modes.get(ExecutionMode.LocalSizeId)
    return by_id.words if by_id is not None and len(by_id.words) == DIMENSIONS else ()


def _word(modes: dict[int, ExecutionModeUse], number: int) -> int | None:
    found = modes.get(number)
    return found.words[0] if found is not None and found.words else None


def _geometry(modes: dict[int, ExecutionModeUse]) -> Geometry:
    undefined: tuple[Primitive, int | None] = Primitive.UNDEFINED, None
    taken = (INPUT_PRIMITIVES[each] for each in INPUT_PRIMITIVES if each in modes)
    primitive, vertices = next(taken, undefined)
    made = (TOPOLOGIES[each] for each in TOPOLOGIES if each in modes)
    topology = next(made, Topology.UNDEFINED)
    return Geometry(
        input_primitive=primitive,
        input_vertices=vertices,
        output_topology=topology,
        streams=[topology],
        max_output_vertices=_word(modes, ExecutionMode.OutputVertices),
        instances=_word(modes, ExecutionMode.Invocations) or 1,
    )


def _mesh(modes: dict[int, ExecutionModeUse]) -> MeshShading:
    return MeshShading(
        output_topology=next((MESHES[each] for each in MESHES if each in modes), None),
        max_vertices=_word(modes, ExecutionMode.OutputVertices),
        max_primitives=_word(modes, ExecutionMode.OutputPrimitivesEXT),
    )


def _tessellation(modes: dict[int, ExecutionModeUse]) -> Tessellation:
    domain = next((DOMAINS[each] for each in DOMAINS if each in modes), None)
    order = next((ORDERS[each] for each in ORDERS if each in modes), None)
    if ExecutionMode.PointMode in modes:
        order = OutputPrimitive.POINT
    elif ExecutionMode.Isolines in modes:
        order = OutputPrimitive.LINE
    return Tessellation(
        domain=domain,
        partitioning=next((PARTITIONINGS[each] for each in PARTITIONINGS if each in modes), None),
        output_primitive=order,
        output_control_points=_word(modes, ExecutionMode.OutputVertices),
    )
