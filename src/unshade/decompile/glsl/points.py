"""Vertices of a primitive, control points and constants of a patch, and vertices of a stream.

    vertices[2].colour     vertices_colour[2]     layout(location = 1) in vec4 vertices_colour[];
    constants.depth        constants_depth        layout(location = 4) patch in float …
    emitted.colour = …     out_colour = …         before each EmitVertex()

Every member is a variable of its own or a built-in. The locations of patch constants follow those
of the control points, as in translated SPIR-V.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...model import Reflection
from ...vocab.slots import Direction, Rate
from ...vocab.words import (
    Domain,
    OutputPrimitive,
    Partitioning,
    Primitive,
    Stage,
    SystemValue,
    Topology,
)
from ..hull import hull_bodies
from ..interface import EntryParameter
from ..names import DecompiledNames
from ..parts import SourceParts, cleared_arrays
from ..points import (
    FACTOR_OF,
    PointSet,
    PointSets,
    domain_word,
    primitive_word,
    stream_word,
)
from ..printer import Printer
from ..spelling import INDENT
from ..structure import inner_lines
from ..tree import (
    Assign,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
)
from .types import type_name

if TYPE_CHECKING:
    from .target import GlslTarget

__all__ = ["adapt_points", "declared_points", "hull_main", "stage_layouts"]

PRIMITIVES: dict[str, str] = {
    Primitive.POINT: "points", Primitive.LINE: "lines", Primitive.TRIANGLE: "triangles",
    Primitive.LINE_ADJ: "lines_adjacency", Primitive.TRIANGLE_ADJ: "triangles_adjacency",
}  # fmt: skip
STREAMS: dict[str, str] = {
    Topology.POINTLIST: "points", Topology.LINESTRIP: "line_strip",
    Topology.TRIANGLESTRIP: "triangle_strip", Topology.TRIANGLELIST: "triangle_strip",
}  # fmt: skip
DOMAINS: dict[str, str] = {
    Domain.TRI: "triangles", Domain.QUAD: "quads", Domain.ISOLINE: "isolines",
}  # fmt: skip
SPACINGS: dict[str, str] = {
    Partitioning.INTEGER: "equal_spacing",
    Partitioning.FRACTIONAL_ODD: "fractional_odd_spacing",
    Partitioning.FRACTIONAL_EVEN: "fractional_even_spacing",
}
ORDERS: dict[str, str] = {
    OutputPrimitive.POINT: "point_mode", OutputPrimitive.TRIANGLE_CW: "cw",
    OutputPrimitive.TRIANGLE_CCW: "ccw",
}  # fmt: skip
BUILT_INS: dict[SystemValue, tuple[str, TermType]] = {
    SystemValue.POSITION: ("gl_Position", TermType(ScalarKind.FLOAT, 32, 4)),
    SystemValue.POINT_SIZE: ("gl_PointSize", TermType(ScalarKind.FLOAT)),
}  # fmt: skip
OUTPUTS: dict[SystemValue, tuple[str, TermType]] = {
    **BUILT_INS,
    SystemValue.RENDER_TARGET_ARRAY_INDEX: ("gl_Layer", TermType(ScalarKind.INT)),
    SystemValue.VIEWPORT_ARRAY_INDEX: ("gl_ViewportIndex", TermType(ScalarKind.INT)),
    SystemValue.PRIMITIVE_ID: ("gl_PrimitiveID", TermType(ScalarKind.INT)),
}  # fmt: skip
FACTORS = {"SV_TESSFACTOR": "gl_TessLevelOuter", "SV_INSIDETESSFACTOR": "gl_TessLevelInner"}
STREAM = Direction.OUTPUT, Rate.VERTEX
DISTANCES = frozenset({SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE})


def adapt_points(sets: PointSets, names: DecompiledNames) -> None:
    """Give each member of points its variable or built-in."""
    streams = [slot for slot in sets.of if (slot.direction, slot.rate) == STREAM]
    if len(streams) > 1:
        raise UnsupportedError("several streams cannot be decompiled to GLSL yet")
    for each in sets.of.values():
        each.flat = {member: _place(each, member, names) for member in each.members}
        slot = each.points.slot
        if slot.direction is Direction.OUTPUT and slot.rate is Rate.CONTROL_POINT:
            each.own = "gl_InvocationID"


def _place(points: PointSet, member: EntryParameter, names: DecompiledNames) -> tuple[str, str]:
    """Return the variable that a member is, and the member of it, of the built-in block."""
    slot = points.points.slot
    out = slot.direction is Direction.OUTPUT
    if slot.rate is Rate.PATCH:
        factor = FACTORS.get(member.semantic.upper())
        if factor is not None:
            member.builtin = factor
            return (factor if member in points.counts else f"{factor}[0]"), ""
        if member.meaning in FACTOR_OF:
            raise UnsupportedError("tessellation factors without a signature have no source yet")
    elif member.meaning in DISTANCES:
        raise UnsupportedError("distances of points cannot be decompiled to GLSL yet")
    elif member.meaning is not None:
        known = (OUTPUTS if out else BUILT_INS).get(member.meaning)
        if known is not None:
            member.builtin, member.type = known
            if slot.rate is Rate.CONTROL_POINT:
                return ("gl_out" if out else "gl_in"), known[0]
            return (known[0], "") if out else ("gl_in", known[0])
    word = "out" if out and slot.rate is not Rate.PATCH else points.name
    return names.unique(f"{word}_{member.name}"), ""


def declared_points(parts: SourceParts, extensions: set[str]) -> Iterator[str]:
    """Yield the declarations of the members of points that are no built-ins."""
    sets = [*parts.points.of.values()]
    taken = max(
        (member.location or 0 for each in sets for member in each.members
         if each.points.slot.rate is Rate.CONTROL_POINT and not member.builtin
         and (each.own or parts.kernel.stage is Stage.DOMAIN)), default=-1,
    )  # fmt: skip
    for each in sets:
        slot = each.points.slot
        out = slot.direction is Direction.OUTPUT
        patch = slot.rate is Rate.PATCH
        used = {member.location for member in each.members if not member.builtin} - {None}
        free = iter(number for number in range(1 << 12) if number not in used)
        for member in each.members:
            if member.builtin or each.flat is None:
                continue
            number = next(free) if member.location is None else member.location
            place = f"location = {number + (taken + 1 if patch and not member.by_register else 0)}"
            if member.first:
                place += f", component = {member.first}"
            precise = out and parts.exact and member.type.kind is ScalarKind.FLOAT
            words = "precise " * precise + "patch " * patch + ("out" if out else "in")
            array = "" if patch or (out and not each.own) else "[]"
            word = each.flat[member][0]
            yield f"layout({place}) {words} {type_name(member.type, extensions)} {word}{array};"


def stage_layouts(parts: SourceParts) -> Iterator[str]:
    """Yield the layouts of a geometry, hull or domain shader."""
    reflection, lowered = parts.reflection, parts.lowered
    if parts.kernel.stage is Stage.HULL:
        given = next(each for each in parts.points.of.values() if each.own)
        yield f"layout(vertices = {given.points.count}) out;"
        modes = ", ".join(_tessellation(reflection))
        if modes:
            yield f"// for the evaluation shader: layout({modes}) in;"
    # An evaluation shader without a domain is refused.
    if parts.kernel.stage is Stage.DOMAIN and domain_word(reflection, DOMAINS):
        yield f"layout({', '.join(_tessellation(reflection))}) in;"
    if parts.kernel.stage is Stage.GEOMETRY:
        times = f", invocations = {lowered.instances}" * (lowered.instances > 1)
        yield f"layout({primitive_word(reflection, PRIMITIVES)}{times}) in;"
        streams = lowered.streams
        topology = str(streams[0].topology if streams else Topology.POINTLIST)
        strip = stream_word(topology, STREAMS)
        most = max((each.count for each in streams), default=1)
        yield f"layout({strip}, max_vertices = {max(most, 1)}) out;"


def _tessellation(reflection: Reflection | None) -> list[str]:
    """Return the words for what a shader states of domain, spacing and order."""
    found = reflection.tessellation if reflection is not None else None
    if found is None:
        return []
    stated = (
        (DOMAINS, found.domain), (SPACINGS, found.partitioning), (ORDERS, found.output_primitive)
    )  # fmt: skip
    return [words[str(value)] for words, value in stated if str(value) in words]


# ---------------------------------------------------------------- hull shaders


def hull_main(target: "GlslTarget", parts: SourceParts, printer: Printer) -> list[str]:
    """Return the functions of a hull shader, and the lines of `main`, which calls them."""
    bodies = hull_bodies(parts.body)
    words = [parts.names.unique(each) for each in ("control_point_phase", "patch_constant_phase")]
    sets = [
        next(each for each in parts.points.of.values() if each.vertex and bool(each.own) is own)
        for own in (True, False)
    ]
    text: list[str] = []
    for word, body, points in zip(words, bodies, sets, strict=True):
        lines = [
            *printer.lines([*_cleared(points, body, printer)]),
            *cleared_arrays(
                parts, target.type,
                lambda type: printer.widened(literal((0,), type.wide(1)), type.width), body,
            ),
            *printer.lines(body),
        ]  # fmt: skip
        text += [f"void {word}()", "{", *lines, "}", ""]
    one, other = words
    return [
        *text, "void main()", "{", f"{INDENT}{one}();", f"{INDENT}barrier();",
        f"{INDENT}if (gl_InvocationID == 0) {{", f"{INDENT * 2}{other}();", f"{INDENT}}}", "}",
    ]  # fmt: skip


def _cleared(points: PointSet, body: Sequence[Line], printer: Printer) -> Iterator[Line]:
    """Yield the assignments of zero to components that a function may leave as they are."""
    base = name(points.vertex, TermType(ScalarKind.UINT))
    given: dict[str, int] = {}
    for line in body:
        if inner_lines(line):
            break
        if isinstance(line, Assign):
            target, bits = line.target, (1 << line.target.type.width) - 1
            if target.op is NodeForm.SWIZZLE:
                target, bits = target.args[0], sum(1 << each for each in {*target.attr})
            word = printer.text(target)
            given[word] = given.get(word, 0) | bits
    for member in points.members:
        whole = points.whole(member, base)
        parts = [whole]
        if member in points.counts:
            kind = TermType(ScalarKind.INT)
            parts = [
                SourceExpression(NodeForm.INDEX, member.type, (whole, literal((at,), kind)))
                for at in range(points.counts[member])
            ]
        for each in parts:
            if given.get(printer.text(each), 0) != (1 << each.type.width) - 1:
                yield Assign(each, literal((0,), each.type.wide(1)))
