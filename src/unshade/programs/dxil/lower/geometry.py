"""Lowering of geometry shaders: their input primitives and output streams.

    loadInput(i32 4, i32 0, i32 0, i8 1, i32 2)    v[2][0].y: memory "v", vertex 2 of the primitive
    storeOutput(…)                                 a variable, until a vertex is emitted
    emitStream(i32 97, i8 0)                       the next vertex (ir.library.streams)

Outputs keep their values when a vertex is emitted (undefined in Direct3D).
"""

from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.points import PointMemory
from ....ir.library.streams import OutputStream, OutputStreams
from ....ir.lowered import Points
from ....ir.memory import Port, Var
from ....ir.ops import OPS
from ....ir.transforms.dynamic_indexing import each_of
from ....vocab.d3d import PRIMITIVE_VERTICES, TOPOLOGIES
from ....vocab.slots import STREAMS, Direction, PointsSlot, Rate
from ....vocab.words import Topology
from ..shaderinfo import DxilGeometry, DxilSignatureElement
from .buffers import component
from .calls import Handlers, OperationCall
from .ports import Ports
from .signatures import Signature, bits_of

__all__ = ["GeometryPorts"]

INSTANCES = 32
VERTICES = 1024  # of a lane


class GeometryPorts(Ports):
    """The input primitives and output streams of a program."""

    def __init__(
        self, b: Builder, inputs: Signature, outputs: Signature, found: DxilGeometry
    ) -> None:
        super().__init__(b, inputs, outputs)
        count = PRIMITIVE_VERTICES.get(found.input_primitive)
        if count is None:
            raise UnsupportedError(f"unknown input primitive {found.input_primitive}")
        self.instances = _within(found.instances, 1, INSTANCES, "instances")
        most = _within(found.max_vertices, 0, VERTICES, "vertices")
        slot = PointsSlot(Direction.INPUT, Rate.VERTEX)
        self.vertices = PointMemory(b, "v", count, inputs.rows, self._primitive, slot)
        for each, row, column in inputs.all():
            add(self.vertices, inputs, each, row, column)
        self.streams = OutputStreams(b, most)
        topology = TOPOLOGIES.get(found.topology, Topology.UNDEFINED)
        for number in range(STREAMS):
            if found.streams >> number & 1:
                self.streams.stream(number).points.topology = topology
        self.held: dict[Port, Var] = {}
        for each, row, column in outputs.all():
            port = outputs.port(each, row, column)
            place, at = outputs.place(each, row, column)
            if isinstance(place, int):
                self.streams.add(each.stream, port, place, at)
                self.held[port] = b.var(port.name, row=port.row)

    def _primitive(self) -> Value:
        lane = self.b.source("item")
        return lane if self.instances == 1 else self.b.udiv(lane, self.instances)

    def declare(self) -> None:
        """Initialise the counters; vertices are not outputs of the kernel."""
        self.streams.prepare()

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.vertices.points, *(each.points for each in self.streams.streams.values())]

    # ------------------------------------------------------------ calls

    def load(self, call: OperationCall) -> Value:
        """Lower LoadInput of a vertex."""
        each = self.inputs.element(call.integer("inputSigId"))
        row, column = call.scalar("rowIndex"), call.integer("colIndex")
        bits = read(self.vertices, self.inputs, each, row, column, call.scalar("gsVertexAxis"))
        return component(self.b, bits, call.type)

    def store(self, call: OperationCall) -> None:
        """Lower StoreOutput: set a variable."""
        each = self.outputs.element(call.integer("outputSigId"))
        column, value = call.integer("colIndex"), call.scalar("value")

        def write(row: int) -> None:
            var = self.held.get(self.outputs.port(each, row, column))
            if var is not None:
                self.b.set(var, bits_of(self.b, value, each))

        row = call.scalar("rowIndex")
        each_of(self.b, row, range(each.rows), write)

    def _stream(self, call: OperationCall) -> OutputStream:
        number = call.integer("streamId")
        found = self.streams.streams.get(number)
        if found is None:
            raise UnsupportedError(f"no such stream: {number}")
        return found

    def emit(self, call: OperationCall) -> None:
        self.streams.emit(self._stream(call), lambda port, byte: self.b.get(self.held[port]))

    def cut(self, call: OperationCall) -> None:
        self.streams.cut(self._stream(call))

    def emit_and_cut(self, call: OperationCall) -> None:
        self.emit(call)
        self.cut(call)

    OPERATIONS: ClassVar[Handlers] = {
        **Ports.OPERATIONS,
        "EmitStream": emit,
        "CutStream": cut,
        "EmitThenCutStream": emit_and_cut,
    }


def add(
    memory: PointMemory, signature: Signature, each: DxilSignatureElement, row: int, column: int
) -> None:
    """Add a component of an element to the ports of points."""
    _, at = signature.place(each, row, column)
    memory.add(signature.port(each, row, column), signature.row(each) + row, at)


def read(
    memory: PointMemory,
    signature: Signature,
    each: DxilSignatureElement,
    row: Value,
    column: int,
    point: Value,
) -> Value:
    """Append a load of a component of an element of a point."""
    return memory.load(*placed(memory.b, signature, each, row, column), fixed(point))


def placed(
    b: Builder, signature: Signature, each: DxilSignatureElement, row: Value, column: int
) -> tuple[Value | int, int]:
    """Return row and component of a component of an element in a memory of points."""
    first, register = signature.row(each), fixed(row)
    if isinstance(register, int):
        register += first
    elif first:
        register = b.iadd(register, first)
    return register, each.start_column + column if each.start_row >= 0 else column


def fixed(value: Value) -> Value | int:
    """Return the number of a constant, or the value."""
    return value.attr if value.op is OPS.const else value


def _within(number: int, least: int, most: int, what: str) -> int:
    if not least <= number <= most:
        raise UnsupportedError(f"expected {least} to {most} {what}, got {number}")
    return number
