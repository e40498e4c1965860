"""Entry points, execution modes and the memory model.

    GROUPS   of each model, modes that exclude each other; some groups require one
    MODELS   of each mode, the models it is for

Sources: SPIR-V specification, sections 2.16.1, 2.17 and 3.6; Vulkan specification, appendix A.
"""

from ....tuples import NamedTuple
from ..tables.grammar import grammar
from ..tables.numbers import (
    AddressingModel,
    BuiltIn,
    Capability,
    Decoration,
    MemoryModel,
    Opcode,
)
from ..tables.numbers import ExecutionMode as Mode
from ..tables.numbers import ExecutionModel as Model
from .instruction import CheckTable, Inst
from .state import State

__all__ = ["CHECKS", "check_entry_points"]

CHECKS = CheckTable()


class _Group(NamedTuple):
    models: tuple[int, ...]
    modes: frozenset[int]
    least: int  # of them to declare
    most: int
    text: str


def _group(models: tuple[int, ...], names: str, least: int, most: int) -> _Group:
    modes = frozenset(getattr(Mode, name) for name in names.split())
    count = "exactly one" if least == 1 else "at most one"
    if least == 2:
        count = "both"
    return _Group(models, modes, least, most, f"{count} of {', '.join(names.split())}")


TESSELLATION = (Model.TessellationControl, Model.TessellationEvaluation)
WORKGROUPS = (Model.GLCompute, Model.MeshEXT, Model.MeshNV, Model.TaskEXT, Model.TaskNV)
GROUPS = (
    _group((Model.Fragment,), "OriginUpperLeft OriginLowerLeft", 1, 1),
    _group((Model.Fragment,), "DepthGreater DepthLess DepthUnchanged", 0, 1),
    _group(
        (Model.Fragment,),
        "PixelInterlockOrderedEXT PixelInterlockUnorderedEXT SampleInterlockOrderedEXT "
        "SampleInterlockUnorderedEXT ShadingRateInterlockOrderedEXT "
        "ShadingRateInterlockUnorderedEXT",
        0, 1,
    ),
    _group(
        (Model.Fragment,),
        "StencilRefUnchangedFrontAMD StencilRefLessFrontAMD StencilRefGreaterFrontAMD", 0, 1,
    ),
    _group(
        (Model.Fragment,),
        "StencilRefUnchangedBackAMD StencilRefLessBackAMD StencilRefGreaterBackAMD", 0, 1,
    ),
    _group(TESSELLATION, "SpacingEqual SpacingFractionalEven SpacingFractionalOdd", 0, 1),
    _group(TESSELLATION, "Triangles Quads Isolines", 0, 1),
    _group(TESSELLATION, "VertexOrderCw VertexOrderCcw", 0, 1),
    _group(
        (Model.Geometry,),
        "InputPoints InputLines InputLinesAdjacency Triangles InputTrianglesAdjacency", 1, 1,
    ),
    _group((Model.Geometry,), "OutputPoints OutputLineStrip OutputTriangleStrip", 1, 1),
    _group((Model.MeshEXT,), "OutputPoints OutputLinesEXT OutputTrianglesEXT", 1, 1),
    _group((Model.MeshEXT,), "OutputPrimitivesEXT OutputVertices", 2, 2),
)  # fmt: skip
_MESH = (Model.MeshEXT, Model.MeshNV)
_MODELS: dict[tuple[int, ...], str] = {
    (Model.Geometry,): """
        Invocations InputPoints InputLines InputLinesAdjacency InputTrianglesAdjacency
        OutputLineStrip OutputTriangleStrip""",
    (Model.Geometry, *_MESH): "OutputPoints",
    TESSELLATION: """
        SpacingEqual SpacingFractionalEven SpacingFractionalOdd VertexOrderCw VertexOrderCcw
        PointMode Quads Isolines""",
    (Model.Geometry, *TESSELLATION): "Triangles",
    (Model.Geometry, *TESSELLATION, *_MESH): "OutputVertices",
    _MESH: "OutputLinesEXT OutputTrianglesEXT OutputPrimitivesEXT",
    (Model.Fragment, Model.GLCompute): "QuadDerivativesKHR",
    (Model.Fragment,): """
        PixelCenterInteger OriginUpperLeft OriginLowerLeft EarlyFragmentTests DepthReplacing
        DepthGreater DepthLess DepthUnchanged StencilRefReplacingEXT
        NonCoherentColorAttachmentReadEXT NonCoherentDepthAttachmentReadEXT
        NonCoherentStencilAttachmentReadEXT PixelInterlockOrderedEXT PixelInterlockUnorderedEXT
        SampleInterlockOrderedEXT SampleInterlockUnorderedEXT ShadingRateInterlockOrderedEXT
        ShadingRateInterlockUnorderedEXT PostDepthCoverage EarlyAndLateFragmentTestsAMD
        StencilRefUnchangedFrontAMD StencilRefGreaterFrontAMD StencilRefLessFrontAMD
        StencilRefUnchangedBackAMD StencilRefGreaterBackAMD StencilRefLessBackAMD
        RequireFullQuadsKHR NonCoherentTileAttachmentReadQCOM""",
    (Model.Kernel,): "LocalSizeHint VecTypeHint ContractionOff LocalSizeHintId",
    (Model.Kernel, *WORKGROUPS): "LocalSize LocalSizeId",
    (Model.GLCompute,): "TileShadingRateQCOM",
}
MODELS = {
    getattr(Mode, name): models for models, names in _MODELS.items() for name in names.split()
}
# Models of meshes are for these modes only with the capability of theirs.
MESHES = {
    Model.MeshNV: Capability.MeshShadingNV,
    Model.TaskNV: Capability.MeshShadingNV,
    Model.MeshEXT: Capability.MeshShadingEXT,
    Model.TaskEXT: Capability.MeshShadingEXT,
}
WITH_IDS = frozenset(
    each.value
    for each in grammar().kinds["ExecutionMode"].by_value.values()
    if any(rule.kind == "IdRef" for rule in each.operands)
)
# Modes that are declared for each width of floats, or each type.
REPEATED = frozenset({
    Mode.DenormPreserve, Mode.DenormFlushToZero, Mode.SignedZeroInfNanPreserve,
    Mode.RoundingModeRTE, Mode.RoundingModeRTZ, Mode.FPFastMathDefault,
    Mode.RoundingModeRTPINTEL, Mode.RoundingModeRTNINTEL, Mode.FloatingPointModeALTINTEL,
    Mode.FloatingPointModeIEEEINTEL,
})  # fmt: skip
FAST, CONTRACT, REASSOC, TRANSFORM, FAST_BITS = 0x10, 0x10000, 0x20000, 0x40000, 0x7FFFF


@CHECKS.on(Opcode.EntryPoint)
def check_entry(state: State, inst: Inst) -> None:
    """Check the function and the modes of an entry point."""
    model, function = inst.words[1], inst.words[2]
    code = state.definitions.get(function)
    if code is None or code.code != Opcode.Function:
        state.report("spirv.entry-point", inst, "expected a function")
        return
    words = state.types.words(code.words[4])
    if model != Model.Kernel and len(words) != 3:
        state.report("spirv.entry-point", inst, "expected a function without parameters")
    if state.types.code(code.type) != Opcode.TypeVoid:
        vuid = "VUID-StandaloneSpirv-None-04633" if state.vulkan else ""
        state.report("spirv.entry-point", inst, "expected a function that returns nothing", vuid)
    modes = state.modes_of(function)
    if state.shader:
        for group in GROUPS:
            if model in group.models:
                count = len(modes & group.modes)
                if not group.least <= count <= group.most:
                    state.report("spirv.mode-count", inst, f"expected {group.text}")
    if state.vulkan and model in WORKGROUPS:
        sized = {Mode.LocalSize, Mode.LocalSizeId, Mode.TileShadingRateQCOM}
        if not modes & sized and not _has_workgroup_size(state):
            state.report(
                "spirv.mode-count", inst, "expected the size of the workgroup",
                "VUID-StandaloneSpirv-None-10685",
            )  # fmt: skip


def _has_workgroup_size(state: State) -> bool:
    return any(
        each.number == Decoration.BuiltIn and each.words[:1] == (BuiltIn.WorkgroupSize,)
        for uses in state.index.decorations.values()
        for each in uses
    )


@CHECKS.on(Opcode.ExecutionMode, Opcode.ExecutionModeId)
def check_mode(state: State, inst: Inst) -> None:
    """Check an execution mode."""
    function, mode = inst.words[1], inst.words[2]
    models = {each.model for each in state.entries if each.function == function}
    if not models:
        state.report("spirv.mode-entry-point", inst)
    if (inst.code == Opcode.ExecutionModeId) != (mode in WITH_IDS):
        state.report("spirv.mode-ids", inst)
    if inst.code == Opcode.ExecutionModeId:
        _check_ids(state, inst, mode)
    allowed = {
        each for each in MODELS.get(mode, ()) if each not in MESHES or state.has(MESHES[each])
    }
    if mode in MODELS and not models <= allowed:
        state.report("spirv.mode-model", inst)
    if mode == Mode.LocalSizeId:
        old = state.environment.api < (1, 3) and state.vulkan
        if old and not state.options.allow_localsizeid:
            state.report("spirv.mode", inst, "LocalSizeId is for Vulkan 1.3")
    _check_size(state, inst, mode)
    if mode == Mode.FPFastMathDefault:
        others = {Mode.ContractionOff, Mode.SignedZeroInfNanPreserve}
        if state.modes_of(function) & others:
            state.report("spirv.mode", inst, "FPFastMathDefault excludes older modes of floats")
    if state.vulkan:
        _check_vulkan(state, inst, mode)


def _check_ids(state: State, inst: Inst, mode: int) -> None:
    for at, id_ in enumerate(inst.words[3:]):
        if mode == Mode.FPFastMathDefault:
            _check_fast(state, inst, at, id_)
        elif not state.is_constant(id_):
            state.report("spirv.mode-operand", inst, "expected constants")
        elif mode == Mode.OpacityMicromapIdKHR and not state.types.fits(
            state.type_of(id_), "bool s"
        ):
            state.report("spirv.mode-operand", inst, "expected a constant of bool")


def _check_fast(state: State, inst: Inst, at: int, id_: int) -> None:
    if at == 0:
        if not state.types.fits(id_, "float s"):
            state.report("spirv.mode-operand", inst, "expected a scalar type of float")
        return
    value = state.integer(id_)
    if value is None:
        state.report("spirv.mode-operand", inst, "expected a constant, not for specialisation")
        return
    value &= 0xFFFFFFFF
    if value & ~FAST_BITS or value & FAST:
        state.report("spirv.mode-operand", inst, f"expected bits of fast math, got 0x{value:x}")
    if value & TRANSFORM and value & (CONTRACT | REASSOC) != CONTRACT | REASSOC:
        message = "AllowTransform needs AllowContract and AllowReassoc"
        state.report("spirv.mode-operand", inst, message)


def _check_size(state: State, inst: Inst, mode: int) -> None:
    """Check a size of workgroups that is known."""
    words = inst.words[3:6]
    if mode not in (Mode.LocalSize, Mode.LocalSizeId) or len(words) < 3:
        return
    sizes = [state.integer(w) for w in words] if mode == Mode.LocalSizeId else list(words)
    if _has_workgroup_size(state) or any(each is None for each in sizes):
        return
    x, y, z = (each or 0 for each in sizes)
    modes = state.modes_of(inst.words[1])
    if not x * y * z:
        state.report("spirv.local-size", inst, "expected a size of at least 1")
    elif Mode.DerivativeGroupQuadsKHR in modes and (x % 2 or y % 2):
        vuid = "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151"
        state.report("spirv.local-size", inst, "expected even sizes for quads", vuid)
    elif Mode.DerivativeGroupLinearKHR in modes and x * y * z % 4:
        vuid = "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152"
        state.report("spirv.local-size", inst, "expected a multiple of 4", vuid)


def _check_vulkan(state: State, inst: Inst, mode: int) -> None:
    if mode == Mode.OriginLowerLeft:
        vuid = "VUID-StandaloneSpirv-OriginLowerLeft-04653"
        state.report("spirv.mode", inst, "Vulkan has no OriginLowerLeft", vuid)
    elif mode == Mode.PixelCenterInteger:
        vuid = "VUID-StandaloneSpirv-PixelCenterInteger-04654"
        state.report("spirv.mode", inst, "Vulkan has no PixelCenterInteger", vuid)
    elif mode == Mode.OutputVertices and state.has(Capability.MeshShadingEXT):
        if not inst.words[3]:
            vuid = "VUID-StandaloneSpirv-MeshEXT-07330"
            state.report("spirv.mode", inst, "expected at least 1 vertex", vuid)
    elif mode == Mode.OutputPrimitivesEXT and state.has(Capability.MeshShadingEXT):
        if not inst.words[3]:
            vuid = "VUID-StandaloneSpirv-MeshEXT-07331"
            state.report("spirv.mode", inst, "expected at least 1 primitive", vuid)
    elif mode == Mode.TileShadingRateQCOM:
        if any(each & (each - 1) for each in inst.words[3:5]):
            state.report("spirv.mode", inst, "expected powers of 2")
        if not state.has(Capability.TileShadingQCOM):
            state.report("spirv.mode", inst, "expected the capability TileShadingQCOM")
        if state.modes_of(inst.words[1]) & {Mode.LocalSize, Mode.LocalSizeId}:
            state.report("spirv.mode", inst, "expected no size of the workgroup")


@CHECKS.on(Opcode.MemoryModel)
def check_memory_model(state: State, inst: Inst) -> None:
    """Check the memory model against capabilities and the API."""
    addressing, model = inst.words[1], inst.words[2]
    if model != MemoryModel.Vulkan and state.has(Capability.VulkanMemoryModel):
        state.report("spirv.memory-model", inst, "VulkanMemoryModel needs the model Vulkan")
    if state.environment.opencl:
        if addressing not in (AddressingModel.Physical32, AddressingModel.Physical64):
            state.report("spirv.memory-model", inst, "expected physical addresses in OpenCL")
        if model != MemoryModel.OpenCL:
            state.report("spirv.memory-model", inst, "expected the model OpenCL")
    if state.vulkan and addressing not in (
        AddressingModel.Logical,
        AddressingModel.PhysicalStorageBuffer64,
    ):
        vuid = "VUID-StandaloneSpirv-None-04635"
        state.report("spirv.memory-model", inst, "expected logical addresses in Vulkan", vuid)


@CHECKS.on(Opcode.Capability)
def check_capability(state: State, inst: Inst) -> None:
    """Check capabilities that need another capability."""
    needed = state.shader and not state.has(Capability.VulkanMemoryModel)
    if inst.words[1] == Capability.CooperativeMatrixKHR and needed:
        state.report("spirv.capability", inst, "expected the capability VulkanMemoryModel")


def check_entry_points(state: State) -> None:
    """Check the entry points of a module together."""
    named: set[tuple[int, str]] = set()
    inline = state.has(Capability.Linkage, Capability.GraphARM)
    conditional = next(state.of(Opcode.ConditionalEntryPointINTEL), None) is not None
    if not state.entries and not inline and not conditional:
        state.report("spirv.entry-point", None, "expected an entry point, or Linkage")
    called = {each.word(0) for each in state.of(Opcode.FunctionCall)}
    recursive = state.recursive if state.vulkan else set()
    models = {each.model for each in state.entries}
    for each in state.entries:
        inst = state.at_position(each.position)
        if (each.model, each.name) in named:
            state.report("spirv.entry-point", inst, f"a second entry point {each.name!r:.40}")
        named.add((each.model, each.name))
        function = state.definitions.get(each.function)
        if each.function in called:
            state.report("spirv.entry-point", function, "a call of an entry point")
        if recursive and not recursive.isdisjoint(state.reached[each.function]):
            vuid = "VUID-StandaloneSpirv-None-04634"
            state.report("spirv.recursion", function, "", vuid)
    nv, ext = {Model.TaskNV, Model.MeshNV}, {Model.TaskEXT, Model.MeshEXT}
    if models & nv and models & ext:
        vuid = "VUID-StandaloneSpirv-MeshEXT-07102"
        state.report("spirv.entry-point", None, "expected one kind of mesh shaders", vuid)
    _check_repeated(state)
    _check_fast_math(state)


def _check_repeated(state: State) -> None:
    seen: set[tuple[int, ...]] = set()
    for inst in state.of(Opcode.ExecutionMode, Opcode.ExecutionModeId):
        words = inst.words[1:]
        key = words[:3] if words[1] in REPEATED else words[:2]
        if key in seen:
            state.report("spirv.mode-repeated", inst)
        seen.add(key)


def _check_fast_math(state: State) -> None:
    """Check that older decorations of floats are not combined with FPFastMathDefault."""
    defaults = {
        each.function
        for each in state.entries
        if Mode.FPFastMathDefault in state.modes_of(each.function)
    }
    if not defaults:
        return
    pending = []
    for target, uses in state.index.decorations.items():
        for each in uses:
            fast = each.number == Decoration.FPFastMathMode and each.words[0] & FAST
            if each.number == Decoration.NoContraction or fast:
                pending.append(target)
    seen = set(pending)
    while pending:
        target = pending.pop()
        inst = state.definitions.get(target)
        if inst is not None and inst.function >= 0:
            if any(each.function in defaults for each in state.entries_of(inst)):
                state.report("spirv.fast-math", inst)
            continue
        for user in state.uses.get(target, ()):
            if user.id and user.id not in seen:
                seen.add(user.id)
                pending.append(user.id)
