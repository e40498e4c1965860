"""Mesh and amplification shaders in GLSL: outputs of a thread group, and the payload.

    layout(triangles, max_vertices = 3, max_primitives = 1) out;
    layout(location = 0) out vec4 vertices_colour[];
    layout(location = 1) perprimitiveEXT out vec4 primitives_uv[];
    taskPayloadSharedEXT float payload[4];

    vertices[i].position         gl_MeshVerticesEXT[i].gl_Position
    primitives[i].indices        gl_PrimitiveTriangleIndicesEXT[i]

Source: GLSL_EXT_mesh_shader.
"""

from collections.abc import Iterator

from ...errors import UnsupportedError
from ...vocab.slots import Rate
from ...vocab.words import Stage, SystemValue, Topology
from ..interface import EntryParameter
from ..meshes import first_location, is_indices
from ..names import DecompiledNames
from ..parts import SourceParts
from ..points import PointSet, PointSets
from ..tree import ScalarKind, TermType
from .types import type_name

__all__ = ["EXTENSION", "adapt_groups", "declared_groups", "group_layouts"]

EXTENSION = "GL_EXT_mesh_shader"
TOPOLOGIES: dict[str, tuple[str, str]] = {
    Topology.TRIANGLELIST: ("triangles", "gl_PrimitiveTriangleIndicesEXT"),
    Topology.LINELIST: ("lines", "gl_PrimitiveLineIndicesEXT"),
}
BLOCKS: dict[Rate, str] = {
    Rate.VERTEX: "gl_MeshVerticesEXT", Rate.PRIMITIVE: "gl_MeshPrimitivesEXT",
}  # fmt: skip
INT = TermType(ScalarKind.INT)
BUILT_INS: dict[SystemValue, tuple[str, TermType]] = {
    SystemValue.POSITION: ("gl_Position", TermType(ScalarKind.FLOAT, 32, 4)),
    SystemValue.POINT_SIZE: ("gl_PointSize", TermType(ScalarKind.FLOAT)),
    SystemValue.RENDER_TARGET_ARRAY_INDEX: ("gl_Layer", INT),
    SystemValue.VIEWPORT_ARRAY_INDEX: ("gl_ViewportIndex", INT),
    SystemValue.PRIMITIVE_ID: ("gl_PrimitiveID", INT),
    SystemValue.CULLPRIMITIVE: ("gl_CullPrimitiveEXT", TermType(ScalarKind.BOOL)),
}  # fmt: skip
DISTANCES: dict[object, str] = {
    SystemValue.CLIP_DISTANCE: "gl_ClipDistance", SystemValue.CULL_DISTANCE: "gl_CullDistance",
}  # fmt: skip


def adapt_groups(sets: PointSets, names: DecompiledNames) -> None:
    """Give each member of a point its variable, or the built-in block that it is in."""
    for each in sets.of.values():
        each.flat = {member: _place(each, member, names) for member in each.members}


def _topology(points: PointSet) -> tuple[str, str]:
    found = TOPOLOGIES.get(str(points.points.topology))
    if found is None:
        raise UnsupportedError(f"primitives of {points.points.topology} cannot be decompiled yet")
    return found


def _place(points: PointSet, member: EntryParameter, names: DecompiledNames) -> tuple[str, str]:
    """Return the variable that a member is, and the member of it, of a built-in block."""
    if is_indices(member):
        member.builtin = _topology(points)[1]
        return member.builtin, ""
    block = BLOCKS[points.points.slot.rate]
    distance = DISTANCES.get(member.meaning)
    if distance is not None:
        if sum(each.meaning is member.meaning for each in points.members) > 1:
            raise UnsupportedError("several rows of distances of points cannot be decompiled yet")
        member.builtin = distance
        points.counts[member] = member.type.width
        member.type = member.type.wide(1)
        return block, distance
    known = BUILT_INS.get(member.meaning) if member.meaning is not None else None
    if known is not None:
        member.builtin, member.type = known
        return block, known[0]
    if member.meaning is not None and member.by_register:
        raise UnsupportedError(
            f"the output {member.meaning} of a mesh shader cannot be written yet"
        )
    return names.unique(f"{points.name}_{member.name}"), ""


def declared_groups(parts: SourceParts, extensions: set[str]) -> Iterator[str]:
    """Yield the declarations of the members of points that are no built-ins."""
    sets = sorted(parts.points.of.values(), key=_is_primitive)
    located = [[member for member in each.members if not member.builtin] for each in sets]
    for each, own in zip(sets, located, strict=True):
        first = first_location(located[0], own) if _is_primitive(each) else 0
        words = "perprimitiveEXT " * _is_primitive(each)
        for member in own:
            place = f"location = {first + (member.location or 0)}"
            if member.first:
                place += f", component = {member.first}"
            precise = "precise " * (parts.exact and member.type.kind is ScalarKind.FLOAT)
            assert each.flat is not None
            word = each.flat[member][0]
            type = type_name(member.type, extensions)
            yield f"layout({place}) {words}{precise}out {type} {word}[];"


def _is_primitive(points: PointSet) -> bool:
    return points.points.slot.rate is Rate.PRIMITIVE


def group_layouts(parts: SourceParts) -> Iterator[str]:
    """Yield the layout of the outputs of a mesh shader."""
    if parts.kernel.stage is not Stage.MESH:
        return
    sets = {each.points.slot.rate: each for each in parts.points.of.values()}
    vertices, primitives = sets[Rate.VERTEX], sets[Rate.PRIMITIVE]
    counts = [max(each.points.count, 1) for each in (vertices, primitives)]
    yield (
        f"layout({_topology(primitives)[0]}, max_vertices = {counts[0]}, "
        f"max_primitives = {counts[1]}) out;"
    )
