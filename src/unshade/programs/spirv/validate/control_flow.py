"""Control flow: branches, phis, returns, and definitions that dominate their uses.

Sources: SPIR-V specification, sections 2.16.1 and 3.42.17.
"""

from ..tables.numbers import AddressingModel, Opcode, StorageClass
from ..tables.numbers import ExecutionModel as Model
from .flow_graph import FlowGraph
from .instruction import CheckTable, Inst
from .state import State
from .structure import check_structure

__all__ = ["CHECKS", "check_control_flow"]

CHECKS = CheckTable()

FRAGMENT = (Model.Fragment,)
# Storage classes of pointers that a function may return, with VariablePointers.
RETURNED = (
    StorageClass.StorageBuffer, StorageClass.Workgroup, StorageClass.PhysicalStorageBuffer,
)  # fmt: skip
STAGES = {
    Opcode.Kill: FRAGMENT,
    Opcode.TerminateInvocation: FRAGMENT,
    Opcode.DemoteToHelperInvocation: FRAGMENT,
    Opcode.IsHelperInvocationEXT: FRAGMENT,
    Opcode.BeginInvocationInterlockEXT: FRAGMENT,
    Opcode.EndInvocationInterlockEXT: FRAGMENT,
    Opcode.EmitVertex: (Model.Geometry,),
    Opcode.EndPrimitive: (Model.Geometry,),
    Opcode.EmitStreamVertex: (Model.Geometry,),
    Opcode.EndStreamPrimitive: (Model.Geometry,),
    Opcode.TerminateRayKHR: (Model.AnyHitKHR,),
    Opcode.IgnoreIntersectionKHR: (Model.AnyHitKHR,),
    Opcode.EmitMeshTasksEXT: (Model.TaskEXT,),
    Opcode.SetMeshOutputsEXT: (Model.MeshEXT,),
}
# Labels among the operands of a branch or merge.
LABELS = {
    Opcode.Branch: slice(0, 1),
    Opcode.BranchConditional: slice(1, 3),
    Opcode.SelectionMerge: slice(0, 1),
    Opcode.LoopMerge: slice(0, 2),
}


@CHECKS.on(*STAGES)
def check_stage(state: State, inst: Inst) -> None:
    """Check that a stage has this instruction."""
    state.require_models("spirv.stage", inst, STAGES[inst.code])


@CHECKS.on(Opcode.IsHelperInvocationEXT)
def check_helper(state: State, inst: Inst) -> None:
    """Check the result of a query about a helper invocation."""
    if not state.types.fits(inst.type, "bool s"):
        state.report("spirv.result-type", inst, "expected a scalar of bool as result")


@CHECKS.on(Opcode.EmitStreamVertex, Opcode.EndStreamPrimitive)
def check_stream(state: State, inst: Inst) -> None:
    """Check the stream of a vertex or primitive."""
    if not state.types.fits(state.operand_type(inst, 0), "int s"):
        state.report("spirv.operand-type", inst, "Stream: expected a scalar of int")
    elif not state.is_constant(inst.word(0)):
        state.report("spirv.operand-constant", inst, "Stream: expected a constant")


def _labels(inst: Inst) -> tuple[int, ...]:
    ids = inst.ids()
    if inst.code == Opcode.Switch:
        return ids[1:]
    found = LABELS.get(inst.code)
    return ids[found] if found is not None else ()


@CHECKS.on(*LABELS, Opcode.Switch)
def check_labels(state: State, inst: Inst) -> None:
    """Check that the targets are labels of the same function, other than the first."""
    labels = _labels(inst)
    for id_ in labels:
        found = state.place_of(id_)
        if found is None or found[0] != Opcode.Label:
            state.report("spirv.branch", inst, "expected labels")
        elif found[1] != inst.function:
            state.report("spirv.branch", inst, "a label of another function")
    if inst.code == Opcode.LoopMerge:
        if labels[0] == labels[1]:
            state.report("spirv.merge", inst, "expected another merge block than continue target")
        _check_control(state, inst)
    if inst.code in (Opcode.LoopMerge, Opcode.SelectionMerge) and labels[0] == inst.block:
        state.report("spirv.merge", inst, "expected another block as merge block")


UNROLL, DONT_UNROLL, MULTIPLE, PEEL, PARTIAL = 1, 2, 0x40, 0x80, 0x100


def _check_control(state: State, inst: Inst) -> None:
    control = inst.word(2)
    if control & UNROLL and control & DONT_UNROLL:
        state.report("spirv.merge", inst, "Unroll and DontUnroll exclude each other")
    if control & DONT_UNROLL and control & (PEEL | PARTIAL):
        state.report("spirv.merge", inst, "DontUnroll excludes counts")
    place = 3 + sum(1 for bit in (8, 0x10, 0x20) if control & bit)
    if control & MULTIPLE and not inst.word(place):
        state.report("spirv.merge", inst, "IterationMultiple: expected at least 1")


@CHECKS.on(Opcode.BranchConditional)
def check_conditional(state: State, inst: Inst) -> None:
    """Check the condition and the weights of a branch."""
    if not state.types.fits(state.operand_type(inst, 0), "bool s"):
        state.report("spirv.branch", inst, "expected a condition of bool")
    if len(inst.operands) not in (3, 5):
        state.report("spirv.branch", inst, "expected two weights, or none")
    if state.at_least(6) and inst.word(1) == inst.word(2):
        state.report("spirv.branch", inst, "expected two targets since version 1.6")


@CHECKS.on(Opcode.Switch)
def check_switch(state: State, inst: Inst) -> None:
    """Check the selector, and the number of targets."""
    if not state.types.fits(state.operand_type(inst, 0), "int s"):
        state.report("spirv.branch", inst, "expected a selector of int")
    count = (len(inst.operands) - 2) // 2
    most = state.options.limits.switch_branches
    if count > most:
        state.report("spirv.limit", inst, f"expected at most {most} targets, got {count}")


@CHECKS.on(Opcode.Return, Opcode.ReturnValue)
def check_return(state: State, inst: Inst) -> None:
    """Check a return against the type of the function."""
    if inst.function < 0:
        return
    wanted = state.functions[inst.function][0].type
    void = state.types.code(wanted) == Opcode.TypeVoid
    if inst.code == Opcode.Return:
        if not void:
            state.report("spirv.return", inst, "expected a value")
        return
    given = state.operand_type(inst, 0)
    if not given or state.types.code(given) == Opcode.TypeVoid:
        state.report("spirv.return", inst, "expected a value")
    elif given != wanted:
        state.report("spirv.return", inst, "expected the result type of the function")
    pointer = state.types.pointer(given)
    logical = state.addressing == AddressingModel.Logical and state.shader
    strict = logical and not state.options.relax_logical_pointer
    if strict and pointer is not None and pointer[0] not in RETURNED:
        state.report("spirv.return", inst, "a pointer is not returned")


@CHECKS.on(Opcode.Phi)
def check_phi(state: State, inst: Inst) -> None:
    """Check the types of a phi's values, and its blocks."""
    types = state.types
    code = types.code(inst.type)
    if code == Opcode.TypeVoid:
        state.report("spirv.phi", inst, "expected a value")
    legal = not state.options.before_hlsl_legalization
    if legal and code in (Opcode.TypeSampledImage, Opcode.TypeImage, Opcode.TypeSampler):
        state.report("spirv.phi", inst, "images and samplers are not chosen")
    values = inst.ids()
    if len(values) % 2:
        state.report("spirv.phi", inst, "expected pairs of a value and a block")
    parents = values[1::2]
    if len(set(parents)) != len(parents):
        state.report("spirv.phi", inst, "a block twice")
    for value, parent in zip(values[::2], parents, strict=False):
        if state.type_of(value) != inst.type:
            state.report("spirv.phi", inst, "expected values of the result type")
            break
        if state.code(parent) != Opcode.Label:
            state.report("spirv.phi", inst, "expected labels of blocks")
            break


# -- the graph -----------------------------------------------------------------------------------


def check_control_flow(state: State) -> None:
    """Check the flow of each function."""
    for code in state.functions:
        graph = FlowGraph(code)
        if not graph.entry:
            continue
        _check_entry(state, graph)
        _check_order(state, graph)
        _check_phis(state, graph)
        _check_uses(state, graph)
        if state.shader and (graph.merges or graph.targets):
            check_structure(state, graph)


def _check_entry(state: State, graph: FlowGraph) -> None:
    for label in graph.predecessors.get(graph.entry, ()):
        state.report("spirv.first-block", graph.terminators[label])


def _check_order(state: State, graph: FlowGraph) -> None:
    """Check that a block stands before those that it dominates."""
    labels = {inst.id: inst for inst in graph.code if inst.code == Opcode.Label}
    places = {label: at for at, label in enumerate(labels)}
    for label in graph.order[1:]:
        parent = graph.parent(label)
        if places[parent] > places[label]:
            message = f"block {parent}, which dominates block {label}, stands behind it"
            state.report("spirv.block-order", labels[label], message)


def _check_phis(state: State, graph: FlowGraph) -> None:
    for inst in graph.phis:
        parents = set(inst.ids()[1::2])
        wanted = set(graph.predecessors.get(inst.block, ()))
        if parents != wanted and inst.block in graph.reachable:
            state.report("spirv.phi", inst, "expected each predecessor of the block once")


def _check_uses(state: State, graph: FlowGraph) -> None:
    """Check that definitions dominate their uses."""
    for inst in graph.insts:
        block = inst.block
        if block not in graph.reachable:
            continue
        if inst.code == Opcode.Phi:
            values = inst.ids()
            pairs = list(zip(values[::2], values[1::2], strict=False))
        else:
            pairs = [(each, block) for each in inst.ids()]
        for id_, at in pairs:
            found = state.place_of(id_)
            if found is None:
                continue
            code, function, holder = found
            if function != inst.function or not holder:
                if function >= 0 and holder:
                    state.report("spirv.dominance", inst, f"id {id_} is of another function")
                continue
            if code == Opcode.Label or at not in graph.reachable:
                continue
            if holder != at and not graph.dominates(holder, at):
                message = f"the definition of id {id_} does not dominate its use"
                state.report("spirv.dominance", inst, message)
