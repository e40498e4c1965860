"""Lowering of geometry shaders: their input primitives and output streams.

    dcl_inputprimitive triangle       memory "v": three vertices for each primitive
    dcl_gsinstances 4                 four consecutive lanes for each primitive
    dcl_stream m0, dcl_maxout 6       memory "stream0": room for six vertices for each lane

    emit_stream m0      if fewer than 6 were emitted: store the outputs of the stream as the next
                        vertex, mark the start of a strip, count
    cut_stream m0       the next vertex starts a strip; repeated cuts have no further effect

Outputs are variables until a vertex is emitted, and keep their values (undefined in Direct3D). The
limit applies to the vertices of all streams together; further vertices are discarded. The public
documentation says that the shader ends at the limit; only stores to views could show a difference.

Source: the public documentation of the HLSL assembly instructions; Direct3D 11.3 functional
specification, sections 13 and 22.8 (geometry shader, its instructions and declarations).
"""

from dataclasses import dataclass

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.lowered import Points
from ....ir.memory import Memory, Port, Space, Var
from ....ir.types import I32
from ....vocab.d3d import TOPOLOGIES
from ....vocab.slots import Direction, Exchange, PointsSlot, PortSlot, Rate
from ....vocab.words import Topology
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import GsPrimitive, GsTopology
from .points import PointRegisters, add_port, counted, rows_of
from .ranges import undeclared
from .registers import ROW, Registers

STREAMS = 4
INSTANCES = 32
VERTICES = 1024  # vertices of a lane, which is also the limit of scalars
# Vertices of primitives by number; patches of 1 to 32 control points are 8 to 39.
PRIMITIVES = {1: 1, 2: 2, 3: 3, 6: 4, 7: 6} | {points + 7: points for points in range(1, 33)}
INPUTS = frozenset({OperandType.INPUT})
NAMES = {  # whether an instruction emits, and whether it cuts
    "emit": (True, False), "cut": (False, True), "emit_then_cut": (True, True),
    "emit_stream": (True, False), "cut_stream": (False, True),
    "emit_then_cut_stream": (True, True),
}  # fmt: skip


@dataclass(slots=True)
class Stream:
    """An output stream: its outputs, and the memories of its vertices."""

    points: Points
    memory: Memory
    cuts: Memory
    given: Port
    count: Var
    cut: Var


class GeometryState:
    """The input primitives and output streams of a program."""

    def __init__(self, registers: Registers, instructions: list[Instruction]) -> None:
        self.registers = registers
        self.streams: dict[int, Stream] = {}
        self.most = -1
        self.instances = 1
        vertices = 0
        for each in instructions:
            match each.name:
                case "dcl_inputprimitive":
                    number = GsPrimitive(each.token).primitive
                    if number not in PRIMITIVES:
                        raise UnsupportedError(f"unknown input primitive {number}")
                    vertices = PRIMITIVES[number]
                case "dcl_maxout":
                    self.most = counted(each.words[0], 0, VERTICES, "vertices")
                case "dcl_gsinstances":
                    self.instances = counted(each.words[0], 1, INSTANCES, "instances")
        if not vertices:
            raise UnsupportedError("a geometry shader without dcl_inputprimitive cannot be run")
        if self.most < 0:
            raise UnsupportedError("a geometry shader without dcl_maxout cannot be run")
        rows = rows_of(instructions, INPUTS, ("dcl_input",))
        slot = PointsSlot(Direction.INPUT, Rate.VERTEX)
        self.inputs = PointRegisters(registers, "v", vertices, rows, self._primitive, slot)
        registers.points[OperandType.INPUT] = self.inputs
        registers.held = True
        self._declare(instructions)

    def _primitive(self) -> Value:
        b = self.registers.builder
        lane = b.source("item")
        return lane if self.instances == 1 else b.udiv(lane, self.instances)

    def _declare(self, instructions: list[Instruction]) -> None:
        """Add the outputs of each stream, and the inputs; streams may share a register."""
        at = 0
        for each in instructions:
            if each.name == "dcl_stream":
                at = _number(each.operands[0])
                self._stream(at)
            elif each.name == "dcl_outputtopology":
                number = GsTopology(each.token).topology
                self._stream(at).points.topology = TOPOLOGIES.get(number, Topology.UNDEFINED)
            elif each.name.startswith("dcl_output") and each.operands:
                operand = each.operands[0]
                if operand.type == OperandType.OUTPUT:
                    rows_of([each], frozenset({OperandType.OUTPUT}), ("dcl_output",))
                    self._output(self._stream(at), operand)
            elif each.name.startswith("dcl_input") and each.operands:
                operand = each.operands[0]
                if operand.type == OperandType.INPUT:
                    self.inputs.add(operand, "v")

    def _stream(self, number: int) -> Stream:
        found = self.streams.get(number)
        if found is None:
            b = self.registers.builder
            name = f"stream{number}"
            points = Points(name, self.most, ROW, PointsSlot(Direction.OUTPUT, Rate.VERTEX, number))
            memory = self.registers.new_memory(name, Space.BUFFER, ROW, slot=points.slot)
            cuts = self.registers.new_memory(
                f"{name}.cut", Space.BUFFER, 4, slot=points.cuts, internal=True
            )
            memory.writable = cuts.writable = True
            memory.each = max(self.most, 1)
            slot = PortSlot(Direction.OUTPUT, Rate.VERTEX, Exchange.VERTEX_COUNT, stream=number)
            given = Port(f"{name}.count", I32, slot=slot)
            self.registers.kernel.outputs.append(given)
            count, cut = b.var(f"{name}.count", internal=True), b.var(f"{name}.cut", internal=True)
            found = Stream(points, memory, cuts, given, count, cut)
            self.streams[number] = found
        return found

    def _output(self, stream: Stream, operand: Operand) -> None:
        number = operand.indices[-1].immediate
        add_port(stream.points, operand, "o")
        stride = max(stream.points.stride, ROW * (number + 1))
        stream.points.stride = stream.memory.stride = stride

    # ------------------------------------------------------------ code

    def prepare(self) -> None:
        """Initialise the counters: no vertices, and the first starts a strip."""
        b = self.registers.builder
        for stream in self.streams.values():
            b.set(stream.count, constant(0, I32))
            b.set(stream.cut, constant(1, I32))
            b.output(stream.given, constant(0, I32))

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it does not concern streams."""
        found = NAMES.get(instruction.name)
        if found is None:
            return False
        number = _number(instruction.operands[0]) if instruction.operands else 0
        stream = self.streams.get(number)
        if stream is None:
            raise undeclared(f"stream m{number}")
        emits, cuts = found
        if emits:
            self._emit(stream)
        if cuts:
            self.registers.builder.set(stream.cut, constant(1, I32))
        return True

    def _emit(self, stream: Stream) -> None:
        b = self.registers.builder
        self.registers.calls.spend(len(stream.points.ports))
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
            for byte in stream.points.ports.values():
                value = self.registers.output(byte // ROW, byte % ROW // 4)
                b.store(stream.memory, element, byte, value)
            b.store(stream.cuts, element, 0, b.get(stream.cut))
            b.set(stream.cut, constant(0, I32))
            count = b.iadd(at, 1)
            b.set(stream.count, count)
            b.output(stream.given, count)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.inputs.points, *(each.points for each in self.streams.values())]


def _number(operand: Operand) -> int:
    if operand.type != OperandType.STREAM or not operand.indices:
        raise UnsupportedError(f"expected a stream, got {word(REGISTERS, operand.type)}")
    number = operand.indices[0].immediate
    if number >= STREAMS:
        raise UnsupportedError(f"expected stream m0 to m{STREAMS - 1}, got m{number}")
    return number
