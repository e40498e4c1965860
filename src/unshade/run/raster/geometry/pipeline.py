"""The stages before the rasteriser, one after the other.

vertex                        vertices, in primitives of the topology
vertex, hull, domain          patches, divided by the tessellator
…, geometry                   primitives, replaced by its output
mesh                          thread groups that make primitives themselves
amplification, mesh           thread groups that launch mesh shaders
(none)                        vertices that are supplied
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....dataclass import dataclass, replace
from ....errors import UsageError
from ....ir.lowered import Points
from ....model import SystemValue, Topology
from ....vm.launch import Array
from ....vocab.words import Stage
from ...execution import Execution
from ...program import RunProgram
from ...signature import KernelSignature, Key, missing_inputs
from ...stages.patches import tessellate
from ...stages.primitives import CORNERS, expand
from ...stages.vertices import chosen_rows, row_count, transform
from ..blame import blamed
from ..statistics import PipelineStatistics
from ..stipple import strip_begins
from ..vertices import Primitives, Vertices, ready
from .assembly import PATCHES, assembled, lines_begin, topology_of, without_neighbours
from .consecutive import consecutive
from .draw_arguments import DrawArguments, DrawNumbers
from .mesh_shaders import Bindings, mesh_primitives
from .stream_output import StreamOutput
from .tessellation import tessellated


@dataclass(slots=True)
class StageInputs:
    """The arguments of a draw that its stages take.

    `restart`: whether an index buffer restarts the topology. `last`: the last vertex of a primitive
    is its provoking vertex. `base` is added to indices. `numbers` are those of the first vertex and
    instance, if the draw is a part of a buffer.
    """

    vertices: Any
    primitives: Any
    topology: str | None
    instances: int
    per_instance: Mapping[Any, Any] | None
    bindings: Bindings
    restart: bool | None = None
    last: bool = False
    base: int = 0
    numbers: DrawNumbers | None = None
    statistics: PipelineStatistics | None = None
    stream_output: StreamOutput | None = None

    def select(self, arguments: DrawArguments, *, vulkan: bool) -> None:
        """Take the part of vertices, indices and instances that arguments have."""
        self.vertices = arguments.vertices(self.vertices)
        self.primitives = arguments.primitives(self.primitives)
        self.instances = arguments.instance_count
        self.per_instance = arguments.instance_inputs(self.per_instance)
        self.base = arguments.base_vertex if arguments.indexed else 0
        self.numbers = arguments.numbers(vulkan=vulkan)

    def of(self, stage: Stage) -> Mapping[Any, Any]:
        """Return the bindings of a stage."""
        return self.bindings.get(stage) or {}

    def count(self, **counts: int) -> None:
        """Add to the statistics, if there are any."""
        if self.statistics is not None:
            self.statistics.add(**counts)


def run_stages(
    stages: Sequence[Execution], pixel: KernelSignature | None, given: StageInputs
) -> Primitives | None:
    """Run the stages before the rasteriser; return the primitives that reach it, None for none.

    `pixel` are the inputs of the pixel shader, whose names vertices without a shader have.
    """
    by_stage = {each.program.stage: each for each in stages}
    if Stage.MESH in by_stage:
        if given.stream_output is not None:
            raise UsageError(
                "stream output: expected no mesh shader, whose outputs are not written"
            )
        scene: Primitives | None = mesh_primitives(
            stages, given.vertices, given.bindings, given.statistics
        )
    else:
        scene = _primitives(by_stage, pixel, given)
    if scene is not None:
        scene.provoking = scene.corners.shape[1] - 1 if given.last else 0
    return scene


def _primitives(
    by_stage: Mapping[Stage, Execution], pixel: KernelSignature | None, given: StageInputs
) -> Primitives | None:
    """Return the primitives that vertices form in the topology, after the stages that follow."""
    hull, domain = by_stage.get(Stage.HULL), by_stage.get(Stage.DOMAIN)
    geometry = by_stage.get(Stage.GEOMETRY)
    of_hull, of_geometry = (each.program.taken if each else None for each in (hull, geometry))
    words, points = _topology(given.topology, given.primitives, of_hull, of_geometry)
    if Stage.VERTEX not in by_stage:
        vertices, each = ready(given.vertices, pixel), 1
    else:
        vertices, each = _vertices(by_stage[Stage.VERTEX], given)
        given.count(vs_invocations=vertices.count)
    count = vertices.count // each
    turned = given.last and hull is None and geometry is None
    corners = assembled(
        words, points, given.primitives, count, restart=given.restart, last=turned, base=given.base
    )
    read = count if given.primitives is None else np.size(given.primitives)
    given.count(ia_vertices=read * each, ia_primitives=len(corners) * each)
    number = np.arange(len(corners))
    begins = lines_begin(words, given.primitives, len(corners), restart=given.restart)
    if each > 1:
        number = np.tile(number, each)
        corners = np.concatenate([corners + count * at for at in range(each)])
    scene = Primitives(vertices, corners, number)
    scene.begins = None if begins is None else np.tile(begins, each)
    if hull is not None and domain is not None:
        with blamed(hull):
            patches = tessellate(hull, _of_points(hull.program.inputs, scene), given.of(Stage.HULL))
        with blamed(domain):
            scene = tessellated(
                hull.program, domain, patches, number, given.of(Stage.DOMAIN), each
            )  # fmt: skip
        given.count(hs_invocations=len(number), ds_invocations=scene.vertices.count)
        words = "triangle_list"
    if geometry is not None:
        with blamed(geometry):
            return _expanded(geometry, scene, given)
    scene.corners = without_neighbours(words, scene.corners)
    return _streamed({0: scene}, given)


def _streamed(streams: Mapping[int, Primitives], given: StageInputs) -> Primitives | None:
    """Write streams to the buffers of the draw; return the stream that is rasterised."""
    stream_output = given.stream_output
    if stream_output is None:
        return streams[min(streams)]
    for stream, scene in streams.items():
        stream_output.write(stream, scene)
    number = stream_output.rasterized_stream
    return None if number is None else streams.get(number)


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


def _vertices(vertex: Execution, given: StageInputs) -> tuple[Vertices, int]:
    """Run a vertex shader; return its vertices, instance after instance, and the instances."""
    instances = given.instances
    given_count: object = instances
    if not isinstance(given_count, int) or instances < 0:
        raise UsageError(f"instances: expected a number of instances, got {instances!r:.40}")
    with blamed(vertex):
        inputs = given.vertices
        if instances != 1 or given.per_instance or given.numbers is not None:
            inputs = _instanced(vertex.program, given)
        found = transform(vertex, inputs, given.of(Stage.VERTEX))
        rows = vertex.program.outputs
        first = next(iter(rows), None)
        if first is not None:
            count = len(found[first.label])
        elif isinstance(inputs, int):
            count = inputs
        else:
            count = row_count(vertex.program.inputs, chosen_rows(vertex.program.inputs, inputs))
        return Vertices.of(rows, found, count), max(instances, 1)


def _instanced(vertex: RunProgram, draw: StageInputs) -> dict[str, Any] | int:
    """Return the inputs of all vertices of all instances."""
    given, instances = draw.vertices, draw.instances
    rows = chosen_rows(vertex.inputs, {} if isinstance(given, int) else given)
    count = given if isinstance(given, int) else row_count(vertex.inputs, rows)
    found: dict[str, Any] = {}
    for row, array in rows.values():
        each = array.ndim > 1 or (array.ndim == 1 and len(row.ports) == 1 and len(array) == count)
        times = (instances,) + (1,) * (array.ndim - 1)
        found[row.label] = np.tile(array, times) if each else array
    for row, array in chosen_rows(vertex.inputs, draw.per_instance or {}).values():
        if len(array) < instances:
            raise UsageError(f"{row.label}: expected {instances} instances, got {len(array)}")
        found[row.label] = np.repeat(array[:instances], count, axis=0)
    numbers = draw.numbers or DrawNumbers()
    whole = np.ones(count * instances, np.int64)
    for meaning, values in (
        (SystemValue.VERTEX_ID, np.tile(np.arange(count) + numbers.vertex, instances)),
        (SystemValue.INSTANCE_ID, np.repeat(np.arange(instances) + numbers.instance, count)),
        (SystemValue.BASE_VERTEX, whole * numbers.base_vertex),
        (SystemValue.BASE_INSTANCE, whole * numbers.base_instance),
        (SystemValue.DRAW_INDEX, whole * numbers.draw),
    ):
        row_of = vertex.inputs.by_meaning(meaning)
        if row_of is not None and row_of.label not in found:
            found[row_of.label] = values.astype("<i4").view("<u4").astype(row_of.dtype)
    return found or count * instances


def _of_points(inputs: KernelSignature, scene: Primitives) -> dict[str, Any] | int:
    """Return the inputs of a stage that takes whole primitives, by semantic."""
    several = consecutive(inputs, scene)
    if several is not None:
        return several
    found: dict[str, Any] = {}
    absent = []
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
                absent.append(row)
            continue
        size = scene.corners.shape[1]
        if row.points and size != row.points and not (row.fewer and size < row.points):
            raise UsageError(
                f"{row.label}: expected primitives of {row.points} vertices, got"
                f" {scene.corners.shape[1]}"
            )
        found[row.label] = scene.vertices.taken(row, source)[scene.corners]
    if absent:
        outputs = ", ".join(each.label for each in scene.vertices.rows)
        raise UsageError(f"{missing_inputs(absent)}; the stage before outputs {outputs}")
    return found or len(scene.corners)


def _expanded(geometry: Execution, scene: Primitives, given: StageInputs) -> Primitives | None:
    """Run a geometry shader; return the primitives of the stream that is rasterised."""
    program = geometry.program
    found = expand(geometry, _of_points(program.inputs, scene), given.of(Stage.GEOMETRY))
    if not program.declared.streams:
        raise UsageError("the geometry shader outputs no stream to draw")
    streams = {
        each.slot.stream: _of_stream(program, each, found, last=given.last)
        for each in program.declared.streams
    }
    given.count(
        gs_invocations=len(scene.corners) * program.declared.instances,
        gs_primitives=sum(len(each.corners) for each in streams.values()),
    )
    return _streamed(streams, given)


def _of_stream(
    program: RunProgram, points: Points, found: Mapping[Any, Any], *, last: bool
) -> Primitives:
    """Return the primitives of a stream of a geometry shader."""
    stream = points.slot.stream
    prefix = f"m{stream}:" if len(program.streams) > 1 else ""
    count = len(found[f"{prefix}sources"])
    rows = KernelSignature.of(replace(row, stream=None) for row in program.streams[stream])
    arrays: dict[Key, Array] = {
        plain.key: np.asarray(found[row.label]).reshape(count, len(row.ports))
        for row, plain in zip(program.streams[stream], rows, strict=True)
    }
    size = CORNERS.get(points.topology, 1 if points.topology is Topology.POINTLIST else 3)
    corners = found[f"{prefix}primitives"].reshape(-1, size).astype(np.int64)
    number = np.arange(len(corners))
    if last and size == 3:  # vertices have the order of emission
        turn = np.argmax(corners, axis=1)[:, np.newaxis] + [1, 2, 3]
        corners = np.take_along_axis(corners, turn % 3, axis=1)
    begins = strip_begins(corners) if corners.shape[1] == 2 else None
    return Primitives(Vertices(rows, arrays, count), corners, number, expanded=True, begins=begins)
