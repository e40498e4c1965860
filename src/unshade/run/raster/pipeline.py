"""The stages before the rasteriser, one after the other.

vertex                        vertices, in primitives of the topology
vertex, hull, domain          patches, divided by the tessellator
…, geometry                   what it makes of each primitive
mesh                          thread groups that make primitives themselves
amplification, mesh           thread groups that launch those
(none)                        vertices that are supplied
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import UsageError
from ...ir.lowered import Points
from ...model import SystemValue, Topology
from ...vm.launch import Array
from ...vocab.words import Stage
from ..execution import Execution
from ..program import RunProgram
from ..signature import KernelSignature, Key
from ..stages.patches import tessellate
from ..stages.primitives import CORNERS, expand
from ..stages.vertices import chosen_rows, row_count, transform
from .assembly import PATCHES, assembled, topology_of, without_neighbours
from .blame import blamed
from .meshes import Bindings, mesh_primitives
from .tessellation import tessellated
from .vertices import Primitives, Vertices, ready


def run_stages(
    stages: Sequence[Execution],
    pixel: KernelSignature | None,
    given: Any,
    *,
    primitives: Any,
    topology: str | None,
    instances: int,
    per_instance: Mapping[Any, Any] | None,
    bindings: Bindings,
    restart: bool | None = None,
    last: bool = False,
) -> Primitives:
    """Run the stages before the rasteriser; return the primitives that reach it.

    `pixel` are the inputs of the pixel shader, whose names vertices without a shader have. `last`:
    the last vertex of a primitive is its provoking vertex.
    """
    scene = _primitives(
        stages, pixel, given, primitives=primitives, topology=topology, instances=instances,
        per_instance=per_instance, bindings=bindings, restart=restart, last=last,
    )  # fmt: skip
    scene.provoking = scene.corners.shape[1] - 1 if last else 0
    return scene


def _primitives(
    stages: Sequence[Execution],
    pixel: KernelSignature | None,
    given: Any,
    *,
    primitives: Any,
    topology: str | None,
    instances: int,
    per_instance: Mapping[Any, Any] | None,
    bindings: Bindings,
    restart: bool | None,
    last: bool,
) -> Primitives:
    by_stage = {each.program.stage: each for each in stages}
    if Stage.MESH in by_stage:
        return mesh_primitives(stages, given, bindings)
    hull, domain = by_stage.get(Stage.HULL), by_stage.get(Stage.DOMAIN)
    geometry = by_stage.get(Stage.GEOMETRY)
    of_hull, of_geometry = (each.program.taken if each else None for each in (hull, geometry))
    words, points = _topology(topology, primitives, of_hull, of_geometry)
    if not stages:
        vertices, each = ready(given, pixel), 1
    else:
        vertices, each = _vertices(
            by_stage[Stage.VERTEX], given, instances, per_instance, bindings.get(Stage.VERTEX) or {}
        )
    count = vertices.count // each
    turned = last and hull is None and geometry is None
    corners = assembled(words, points, primitives, count, restart=restart, last=turned)
    number = np.tile(np.arange(len(corners)), each)
    corners = np.concatenate([corners + count * at for at in range(each)])
    scene = Primitives(vertices, corners, number)
    if hull is not None and domain is not None:
        with blamed(hull):
            patches = tessellate(
                hull, _of_points(hull.program.inputs, scene), bindings.get(Stage.HULL) or {}
            )
        with blamed(domain):
            scene = tessellated(
                hull.program, domain, patches, number, bindings.get(Stage.DOMAIN) or {}, each
            )
        words = "triangle_list"
    if geometry is not None:
        with blamed(geometry):
            scene = _expanded(geometry, scene, bindings.get(Stage.GEOMETRY) or {})
        if last and scene.corners.shape[1] == 3:  # vertices have the order of emission
            turn = np.argmax(scene.corners, axis=1)[:, np.newaxis] + [1, 2, 3]
            scene.corners = np.take_along_axis(scene.corners, turn % 3, axis=1)
        return scene
    scene.corners = without_neighbours(words, scene.corners)
    return scene


def _topology(
    given: str | None, primitives: Any, hull: Points | None, geometry: Points | None
) -> tuple[str, int]:
    """Return the name of the topology, and the control points of a patch.

    Patches go to a hull shader, or straight to a geometry shader whose primitives they are. `hull`
    and `geometry` are the inputs of those shaders.
    """
    room, fewer = (hull.count, hull.fewer) if hull is not None else (0, False)
    if hull is None and given is not None and geometry is not None:
        word, count = topology_of(given, geometry.count)
        if word == PATCHES:
            return word, count
    words, points = topology_of(given, room, primitives, fewer=fewer)
    if (words == PATCHES) != (hull is not None):
        wanted = "a hull or geometry shader for patches"
        if hull is not None:
            wanted = "patches for the hull shader"
        raise UsageError(f"topology: expected {wanted}, got {words}")
    return words, points


def _vertices(
    vertex: Execution,
    given: Any,
    instances: int,
    per_instance: Mapping[Any, Any] | None,
    bindings: Mapping[Any, Any],
) -> tuple[Vertices, int]:
    """Run a vertex shader; return its vertices, instance after instance, and the instances."""
    given_count: object = instances
    if not isinstance(given_count, int) or instances < 0:
        raise UsageError(f"instances: expected a number of instances, got {instances!r:.40}")
    with blamed(vertex):
        inputs = given
        if instances != 1 or per_instance:
            inputs = _instanced(vertex.program, given, instances, per_instance or {})
        found = transform(vertex, inputs, bindings)
        rows = vertex.program.outputs
        first = next(iter(rows), None)
        count = len(found[first.label]) if first is not None else 0
        return Vertices.of(rows, found, count), max(instances, 1)


def _instanced(
    vertex: RunProgram, given: Any, instances: int, per_instance: Mapping[Any, Any]
) -> dict[str, Any] | int:
    """Return the inputs of all vertices of all instances."""
    rows = chosen_rows(vertex.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else row_count(vertex.inputs, rows)
    found: dict[str, Any] = {}
    for row, array in rows.values():
        each = array.ndim > 1 or (array.ndim == 1 and len(row.ports) == 1 and len(array) == count)
        times = (instances,) + (1,) * (array.ndim - 1)
        found[row.label] = np.tile(array, times) if each else array
    for row, array in chosen_rows(vertex.inputs, per_instance).values():
        if len(array) < instances:
            raise UsageError(f"{row.label}: expected {instances} instances, got {len(array)}")
        found[row.label] = np.repeat(array[:instances], count, axis=0)
    for meaning, numbers in (
        (SystemValue.VERTEX_ID, np.tile(np.arange(count, dtype="<u4"), instances)),
        (SystemValue.INSTANCE_ID, np.repeat(np.arange(instances, dtype="<u4"), count)),
    ):
        row_of = vertex.inputs.by_meaning(meaning)
        if row_of is not None and row_of.label not in found:
            found[row_of.label] = numbers.astype(row_of.dtype)
    return found or count * instances


def _of_points(inputs: KernelSignature, scene: Primitives) -> dict[str, Any] | int:
    """Return the inputs of a stage that takes whole primitives, by semantic."""
    found: dict[str, Any] = {}
    for row in inputs:
        if row.meaning == SystemValue.PRIMITIVE_ID:
            # After tessellation Direct3D counts patches here, Vulkan the primitives of them.
            by_location = row.by_register and scene.place is not None
            number = scene.place if by_location else scene.number
            found[row.label] = np.asarray(number).astype(row.dtype)
            continue
        source = scene.vertices.source(row)
        if source is None:
            if row.asked:
                outputs = ", ".join(each.label for each in scene.vertices.rows)
                raise UsageError(f"missing input {row}; the stage before outputs {outputs}")
            continue
        size = scene.corners.shape[1]
        if row.points and size != row.points and not (row.fewer and size < row.points):
            raise UsageError(
                f"{row.label}: expected primitives of {row.points} vertices, got"
                f" {scene.corners.shape[1]}"
            )
        found[row.label] = scene.vertices.taken(row, source)[scene.corners]
    return found or len(scene.corners)


def _expanded(geometry: Execution, scene: Primitives, bindings: Mapping[Any, Any]) -> Primitives:
    """Run a geometry shader; return the primitives of the stream that is rasterised."""
    program = geometry.program
    found = expand(geometry, _of_points(program.inputs, scene), bindings)
    streams = program.declared.streams
    if not streams:
        raise UsageError("the geometry shader outputs no stream to draw")
    first = min(streams, key=lambda each: each.slot.stream)
    stream = first.slot.stream
    prefix = f"m{stream}:" if len(program.streams) > 1 else ""
    corners = found[f"{prefix}primitives"]
    count = len(found[f"{prefix}sources"])
    rows = KernelSignature.of(replace(row, stream=None) for row in program.streams[stream])
    arrays: dict[Key, Array] = {
        plain.key: np.asarray(found[row.label]).reshape(count, len(row.ports))
        for row, plain in zip(program.streams[stream], rows, strict=True)
    }
    size = CORNERS.get(first.topology, 1 if first.topology is Topology.POINTLIST else 3)
    return Primitives(
        Vertices(rows, arrays, count), corners.reshape(-1, size).astype(np.int64),
        np.arange(len(corners)), expanded=True,
    )  # fmt: skip
