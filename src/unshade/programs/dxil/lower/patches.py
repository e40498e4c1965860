"""Lowering of hull and domain shaders: patches of control points.

    loadInput(…, i32 2)              control point 2: memory "v"; in domain shaders "vicp"
    storeOutput(…)                   in hull shaders a control point of the output: "vocp"
    loadOutputControlPoint(…)        in the patch constant function: memory "vocp"
    storePatchConstant(…)            memory "vpc"; domain shaders load it

A lane of a hull shader is a patch. It executes the function once for each output control point,
then the patch constant function. A lane of a domain shader is a point of a patch, whose number is
the port "patch".

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
sections 10 and 12.
"""

from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.points import Lane, PointMemory
from ....ir.lowered import Points
from ....ir.memory import Port, Var
from ....ir.types import I32
from ....vocab.slots import (
    CONTROL_POINTS_IN,
    CONTROL_POINTS_OUT,
    Direction,
    Exchange,
    PointsSlot,
    PortSlot,
    Rate,
    port_slot,
)
from ....vocab.words import SystemValue
from ..model.values import Function
from ..shaderinfo import DxilDomain, DxilHull
from .buffers import component
from .calls import Handlers, OperationCall
from .flow import Flow
from .geometry import add, placed, read
from .ports import Ports
from .signatures import Signature, bits_of
from .threads import AXES

__all__ = ["DomainPorts", "HullPorts"]

POINTS = 32  # control points of a patch
PATCH = "patch"  # label of a domain shader's input: the number of the lane's patch


def _checked(count: int) -> int:
    if not 0 <= count <= POINTS:
        raise UnsupportedError(f"expected at most {POINTS} control points, got {count}")
    return count


def _memory(
    b: Builder, name: str, count: int, signature: Signature, lane: Lane, slot: PointsSlot
) -> PointMemory:
    """Return the memory of points with the components of a signature."""
    written = slot.direction is Direction.OUTPUT
    made = PointMemory(b, name, count, signature.rows, lane, slot, writable=written)
    for each, row, column in signature.all():
        add(made, signature, each, row, column)
    return made


class PatchPorts(Ports):
    """The ports of a stage that loads control points and values of the patch."""

    taken: PointMemory
    constants: PointMemory
    patch: Signature

    def load(self, call: OperationCall) -> Value:
        """Lower LoadInput of a control point."""
        each = self.inputs.element(call.integer("inputSigId"))
        row, column = call.scalar("rowIndex"), call.integer("colIndex")
        bits = read(self.taken, self.inputs, each, row, column, call.scalar("gsVertexAxis"))
        return component(self.b, bits, call.type)

    def load_constant(self, call: OperationCall) -> Value:
        """Lower LoadPatchConstant."""
        each = self.patch.element(call.integer("inputSigId"))
        place = placed(self.b, self.patch, each, call.scalar("row"), call.integer("col"))
        return component(self.b, self.constants.load(*place, 0), call.type)

    OPERATIONS: ClassVar[Handlers] = {**Ports.OPERATIONS, "LoadPatchConstant": load_constant}


class HullPorts(PatchPorts):
    """The control points and patch constants of a hull shader."""

    def __init__(
        self, b: Builder, inputs: Signature, outputs: Signature, patch: Signature, found: DxilHull
    ) -> None:
        super().__init__(b, inputs, outputs)
        self.patch = patch
        self.count = _checked(found.output_control_points)
        self.taken = _memory(
            b, "v", _checked(found.input_control_points), inputs, self._item, CONTROL_POINTS_IN
        )
        self.given = _memory(b, "vocp", self.count, outputs, self._item, CONTROL_POINTS_OUT)
        slot = PointsSlot(Direction.OUTPUT, Rate.PATCH)
        self.constants = _memory(b, "vpc", 1, patch, self._item, slot)
        self.function = found.patch_constant_function
        self.number: Var = b.var("OutputControlPointID")

    def _item(self) -> Value:
        return self.b.source("item")

    def declare(self) -> None:
        """Declare nothing: control points are not outputs of the kernel."""

    def run(self, flow: Flow, function: Function) -> None:
        """Append the function for each control point, then the patch constant function."""
        b = self.b
        following = b.var("OutputControlPointID.next", internal=True)
        b.set(following, constant(0, I32))
        with b.loop():
            now = b.get(following)
            with b.when(b.ule(constant(self.count, I32), now)):
                b.break_()
            b.set(self.number, now)
            b.set(following, b.iadd(now, 1))
            flow.call(function, ())
        if self.function is not None:
            flow.call(self.function, ())

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.taken.points, self.given.points, self.constants.points]

    # ------------------------------------------------------------ calls

    def store(self, call: OperationCall) -> None:
        """Lower StoreOutput of the control point."""
        each = self.outputs.element(call.integer("outputSigId"))
        place = placed(
            self.b, self.outputs, each, call.scalar("rowIndex"), call.integer("colIndex")
        )
        value = bits_of(self.b, call.scalar("value"), each)
        self.given.store(*place, self.b.get(self.number), value, exists=True)

    def load_output(self, call: OperationCall) -> Value:
        """Lower LoadOutputControlPoint."""
        each = self.outputs.element(call.integer("inputSigId"))
        row, column = call.scalar("row"), call.integer("col")
        bits = read(self.given, self.outputs, each, row, column, call.scalar("index"))
        return component(self.b, bits, call.type)

    def store_constant(self, call: OperationCall) -> None:
        """Lower StorePatchConstant."""
        each = self.patch.element(call.integer("outputSigID"))
        place = placed(self.b, self.patch, each, call.scalar("row"), call.integer("col"))
        value = bits_of(self.b, call.scalar("value"), each)
        self.constants.store(*place, 0, value)

    OPERATIONS: ClassVar[Handlers] = {
        **PatchPorts.OPERATIONS,
        "LoadOutputControlPoint": load_output,
        "StorePatchConstant": store_constant,
        "OutputControlPointID": lambda self, call: self.b.get(self.number),
    }


class DomainPorts(PatchPorts):
    """The inputs of a domain shader; outputs are as in a vertex shader."""

    def __init__(
        self, b: Builder, inputs: Signature, outputs: Signature, patch: Signature, found: DxilDomain
    ) -> None:
        super().__init__(b, inputs, outputs)
        self.patch = patch
        slot = PortSlot(Direction.INPUT, Rate.PATCH, Exchange.PATCH)
        self.lane = Port(PATCH, I32, slot=slot)
        b.kernel.inputs.append(self.lane)
        count = _checked(found.input_control_points)
        self.taken = _memory(b, "vicp", count, inputs, self._patch, CONTROL_POINTS_IN)
        slot_of_patch = PointsSlot(Direction.INPUT, Rate.PATCH)
        self.constants = _memory(b, "vpc", 1, patch, self._patch, slot_of_patch)
        self.location: dict[int, Port] = {}

    def _patch(self) -> Value:
        return self.b.input(self.lane)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.taken.points, self.constants.points]

    def domain_location(self, call: OperationCall) -> Value:
        """Lower DomainLocation: a component of the point in the patch."""
        at = call.integer("component")
        port = self.location.get(at)
        if port is None:
            if not 0 <= at < len(AXES):
                raise UnsupportedError(
                    f"DomainLocation: expected component 0 to {len(AXES) - 1}, got {at}"
                )
            kernel = self.b.kernel
            value = SystemValue.DOMAIN_LOCATION
            slot = port_slot(kernel.stage, Direction.INPUT, value, at)
            label = "SV_DomainLocation"
            name = f"{label}.{AXES[at]}"
            port = self.location[at] = Port(name, I32, value, slot=slot, row=label)
            kernel.inputs.append(port)
        return component(self.b, self.b.input(port), call.type)

    OPERATIONS: ClassVar[Handlers] = {
        **PatchPorts.OPERATIONS,
        "DomainLocation": domain_location,
    }
