"""Geometry and domain shaders in HLSL: types of points, parameters and attributes.

struct Vertex { float4 position : SV_Position; };

[maxvertexcount(4)]
void main(point Vertex vertices[1], inout TriangleStream<StreamVertex> stream)
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.kernel import WAVE
from ...ir.lowered import Lowered
from ...model import Reflection
from ...vocab.slots import Direction, Rate
from ...vocab.words import Domain, Primitive, Stage, Topology
from ..points import PointSet, PointSets

if TYPE_CHECKING:
    from .target import Hlsl

__all__ = ["point_parameters", "point_structures", "stage_attributes", "stream_vertices"]

PRIMITIVES: dict[str, str] = {
    Primitive.POINT: "point", Primitive.LINE: "line", Primitive.TRIANGLE: "triangle",
    Primitive.LINE_ADJ: "lineadj", Primitive.TRIANGLE_ADJ: "triangleadj",
}  # fmt: skip
STREAMS: dict[str, str] = {
    Topology.POINTLIST: "PointStream", Topology.LINESTRIP: "LineStream",
    Topology.TRIANGLESTRIP: "TriangleStream",
}  # fmt: skip
DOMAINS: dict[str, str] = {
    Domain.TRI: "tri", Domain.QUAD: "quad", Domain.ISOLINE: "isoline",
}  # fmt: skip


def point_structures(target: "Hlsl", sets: PointSets) -> Iterator[str]:
    """Yield the types of points."""
    for each in sets.of.values():
        lines = []
        for member in each.members:
            count = each.counts.get(member)
            size = f"[{count}]" if count else ""
            type = target.type(member.type)
            lines.append(f"    {type} {member.name}{size} : {target.semantic(member)};")
        if lines or _is_required(each, sets.stage):
            yield "\n".join([f"struct {each.structure} {{", *lines, "};"])
    if sets.without_stream:
        yield f"struct {sets.without_stream} {{\n}};"


def _is_required(each: PointSet, stage: Stage) -> bool:
    """Return True for points that the stage must take even if it reads nothing of them."""
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
    word = STREAMS.get(each.points.topology)
    if word is None:
        raise UnsupportedError(f"a stream of {each.points.topology} cannot be decompiled yet")
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
    word = PRIMITIVES.get(str(primitive))
    if word is None:
        raise UnsupportedError("a primitive that is not stated cannot be decompiled yet")
    return f"{word} {each.structure} {each.name}[{count}]"


def stage_attributes(lowered: Lowered, reflection: Reflection | None) -> Iterator[str]:
    """Yield the attributes of the entry point that the stage needs."""
    stage = lowered.kernel.stage
    if lowered.kernel.dispatched and lowered.kernel.wave != WAVE:
        yield f"[WaveSize({lowered.kernel.wave})]"
    if stage is Stage.GEOMETRY:
        most = max((each.count for each in lowered.streams), default=0)
        yield f"[maxvertexcount({max(most, 1)})]"
        if lowered.instances > 1:
            yield f"[instance({lowered.instances})]"
    if stage is Stage.DOMAIN:
        found = reflection.tessellation if reflection is not None else None
        word = DOMAINS.get(str(found.domain)) if found is not None else None
        if word is None:
            raise UnsupportedError("a domain that is not stated cannot be decompiled yet")
        yield f'[domain("{word}")]'


def stream_vertices(sets: PointSets) -> Iterator[str]:
    """Yield the definitions of the vertices that are appended to streams."""
    for each in sets.of.values():
        if each.vertex and each.members:
            yield f"{each.structure} {each.vertex} = ({each.structure})0;"
