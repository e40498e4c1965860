"""Lowering of inputs and outputs of vertices and pixels.

    loadInput(i32 4, i32 1, i32 %row, i8 2, undef)    element 1: input v3.z; one of several rows
    storeOutput(i32 5, i32 0, i32 0, i8 0, float %x)  output o0.x
    evalSnapped(i32 87, i32 1, i32 0, i8 0, 4, -2)    v1.x at 4/16 of a pixel right, 2/16 up of the
                                                      centre

Offsets are from the centre of the pixel, wherever the input itself is evaluated, and values are
exact (ir.library.pixel_places).

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
sections 22.4.23 to 22.4.25.
"""

from collections.abc import Sequence
from typing import ClassVar

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import pixel_places, sample_positions
from ....ir.lowered import LoweredResource, Points
from ....ir.memory import Port
from ....ir.ops import OPS
from ....ir.transforms.dynamic_indexing import each_of, one_of
from ....ir.types import I32
from ..shaderinfo import DxilSignatureElement
from .buffers import component
from .calls import Handlers, OperationCall
from .signatures import Signature, bits_of

__all__ = ["Ports"]

CORNERS = 3


class Ports:
    """Inputs and outputs that are ports of the kernel.

    `instances` is the number of consecutive lanes that share a primitive.
    """

    instances = 1

    def __init__(self, b: Builder, inputs: Signature, outputs: Signature) -> None:
        self.b = b
        self.inputs = inputs
        self.outputs = outputs

    def declare(self) -> None:
        """Add all outputs to the kernel, in the order of the signature."""
        for each, row, column in self.outputs.all():
            self.outputs.port(each, row, column)
        self.b.kernel.outputs += self.outputs.ports.values()

    def points(self) -> list[Points]:
        """Return the inputs and outputs that occur several times per lane."""
        return []

    def resources(self) -> list[LoweredResource]:
        """Return the bindings other than resources."""
        return []

    def _input(self, each: DxilSignatureElement, row: int, column: int) -> Port:
        port = self.inputs.port(each, row, column)
        if port not in self.b.kernel.inputs:
            self.b.kernel.inputs.append(port)
        return port

    # ------------------------------------------------------------ inputs and outputs

    def load(self, call: OperationCall) -> Value:
        """Lower LoadInput."""
        each = self.inputs.element(call.integer("inputSigId"))
        column, row = call.integer("colIndex"), call.scalar("rowIndex")
        return component(self.b, self._read(each, row, column), call.type)

    def _read(self, each: DxilSignatureElement, row: Value, column: int) -> Value:
        """Return the bits of a component."""
        b = self.b
        if row.op is OPS.const:
            return b.input(self._input(each, row.attr, column))
        rows, zero = range(each.rows), constant(0, I32)
        return one_of(b, row, rows, lambda at: b.input(self._input(each, at, column)), zero)

    def at_vertex(self, call: OperationCall) -> Value:
        """Lower AttributeAtVertex: a separate input for each vertex; 0 beyond the last vertex."""
        b = self.b
        each = self.inputs.element(call.integer("inputSigId"))
        column, vertex = call.integer("inputColIndex"), call.integer("VertexID")
        if not 0 <= vertex < CORNERS:
            return constant(0, call.type)

        def read(row: int) -> Value:
            port = self.inputs.at_vertex(each, row, column, vertex)
            if port not in b.kernel.inputs:
                b.kernel.inputs.append(port)
            return b.input(port)

        row = call.scalar("inputRowIndex")
        if row.op is OPS.const:
            bits = read(row.attr)
        else:
            bits = one_of(b, row, range(each.rows), read, constant(0, I32))
        return component(b, bits, call.type)

    def store(self, call: OperationCall) -> None:
        """Lower StoreOutput."""
        each = self.outputs.element(call.integer("outputSigId"))
        column, value = call.integer("colIndex"), call.scalar("value")

        def write(row: int) -> None:
            port = self.outputs.port(each, row, column)
            self.b.output(port, bits_of(self.b, value, each))

        row = call.scalar("rowIndex")
        if row.op is OPS.const:
            write(row.attr)
        else:
            each_of(self.b, row, range(each.rows), write)

    # ------------------------------------------------------------ positions in a pixel

    def _moved(self, call: OperationCall, offset: Sequence[Value]) -> Value:
        """Append an input at an offset in pixels from the centre."""
        b = self.b
        each = self.inputs.element(call.integer("inputSigId"))
        row, column = call.scalar("inputRowIndex"), call.integer("inputColIndex")

        def make(at: int) -> Value:
            found = pixel_places.evaluated(b, self._input(each, at, column))
            return b.asint(pixel_places.moved(b, found, offset))

        if row.op is OPS.const:
            found = make(row.attr)
        else:
            found = one_of(b, row, range(each.rows), make, constant(0, I32))
        return component(b, found, call.type)

    def snapped(self, call: OperationCall) -> Value:
        """Lower EvalSnapped, whose offsets have four bits."""
        given = call.scalars("offsetX", "offsetY")
        return self._moved(call, [pixel_places.snapped(self.b, each) for each in given])

    def at_sample(self, call: OperationCall) -> Value:
        """Lower EvalSampleIndex; a sample that does not exist is at the centre."""
        return self._moved(call, sample_positions.offset(self.b, call.scalar("sampleIndex")))

    OPERATIONS: ClassVar[Handlers] = {
        "LoadInput": lambda self, call: self.load(call),
        "StoreOutput": lambda self, call: self.store(call),
        "AttributeAtVertex": lambda self, call: self.at_vertex(call),
        "EvalSnapped": snapped,
        "EvalSampleIndex": at_sample,
        "EvalCentroid": lambda self, call: self._moved(call, pixel_places.centroid(self.b)),
    }
