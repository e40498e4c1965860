"""Outputs of thread groups besides bindings: vertices and primitives of mesh shaders.

    group        0              1
    vertices     0  1  2  .     0  1  2  3      room for four; the group declares the count
    primitives   (0 1 2)        (0 1 2) (2 1 3)
    the call     0  1  2        3  4  5  6      (0 1 2) (3 4 5) (5 4 6)

If a group requests more outputs than its program declares, it outputs the declared number.

The launches of an amplification shader are returned as words, a row for each group: `payload`, and
`groups` of the mesh shader along x, y and z. Their slots are LAUNCHED_PAYLOAD and LAUNCHED_GROUPS.

Source: ir.lowered.Points.
"""

from collections.abc import Hashable, Mapping
from math import prod
from typing import Any

import numpy as np

from ...errors import LimitError
from ...ir.lowered import Points
from ...vm.launch import Array, Launch
from ...vocab.slots import Direction, Rate
from ..binding.arguments import Arguments
from ..binding.results import Results
from ..execution import Execution
from ..lanes import ThreadLanes
from .points import new, plain, taken
from .vertices import add_row

NO_VERTEX = 0xFFFF_FFFF  # in place of the number of one that its group does not output
ROOM = 1 << 30  # bytes of vertices and primitives that one call makes at most


def dispatch(
    execution: Execution, groups: tuple[int, int, int], bindings: Mapping[Any, Any]
) -> Results:
    """Run a compute or mesh shader over a number of thread groups along x, y and z."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    execution.begin()
    given = GroupOutputs(execution, prod(groups))
    memories = {**arguments.memories, **given.memories}
    launch = Launch(memories, groups=groups, budget=execution.budget)
    lanes = ThreadLanes(program.group, groups, quads=program.declared.kernel.quads)
    execution.launch(arguments, launch, lanes)
    return given.added(arguments.finish())


class GroupOutputs:
    """The output memories of a number of thread groups, and the arrays made from them."""

    def __init__(self, execution: Execution, groups: int) -> None:
        self.execution = execution
        self.memories: dict[Hashable, Array] = {}
        self.given: dict[Rate, tuple[Points, Array, Array]] = {}
        self.launched: list[tuple[Points, Array]] = []
        declared = execution.program.declared
        points = [each for each in declared.points if each.slot.direction is Direction.OUTPUT]
        size = groups * sum(each.count * each.stride for each in points)
        if size > ROOM:
            raise LimitError("memory", ROOM, size)
        asked = {memory.key for memory in declared.kernel.memories}
        for each in points:
            words, counts = new(each, groups), np.full(groups, each.count, "<u4")
            self.memories[each.slot] = plain(words)
            if each.slot.rate is Rate.GROUP:
                self.launched.append((each, words))
                continue
            if each.counts in asked:
                counts[:] = 0
                self.memories[each.counts] = plain(counts)
            self.given[each.slot.rate] = each, words, counts

    def added(self, results: Results) -> Results:
        """Add the arrays to the results of a call."""
        for points, words in self.launched:
            results.add((points.name,), words[:, 0], slots=(points.slot,))
        first = sizes = np.zeros(0, "<u4")  # vertex of each group, in the whole call
        for rate in (Rate.VERTEX, Rate.PRIMITIVE):
            if rate not in self.given:
                continue
            points, words, wanted = self.given[rate]
            counts = self._limited(points, wanted)
            there = np.arange(points.count) < counts[:, np.newaxis]
            groups = np.repeat(np.arange(len(counts)), counts)
            for row in self.execution.program.group_signature(points):
                array = taken(points, row, words[there])
                if row.is_indices:
                    known = array < sizes[groups, np.newaxis]
                    numbers = np.where(known, array + first[groups, np.newaxis], NO_VERTEX)
                    results.add(("primitives",), numbers.astype("<u4"))
                else:
                    add_row(results, row, array)
            if rate is Rate.VERTEX:
                first, sizes = (np.cumsum(counts) - counts).astype("<u4"), counts
                results.add(("sources",), groups)
        return results

    def _limited(self, points: Points, wanted: Array) -> Array:
        """Return how many points each group outputs: points beyond its declaration are dropped.

        The report counts them among the accesses that are out of bounds.
        """
        counts = np.minimum(wanted, np.uint32(points.count))
        dropped = int((wanted - counts).sum(dtype=np.uint64))
        report = self.execution.report
        if dropped and report is not None:
            report.out_of_bounds[points.name] = report.out_of_bounds.get(points.name, 0) + dropped
        return counts
