"""Lowering of geometry shaders: their input primitives and output streams.

    dcl_inputprimitive triangle       memory "v": three vertices for each primitive
    dcl_gsinstances 4                 four consecutive lanes for each primitive
    dcl_stream m0, dcl_maxout 6       memory "stream0": room for six vertices for each lane

    emit_stream m0      store the outputs of the stream as the next vertex (ir.library.streams)
    cut_stream m0       the next vertex starts a strip

Outputs are variables until a vertex is emitted, and keep their values (undefined in Direct3D).

Source: the public documentation of the HLSL assembly instructions; Direct3D 11.3 functional
specification, sections 13 and 22.8 (geometry shader, its instructions and declarations).
"""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library.streams import OutputStreams
from ....ir.lowered import Points
from ....ir.memory import Port
from ....vocab.d3d import PRIMITIVE_VERTICES, TOPOLOGIES
from ....vocab.slots import STREAMS, Direction, PointsSlot, Rate
from ....vocab.words import Topology
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import GsPrimitive, GsTopology
from .points import PointRegisters, counted, ports_of, rows_of
from .ranges import undeclared
from .registers import ROW, Registers

INSTANCES = 32
VERTICES = 1024  # vertices of a lane, which is also the limit of scalars
INPUTS = frozenset({OperandType.INPUT})
NAMES = {  # whether an instruction emits, and whether it cuts
    "emit": (True, False), "cut": (False, True), "emit_then_cut": (True, True),
    "emit_stream": (True, False), "cut_stream": (False, True),
    "emit_then_cut_stream": (True, True),
}  # fmt: skip


class GeometryState:
    """The input primitives and output streams of a program."""

    def __init__(self, registers: Registers, instructions: Sequence[Instruction]) -> None:
        self.registers = registers
        most = -1
        self.instances = 1
        vertices = 0
        for each in instructions:
            match each.name:
                case "dcl_inputprimitive":
                    number = GsPrimitive(each.token).primitive
                    if number not in PRIMITIVE_VERTICES:
                        raise UnsupportedError(f"unknown input primitive {number}")
                    vertices = PRIMITIVE_VERTICES[number]
                case "dcl_maxout":
                    most = counted(each.words[0], 0, VERTICES, "vertices")
                case "dcl_gsinstances":
                    self.instances = counted(each.words[0], 1, INSTANCES, "instances")
        if not vertices:
            raise UnsupportedError("a geometry shader without dcl_inputprimitive cannot be run")
        if most < 0:
            raise UnsupportedError("a geometry shader without dcl_maxout cannot be run")
        self.streams = OutputStreams(registers.builder, most)
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

    def _declare(self, instructions: Sequence[Instruction]) -> None:
        """Add the outputs of each stream, and the inputs; streams may share a register.

        Outputs belong to the stream that is declared before them. vkd3d declares all streams first,
        behind their topology: it then holds for all of them, and each has all of the outputs.
        """
        at, last = [0], ""
        declared: set[tuple[int, int, int]] = set()
        topology = Topology.UNDEFINED
        for each in instructions:
            if each.name == "dcl_stream":
                number = _number(each.operands[0])
                at = [*at, number] if last == "dcl_stream" else [number]
                if topology is not Topology.UNDEFINED:
                    self.streams.stream(number).points.topology = topology
                self.streams.stream(number)
            elif each.name == "dcl_outputtopology":
                found = TOPOLOGIES.get(GsTopology(each.token).topology, Topology.UNDEFINED)
                topology = Topology.UNDEFINED if self.streams.streams else found
                for stream in at:
                    self.streams.stream(stream).points.topology = found
            elif each.name.startswith("dcl_output") and each.operands:
                operand = each.operands[0]
                if operand.type == OperandType.OUTPUT:
                    rows_of([each], frozenset({OperandType.OUTPUT}), ("dcl_output",))
                    for stream in at:
                        self._output(stream, operand, declared)
            elif each.name.startswith("dcl_input") and each.operands:
                operand = each.operands[0]
                if operand.type == OperandType.INPUT:
                    self.inputs.declare(operand, "v")
            last = each.name

    def _output(self, number: int, operand: Operand, declared: set[tuple[int, int, int]]) -> None:
        """Add the components of an output that the stream does not have."""
        stream = self.streams.stream(number)
        row = operand.indices[-1].immediate
        for port, at in ports_of(stream.points, operand, "o"):
            if (number, row, at) not in declared:
                declared.add((number, row, at))
                self.streams.add(number, port, row, at)

    # ------------------------------------------------------------ code

    def prepare(self) -> None:
        """Initialise the counters."""
        self.streams.prepare()

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it does not concern streams."""
        found = NAMES.get(instruction.name)
        if found is None:
            return False
        number = _number(instruction.operands[0]) if instruction.operands else 0
        stream = self.streams.streams.get(number)
        if stream is None:
            raise undeclared(f"stream m{number}")
        emits, cuts = found
        if emits:
            self.registers.calls.spend(len(stream.points.ports))
            self.streams.emit(stream, self._value)
        if cuts:
            self.streams.cut(stream)
        return True

    def _value(self, port: Port, byte: int) -> Value:
        return self.registers.output(byte // ROW, byte % ROW // 4)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.inputs.points, *(each.points for each in self.streams.streams.values())]


def _number(operand: Operand) -> int:
    if operand.type != OperandType.STREAM or not operand.indices:
        raise UnsupportedError(f"expected a stream, got {word(REGISTERS, operand.type)}")
    number = operand.indices[0].immediate
    if number >= STREAMS:
        raise UnsupportedError(f"expected stream m0 to m{STREAMS - 1}, got m{number}")
    return number
