"""Lowering of mesh and amplification shaders, whose lanes are threads of groups.

    setMeshOutputCounts(i32 168, i32 4, i32 2)    the numbers of vertices and primitives
    storeVertexOutput(…, i32 %v)                  memory "vertices": vertex %v of the group
    emitIndices(i32 169, i32 %p, 0, 1, 2)         memory "primitives": the vertices of a primitive
    getMeshPayload()                              memory "payload", which is bound: one element
    dispatchMesh(i32 173, x, y, z, payload)       memories "payload" and "groups": what a group of
                                                  an amplification shader launches

The first thread of a group stores the values that are the same for all its threads.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst; the public specification of mesh shaders.
"""

from typing import ClassVar

from ....dataclass import replace
from ....ir.builder import Builder
from ....ir.kernel import Value
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
from ....ir.library.points import PointMemory
from ....ir.lowered import LoweredResource, Points
from ....ir.memory import Memory, Port
from ....ir.types import I32
from ....vocab.dxil import MESH_TOPOLOGIES
from ....vocab.slots import (
    Direction,
    PointsSlot,
    PortSlot,
    Rate,
)
from ....vocab.words import SystemValue, Topology
from ..model.types import PointerType
from ..shaderinfo import DxilMesh
from .calls import Handlers, OperationCall
from .geometry import add, fixed, placed
from .memories import pointer_to
from .pointers import Pointers
from .ports import Ports
from .signatures import Signature, bits_of
from .values import PointerValue

__all__ = ["AmplificationPorts", "MeshPorts"]


class GroupPorts(Ports):
    """The groups and the payload of mesh and amplification shaders."""

    def __init__(
        self, b: Builder, inputs: Signature, outputs: Signature, found: DxilMesh, values: Pointers
    ) -> None:
        super().__init__(b, inputs, outputs)
        self.pointers = values
        self.size = payload_bytes(found.payload_size)

    def declare(self) -> None:
        """Declare nothing: outputs of a group are not outputs of its threads."""

    def group(self) -> Value:
        """Return the number of the group."""
        return group_number(self.b)


class MeshPorts(GroupPorts):
    """The vertices and primitives of a mesh shader."""

    def __init__(
        self,
        b: Builder,
        outputs: Signature,
        primitives: Signature,
        found: DxilMesh,
        values: Pointers,
    ) -> None:
        super().__init__(b, outputs, outputs, found, values)
        self.signature = primitives
        within_group(found.max_vertices, found.max_primitives)
        topology = MESH_TOPOLOGIES.get(found.topology, Topology.UNDEFINED)
        self.corners = 2 if topology is Topology.LINELIST else 3
        self.vertices = self._memory("vertices", found.max_vertices, outputs, Rate.VERTEX, 0)
        self.primitives = self._memory(
            "primitives", found.max_primitives, primitives, Rate.PRIMITIVE, 1
        )
        self.primitives.points.topology = topology
        self.row = primitives.rows
        for at in range(self.corners):
            slot = PortSlot(Direction.OUTPUT, Rate.PRIMITIVE, SystemValue.PRIMITIVE_INDICES, at)
            port = Port(f"indices.{'xyz'[at]}", I32, slot=slot, row="indices")
            self.primitives.add(port, self.row, at)
        self.counts = [count_memory(b, each.points) for each in (self.vertices, self.primitives)]
        self.payload: tuple[Memory, LoweredResource] | None = None

    def _memory(
        self, name: str, count: int, signature: Signature, rate: Rate, more: int
    ) -> PointMemory:
        slot = PointsSlot(Direction.OUTPUT, rate)
        rows = signature.rows + more
        made = PointMemory(self.b, name, count, rows, self.group, slot, writable=True)
        for each, row, column in signature.all():
            add(made, signature, each, row, column)
        return made

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.vertices.points, self.primitives.points]

    def resources(self) -> list[LoweredResource]:
        """Return the bindings other than resources: the payload, if it is read."""
        return [] if self.payload is None else [self.payload[1]]

    # ------------------------------------------------------------ calls

    def set_counts(self, call: OperationCall) -> None:
        """Lower SetMeshOutputCounts."""
        store_counts(self.b, self.counts, call.scalars("numVertices", "numPrimitives"))

    def emit(self, call: OperationCall) -> None:
        """Lower EmitIndices."""
        point = fixed(call.scalar("PrimitiveIndex"))
        for at in range(self.corners):
            self.primitives.store(self.row, at, point, call.scalar(f"VertexIndex{at}"))

    def store_vertex(self, call: OperationCall) -> None:
        """Lower StoreVertexOutput."""
        self._store(self.vertices, self.outputs, call, "vertexIndex")

    def store_primitive(self, call: OperationCall) -> None:
        """Lower StorePrimitiveOutput."""
        self._store(self.primitives, self.signature, call, "primitiveIndex")

    def _store(
        self, memory: PointMemory, signature: Signature, call: OperationCall, point: str
    ) -> None:
        each = signature.element(call.integer("outputSigId"))
        row, at = placed(self.b, signature, each, call.scalar("rowIndex"), call.integer("colIndex"))
        value = bits_of(self.b, call.scalar("value"), each)
        memory.store(row, at, fixed(call.scalar(point)), value)

    def load_payload(self, call: OperationCall) -> PointerValue:
        """Lower GetMeshPayload: a pointer to the payload, the only element of its memory."""
        if self.payload is None:
            self.payload = bound_payload(self.b, self.size)
        return pointer_to(self.payload[0])

    OPERATIONS: ClassVar[Handlers] = {
        "SetMeshOutputCounts": set_counts,
        "EmitIndices": emit,
        "StoreVertexOutput": store_vertex,
        "StorePrimitiveOutput": store_primitive,
        "GetMeshPayload": load_payload,
    }


class AmplificationPorts(GroupPorts):
    """The payloads and dispatches of an amplification shader."""

    def __init__(self, b: Builder, outputs: Signature, found: DxilMesh, values: Pointers) -> None:
        super().__init__(b, outputs, outputs, found, values)
        self.launches = Launches(b, self.size)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return self.launches.points()

    def launch(self, call: OperationCall) -> None:
        """Lower DispatchMesh."""
        b = self.b
        source = self.pointers.place(call["payload"])
        type = call["payload"].type
        assert isinstance(type, PointerType)
        numbers = call.scalars(*(f"threadGroupCount{axis}" for axis in "XYZ"))
        with b.when(first_thread(b)):
            group = self.group()
            target = replace(pointer_to(self.launches.payload), element=group)
            self.pointers.copy(source, target, type.pointee)
            self.launches.store(group, numbers)

    OPERATIONS: ClassVar[Handlers] = {"DispatchMesh": launch}
