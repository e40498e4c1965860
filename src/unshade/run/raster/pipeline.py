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
from ...model import SystemValue, Topology
from ...vm.launch import Array
from ...vocab.words import Stage
from ..runner import Runner
from ..signature import KernelSignature, Key
from ..stages.primitives import CORNERS
from ..stages.vertices import chosen_rows, row_count
from .assembly import PATCHES, assembled, topology_of, without_neighbours
from .blame import blamed
from .meshes import mesh_primitives
from .tessellation import tessellated
from .vertices import Primitives, Vertices, ready

Bindings = Mapping[Stage, Mapping[str, Any] | None]
ORDERS = (
    (), (Stage.VERTEX,), (Stage.VERTEX, Stage.GEOMETRY), (Stage.VERTEX, Stage.HULL, Stage.DOMAIN),
    (Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY), (Stage.MESH,),
    (Stage.AMPLIFICATION, Stage.MESH),
)  # fmt: skip


def stages_of(given: Runner | Sequence[Runner] | None) -> list[Runner]:
    """Return the stages before the rasteriser; UsageError if they cannot follow one another."""
    if given is None:
        return []
    stages = [given] if isinstance(given, Runner) else list(given)
    if not all(isinstance(each, Runner) for each in stages):
        raise UsageError(
            f"expected kernels, or None for vertices that are ready, got {given!r:.60}"
        )
    found = tuple(each.stage for each in stages)
    if found not in ORDERS:
        listed = ", ".join(found)
        raise UsageError(
            "expected a vertex shader, alone or followed by hull and domain shader, geometry"
            " shader, or both; or a mesh shader, alone or after an amplification shader,"
            f" got {listed}"
        )
    return stages


def run_stages(
    stages: Sequence[Runner],
    pixel: Runner | None,
    given: Any,
    *,
    primitives: Any,
    topology: str | None,
    instances: int,
    per_instance: Mapping[Any, Any] | None,
    bindings: Bindings,
) -> Primitives:
    """Run the stages before the rasteriser; return the primitives that reach it."""
    by_stage = {each.stage: each for each in stages}
    if Stage.MESH in by_stage:
        return mesh_primitives(stages, given, bindings)
    hull, domain = by_stage.get(Stage.HULL), by_stage.get(Stage.DOMAIN)
    geometry = by_stage.get(Stage.GEOMETRY)
    words, points = _topology(topology, primitives, hull, geometry)
    if not stages:
        vertices, each = ready(given, pixel), 1
    else:
        vertices, each = _vertices(
            by_stage[Stage.VERTEX], given, instances, per_instance, bindings.get(Stage.VERTEX)
        )
    count = vertices.count // each
    corners = assembled(words, points, primitives, count)
    number = np.tile(np.arange(len(corners)), each)
    corners = np.concatenate([corners + count * at for at in range(each)])
    scene = Primitives(vertices, corners, number)
    if hull is not None and domain is not None:
        with blamed(hull):
            patches = hull.tessellate(_of_points(hull.inputs, scene), bindings.get(Stage.HULL))
        with blamed(domain):
            scene = tessellated(hull, domain, patches, number, bindings.get(Stage.DOMAIN), each)
        words = "triangle_list"
    if geometry is not None:
        with blamed(geometry):
            return _expanded(geometry, scene, bindings.get(Stage.GEOMETRY))
    scene.corners = without_neighbours(words, scene.corners)
    return scene


def _topology(
    given: str | None, primitives: Any, hull: Runner | None, geometry: Runner | None
) -> tuple[str, int]:
    """Return the name of the topology, and the control points of a patch.

    Patches go to a hull shader, or straight to a geometry shader whose primitives they are.
    """
    taken = hull.program.taken if hull is not None else None
    room, fewer = (taken.count, taken.fewer) if taken is not None else (0, False)
    of_geometry = geometry.program.taken if geometry is not None else None
    if hull is None and given is not None and of_geometry is not None:
        word, count = topology_of(given, of_geometry.count)
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
    kernel: Runner,
    given: Any,
    instances: int,
    per_instance: Mapping[Any, Any] | None,
    bindings: Mapping[str, Any] | None,
) -> tuple[Vertices, int]:
    """Run a vertex shader; return its vertices, instance after instance, and the instances."""
    given_count: object = instances
    if not isinstance(given_count, int) or instances < 0:
        raise UsageError(f"instances: expected a number of instances, got {instances!r:.40}")
    with blamed(kernel):
        inputs = given
        if instances != 1 or per_instance:
            inputs = _instanced(kernel, given, instances, per_instance or {})
        found = kernel.transform(inputs, bindings)
        first = next(iter(kernel.outputs), None)
        count = len(found[first.label]) if first is not None else 0
        return Vertices.of(kernel.outputs, found, count), max(instances, 1)


def _instanced(
    kernel: Runner, given: Any, instances: int, per_instance: Mapping[Any, Any]
) -> dict[str, Any] | int:
    """Return the inputs of all vertices of all instances."""
    rows = chosen_rows(kernel.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else row_count(kernel.inputs, rows)
    found: dict[str, Any] = {}
    for row, array in rows.values():
        each = array.ndim > 1 or (array.ndim == 1 and len(row.ports) == 1 and len(array) == count)
        times = (instances,) + (1,) * (array.ndim - 1)
        found[row.label] = np.tile(array, times) if each else array
    for row, array in chosen_rows(kernel.inputs, per_instance).values():
        if len(array) < instances:
            raise UsageError(f"{row.label}: expected {instances} instances, got {len(array)}")
        found[row.label] = np.repeat(array[:instances], count, axis=0)
    for meaning, numbers in (
        (SystemValue.VERTEX_ID, np.tile(np.arange(count, dtype="<u4"), instances)),
        (SystemValue.INSTANCE_ID, np.repeat(np.arange(instances, dtype="<u4"), count)),
    ):
        row_of = kernel.inputs.by_meaning(meaning)
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


def _expanded(kernel: Runner, scene: Primitives, bindings: Mapping[str, Any] | None) -> Primitives:
    """Run a geometry shader; return the primitives of the stream that is rasterised."""
    found = kernel.expand(_of_points(kernel.inputs, scene), bindings)
    streams = kernel.program.declared.streams
    if not streams:
        raise UsageError("the geometry shader outputs no stream to draw")
    first = min(streams, key=lambda each: each.slot.stream)
    stream = first.slot.stream
    prefix = f"m{stream}:" if len(kernel.streams) > 1 else ""
    corners = found[f"{prefix}primitives"]
    count = len(found[f"{prefix}sources"])
    rows = KernelSignature.of(replace(row, stream=None) for row in kernel.streams[stream])
    arrays: dict[Key, Array] = {
        plain.key: np.asarray(found[row.label]).reshape(count, len(row.ports))
        for row, plain in zip(kernel.streams[stream], rows, strict=True)
    }
    size = CORNERS.get(first.topology, 1 if first.topology is Topology.POINTLIST else 3)
    return Primitives(
        Vertices(rows, arrays, count), corners.reshape(-1, size).astype(np.int64),
        np.arange(len(corners)), expanded=True,
    )  # fmt: skip
