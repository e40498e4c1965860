"""Inputs and outputs: variables with a location, and built-ins.

    v1 : TEXCOORD0     OpVariable Input, Location 1
    SV_Position        BuiltIn FragCoord of a pixel, BuiltIn Position of a vertex

Parameters have the names of GLSL's built-ins, which tools for SPIR-V show.
"""

from ...errors import UnsupportedError
from ...tuples import NamedTuple
from ...vocab.slots import Direction
from ...vocab.words import Interpolation, Stage, SystemValue
from ..glsl.entry import CONSERVATIVE, CORNERS, DISTANCES, DOUBLE
from ..interface import EntryParameter
from ..tree import ScalarKind, TermType
from .writer import INT, UINT, SpirvLayout, SpirvPlace, SpirvWriter

__all__ = [
    "BUILT_INS",
    "built_in_capabilities",
    "declare_interface",
    "declare_located",
    "lane_built_in",
]

FLOAT, BOOL = TermType(ScalarKind.FLOAT), TermType(ScalarKind.BOOL)


class _BuiltIn(NamedTuple):
    """A built-in: its name in SPIR-V, type, capabilities, and True if it is an array."""

    word: str
    type: TermType
    capabilities: tuple[str, ...] = ()
    array: bool = False


LANES = ("GroupNonUniform",)
BUILT_INS: dict[str, _BuiltIn] = {
    "gl_Position": _BuiltIn("Position", FLOAT.wide(4)),
    "gl_PointSize": _BuiltIn("PointSize", FLOAT),
    "gl_Layer": _BuiltIn("Layer", INT),
    "gl_ViewportIndex": _BuiltIn("ViewportIndex", INT),
    "gl_VertexIndex": _BuiltIn("VertexIndex", INT),
    "gl_InstanceIndex": _BuiltIn("InstanceIndex", INT),
    "gl_BaseVertex": _BuiltIn("BaseVertex", INT, ("DrawParameters",)),
    "gl_BaseInstance": _BuiltIn("BaseInstance", INT, ("DrawParameters",)),
    "gl_DrawID": _BuiltIn("DrawIndex", INT, ("DrawParameters",)),
    "gl_FragCoord": _BuiltIn("FragCoord", FLOAT.wide(4)),
    "gl_PointCoord": _BuiltIn("PointCoord", FLOAT.wide(2)),
    "gl_SamplePosition": _BuiltIn("SamplePosition", FLOAT.wide(2), ("SampleRateShading",)),
    "gl_FrontFacing": _BuiltIn("FrontFacing", BOOL),
    "gl_HelperInvocation": _BuiltIn("HelperInvocation", BOOL),
    "gl_SampleID": _BuiltIn("SampleId", INT, ("SampleRateShading",)),
    "gl_PrimitiveID": _BuiltIn("PrimitiveId", INT),
    "gl_PrimitiveIDIn": _BuiltIn("PrimitiveId", INT, ("Geometry",)),
    "gl_InvocationID": _BuiltIn("InvocationId", INT, ("Geometry",)),
    "gl_PatchVerticesIn": _BuiltIn("PatchVertices", INT, ("Tessellation",)),
    "gl_TessCoord": _BuiltIn("TessCoord", FLOAT.wide(3), ("Tessellation",)),
    "gl_SampleMaskIn": _BuiltIn("SampleMask", INT, (), True),
    "gl_SampleMask": _BuiltIn("SampleMask", INT, (), True),
    "gl_ViewIndex": _BuiltIn("ViewIndex", INT, ("MultiView",)),
    "gl_BaryCoordEXT": _BuiltIn("BaryCoordKHR", FLOAT.wide(3), ("FragmentBarycentricKHR",)),
    "gl_BaryCoordNoPerspEXT": _BuiltIn(
        "BaryCoordNoPerspKHR", FLOAT.wide(3), ("FragmentBarycentricKHR",)
    ),
    "gl_FragDepth": _BuiltIn("FragDepth", FLOAT),
    "gl_FragStencilRefARB": _BuiltIn("FragStencilRefEXT", INT, ("StencilExportEXT",)),
    "gl_ClipDistance": _BuiltIn("ClipDistance", FLOAT, ("ClipDistance",), True),
    "gl_CullDistance": _BuiltIn("CullDistance", FLOAT, ("CullDistance",), True),
    "gl_GlobalInvocationID": _BuiltIn("GlobalInvocationId", UINT.wide(3)),
    "gl_WorkGroupID": _BuiltIn("WorkgroupId", UINT.wide(3)),
    "gl_LocalInvocationID": _BuiltIn("LocalInvocationId", UINT.wide(3)),
    "gl_LocalInvocationIndex": _BuiltIn("LocalInvocationIndex", UINT),
    "gl_NumWorkGroups": _BuiltIn("NumWorkgroups", UINT.wide(3)),
    "gl_SubgroupInvocationID": _BuiltIn("SubgroupLocalInvocationId", UINT, LANES),
    "gl_SubgroupSize": _BuiltIn("SubgroupSize", UINT, LANES),
}
INTERPOLATIONS = {
    Interpolation.CONSTANT: ("Flat",),
    Interpolation.PER_VERTEX: ("PerVertexKHR",),
    Interpolation.LINEAR_CENTROID: ("Centroid",),
    Interpolation.LINEAR_NOPERSPECTIVE: ("NoPerspective",),
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: ("NoPerspective", "Centroid"),
    Interpolation.LINEAR_SAMPLE: ("Sample",),
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: ("NoPerspective", "Sample"),
}
HALF = 16  # bits of a type that inputs and outputs have with a capability
DEPTHS = {
    SystemValue.DEPTH: "", SystemValue.DEPTH_GREATER_EQUAL: "DepthGreater",
    SystemValue.DEPTH_LESS_EQUAL: "DepthLess",
}  # fmt: skip


def declare_interface(w: SpirvWriter) -> None:
    """Declare the inputs and outputs, and the positions of the lane."""
    interface = w.parts.interface
    for parameters in (interface.inputs, interface.outputs):
        own = [each for each in parameters if not each.builtin and each.meaning not in DISTANCES]
        taken = {each.location for each in own}
        free = iter(number for number in range(1 << 12) if number not in taken)
        for each in own:
            _located(w, each, next(free) if each.location is None else each.location)
        for each in parameters:
            if each.builtin:
                word, _, number = each.builtin.partition("[")
                _built_in(w, word, each.direction, 1 if number else 0)
                if each.meaning in DEPTHS:
                    w.module.modes["DepthReplacing"] = None
                    if each.meaning in CONSERVATIVE:
                        w.module.modes[DEPTHS[each.meaning]] = None
        for meaning, word in DISTANCES.items():
            count = sum(each.type.width for each in parameters if each.meaning is meaning)
            if count:
                direction = next(each.direction for each in parameters if each.meaning is meaning)
                _built_in(w, word, direction, count)
    for each in w.parts.places:
        _built_in(w, each.name, Direction.INPUT, 0)


def lane_built_in(w: SpirvWriter, name: str) -> SpirvPlace | None:
    """Return the place of a built-in input that the code names; None if it is none."""
    if name in BUILT_INS:
        _built_in(w, name, Direction.INPUT, 0)
    return w.symbols.get(name)


def _located(w: SpirvWriter, each: EntryParameter, location: int) -> None:
    """Declare an input or output with a location."""
    out = each.direction is Direction.OUTPUT
    storage = "Output" if out else "Input"
    module, layout = w.module, w.term(each.type)
    at_vertices = each.interpolation is Interpolation.PER_VERTEX
    if at_vertices:
        module.require("FragmentBarycentricKHR")
        array = module.declared("OpTypeArray", layout.id, w.number(CORNERS))
        layout = SpirvLayout(array, None, layout)
    place = declare_located(w, each, layout, storage, each.name, number=location)
    w.symbols[each.name] = place
    if each.blend:
        module.decorate(place.base, "Index", each.blend)
    if w.parts.kernel.stage is Stage.PIXEL and not out:
        whole = each.type.kind is not ScalarKind.FLOAT or each.type.bits == DOUBLE
        how = Interpolation.CONSTANT if whole and not at_vertices else each.interpolation
        for word in INTERPOLATIONS.get(how or Interpolation.LINEAR, ()):
            if word == "Sample":
                module.require("SampleRateShading")
            module.decorate(place.base, word)


def declare_located(
    w: SpirvWriter,
    each: EntryParameter,
    layout: SpirvLayout,
    storage: str,
    label: str,
    *decorations: str,
    number: int | None = None,
) -> SpirvPlace:
    """Declare a variable with the location of a parameter."""
    module = w.module
    if each.type.bits == HALF:
        module.require("StorageInputOutput16")
    location = each.location if number is None else number
    if location is None:
        raise UnsupportedError(f"{each.name} has no location")
    made = module.variable(storage, layout.id)
    module.name(made, label)
    module.decorate(made, "Location", location)
    if each.first:
        module.decorate(made, "Component", each.first)
    for word in decorations:
        module.decorate(made, word)
    return SpirvPlace(made, storage, layout)


def _built_in(w: SpirvWriter, name: str, direction: Direction, count: int) -> None:
    """Declare a built-in by its name in GLSL."""
    if name in w.symbols:
        return
    found = BUILT_INS.get(name)
    if found is None:
        raise UnsupportedError(f"{name} has no built-in in Vulkan yet")
    module = w.module
    storage = "Output" if direction is Direction.OUTPUT else "Input"
    stage = w.parts.kernel.stage
    layout = w.term(found.type)
    if found.array:
        size = w.number(max(count, 1))
        layout = SpirvLayout(module.declared("OpTypeArray", layout.id, size), None, layout)
    made = module.variable(storage, layout.id)
    module.name(made, name)
    module.decorate(made, "BuiltIn", found.word)
    own = () if stage is Stage.HULL and found.word == "InvocationId" else found.capabilities
    module.require(*own, *built_in_capabilities(found.word, stage, storage, module.version))
    whole = found.type.kind in (ScalarKind.INT, ScalarKind.UINT)
    if stage is Stage.PIXEL and storage == "Input" and whole:
        module.decorate(made, "Flat")
    w.symbols[name] = SpirvPlace(made, storage, layout)


def built_in_capabilities(
    word: str, stage: object, storage: str, version: tuple[int, int]
) -> tuple[str, ...]:
    """Return the capabilities of a layer or viewport, which depend on the stage."""
    if stage is Stage.MESH and storage == "Output":
        return ()
    if word == "PrimitiveId":
        return ("Tessellation",) if stage in (Stage.DOMAIN, Stage.HULL) else ("Geometry",)
    if word not in ("Layer", "ViewportIndex"):
        return ()
    if stage in (Stage.VERTEX, Stage.DOMAIN) and storage == "Output":
        if version < (1, 5):
            return ("ShaderViewportIndexLayerEXT",)
        return ("ShaderLayer",) if word == "Layer" else ("ShaderViewportIndex",)
    return ("Geometry",) if word == "Layer" else ("MultiViewport",)
