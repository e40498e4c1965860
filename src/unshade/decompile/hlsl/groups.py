"""Mesh and amplification shaders in HLSL: outputs of a thread group, and the payload.

struct Payload { float words[4]; };

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void main(
    in payload Payload payload,
    out vertices Vertex vertices[3],
    out primitives Primitive primitives[1],
    out indices uint3 indices[1])

Microsoft's specification of mesh shaders: the indices are a parameter of their own, and
`DispatchMesh` takes a payload that is shared by the group.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...errors import UnsupportedError
from ...ir.memory import Memory
from ...vocab.slots import Rate
from ...vocab.words import Stage, SystemValue, Topology
from ..meshes import is_indices, is_payload
from ..names import DecompiledNames
from ..parts import SourceParts
from ..points import PointSets
from ..resources.context import DeclaredResource, ResourceContext
from ..tree import ScalarKind, TermType

if TYPE_CHECKING:
    from .target import Hlsl

__all__ = ["adapt_groups", "group_attributes", "group_parameters", "group_payload"]

TOPOLOGIES: dict[str, tuple[str, int]] = {
    Topology.TRIANGLELIST: ("triangle", 3), Topology.LINELIST: ("line", 2),
}  # fmt: skip
WORDS: dict[Rate, str] = {Rate.VERTEX: "vertices", Rate.PRIMITIVE: "primitives"}


def adapt_groups(sets: PointSets, names: DecompiledNames) -> None:
    """Make the indices of primitives a parameter, and the test that removes a primitive a bool."""
    for each in sets.of.values():
        if not any(is_indices(member) for member in each.members):
            continue
        each.flat = {}
        for member in each.members:
            if is_indices(member):
                member.builtin = names.unique("indices")
                each.flat[member] = member.builtin, ""
                continue
            each.flat[member] = each.name, member.name
            if member.meaning is SystemValue.CULLPRIMITIVE:
                member.type = TermType(ScalarKind.BOOL)


def _topology(sets: PointSets) -> tuple[str, int] | None:
    """Return the word for the primitives of a mesh, and their number of corners."""
    for each in sets.of.values():
        if each.points.slot.rate is Rate.PRIMITIVE:
            found = TOPOLOGIES.get(str(each.points.topology))
            if found is None:
                raise UnsupportedError(
                    f"primitives of {each.points.topology} cannot be decompiled yet"
                )
            return found
    return None


def group_attributes(sets: PointSets) -> Iterator[str]:
    """Yield the attribute of a mesh shader."""
    found = _topology(sets) if sets.stage is Stage.MESH else None
    if found is not None:
        yield f'[outputtopology("{found[0]}")]'


def group_payload(context: ResourceContext) -> DeclaredResource | None:
    """Return the payload of a mesh or amplification shader."""
    known = context.known.items()
    return next((k for m, k in known if isinstance(m, Memory) and is_payload(m)), None)


def group_parameters(target: "Hlsl", parts: SourceParts) -> tuple[list[str], list[str]]:
    """Return the parameters of a mesh shader: its payload, and its outputs."""
    sets = parts.points
    payload = group_payload(parts.resources)
    taken = [f"in payload {payload.block} {payload.name}"] if payload is not None else []
    given: list[str] = []
    indices: list[str] = []
    for each in sets.of.values():
        word, count = WORDS[each.points.slot.rate], each.points.count
        shown = [member for member in each.members if not is_indices(member)]
        if shown and count:
            given.append(f"out {word} {each.structure} {each.name}[{count}]")
        found = _topology(sets)
        for member in each.members:
            if is_indices(member) and count and found is not None:
                type = target.type(TermType(ScalarKind.UINT, 32, found[1]))
                indices.append(f"out indices {type} {member.builtin}[{count}]")
    return taken, given + indices
