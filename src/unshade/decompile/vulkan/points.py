"""Vertices of a primitive, control points and constants of a patch, and vertices of a stream.

    vertices[2].colour        an array for each member: %colour[2]
    constants.depth           a variable with the decoration Patch
    stream.Append(emitted)    each member is stored to its output, then OpEmitVertex

A vertex that is emitted keeps what was set before, so its members are variables of the function.
"""

from collections.abc import Iterator

from ...errors import UnsupportedError
from ...vocab.slots import Direction, PointsSlot, Rate
from ...vocab.words import (
    Domain,
    OutputPrimitive,
    Partitioning,
    Primitive,
    Stage,
    SystemValue,
    Topology,
)
from ..interface import EntryParameter
from ..points import PointSet, input_primitive
from ..tree import (
    Assign,
    Define,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
)
from .entry import BUILT_INS, built_in_capabilities, declare_located
from .writer import SpirvLayout, SpirvPlace, SpirvWriter

__all__ = ["declare_points", "emit", "point_place", "stage_modes", "vertices"]

PRIMITIVES: dict[str, str] = {
    Primitive.POINT: "InputPoints", Primitive.LINE: "InputLines", Primitive.TRIANGLE: "Triangles",
    Primitive.LINE_ADJ: "InputLinesAdjacency", Primitive.TRIANGLE_ADJ: "InputTrianglesAdjacency",
}  # fmt: skip
STREAMS: dict[str, str] = {
    Topology.POINTLIST: "OutputPoints", Topology.LINESTRIP: "OutputLineStrip",
    Topology.TRIANGLESTRIP: "OutputTriangleStrip", Topology.TRIANGLELIST: "OutputTriangleStrip",
}  # fmt: skip
DOMAINS: dict[str, str] = {
    Domain.TRI: "Triangles", Domain.QUAD: "Quads", Domain.ISOLINE: "Isolines",
}  # fmt: skip
MEMBERS = {
    SystemValue.POSITION: "gl_Position", SystemValue.POINT_SIZE: "gl_PointSize",
    SystemValue.RENDER_TARGET_ARRAY_INDEX: "gl_Layer",
    SystemValue.VIEWPORT_ARRAY_INDEX: "gl_ViewportIndex",
    SystemValue.PRIMITIVE_ID: "gl_PrimitiveID",
}  # fmt: skip
SPACINGS: dict[str, str] = {
    Partitioning.INTEGER: "SpacingEqual", Partitioning.FRACTIONAL_ODD: "SpacingFractionalOdd",
    Partitioning.FRACTIONAL_EVEN: "SpacingFractionalEven",
}  # fmt: skip
ORDERS: dict[str, str] = {
    OutputPrimitive.POINT: "PointMode", OutputPrimitive.TRIANGLE_CW: "VertexOrderCw",
    OutputPrimitive.TRIANGLE_CCW: "VertexOrderCcw",
}  # fmt: skip
FACTORS = {"SV_TESSFACTOR": ("TessLevelOuter", 4), "SV_INSIDETESSFACTOR": ("TessLevelInner", 2)}
FLOAT = TermType(ScalarKind.FLOAT)


def declare_points(w: SpirvWriter) -> None:
    """Declare the variables of all points."""
    sets = [*w.parts.points.of.values()]
    is_hull = w.parts.kernel.stage is Stage.HULL
    if not is_hull and sum(each.points.slot.direction is Direction.OUTPUT for each in sets) > 1:
        raise UnsupportedError("several streams cannot be translated yet")
    taken = max(
        (member.location or 0 for each in sets for member in each.members
         if each.points.slot.rate is Rate.CONTROL_POINT
         and (not is_hull or each.points.slot.direction is Direction.OUTPUT)), default=-1,
    )  # fmt: skip
    for each in sets:
        out = each.points.slot.direction is Direction.OUTPUT
        label = each.vertex if out else each.name
        w.points |= {label, each.name}
        for member in each.members:
            place = _member(w, each, member, taken + 1)
            if is_hull and out and each.points.slot.rate is Rate.CONTROL_POINT:
                own = w.term(member.type)
                null = w.module.declared("OpConstantNull", own.id)
                kept = w.module.variable("Private", own.id, null)
                w.module.name(kept, f"{label}_{member.name}")
                w.symbols[f"{label}.{member.name}"] = SpirvPlace(kept, "Private", own)
                w.symbols[f"{each.name}.{member.name}"] = place
                w.emitted.setdefault(each.name, []).append((member.name, place))
                continue
            if out and not is_hull:
                w.emitted.setdefault(each.name, []).append((member.name, place))
                continue
            w.symbols[f"{label}.{member.name}"] = place


def _member(w: SpirvWriter, points: PointSet, member: EntryParameter, first: int) -> SpirvPlace:
    """Declare the variable of a member; `first` is the location of the first patch constant."""
    module = w.module
    slot = points.points.slot
    storage = "Output" if slot.direction is Direction.OUTPUT else "Input"
    label = f"{points.name}_{member.name}"
    if slot.rate is Rate.PATCH:
        factor = FACTORS.get(member.semantic.upper())
        if factor is not None:
            word, count = factor
            array = _array(w, w.term(FLOAT), count)
            made = module.variable(storage, array.id)
            module.name(made, label)
            module.decorate(made, "BuiltIn", word)
            module.decorate(made, "Patch")
            used = points.counts.get(member, 1)
            place = SpirvPlace(made, storage, array)
            return place if used > 1 else place.at(w.number(0), array.inner)
        if str(member.meaning).endswith("tessfactor"):
            raise UnsupportedError(f"the tessellation factor {member.semantic} has no built-in")
        layout = w.term(member.type)
        number = (member.location or 0) + (0 if member.by_register else first)
        return declare_located(w, member, layout, storage, label, "Patch", number=number)
    known = MEMBERS.get(member.meaning) if member.meaning is not None else None
    if known is None and member.meaning in (SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE):
        raise UnsupportedError("distances of points cannot be translated yet")
    layout = w.term(BUILT_INS[known].type if known is not None else member.type)
    if storage == "Input" or w.parts.kernel.stage is Stage.HULL:
        layout = _array(w, layout, points.points.count)
    if known is None:
        return declare_located(w, member, layout, storage, label)
    built_in = BUILT_INS[known]
    made = module.variable(storage, layout.id)
    module.name(made, label)
    module.decorate(made, "BuiltIn", built_in.word)
    stage = w.parts.kernel.stage
    module.require(*built_in_capabilities(built_in.word, stage, storage, module.version))
    if known == "gl_PointSize":
        both = {Stage.GEOMETRY: "GeometryPointSize", Stage.DOMAIN: "TessellationPointSize"}
        module.require(both.get(Stage(str(stage)), "TessellationPointSize"))
    return SpirvPlace(made, storage, layout)


def _is_given(slot: PointsSlot) -> bool:
    return slot.direction is Direction.OUTPUT and slot.rate is Rate.CONTROL_POINT


def _array(w: SpirvWriter, inner: SpirvLayout, count: int) -> SpirvLayout:
    return SpirvLayout(w.module.declared("OpTypeArray", inner.id, w.number(count)), None, inner)


def point_place(w: SpirvWriter, value: SourceExpression, index: str) -> SpirvPlace | None:
    """Return the place of a member of a point; None for members of structures.

    `index` is the number of the point, "" for the constants of a patch and the next vertex.
    """
    base = value.args[0]
    if base.op is NodeForm.INDEX:
        base = base.args[0]
    if base.op is not NodeForm.NAME or base.attr not in w.points:
        return None
    place = w.symbols.get(f"{base.attr}.{value.attr}")
    if place is None:
        raise UnsupportedError(f"the member {value.attr} of a point cannot be translated yet")
    return place.at(index, place.layout.inner) if index else place


def emit(w: SpirvWriter, value: SourceExpression) -> None:
    """Append a vertex to a stream, or end a strip."""
    if len(value.args) == 1:
        w.effect("OpEndPrimitive")
        return
    stream, vertex = (str(each.attr) for each in value.args)
    for member, output in w.emitted[stream]:
        found = w.symbols[f"{vertex}.{member}"]
        result = w.load(found)
        kept, wanted = found.layout, output.layout
        if kept != wanted:
            result = w.op("OpBitcast", wanted.id, result)
        w.effect("OpStore", output.base, result)
    w.effect("OpEmitVertex")


def vertices(w: SpirvWriter) -> Iterator[Line]:
    """Yield the definitions of the members of vertices that streams append: zero at the start."""
    for each in w.parts.points.of.values():
        for member in each.members if each.vertex else ():
            whole = name(f"{each.vertex}.{member.name}", member.type)
            yield Define(str(whole.attr), member.type, None)
            yield Assign(whole, literal((0,), member.type.wide(1)))


def stage_modes(w: SpirvWriter) -> None:
    """Declare the modes of a geometry, hull or domain shader."""
    lowered, reflection, module = w.parts.lowered, w.parts.reflection, w.module
    words: dict[str, str | None] = {}  # by what a refusal says
    if w.parts.kernel.stage in (Stage.DOMAIN, Stage.HULL):
        module.require("Tessellation")
        found = reflection.tessellation if reflection is not None else None
        if found is not None and w.parts.kernel.stage is Stage.HULL:
            count = next((each.count for each in lowered.points if _is_given(each.slot)), None)
            words["vertices"] = f"OutputVertices {count}" if count else None
        if found is not None and found.partitioning is not None:
            words[f"{found.partitioning} partitioning"] = SPACINGS.get(str(found.partitioning))
        word = ORDERS.get(str(found.output_primitive)) if found is not None else None
        words |= {"an order": word} if word else {}
        # A module states the domain in either of two stages.
        if found is None or found.domain is not None or w.parts.kernel.stage is Stage.DOMAIN:
            words["a domain that is not stated"] = DOMAINS.get(str(found.domain if found else ""))
    if w.parts.kernel.stage is Stage.GEOMETRY:
        module.require("Geometry")
        primitive = str(input_primitive(reflection))
        words["a primitive that is not stated"] = PRIMITIVES.get(primitive)
        streams = lowered.streams
        topology = str(streams[0].topology if streams else Topology.POINTLIST)
        words[f"a stream of {topology}"] = STREAMS.get(topology)
        most = max((each.count for each in streams), default=1)
        words["vertices"] = f"OutputVertices {most}"
        words["instances"] = f"Invocations {lowered.instances}"
    for what, word in words.items():
        if word is None:
            raise UnsupportedError(f"{what} cannot be translated yet")
        module.modes[word] = None
