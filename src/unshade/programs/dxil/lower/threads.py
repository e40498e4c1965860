"""Lowering of thread groups: their sizes, and a thread's numbers, barriers and discard.

    threadId(i32 93, i32 0)         source "thread_id.x"
    barrier(i32 80, i32 9)          barrier group
    discard(i32 82, i1 %c)          discard
    derivCoarseX(i32 83, float %x)  differences over the quad

Numbers that do not exist for thread groups are inputs of the lane, by their meaning: primitiveID,
sampleIndex.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, DxilConstants.h (BarrierMode and others).
"""

from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.barriers import BarrierOrder, barrier_words
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.library import derivatives
from ....ir.memory import Port
from ....ir.sources import has_quads
from ....ir.specialisation import Specialisation
from ....ir.types import I32
from ....ir.waves import LEAST, MOST
from ....vocab.slots import Direction, port_slot
from ....vocab.words import SystemValue
from ..shaderinfo import DxilEntryPoint
from .calls import Handlers, OperationCall

__all__ = ["Threads", "group_size", "has_quads_of_threads", "wave_size"]

MOST_THREADS = 1024
QUADS_OF_THREADS = 6, 6  # the shader model that defines quads of thread groups
AXES = "xyz"
GROUP = 1  # bit of the mode of a barrier, and of its semantic flags
DEVICE_VIEWS, GROUP_VIEWS, SHARED = 2, 4, 8  # bits of the mode: memory that it orders
VIEW_TYPE, SHARED_TYPE = 1, 2  # bits of the types of memory
DEVICE_SCOPE = 4  # bit of the semantic flags
THREADS = {
    "ThreadId": SystemValue.THREAD_ID,
    "GroupId": SystemValue.THREAD_GROUP_ID,
    "ThreadIdInGroup": SystemValue.THREAD_ID_IN_GROUP,
}
INPUTS = {
    "PrimitiveID": SystemValue.PRIMITIVE_ID,
    "SampleIndex": SystemValue.SAMPLE_INDEX,
    "Coverage": SystemValue.COVERAGE,
    "InnerCoverage": SystemValue.INNER_COVERAGE,
    "ViewID": SystemValue.VIEW_INDEX,
    "GSInstanceID": SystemValue.GS_INSTANCE_ID,
    "StartVertexLocation": SystemValue.BASE_VERTEX,
    "StartInstanceLocation": SystemValue.BASE_INSTANCE,
}


def wave_size(entry: DxilEntryPoint, specialisation: Specialisation) -> int:
    """Return the size that a shader requires or prefers, else the requested size."""
    sizes = entry.properties.wave_size
    if not sizes or not sizes[0]:
        return specialisation.wave_size
    least, most, preferred = (*sizes, 0, 0)[:3]
    if len(sizes) == 1 or not most:
        found = least
    else:
        found = preferred or min(max(specialisation.wave_size, least), most)
    if not LEAST <= found <= MOST or found & (found - 1):
        raise UnsupportedError(f"expected waves of a power of two up to {MOST}, got {found}")
    return found


def has_quads_of_threads(kernel: KernelIR, shader_model: tuple[int, int]) -> bool:
    """Return whether the quads of thread groups are 2 x 2 threads, not four in a row."""
    return kernel.dispatched and shader_model >= QUADS_OF_THREADS and has_quads(kernel.group)


def group_size(threads: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the size of a thread group; UnsupportedError if it is not allowed."""
    x, y, z = (*threads, 1, 1)[:3]
    if not 0 < x * y * z <= MOST_THREADS:
        raise UnsupportedError(f"expected 1 to {MOST_THREADS} threads, got {x} x {y} x {z}")
    return x, y, z


class Threads:
    """Lowering of operations that concern a thread."""

    def __init__(self, builder: Builder) -> None:
        self.b = builder
        self.ports: dict[tuple[SystemValue, int], Port] = {}

    def number(self, call: OperationCall) -> Value:
        """Return a component of the position of a thread."""
        axis = call.integer("component")
        word = THREADS[call.op.name]
        return self.source(call, f"{word}.{AXES[axis]}") if 0 <= axis < 3 else constant(0, I32)

    def source(self, call: OperationCall, name: str) -> Value:
        """Return a number that exists only for threads of a group."""
        if not self.b.kernel.dispatched:
            raise UnsupportedError(f"{call.op.name} cannot be run in this stage")
        return self.b.source(name)

    def port(self, value: SystemValue, component: int = 0, label: str = "") -> Port:
        """Return the input for a built-in."""
        found = self.ports.get((value, component))
        if found is None:
            kernel = self.b.kernel
            slot = port_slot(kernel.stage, Direction.INPUT, value, component)
            name = label or str(value)
            found = self.ports[value, component] = Port(name, I32, value, slot=slot, row=name)
            kernel.inputs.append(found)
        return found

    def input(self, call: OperationCall) -> Value:
        """Return a built-in input; a dispatch has a single view."""
        if self.b.kernel.dispatched:
            return constant(0, I32)
        return self.b.input(self.port(INPUTS[call.op.name], label=call.op.name))

    def barrier(self, mode: int) -> None:
        """Append a barrier; without the bit of the group it only orders accesses."""
        device = bool(mode & DEVICE_VIEWS)
        views = device or bool(mode & GROUP_VIEWS)
        order = BarrierOrder(bool(mode & SHARED), views, views, device)
        self.b.barrier(attr=barrier_words(bool(mode & GROUP), order))

    def barrier_by_type(self, types: int, flags: int) -> None:
        """Append a barrier of Shader Model 6.8, with types of memory and semantic flags."""
        views = bool(types & VIEW_TYPE)
        order = BarrierOrder(bool(types & SHARED_TYPE), views, views, bool(flags & DEVICE_SCOPE))
        self.b.barrier(attr=barrier_words(bool(flags & GROUP), order))

    def helper(self) -> Value:
        return self.b.is_helper()

    def discard(self, condition: Value) -> None:
        self.b.discard(condition)

    OPERATIONS: ClassVar[Handlers] = {
        **dict.fromkeys(THREADS, number),
        **dict.fromkeys(INPUTS, input),
        "FlattenedThreadIdInGroup": lambda self, call: self.source(
            call, str(SystemValue.THREAD_ID_IN_GROUP_FLATTENED)
        ),
        "WaveGetLaneIndex": lambda self, call: self.b.source("wave_lane"),
        "WaveGetLaneCount": lambda self, call: self.b.source("wave_size"),
        "IsHelperLane": lambda self, call: self.helper(),
        "CycleCounterLegacy": lambda self, call: (constant(0, I32), constant(0, I32)),
        "Barrier": lambda self, call: self.barrier(call.integer("barrierMode")),
        "BarrierByMemoryType": lambda self, call: self.barrier_by_type(
            call.integer("MemoryTypeFlags"), call.integer("SemanticFlags")
        ),
        "BarrierByMemoryHandle": lambda self, call: self.barrier_by_type(
            VIEW_TYPE, call.integer("SemanticFlags")
        ),
        "Discard": lambda self, call: self.discard(call.scalar("condition")),
        "DerivCoarseX": lambda self, call: derivatives.coarse(
            self.b, call.scalar("value"), derivatives.X
        ),
        "DerivCoarseY": lambda self, call: derivatives.coarse(
            self.b, call.scalar("value"), derivatives.Y
        ),
        "DerivFineX": lambda self, call: derivatives.fine(
            self.b, call.scalar("value"), derivatives.X
        ),
        "DerivFineY": lambda self, call: derivatives.fine(
            self.b, call.scalar("value"), derivatives.Y
        ),
    }
