"""Output streams of geometry shaders: vertices in memories, with room for the most of a lane.

    emit      if fewer than `most` were emitted: store the outputs of the stream as the next vertex,
              mark the start of a strip, count
    cut       the next vertex starts a strip; repeated cuts have no further effect

The limit applies to the vertices of all streams together; further vertices are discarded. According
to the public documentation, the shader ends at the limit; only stores to views could show a
difference.
"""

from collections.abc import Callable

from ...dataclass import dataclass
from ...vocab.slots import Direction, Exchange, PointsSlot, PortSlot, Rate
from ..builder import Builder, constant
from ..kernel import Value
from ..lowered import Points
from ..memory import Memory, Port, Space, Var
from ..types import I32
from .points import ROW

__all__ = ["OutputStream", "OutputStreams"]


@dataclass(slots=True)
class OutputStream:
    """An output stream: its outputs, and the memories of its vertices."""

    points: Points
    memory: Memory
    cuts: Memory
    given: Port
    count: Var
    cut: Var


class OutputStreams:
    """The streams of a shader that emits at most `most` vertices a lane."""

    def __init__(self, b: Builder, most: int) -> None:
        self.b = b
        self.most = most
        self.streams: dict[int, OutputStream] = {}

    def stream(self, number: int) -> OutputStream:
        """Return a stream, which is declared once."""
        found = self.streams.get(number)
        if found is None:
            b = self.b
            name = f"stream{number}"
            points = Points(name, self.most, ROW, PointsSlot(Direction.OUTPUT, Rate.VERTEX, number))
            memory = b.memory(name, Space.BUFFER, ROW, writable=True, slot=points.slot)
            cuts = b.memory(
                f"{name}.cut", Space.BUFFER, 4, writable=True, slot=points.cuts, internal=True
            )
            memory.each = max(self.most, 1)
            slot = PortSlot(Direction.OUTPUT, Rate.VERTEX, Exchange.VERTEX_COUNT, stream=number)
            given = Port(f"{name}.count", I32, slot=slot)
            b.kernel.outputs.append(given)
            count, cut = b.var(f"{name}.count", internal=True), b.var(f"{name}.cut", internal=True)
            found = OutputStream(points, memory, cuts, given, count, cut)
            self.streams[number] = found
        return found

    def add(self, number: int, port: Port, row: int, component: int) -> None:
        """Add a component to the outputs of a stream."""
        stream = self.stream(number)
        if all(each.slot != port.slot for each in stream.points.ports):
            stream.points.ports[port] = ROW * row + 4 * component
        rows = -(-(ROW * row + 4 * component + port.type.size) // ROW)
        stride = max(stream.points.stride, ROW * rows)
        stream.points.stride = stream.memory.stride = stride

    def prepare(self) -> None:
        """Initialise the counters: no vertices, and the first starts a strip."""
        b = self.b
        for stream in self.streams.values():
            b.set(stream.count, constant(0, I32))
            b.set(stream.cut, constant(1, I32))
            b.output(stream.given, constant(0, I32))

    def emit(self, stream: OutputStream, read: Callable[[Port, int], Value]) -> None:
        """Append a vertex; `read` returns the bits of an output, by its port and byte."""
        b = self.b
        at = b.get(stream.count)
        total = at
        for each in self.streams.values():
            if each is not stream:
                total = b.iadd(total, b.get(each.count))
        with b.when(b.ult(total, self.most)):
            line, b.line = b.line, 0
            first = b.imul(b.source("item"), max(self.most, 1))
            b.line = line
            element = b.iadd(first, at)
            for port, byte in stream.points.ports.items():
                b.store(stream.memory, element, byte, read(port, byte))
            b.store(stream.cuts, element, 0, b.get(stream.cut))
            b.set(stream.cut, constant(0, I32))
            count = b.iadd(at, 1)
            b.set(stream.count, count)
            b.output(stream.given, count)

    def cut(self, stream: OutputStream) -> None:
        """Append a cut."""
        self.b.set(stream.cut, constant(1, I32))
