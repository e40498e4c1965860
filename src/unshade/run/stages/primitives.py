"""Geometry shaders: primitives in, streams of vertices out.

    strips      0              4           first vertex of each
    vertices    0  1  2  3     4  5  6     a strip of triangles
    primitives  (0 1 2) (1 3 2)  (4 5 6)   the same as a list: every other one turned around

The vertices of a call are consecutive: by primitive, by instance of the shader, in the order of
emission. `sources` contains the input primitive of each vertex.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...ir.lowered import Points
from ...model import SystemValue, Topology
from ...vm.launch import Array
from ...vocab.slots import Direction, Exchange, PortSlot, Rate
from ..binding.arguments import Arguments
from ..binding.results import Results
from ..execution import Execution
from ..lanes import PrimitiveLanes
from ..signature import KernelSignature, Key
from .points import (
    BATCH,
    PRIMITIVE_NUMBER,
    fill,
    given_primitives,
    new,
    of_points,
    plain,
    run_points,
    taken,
)
from .vertices import add_row

CORNERS = {  # vertices of a primitive
    Topology.LINELIST: 2, Topology.LINESTRIP: 2, Topology.TRIANGLELIST: 3,
    Topology.TRIANGLESTRIP: 3,
}  # fmt: skip
STRIPS = (Topology.LINESTRIP, Topology.TRIANGLESTRIP)
NUMBER = PortSlot(Direction.INPUT, Rate.PRIMITIVE, Exchange.PRIMITIVE)
INSTANCE = PortSlot(Direction.INPUT, Rate.PRIMITIVE, SystemValue.GS_INSTANCE_ID)


def counted(stream: int) -> PortSlot:
    """Return the output that contains the number of vertices of a stream."""
    return PortSlot(Direction.OUTPUT, Rate.VERTEX, Exchange.VERTEX_COUNT, stream=stream)


def expand(
    execution: Execution, given: Mapping[Any, Any] | int, bindings: Mapping[Any, Any]
) -> Results:
    """Run a geometry shader over primitives, or over a number of primitives without inputs."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    primitives = given_primitives(execution, given, "primitives", "primitives")
    count, names = primitives.count, primitives.numbers
    execution.begin()
    vertices = of_points(program.inputs, primitives.arrays)
    parts: dict[int, list[tuple[Array, Array, Array]]] = {each: [] for each in program.streams}
    step = _step(execution)
    for first in range(0, count, step):
        last = min(first + step, count)
        some = {key: array[first:last] for key, array in vertices.items()}
        for stream, found in _batch(execution, arguments, some, names[first:last], first).items():
            parts[stream].append(found)
    results = arguments.finish()
    for points in program.declared.streams:
        stream = points.slot.stream
        prefix = f"m{stream}:" if len(program.streams) > 1 else ""
        _give(results, program.streams[stream], points, parts[stream], prefix)
    return results


def _step(execution: Execution) -> int:
    """Return the number of primitives for one call of an engine: at most BATCH bytes."""
    program = execution.program
    lowered = program.declared
    each = sum(
        points.count * (points.stride + 4) * (1 if points is program.taken else lowered.instances)
        for points in lowered.points
    )
    return max(1, BATCH // max(each, 1))


def _batch(
    execution: Execution,
    arguments: Arguments,
    vertices: Mapping[Key, Array],
    names: Array,
    first: int,
) -> dict[int, tuple[Array, Array, Array]]:
    """Run some of the primitives; return vertices, starts of strips and sources of each stream."""
    program = execution.program
    lowered = program.declared
    count, each = len(names), lowered.instances
    lanes = count * each
    streams = [(points, new(points, lanes)) for points in lowered.streams]
    cuts = [np.zeros((lanes, words.shape[1]), "<u4") for _, words in streams]
    memories = dict(arguments.memories)
    taken_points = program.taken
    assert taken_points is not None
    memories[taken_points.slot] = plain(fill(taken_points, program.inputs, vertices, count))
    for (points, words), starts in zip(streams, cuts, strict=True):
        memories[points.slot], memories[points.cuts] = plain(words), plain(starts)
    own = {
        PRIMITIVE_NUMBER: np.repeat(names, each),
        NUMBER: np.repeat(np.arange(first, first + count, dtype="<u4"), each),
        INSTANCE: np.tile(np.arange(each, dtype="<u4"), count),
    }
    outputs = run_points(execution, arguments, memories, own, PrimitiveLanes(first, count, each))
    found = {}
    for (points, words), starts in zip(streams, cuts, strict=True):
        counts = outputs[counted(points.slot.stream)]
        _check_room(counts, points.count, first, each)
        there = np.arange(words.shape[1]) < counts[:, np.newaxis]
        sources = np.repeat(first + np.arange(lanes) // each, counts)
        found[points.slot.stream] = words[there], starts[there] != 0, sources
    return found


def _check_room(counts: Array, room: int, first: int, each: int) -> None:
    """Raise UnsupportedError if a lane outputs more vertices than fit in its memory."""
    beyond = np.flatnonzero(counts > room)
    if len(beyond):
        lane = int(beyond[0])
        number, got = first + lane // each, counts[lane]
        raise UnsupportedError(f"primitive {number}: expected at most {room} vertices, got {got}")


def _give(
    results: Results,
    signature: KernelSignature,
    points: Points,
    parts: list[tuple[Array, Array, Array]],
    prefix: str,
) -> None:
    """Add the vertices of one stream to the results, by semantic."""
    if parts:
        words, cuts, sources = (np.concatenate(each) for each in zip(*parts, strict=True))
    else:
        words = np.zeros((0, points.stride // 4), "<u4")
        cuts, sources = np.zeros(0, np.bool_), np.zeros(0, np.int64)
    for row in signature:
        add_row(results, row, taken(points, row, words))
    results.add((f"{prefix}strips",), np.flatnonzero(cuts))
    results.add((f"{prefix}primitives",), primitives(cuts, points.topology))
    results.add((f"{prefix}sources",), sources)


def primitives(cuts: Array, topology: Topology) -> Array:
    """Return the points, lines or triangles as vertex numbers; incomplete primitives are dropped.

    Each triangle of a strip begins with the second vertex of the previous triangle, so that all
    face the same way: 0 1 2, 1 3 2, 2 3 4. Source: Direct3D 11.3 functional specification, section
    13.
    """
    corners = CORNERS.get(topology, 1)
    number = np.arange(len(cuts))
    place = number - np.maximum.accumulate(np.where(cuts, number, 0)) if len(cuts) else number
    if topology in STRIPS:
        ends = number[place >= corners - 1]
    else:
        ends = number[place % corners == corners - 1]
    made: Array = ends[:, np.newaxis] - np.arange(corners - 1, -1, -1)
    if topology == Topology.TRIANGLESTRIP:
        odd = place[ends] % 2 == 1
        made[odd, 1], made[odd, 2] = made[odd, 2], made[odd, 1].copy()
    return made
