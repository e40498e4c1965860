"""Geometry, hull and domain shaders in HLSL: types of points, parameters and attributes.

struct Vertex { float4 position : SV_Position; };

[maxvertexcount(4)]
void main(point Vertex vertices[1], inout TriangleStream<StreamVertex> stream)
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.kernel import WAVE
from ...ir.lowered import Lowered
from ...model import Reflection
from ...vocab.slots import Direction, Rate
from ...vocab.words import (
    Domain,
    OutputPrimitive,
    Partitioning,
    Primitive,
    Stage,
    Topology,
)
from ..hull import hull_bodies
from ..interface import EntryParameter
from ..meshes import is_indices
from ..operations import waves_with_helpers
from ..parts import SourceParts, cleared_arrays
from ..points import PointSet, PointSets, domain_word, primitive_word, stream_word
from ..printer import Printer
from ..spelling import INDENT
from ..structure import mentions
from ..tree import Line

if TYPE_CHECKING:
    from .target import Hlsl

__all__ = [
    "hull_functions",
    "point_parameters",
    "point_structures",
    "stage_attributes",
    "stream_vertices",
]

PRIMITIVES: dict[str, str] = {
    Primitive.POINT: "point", Primitive.LINE: "line", Primitive.TRIANGLE: "triangle",
    Primitive.LINE_ADJ: "lineadj", Primitive.TRIANGLE_ADJ: "triangleadj",
}  # fmt: skip
STREAMS: dict[str, str] = {
    Topology.POINTLIST: "PointStream", Topology.LINESTRIP: "LineStream",
    Topology.TRIANGLESTRIP: "TriangleStream", Topology.TRIANGLELIST: "TriangleStream",
}  # fmt: skip
PARTITIONINGS: dict[str, str] = {
    Partitioning.INTEGER: "integer", Partitioning.POW2: "pow2",
    Partitioning.FRACTIONAL_ODD: "fractional_odd", Partitioning.FRACTIONAL_EVEN: "fractional_even",
}  # fmt: skip
OUTPUTS: dict[str, str] = {
    OutputPrimitive.POINT: "point", OutputPrimitive.LINE: "line",
    OutputPrimitive.TRIANGLE_CW: "triangle_cw", OutputPrimitive.TRIANGLE_CCW: "triangle_ccw",
}  # fmt: skip
DOMAINS: dict[str, str] = {
    Domain.TRI: "tri", Domain.QUAD: "quad", Domain.ISOLINE: "isoline",
}  # fmt: skip


def point_structures(target: "Hlsl", sets: PointSets) -> Iterator[str]:
    """Yield the types of points."""
    for each in sets.of.values():
        lines = []
        for member in each.members:
            if is_indices(member):  # a parameter of their own
                continue
            count = each.counts.get(member)
            size = f"[{count}]" if count else ""
            type = target.type(member.type)
            lines.append(f"    {type} {member.name}{size} : {target.semantic(member)};")
        if lines or _is_required(each, sets.stage):
            yield "\n".join([f"struct {each.structure} {{", *lines, "};"])
    if sets.without_stream:
        yield f"struct {sets.without_stream} {{\n}};"


def _is_required(each: PointSet, stage: Stage) -> bool:
    """Return True for points that the stage must have even without a component."""
    if stage is Stage.HULL:
        return each.points.slot.direction is Direction.OUTPUT
    return stage is Stage.GEOMETRY and each.points.slot.direction is Direction.INPUT


def point_parameters(sets: PointSets, reflection: Reflection | None) -> tuple[list[str], list[str]]:
    """Return the parameters that are points: inputs, and streams."""
    inputs, streams = [], []
    for each in sets.of.values():
        if each.points.slot.direction is Direction.OUTPUT:
            streams.append(_stream(each))
        elif each.members or _is_required(each, sets.stage):
            inputs.append(_input(each, reflection))
    if sets.without_stream:
        streams.append(f"inout PointStream<{sets.without_stream}> stream")
    return inputs, streams


def _stream(each: PointSet) -> str:
    word = stream_word(each.points.topology, STREAMS)
    return f"inout {word}<{each.structure}> {each.name}"


def _input(each: PointSet, reflection: Reflection | None) -> str:
    count = each.points.count
    if each.points.slot.rate is Rate.PATCH:
        return f"{each.structure} {each.name}"
    if each.points.slot.rate is Rate.CONTROL_POINT:
        return f"const OutputPatch<{each.structure}, {count}> {each.name}"
    geometry = reflection.geometry if reflection is not None else None
    primitive = geometry.input_primitive if geometry is not None else None
    if primitive == Primitive.PATCH:
        return f"InputPatch<{each.structure}, {count}> {each.name}"
    return f"{primitive_word(reflection, PRIMITIVES)} {each.structure} {each.name}[{count}]"


def stage_attributes(lowered: Lowered, reflection: Reflection | None) -> Iterator[str]:
    """Yield the attributes of the entry point that the stage needs."""
    stage = lowered.kernel.stage
    if stage is Stage.PIXEL and waves_with_helpers(lowered.kernel):
        yield "[WaveOpsIncludeHelperLanes]"
    if lowered.kernel.dispatched and lowered.kernel.wave != WAVE:
        yield f"[WaveSize({lowered.kernel.wave})]"
    if stage is Stage.GEOMETRY:
        most = max((each.count for each in lowered.streams), default=0)
        yield f"[maxvertexcount({max(most, 1)})]"
        if lowered.instances > 1:
            yield f"[instance({lowered.instances})]"
    if stage in (Stage.DOMAIN, Stage.HULL):
        yield f'[domain("{domain_word(reflection, DOMAINS)}")]'


def stream_vertices(sets: PointSets) -> Iterator[str]:
    """Yield the definitions of the vertices that are appended to streams."""
    for each in sets.of.values():
        if each.vertex and each.members:
            yield f"{each.structure} {each.vertex} = ({each.structure})0;"


# ---------------------------------------------------------------- hull shaders


def hull_functions(target: "Hlsl", parts: SourceParts, printer: Printer) -> str:
    """Return the two functions of a hull shader, the one for constants of the patch first."""
    sets = parts.points
    by_rate = {
        (slot.direction, slot.rate): each for slot, each in sets.of.items()
    }  # fmt: skip
    taken = by_rate.get((Direction.INPUT, Rate.CONTROL_POINT))
    given = by_rate[Direction.OUTPUT, Rate.CONTROL_POINT]
    constants = by_rate[Direction.OUTPUT, Rate.PATCH]
    found = parts.reflection.tessellation if parts.reflection is not None else None
    if found is None:
        raise UnsupportedError("a hull shader without a signature cannot be decompiled yet")
    one, other = hull_bodies(parts.body)
    word = parts.names.unique("patch_constants")
    inputs = [(taken, "InputPatch")] if taken is not None and taken.members else []
    listed = [*inputs, (given, "OutputPatch")]
    text = _function(target, parts, printer, constants, word, other, listed, "")
    attributes = [
        *stage_attributes(parts.lowered, parts.reflection),
        f'[partitioning("{_word(PARTITIONINGS, found.partitioning, "partitioning")}")]',
        f'[outputtopology("{_word(OUTPUTS, found.output_primitive, "output primitive")}")]',
        f"[outputcontrolpoints({given.points.count})]",
        f'[patchconstantfunc("{word}")]',
    ]
    if found.max_factor:
        attributes.append(f"[maxtessfactor({found.max_factor})]")
    head = "".join(f"{each}\n" for each in attributes)
    return f"{text}\n{_function(target, parts, printer, given, 'main', one, inputs, head)}"


def _word(words: dict[str, str], value: object, what: str) -> str:
    found = words.get(str(value))
    if found is None:
        raise UnsupportedError(f"a hull shader without its {what} cannot be decompiled yet")
    return found


def _function(
    target: "Hlsl",
    parts: SourceParts,
    printer: Printer,
    given: PointSet,
    word: str,
    body: Sequence[Line],
    points: Sequence[tuple[PointSet, str]],
    head: str,
) -> str:
    """Return a function that returns a point; it takes what its body uses.

    The entry point, which has attributes in its `head`, takes the points in any case: compilers
    read their number there.
    """

    def uses(name: str) -> bool:
        return any(mentions(line, name) for line in body)

    listed = [
        f"{patch}<{each.structure}, {each.points.count}> {each.name}"
        for each, patch in points if head or uses(each.name)
    ]  # fmt: skip
    inputs: list[EntryParameter] = [*parts.interface.inputs, *parts.places]
    listed += [target.parameter(each) for each in inputs if uses(each.name)]
    printer.result = given.vertex
    lines = [
        f"{INDENT}{given.structure} {given.vertex} = ({given.structure})0;",
        *cleared_arrays(parts, target.type, lambda type: "0", body),
        *printer.lines(body),
        f"{INDENT}return {given.vertex};",
    ]
    text = "\n".join(lines)
    return f"{head}{given.structure} {word}({', '.join(listed)})\n{{\n{text}\n}}\n"
