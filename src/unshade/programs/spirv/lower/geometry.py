"""Geometry shaders: the vertices of a primitive, and streams of emitted vertices.

    in vec4 colour[3]         memory "v": the vertices of each primitive
    out vec4 shade            variables of the lane, until a vertex is emitted

    OpEmitVertex              the outputs are the next vertex of the stream (ir.library.streams)
    OpEndPrimitive            the next vertex starts a strip

Outputs keep their values when a vertex is emitted; SPIR-V leaves them undefined. Consecutive lanes
are the instances of a primitive.

Source: SPIR-V specification, section 3.49.19 (Primitive Instructions); Vulkan specification,
Geometry Shading.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library.streams import OutputStream, OutputStreams
from ....ir.lowered import Points
from ....ir.memory import Port, Var
from ....vocab.slots import STREAMS, Direction, PointsSlot, Rate
from ....vocab.words import Topology
from ..module import Instruction
from ..tables.numbers import Opcode, StorageClass
from .interface import ports_of, stage_interface
from .operations import Handler, Handlers
from .pointers import TypedPointer
from .points import ROW_WORDS, VariablePoints, has_points, of_storage, widened, words_of
from .roots import LaneVariables
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "GeometryStage"]

VERTICES = 1024  # of a lane
INSTANCES = 127


class GeometryStage:
    """The input primitives and output streams of a geometry shader."""

    labels: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, lowering: "Lowering") -> None:
        self.lowering = lowering
        facts = lowering.facts.geometry
        if facts is None or facts.input_vertices is None or facts.max_output_vertices is None:
            raise UnsupportedError("a geometry shader without its execution modes cannot be run")
        self.instances = facts.instances
        most = facts.max_output_vertices
        if most > VERTICES or not 1 <= self.instances <= INSTANCES:
            raise UnsupportedError(
                f"expected at most {VERTICES} vertices and {INSTANCES} instances, got {most} and"
                f" {self.instances}"
            )
        self.streams = OutputStreams(lowering.b, most)
        self.streams.stream(0).points.topology = Topology(str(facts.output_topology))
        slot = PointsSlot(Direction.INPUT, Rate.VERTEX)
        gathered = [
            each
            for each in of_storage(lowering, StorageClass.Input)
            if has_points(lowering, each, lowering.types.of(lowering.index.pointee(each) or 0))
        ]
        self.inputs = VariablePoints(
            lowering, "v", slot, self._primitive, gathered, facts.input_vertices
        )
        self.words: dict[int, int] = {}  # of each stream so far
        self.held: dict[Port, Var] = {}

    def _primitive(self) -> Value:
        b = self.lowering.b
        lane = b.source("item")
        return lane if self.instances == 1 else b.udiv(lane, self.instances)

    def pointer(self, lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
        """Return the pointer to an input or output."""
        if number in self.inputs.starts:
            assert type.element is not None
            ports = [port for port, _, _ in ports_of(lowering, number, type.element.leaves)]
            self.inputs.add(number, ports)
            return TypedPointer(self.inputs.root(number, type), type)
        if lowering.index.definitions[number].words[3] == StorageClass.Input:
            return stage_interface(lowering, number, type)
        return TypedPointer(self._outputs(number, type), type)

    def _outputs(self, number: int, type: LeafType) -> LaneVariables:
        lowering = self.lowering
        row = lowering.name(number)
        steps = lowering.listing.steps(type)
        variables: list[Var] = []
        for (port, place, _), path in zip(
            ports_of(lowering, number, type.leaves), steps, strict=True
        ):
            var = lowering.variable(f"{row}{''.join(path)}", row, type.leaves[len(variables)])
            variables.append(var)
            stream = place.slot.stream
            word = self.words.get(stream, 0)
            self.words[stream] = word + words_of(var.type)
            self.streams.add(stream, port, word // ROW_WORDS, word % ROW_WORDS)
            self.held[port] = var
        return LaneVariables(variables)

    def begin(self) -> None:
        """Declare the outputs, and append the initial values of the counters."""
        for number in of_storage(self.lowering, StorageClass.Output):
            self.lowering.pointer(number)
        facts = self.lowering.facts.geometry
        assert facts is not None
        for number, topology in enumerate(facts.streams):
            if topology != Topology.UNDEFINED:
                self.streams.stream(number)  # one that is named may have no outputs
        for stream in self.streams.streams.values():
            stream.points.topology = Topology(str(facts.output_topology))
        self.streams.prepare()

    def points(self) -> Sequence[Points]:
        """Return all points of the shader."""
        return [
            self.inputs.memory.points,
            *(each.points for each in self.streams.streams.values()),
        ]

    def stream(self, number: int) -> OutputStream:
        """Return a stream by its number."""
        found = self.streams.streams.get(number)
        if found is None:
            raise UnsupportedError(f"stream {number} has no outputs")
        return found

    def value(self, port: Port, byte: int) -> Value:
        """Append a read of an output."""
        b = self.lowering.b
        return widened(b, b.get(self.held[port]))


def _on_stream(*, emits: bool = False, numbered: bool = False) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> None:
        stage = lowering.stage
        if not isinstance(stage, GeometryStage):
            raise UnsupportedError("expected a geometry shader")
        number = lowering.integer(instruction.words[1]) if numbered else 0
        if number is None or not 0 <= number < STREAMS:
            raise UnsupportedError(f"expected a stream from 0 to {STREAMS - 1}")
        stream = stage.stream(number)
        if emits:
            lowering.calls.spend(len(stream.points.ports))
            stage.streams.emit(stream, stage.value)
        else:
            stage.streams.cut(stream)

    return lower


HANDLERS: Handlers = {
    Opcode.EmitVertex: _on_stream(emits=True),
    Opcode.EndPrimitive: _on_stream(),
    Opcode.EmitStreamVertex: _on_stream(emits=True, numbered=True),
    Opcode.EndStreamPrimitive: _on_stream(numbered=True),
}
