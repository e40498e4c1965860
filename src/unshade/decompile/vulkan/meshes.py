"""Mesh and amplification shaders: the vertices and primitives of a thread group.

vertices[i].colour           %vertices_colour[i], an output with an element for each vertex
primitives[i].indices        PrimitiveTriangleIndicesEXT
primitives[i].colour         with the decoration PerPrimitiveEXT
launch x, y, z               a barrier, and OpEmitMeshTasksEXT, which ends the group
"""

from collections.abc import Sequence

from ...errors import UnsupportedError
from ...vocab.slots import Rate
from ...vocab.words import Stage, SystemValue, Topology
from ..interface import EntryParameter
from ..meshes import first_location, is_indices
from ..points import PointSet
from ..tree import ScalarKind, TermType
from .entry import BUILT_INS, built_in_capabilities, declare_located
from .points import MEMBERS
from .writer import UINT, SpirvLayout, SpirvPlace, SpirvWriter

__all__ = ["declare_group", "launch"]

FIRST_VERSION = 1, 4  # of SPIR-V, with mesh shaders
WORKGROUP = 2  # scope
RELEASED = 0x8 | 0x100  # what lanes of the group wrote
TOPOLOGIES: dict[str, tuple[str, str, int]] = {
    Topology.TRIANGLELIST: ("OutputTrianglesEXT", "PrimitiveTriangleIndicesEXT", 3),
    Topology.LINELIST: ("OutputLinesEXT", "PrimitiveLineIndicesEXT", 2),
}
DISTANCES: dict[object, str] = {
    SystemValue.CLIP_DISTANCE: "ClipDistance", SystemValue.CULL_DISTANCE: "CullDistance",
}  # fmt: skip


def declare_group(w: SpirvWriter) -> None:
    """Declare the variables of the vertices and primitives of a group, and the modes."""
    module = w.module
    if module.version < FIRST_VERSION:
        raise UnsupportedError(
            f"{w.parts.kernel.stage} shaders need vulkan1.2 or later, got SPIR-V "
            f"{module.version[0]}.{module.version[1]}"
        )
    module.require("MeshShadingEXT")
    if w.parts.kernel.stage is not Stage.MESH:
        return
    sets = {each.points.slot.rate: each for each in w.parts.points.of.values()}
    vertices, primitives = sets[Rate.VERTEX], sets[Rate.PRIMITIVE]
    found = TOPOLOGIES.get(str(primitives.points.topology))
    if found is None:
        raise UnsupportedError(
            f"primitives of {primitives.points.topology} cannot be translated yet"
        )
    mode, indices, corners = found
    module.modes[mode] = None
    module.modes[f"OutputVertices {max(vertices.points.count, 1)}"] = None
    module.modes[f"OutputPrimitivesEXT {max(primitives.points.count, 1)}"] = None
    first = first_location(
        *([*filter(_is_located, each.members)] for each in (vertices, primitives))
    )
    for points, start in ((vertices, 0), (primitives, first)):
        w.points.add(points.name)
        for member in points.members:
            label = f"{points.name}.{member.name}"
            if is_indices(member):
                w.symbols[label] = _built_in(w, points, member, indices, w.term(UINT.wide(corners)))
            else:
                w.symbols[label] = _member(w, points, member, start)


def _is_located(member: EntryParameter) -> bool:
    return not (
        is_indices(member)
        or member.meaning in MEMBERS
        or member.meaning in DISTANCES
        or member.meaning is SystemValue.CULLPRIMITIVE
    )


def _array(w: SpirvWriter, inner: SpirvLayout, count: int) -> SpirvLayout:
    made = w.module.declared("OpTypeArray", inner.id, w.number(max(count, 1)))
    return SpirvLayout(made, None, inner)


def _built_in(
    w: SpirvWriter, points: PointSet, member: EntryParameter, word: str, layout: SpirvLayout
) -> SpirvPlace:
    """Declare a built-in with an element for each point."""
    module = w.module
    whole = _array(w, layout, points.points.count)
    made = module.variable("Output", whole.id)
    module.name(made, f"{points.name}_{member.name}")
    module.decorate(made, "BuiltIn", word)
    if points.points.slot.rate is Rate.PRIMITIVE and not is_indices(member):
        module.decorate(made, "PerPrimitiveEXT")
    return SpirvPlace(made, "Output", whole)


def _member(w: SpirvWriter, points: PointSet, member: EntryParameter, first: int) -> SpirvPlace:
    """Declare a member; `first` is the location of the first attribute of its kind of points."""
    if member.meaning is SystemValue.CULLPRIMITIVE:
        layout = w.term(TermType(ScalarKind.BOOL))
        return _built_in(w, points, member, "CullPrimitiveEXT", layout)
    known = MEMBERS.get(member.meaning) if member.meaning is not None else None
    if known is not None:
        built_in = BUILT_INS[known]
        stage, version = w.parts.kernel.stage, w.module.version
        w.module.require(*built_in_capabilities(built_in.word, stage, "Output", version))
        return _built_in(w, points, member, built_in.word, w.term(built_in.type))
    word = DISTANCES.get(member.meaning)
    if word is not None:
        if sum(each.meaning is member.meaning for each in points.members) > 1:
            raise UnsupportedError("several rows of distances of points cannot be translated yet")
        w.module.require(word)
        inner = _array(w, w.term(TermType(ScalarKind.FLOAT)), member.type.width)
        return _built_in(w, points, member, word, inner)
    if member.meaning is not None and member.by_register:
        raise UnsupportedError(
            f"the output {member.meaning} of a mesh shader cannot be written yet"
        )
    layout = _array(w, w.term(member.type), points.points.count)
    more = ("PerPrimitiveEXT",) if points.points.slot.rate is Rate.PRIMITIVE else ()
    number = first + (member.location or 0)
    label = f"{points.name}_{member.name}"
    return declare_located(w, member, layout, "Output", label, *more, number=number)


def launch(w: SpirvWriter, numbers: Sequence[str], payload: str) -> None:
    """Launch groups of a mesh shader, which see what the group wrote; this ends the group."""
    scope = w.number(WORKGROUP)
    w.effect("OpControlBarrier", scope, scope, w.number(RELEASED))
    place = w.symbols.get(payload)
    w.end("OpEmitMeshTasksEXT", *numbers, *([place.base] if place is not None else []))
