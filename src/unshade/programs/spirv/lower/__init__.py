"""Lowering of modules to `ir`, by entry point.

lower(module, entry, specialisation) -> Lowered(kernel, resources, …)

flow         functions as graphs, calls      memory       loads, stores, access chains
arithmetic   all computations                variables    storage of variables
conversions  … and converts                  rounding     toward zero
undefined    counts of undefined results
composites   vectors, matrices, structures   roots        … and their accesses
literals     constants                       pointers     pointers: a root and an offset
matrices     products of matrices, dot products
atomics      atomics, barriers               types        types as leaves
subgroups    operations of subgroups         builtins     inputs of compute shaders
glsl_table   OpExtInst                       interface    ports of graphics stages
images       images and samplers             sampling     sample, gather, fetch (sparse: the same)
storage_images  OpImageRead, OpImageWrite    image_queries   sizes and levels
derivatives  OpDPdx, OpFwidth, …            interpolation   inputs at other places
geometry     emitted vertices               tessellation    patches
meshes       outputs of workgroups
points       vertices and control points in memories
barriers     functions cut at barriers      kept         … and values that are used beyond
exported     functions called directly      accesses     … whether they read or write parameters
"""

from ....errors import FormatError, UnsupportedError, UsageError
from ....garbage_collection import uncollected
from ....ir.kernel import KernelIR
from ....ir.lowered import Lowered
from ....ir.specialisation import Specialisation
from ....vocab.words import Stage
from ..exported import exported_functions
from ..facts import FactsOfModule, facts_of
from ..module import HEADER, Module
from ..tables.grammar import grammar
from ..tables.numbers import ExecutionModel
from . import (
    arithmetic,
    atomics,
    composites,
    conversions,
    derivatives,
    flow,
    geometry,
    glsl_table,
    image_queries,
    images,
    literals,
    matrices,
    memory,
    meshes,
    sampling,
    sparse,
    storage_images,
    subgroups,
)
from .builtins import LABELS, compute_interface
from .exported import DirectCall, entry_of_export, export_interface, use_passed_variables
from .geometry import GeometryStage
from .interface import stage_interface
from .listing import Listing
from .lowering import Lowering
from .meshes import MeshStage, TaskStage
from .modes import apply_modes, has_early_tests, loose_widths
from .operations import Handlers
from .refused import refusal_of_model
from .rounding import round_toward_zero
from .tessellation import ControlStage, EvaluationStage
from .variables import prepare

__all__ = ["HANDLERS", "lower"]

MODULES = (
    arithmetic, atomics, composites, conversions, derivatives, flow, geometry, glsl_table,
    image_queries, images, literals, matrices, memory, meshes, sampling, sparse, storage_images,
    subgroups,
)  # fmt: skip
HANDLERS: Handlers = {
    number: each for module in MODULES for number, each in module.HANDLERS.items()
}
WORD = 4  # bytes
# Stages that can be run: their names, and what makes pointers to inputs and outputs.
STAGES = {
    ExecutionModel.GLCompute: (Stage.COMPUTE, compute_interface),
    ExecutionModel.Vertex: (Stage.VERTEX, stage_interface),
    ExecutionModel.Fragment: (Stage.PIXEL, stage_interface),
    ExecutionModel.Geometry: (Stage.GEOMETRY, stage_interface),
    ExecutionModel.TessellationControl: (Stage.HULL, stage_interface),
    ExecutionModel.TessellationEvaluation: (Stage.DOMAIN, stage_interface),
    ExecutionModel.TaskEXT: (Stage.AMPLIFICATION, compute_interface),
    ExecutionModel.MeshEXT: (Stage.MESH, compute_interface),
}
# Stages of several vertices or control points a lane or group, which make their own pointers.
POINT_STAGES = {
    Stage.GEOMETRY: GeometryStage,
    Stage.HULL: ControlStage,
    Stage.DOMAIN: EvaluationStage,
    Stage.AMPLIFICATION: TaskStage,
    Stage.MESH: MeshStage,
}


# What operands of wrong types and numbers lead to: modules are lowered without validation.
STUMBLES = (AssertionError, AttributeError, LookupError, TypeError, UsageError, ValueError)


def _malformed(module: Module, position: int) -> FormatError:
    """Return the error for an instruction whose operands do not fit its operation."""
    offset = WORD * (HEADER + sum(len(each.words) for each in module.instructions[:position]))
    op = grammar().core.by_code.get(module.instructions[position].opcode)
    name = op.name if op is not None else "an instruction"
    problem = f"{name}: expected operands of other types; `unshade verify` names the rule"
    return FormatError(problem, offset=offset, path=f"instructions[{position}]")


@uncollected
def lower(module: Module, entry: int | str, specialisation: Specialisation) -> Lowered:
    """Lower an entry point of a module, or a function that is called directly, to a kernel.

    Args:
        module: The module.
        entry: The index of the entry point, or the name of the function (`exported`).
        specialisation: `constants` are values of specialisation constants by SpecId or name,
            `lengths` the sizes of arrays of descriptors that have none ("set0_binding1"), `bounds`
            applies to blocks, `wave_size` is the size of a subgroup.

    Raises:
        FormatError: An instruction has operands that it cannot have.
        UnsupportedError: The module has something that cannot be run; the message names the
            instruction.
    """
    known_facts = facts_of(module) if isinstance(entry, int) else FactsOfModule(module)
    if isinstance(entry, int):
        model = known_facts.index.entry_points[entry].model
        if model not in STAGES:
            name = known_facts.index.entry_points[entry].name
            raise UnsupportedError(f"entry point {name}: {refusal_of_model(model)}")
        stage, interface = STAGES[model]
    else:
        stage, interface = Stage.LIBRARY, export_interface
    known = {each.id: (each.name or "", each.default) for each in known_facts.specialisation}
    values = specialisation.resolved(known)
    if specialisation.constants:
        known_facts = FactsOfModule(module, values)
    index = known_facts.index
    function = None
    if isinstance(entry, int):
        found = index.entry_points[entry]
        usage = known_facts.usages.from_entry(found)
        facts = known_facts.of(entry)
    else:
        function = exported_functions(index)[entry]
        found = entry_of_export(index, entry, function)
        usage = known_facts.usages.from_entry(found)
        use_passed_variables(index, function, usage)
        facts = known_facts.of_entry(found, usage)
    kernel = KernelIR(found.name, stage, wave=specialisation.wave_size)
    apply_modes(kernel, index, found, facts, specialisation.flush)
    lowering = Lowering(
        index, known_facts.constants, facts, found, kernel, specialisation, HANDLERS,
        (images.image_variable, interface), Listing(module, index, specialisation.labelled), usage,
    )  # fmt: skip
    exported = DirectCall(lowering, function) if function is not None else None
    try:
        if stage in POINT_STAGES:
            lowering.stage = POINT_STAGES[stage](lowering)
            lowering.interface = lowering.stage.pointer
            lowering.stage.begin()
        prepare(lowering)
        if exported is not None:
            exported.run()
        else:
            flow.lower_entry(lowering)
        lowering.undefined.finish(kernel)
        round_toward_zero(kernel, lowering.toward_zero)
    except STUMBLES as error:
        raise _malformed(module, lowering.position) from error
    made = Lowered(
        kernel, lowering.resources, lowering.listing.lines, specialisation=specialisation,
        labels=LABELS, early_tests=has_early_tests(index, found), printed=lowering.printed.formats,
        loose=loose_widths(index, found), folded=lowering.folded(),
    )  # fmt: skip
    if exported is not None:
        made.parameters = exported.parameters
    if lowering.stage is not None:
        made.points = [*lowering.stage.points()]
        made.instances = lowering.stage.instances
        made.labels = LABELS | lowering.stage.labels
    return made
