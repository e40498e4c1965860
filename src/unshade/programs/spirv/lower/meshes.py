"""Mesh and task shaders, whose lanes are invocations of workgroups.

    gl_MeshVerticesEXT[i]          memory "vertices": vertex i of the group
    perprimitiveEXT out face[p]    memory "primitives": primitive p of the group
    gl_PrimitiveTriangleIndicesEXT[p]    the vertices of a primitive, in the same memory
    OpSetMeshOutputsEXT            the numbers of vertices and primitives

    taskPayloadSharedEXT payload   memory "payload": of each group of a task shader; bound, with one
                                   element, in a mesh shader
    OpEmitMeshTasksEXT             memory "groups": what a group of a task shader launches; ends it

A scalar of a payload takes a word, or two words for 64 bits, in the order of its members.

Source: SPV_EXT_mesh_shader; Vulkan specification, Mesh Shading.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.library.groups import (
    Launches,
    bound_payload,
    count_memory,
    first_thread,
    group_number,
    payload_bytes,
    store_counts,
    within_group,
)
from ....ir.lowered import Points
from ....ir.types import I32
from ....vocab.slots import Direction, PointsSlot, Rate
from ....vocab.words import Topology
from ..module import Instruction
from ..tables.numbers import Opcode, StorageClass
from .builtins import compute_interface
from .interface import ports_of, rows_of
from .operations import Handlers
from .pointers import TypedPointer
from .points import WORD, PointRoot, VariablePoints, of_storage, words_of
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "MeshStage", "TaskStage"]


def _payload_words(lowering: "Lowering", number: int) -> list[int]:
    """Return the words of the leaves of a payload, and its end."""
    type = lowering.types.of(lowering.index.pointee(number) or 0)
    return [*accumulate((words_of(each) for each in type.leaves), initial=0)]


class MeshStage:
    """The vertices and primitives of a mesh shader, and the payload that it reads."""

    labels: dict[str, str] = {}  # noqa: RUF012
    instances = 1

    def __init__(self, lowering: "Lowering") -> None:
        self.lowering = lowering
        facts = lowering.facts.mesh
        if facts is None or None in (
            facts.output_topology, facts.max_vertices, facts.max_primitives
        ):  # fmt: skip
            raise UnsupportedError("a mesh shader without its execution modes cannot be run")
        vertices, primitives = facts.max_vertices or 0, facts.max_primitives or 0
        within_group(vertices, primitives)
        outputs = of_storage(lowering, StorageClass.Output)
        rates = {
            number: next((row.slot.rate for row in rows_of(lowering, number)), Rate.VERTEX)
            for number in outputs
        }
        self.held = [
            VariablePoints(
                lowering, name, PointsSlot(Direction.OUTPUT, rate),
                lambda: group_number(lowering.b), [each for each in outputs if rates[each] is rate],
                count, writable=True,
            )
            for name, rate, count in (
                ("vertices", Rate.VERTEX, vertices), ("primitives", Rate.PRIMITIVE, primitives)
            )
        ]  # fmt: skip
        self.held[1].memory.points.topology = Topology(str(facts.output_topology))
        self.counts = [count_memory(lowering.b, each) for each in self.points()]

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        """Return the pointer to an input, an output or the payload."""
        for held in self.held:
            if number in held.starts:
                inner = type.element
                assert inner is not None
                held.add(number, [port for port, _, _ in ports_of(lowering, number, inner.leaves)])
                return TypedPointer(held.root(number, type), type)
        if lowering.index.definitions[number].words[3] == StorageClass.TaskPayloadWorkgroupEXT:
            return self._payload(number, type)
        return compute_interface(lowering, number, type)

    def _payload(self, number: int, type: LeafType) -> TypedPointer:
        lowering = self.lowering
        starts = _payload_words(lowering, number)
        memory, resource = bound_payload(lowering.b, payload_bytes(WORD * starts[-1]))
        lowering.resources.append(resource)
        return TypedPointer(PointRoot(memory, lambda at: constant(0, I32), starts, 0), type)

    def begin(self) -> None:
        """Declare the outputs, in their order."""
        for held in self.held:
            for number in held.starts:
                self.lowering.pointer(number)

    def points(self) -> Sequence[Points]:
        """Return all points of the shader."""
        return [each.memory.points for each in self.held]


class TaskStage:
    """The payloads and launches of a task shader."""

    labels: dict[str, str] = {}  # noqa: RUF012
    instances = 1

    def __init__(self, lowering: "Lowering") -> None:
        self.lowering = lowering
        self.starts = {
            number: _payload_words(lowering, number)
            for number in of_storage(lowering, StorageClass.TaskPayloadWorkgroupEXT)
        }
        if len(self.starts) > 1:
            raise UnsupportedError(f"expected at most one payload, got {len(self.starts)}")
        words = max((starts[-1] for starts in self.starts.values()), default=0)
        self.launches = Launches(lowering.b, payload_bytes(WORD * words))

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        """Return the pointer to an input or to the payload of the group."""
        if number not in self.starts:
            return compute_interface(lowering, number, type)
        root = PointRoot(
            self.launches.payload, lambda at: group_number(lowering.b), self.starts[number], 0
        )
        return TypedPointer(root, type)

    def begin(self) -> None:
        """Declare nothing: a task shader has no outputs but its launches."""

    def points(self) -> Sequence[Points]:
        """Return all points of the shader."""
        return self.launches.points()


def _set_outputs(lowering: "Lowering", instruction: Instruction) -> None:
    stage = lowering.stage
    if not isinstance(stage, MeshStage):
        raise UnsupportedError("expected a mesh shader")
    numbers = [lowering.scalar(each) for each in instruction.words[1:3]]
    store_counts(lowering.b, stage.counts, numbers)


def _emit_tasks(lowering: "Lowering", instruction: Instruction) -> None:
    """Store what the group launches; all invocations end with the block."""
    stage = lowering.stage
    if not isinstance(stage, TaskStage):
        raise UnsupportedError("expected a task shader")
    numbers = [lowering.scalar(each) for each in instruction.words[1:4]]
    b = lowering.b
    with b.when(first_thread(b)):
        stage.launches.store(group_number(b), numbers)


HANDLERS: Handlers = {
    Opcode.SetMeshOutputsEXT: _set_outputs,
    Opcode.EmitMeshTasksEXT: _emit_tasks,
}
