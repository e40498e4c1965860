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
from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.points import PointMemory
from ....ir.lowered import Form, LoweredResource, Points
from ....ir.memory import Memory, Port, Space
from ....ir.types import I32
from ....vocab.dxil import MESH_TOPOLOGIES
from ....vocab.slots import (
    Direction,
    Exchange,
    PointsSlot,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
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

MOST = 256  # vertices or primitives of a group
LARGEST = 1 << 14  # bytes of a payload
PAYLOAD, GROUPS = "payload", "groups"
PAYLOAD_SLOT = ResourceSlot(ResourceClass.PAYLOAD, 0)


class GroupPorts(Ports):
    """The groups and the payload of mesh and amplification shaders."""

    def __init__(
        self, b: Builder, inputs: Signature, outputs: Signature, found: DxilMesh, values: Pointers
    ) -> None:
        super().__init__(b, inputs, outputs)
        self.pointers = values
        if found.payload_size > LARGEST:
            raise UnsupportedError(
                f"expected a payload of at most {LARGEST} bytes, got {found.payload_size}"
            )
        self.size = max(found.payload_size + 3 & ~3, 4)

    def declare(self) -> None:
        """Declare nothing: outputs of a group are not outputs of its threads."""

    def group(self) -> Value:
        """Return the number of the group: by x, then y, then z."""
        b = self.b
        x, y, z = (b.source(f"{SystemValue.THREAD_GROUP_ID}.{axis}") for axis in "xyz")
        width, height = (b.source(f"group_count.{axis}") for axis in "xy")
        return b.iadd(b.imul(b.iadd(b.imul(z, height), y), width), x)

    def is_first(self) -> Value:
        """Return whether the thread is the first of its group."""
        lane = self.b.source(str(SystemValue.THREAD_ID_IN_GROUP_FLATTENED))
        return self.b.ieq(lane, 0)


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
        if max(found.max_vertices, found.max_primitives) > MOST:
            raise UnsupportedError(f"expected at most {MOST} vertices and primitives of a group")
        topology = MESH_TOPOLOGIES.get(found.topology, Topology.UNDEFINED)
        self.corners = 2 if topology is Topology.LINELIST else 3
        self.vertices = self._memory("vertices", found.max_vertices, outputs, Rate.VERTEX, 0)
        self.primitives = self._memory(
            "primitives", found.max_primitives, primitives, Rate.PRIMITIVE, 1
        )
        self.primitives.points.topology = topology
        self.row = primitives.rows
        for at in range(self.corners):
            slot = PortSlot(Direction.OUTPUT, Rate.PRIMITIVE, Exchange.INDICES, at)
            port = Port(f"indices.{'xyz'[at]}", I32, slot=slot, row="indices")
            self.primitives.add(port, self.row, at)
        self.counts = [self._count(each) for each in (self.vertices, self.primitives)]
        self.payload: Memory | None = None

    def _memory(
        self, name: str, count: int, signature: Signature, rate: Rate, more: int
    ) -> PointMemory:
        slot = PointsSlot(Direction.OUTPUT, rate)
        rows = signature.rows + more
        made = PointMemory(self.b, name, count, rows, self.group, slot, writable=True)
        for each, row, column in signature.all():
            add(made, signature, each, row, column)
        return made

    def _count(self, points: PointMemory) -> Memory:
        slot = points.points.counts
        name = f"{points.points.name}.count"
        return self.b.memory(name, Space.BUFFER, 4, writable=True, slot=slot, internal=True)

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [self.vertices.points, self.primitives.points]

    def resources(self) -> list[LoweredResource]:
        """Return the bindings other than resources: the payload, if it is read."""
        if self.payload is None:
            return []
        return [LoweredResource(PAYLOAD, Form.STRUCTURED, self.size, slot=PAYLOAD_SLOT)]

    # ------------------------------------------------------------ calls

    def set_counts(self, call: OperationCall) -> None:
        """Lower SetMeshOutputCounts."""
        b = self.b
        numbers = call.scalars("numVertices", "numPrimitives")
        with b.when(self.is_first()):
            for memory, number in zip(self.counts, numbers, strict=True):
                b.store(memory, self.group(), 0, number)

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
            self.payload = self.b.memory(PAYLOAD, Space.BUFFER, self.size, slot=PAYLOAD_SLOT)
        return pointer_to(self.payload)

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
        self.launched = [
            self._memory(name, size, number)
            for number, (name, size) in enumerate(((PAYLOAD, self.size), (GROUPS, 12)))
        ]

    def _memory(self, name: str, size: int, number: int) -> tuple[Points, Memory]:
        slot = PointsSlot(Direction.OUTPUT, Rate.GROUP, number)
        memory = self.b.memory(name, Space.BUFFER, size, writable=True, slot=slot)
        return Points(name, 1, size, slot), memory

    def points(self) -> list[Points]:
        """Return all points of the shader."""
        return [points for points, _ in self.launched]

    def launch(self, call: OperationCall) -> None:
        """Lower DispatchMesh."""
        b = self.b
        (_, payload), (_, groups) = self.launched
        source = self.pointers.place(call["payload"])
        type = call["payload"].type
        assert isinstance(type, PointerType)
        numbers = call.scalars(*(f"threadGroupCount{axis}" for axis in "XYZ"))
        with b.when(self.is_first()):
            group = self.group()
            target = replace(pointer_to(payload), element=group)
            self.pointers.copy(source, target, type.pointee)
            for at, number in enumerate(numbers):
                b.store(groups, group, 4 * at, number)

    OPERATIONS: ClassVar[Handlers] = {"DispatchMesh": launch}
