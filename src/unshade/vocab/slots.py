"""Slots: typed identifiers of the inputs, outputs and resources of a program.

    v1.z of a pixel shader          PortSlot(INPUT, PIXEL, 1, component=2)
    its oDepth                      PortSlot(OUTPUT, PIXEL, SystemValue.DEPTH)
    o0.x on stream 2                PortSlot(OUTPUT, VERTEX, 0, stream=2)
    v1.z's change along x           PortSlot(INPUT, PIXEL, 1, component=2, part=SLOPE_X)
    t3 in space 1                   ResourceSlot(READ, 3, space=1)
    set 0, binding 1, element 4     ResourceSlot(READ, 1, element=4)
    control points of a patch       PointsSlot(INPUT, CONTROL_POINT)

Descriptions of a program are joined by slots: its reflection, its lowered code, and consecutive
stages. Equal slots are the same location. The name that a format has for a location is a label,
which is shown and by which users bind; it is not part of the slot.

Slots are tuples, which take less time to import and to look up than dataclasses. Slots of different
classes differ in length or in their first fields, so that they are never equal.
"""

from enum import auto
from typing import TypeAlias

from ..enums import StrEnum
from ..tuples import NamedTuple
from .words import Stage, SystemValue

__all__ = [
    "CLASS_BINDINGS",
    "COUNTER_BINDINGS",
    "FIRST_BINDINGS",
    "REGISTER_LETTERS",
    "STREAMS",
    "WHOLE_NUMBERS",
    "Direction",
    "Exchange",
    "MemoryPart",
    "MemorySlot",
    "Place",
    "PointsSlot",
    "PortPart",
    "PortSlot",
    "Rate",
    "ResourceClass",
    "ResourceSlot",
    "port_slot",
]


class Direction(StrEnum):
    """Direction of a slot, seen from the program."""

    INPUT = auto()
    OUTPUT = auto()


class Rate(StrEnum):
    """Rate of an input or output: the element that each value belongs to."""

    VERTEX = auto()
    CONTROL_POINT = auto()
    PATCH = auto()
    PRIMITIVE = auto()
    PIXEL = auto()
    SAMPLE = auto()
    THREAD = auto()
    GROUP = auto()  # of threads


STREAMS = 4  # of a geometry shader


class ResourceClass(StrEnum):
    """Class of a resource binding; numbers are unique per class and space."""

    CONSTANTS = auto()  # Direct3D: b; Vulkan: uniform buffer
    READ = auto()  # Direct3D: t
    WRITE = auto()  # Direct3D: u
    SAMPLER = auto()  # Direct3D: s
    COMBINED_SAMPLER = auto()  # a texture with its sampler
    PUSH = auto()  # push constants, root constants
    REGISTER_BANK = auto()  # constants in registers, such as c0 of the PICA200
    HEAP = auto()  # descriptors that a program selects itself
    CHILD = auto()  # another program, as in SkSL
    PAYLOAD = auto()  # what an amplification shader hands to the mesh shaders that it launches


# The letters of the registers of HLSL, and the first binding of each in a module for Vulkan. If all
# began at binding 0, b0, t0, u0 and s0 would be one descriptor.
REGISTER_LETTERS = {
    ResourceClass.CONSTANTS: "b", ResourceClass.READ: "t", ResourceClass.WRITE: "u",
    ResourceClass.SAMPLER: "s",
}  # fmt: skip
FIRST_BINDINGS = {"b": 0, "t": 100, "u": 200, "s": 300}
CLASS_BINDINGS = {kind: FIRST_BINDINGS[letter] for kind, letter in REGISTER_LETTERS.items()}
COUNTER_BINDINGS = 400  # of the hidden counter of u0


class MemoryPart(StrEnum):
    """The role of a memory of a resource, or of vertices and primitives."""

    DATA = auto()
    SHAPE = auto()  # size of a texture, level by level
    COUNTER = auto()  # hidden counter of a structured view
    CUTS = auto()  # per vertex of a stream: 1 if a strip begins
    COUNT = auto()  # number of vertices or primitives that a thread group outputs


class PortPart(StrEnum):
    """The role of a value of a pixel's input: the input, or a term for evaluating it elsewhere."""

    VALUE = auto()
    CENTRE = auto()  # at the centre of the pixel, wherever the input is declared
    SLOPE_X = auto()  # its exact derivative along x at the centre, for a pixel
    SLOPE_Y = auto()


class Exchange(StrEnum):
    """Values that a kernel exchanges with its caller besides the program's inputs and outputs."""

    COVERED = auto()  # output: 1 where a pixel was not discarded
    VERTEX_COUNT = auto()  # output: vertices written to a stream
    PRIMITIVE = auto()  # input: the number of the lane's primitive in the call
    PATCH = auto()  # input: the index of the lane's patch in the memory of control points
    CENTROID = auto()  # input: the place of the centroid, in pixels from the centre
    PERSPECTIVE = auto()  # input: the derivative of 1/w along x or y, divided by 1/w at the centre
    UNDEFINED = auto()  # memory of one word: integer results that the API leaves undefined
    SAMPLE_COUNT = auto()  # memory of one word: samples of a pixel of the target
    PRINTED = auto()  # memory: records of printf (ir/library/printing.py)


# Rates of the inputs and outputs of each stage, VERTEX if absent; patch constants state their own.
RATES: dict[tuple[Stage | str | None, Direction], Rate] = {
    (Stage.HULL, Direction.INPUT): Rate.CONTROL_POINT,
    (Stage.HULL, Direction.OUTPUT): Rate.CONTROL_POINT,
    (Stage.DOMAIN, Direction.INPUT): Rate.CONTROL_POINT,
    (Stage.PIXEL, Direction.INPUT): Rate.PIXEL,
    (Stage.PIXEL, Direction.OUTPUT): Rate.PIXEL,
    (Stage.COMPUTE, Direction.INPUT): Rate.THREAD,
}
# Built-ins with the same rate in every stage.
OWN_RATES: dict[str, Rate] = {
    SystemValue.PRIMITIVE_ID: Rate.PRIMITIVE,
    SystemValue.PRIMITIVE_INDICES: Rate.PRIMITIVE,
    SystemValue.GS_INSTANCE_ID: Rate.PRIMITIVE,
    SystemValue.FORK_INSTANCE_ID: Rate.PATCH,
    SystemValue.JOIN_INSTANCE_ID: Rate.PATCH,
    SystemValue.DOMAIN_LOCATION: Rate.VERTEX,
}

# A location (a register of the interface), or the meaning of a built-in.
Place: TypeAlias = int | SystemValue | Exchange | str
# Places of whole numbers, which are no floats where no signature says what they are.
WHOLE_NUMBERS: frozenset[Place] = frozenset({
    SystemValue.PRIMITIVE_ID, SystemValue.VERTEX_ID, SystemValue.INSTANCE_ID,
    SystemValue.BASE_VERTEX, SystemValue.BASE_INSTANCE, SystemValue.DRAW_INDEX,
    SystemValue.VIEW_INDEX, SystemValue.DEVICE_INDEX, SystemValue.PATCH_VERTICES,
    SystemValue.SAMPLE_INDEX, SystemValue.COVERAGE, SystemValue.INNER_COVERAGE,
    SystemValue.STENCIL_REF, SystemValue.IS_FRONT_FACE, SystemValue.HELPER_INVOCATION,
    SystemValue.CYCLE_COUNTER, SystemValue.RENDER_TARGET_ARRAY_INDEX,
    SystemValue.VIEWPORT_ARRAY_INDEX, SystemValue.OUTPUT_CONTROL_POINT_ID,
    SystemValue.GS_INSTANCE_ID, SystemValue.SHADINGRATE, SystemValue.PRIMITIVE_INDICES,
})  # fmt: skip


class PortSlot(NamedTuple):
    """One component of an input or output.

    `element` counts within a built-in that has several (clip distances, barycentrics); for a
    pixel's input at a vertex of the primitive, it is the number of the vertex. `index` is the blend
    source of an output with dual-source blending. `part` is other than VALUE only between a kernel
    and its caller.
    """

    direction: Direction
    rate: Rate
    place: Place
    component: int = 0
    element: int = 0
    stream: int = 0
    index: int = 0  # type: ignore[assignment]  # instead of the method of a tuple
    part: PortPart = PortPart.VALUE

    @property
    def location(self) -> int | None:
        """The location, or None for a built-in."""
        return self.place if isinstance(self.place, int) else None

    @property
    def whole(self) -> "PortSlot":
        """The slot of the first component, which also represents the whole location."""
        return self.at(0)

    def at(self, component: int) -> "PortSlot":
        """Return the slot of another component."""
        direction, rate, place, _, element, stream, index, part = self  # `_replace` is slower
        return PortSlot(direction, rate, place, component, element, stream, index, part)

    def at_vertex(self, vertex: int) -> "PortSlot":
        """Return the slot of a pixel's input at a vertex of its primitive."""
        return self._replace(rate=Rate.VERTEX, element=vertex)

    @property
    def of_pixel(self) -> "PortSlot":
        """The slot of a pixel's input that this is the value of at a vertex."""
        return self._replace(rate=Rate.PIXEL, element=0)

    def of(self, part: PortPart) -> "PortSlot":
        """Return the slot of another value of the same input."""
        return self._replace(part=part)


def port_slot(
    stage: Stage | str | None,
    direction: Direction,
    place: Place,
    component: int = 0,
    *,
    rate: Rate | None = None,
    stream: int = 0,
) -> PortSlot:
    """Return the slot of an input or output; `rate` defaults to the stage's."""
    if isinstance(place, str) and place in OWN_RATES:
        rate = OWN_RATES[place]
    elif rate is None:
        rate = RATES.get((stage, direction), Rate.VERTEX)
    return PortSlot(direction, rate, place, component, stream=stream)


class PointsSlot(NamedTuple):
    """The vertices, control points or patch constants of a lane, which share a memory."""

    direction: Direction
    rate: Rate
    stream: int = 0
    part: MemoryPart = MemoryPart.DATA

    def of(self, part: MemoryPart) -> "PointsSlot":
        """Return the slot of another memory of the same points."""
        return self._replace(part=part)


CONTROL_POINTS_IN = PointsSlot(Direction.INPUT, Rate.CONTROL_POINT)
CONTROL_POINTS_OUT = PointsSlot(Direction.OUTPUT, Rate.CONTROL_POINT)
LAUNCHED_PAYLOAD = PointsSlot(Direction.OUTPUT, Rate.GROUP, 0)  # of an amplification shader
LAUNCHED_GROUPS = PointsSlot(Direction.OUTPUT, Rate.GROUP, 1)  # along x, y and z
CONTROL_POINT_ID = port_slot(Stage.HULL, Direction.INPUT, SystemValue.OUTPUT_CONTROL_POINT_ID)


class ResourceSlot(NamedTuple):
    """A resource, or an array of `count` resources (None: unbounded).

    The elements of an array have successive numbers where `element` is None, as in Direct3D.
    Otherwise the array has one number, and `element` is the index in the array, as in a descriptor
    set. `view` numbers the types that a program declares for one descriptor; at run time the
    descriptor has one of these types.
    """

    kind: ResourceClass
    number: int
    space: int = 0
    count: int | None = 1  # type: ignore[assignment]  # instead of the method of a tuple
    element: int | None = None
    part: MemoryPart = MemoryPart.DATA
    view: int = 0

    def at(self, offset: int) -> "ResourceSlot":
        """Return the slot of one resource of the array."""
        if self.element is None:
            return self._replace(number=self.number + offset, count=1)
        return self._replace(element=self.element + offset, count=1)

    def offset_of(self, other: "ResourceSlot") -> int | None:
        """Return the index of another slot in this array, or None if it lies outside.

        Views of a descriptor share an index.
        """
        if (self.kind, self.space, self.part) != (other.kind, other.space, other.part):
            return None
        if self.element is None or other.element is None:
            offset = other.number - self.number
        elif self.number == other.number:
            offset = other.element - self.element
        else:
            return None
        return offset if offset >= 0 and (self.count is None or offset < self.count) else None

    def of(self, part: MemoryPart) -> "ResourceSlot":
        """Return the slot of another memory of the same resource."""
        return self._replace(part=part)


PAYLOAD_SLOT = ResourceSlot(ResourceClass.PAYLOAD, 0)  # of a mesh shader

MemorySlot: TypeAlias = ResourceSlot | PointsSlot | Exchange
