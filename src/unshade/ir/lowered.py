"""Lowered programs: a kernel and the resources to bind to run it."""

from collections.abc import Hashable, Mapping, Sequence

from ..dataclass import dataclass, field
from ..enums import StrEnum
from ..vocab.printf import PrintFormat
from ..vocab.slots import (
    CONTROL_POINT_ID,
    Direction,
    MemoryPart,
    PointsSlot,
    Rate,
    ResourceSlot,
)
from ..vocab.words import SystemValue, Topology
from .kernel import KernelIR
from .memory import Port
from .parameters import FunctionParameter
from .specialisation import Number, Specialisation
from .textures import Shape
from .types import BOOL, I32, KEEP, Widths

# The label of a constant memory of one word, Exchange.SAMPLE_COUNT: the samples of a pixel of the
# render target. Kernels that query it have the memory; the launcher fills it in.
RASTERIZER = "rasterizer"
# True in the function of a hull shader for a control point, false in that for the patch, if they
# are branches of a condition on it: in a kernel that becomes a source.
CONTROL_POINT_FUNCTION = Port("function", BOOL)
CONTROL_POINT_NUMBER = Port(
    "control_point_id", I32, SystemValue.OUTPUT_CONTROL_POINT_ID, slot=CONTROL_POINT_ID
)  # fmt: skip
SAMPLE_COUNTS = (1, 2, 4, 8, 16)  # the counts with standard sample positions


class Form(StrEnum):
    """The kind of a bound resource."""

    CONSTANTS = "constants"  # rows of 16 bytes
    RAW = "raw"  # bytes, addressed by four, or by `stride` if that is less
    STRUCTURED = "structured"  # elements of `stride` bytes
    TYPED = "typed"  # a row of texels; `returns` are the types of their components
    TEXTURE = "texture"
    CHILD = "child"  # a program; also a texture with its sampler if it has a `shape`
    SAMPLER = "sampler"
    COUNTER = "counter"  # the hidden one of a structured view
    SHARED = "shared"  # nothing to bind: memory of the thread group


@dataclass(slots=True)
class LoweredResource:
    """A resource to bind: the kernel's memory, texture or sampler of the same slot.

    `name` is the program's label for it, and the key if it has no slot. `returns` are the types of
    the components of a typed resource: unorm, snorm, float, sint, uint. Memories of typed resources
    and textures hold texels of four 32-bit components, for every type of the bound array; a number
    of 64 bits takes two, its low word first. `wide` is how many of these a texel has: 1 in Vulkan,
    2 in Direct3D, 0 if its numbers have 32 bits. A writable texture also has a memory for its
    `shape`; a sampled texture becomes a memory in `library.sampling`.
    """

    name: str
    form: Form
    stride: int = 0
    writable: bool = False
    returns: tuple[str, ...] = ()
    shape: Shape | None = None
    layered: bool = False
    multisampled: bool = False
    wide: int = 0
    size: int = 0  # bytes of constants that the program can access, 0 if unknown
    variables: tuple[str, ...] = ()  # names of those that it is, if its binding has several
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """The key of its memory, texture or sampler."""
        return self.name if self.slot is None else self.slot

    @property
    def shape_key(self) -> Hashable:
        """The key of the memory that holds a texture's shape."""
        return f"{self.name}.shape" if self.slot is None else self.slot.of(MemoryPart.SHAPE)


@dataclass(slots=True)
class Points:
    """Vertices, control points or patch constants in a memory, `count` for each lane.

    A point is an element of the memory, which holds registers of four components:

        v[2][1].y of lane 7       element 7 * count + 2, byte 16 * 1 + 4 of its `stride`

    `ports` are the components that the program has, with their byte offset in a point; engines do
    not use them. The number of points that a geometry shader emits is known only after it has run:
    each of its streams has a memory with room for the maximum per lane, a memory of the part CUTS
    that is 1 where a point begins a strip, and a port Exchange.VERTEX_COUNT with the number of
    points emitted. So emitting a vertex is lowered to stores and an output, and engines need no
    support for it. `topology` is the primitive topology of a stream. With `fewer`, a call may
    supply fewer points than `count`; the others are 0.

    If lanes are threads of groups, points belong to groups: `count` for each, groups by x, then y,
    then z. This is how mesh shaders emit vertices and primitives; their number is a word for each
    group in a memory of the part COUNT. A primitive's ports are its attributes, and the integers
    SystemValue.PRIMITIVE_INDICES.
    """

    name: str
    count: int
    stride: int
    slot: PointsSlot
    ports: dict[Port, int] = field(default_factory=dict)
    topology: Topology = Topology.UNDEFINED
    fewer: bool = False

    @property
    def counts(self) -> PointsSlot:
        """The key of the memory with the number of points of each thread group."""
        return self.slot.of(MemoryPart.COUNT)

    @property
    def cuts(self) -> PointsSlot:
        """The key of the memory that marks the beginnings of strips."""
        return self.slot.of(MemoryPart.CUTS)


@dataclass(slots=True)
class Lowered:
    """A kernel and the resources to bind to run it.

    `lines` is the listing that line numbers refer to, from 1. `points` are the inputs and outputs
    with several elements per lane, and `instances` is the number of consecutive lanes that share a
    primitive. `parameters` are the parameters of a function that is called directly; the last is
    its result. `specialisation` holds the values it was lowered for. `labels` contains the
    program's names of sources (by `word`) and built-ins, which have no port. `sources` are the
    contents of the source files that locations refer to, if the program has them. `early_tests` is
    true if depth is tested and written before the program, a pixel shader, runs, whatever the
    program does. `printed` are the formats of its printf, by number. `least_depth` is z / w at the
    near plane of clip space, the greatest is 1 more: 0, and -1 for PICA200. `loose` are the widths
    of floats whose subnormal numbers the language lets an implementation keep or flush. `folded`
    are the values, by id, of specialisation constants that a kernel for a source depends on. With
    `unwritten`, a draw may lack inputs that the stage before does not output: their components have
    its number for the semantic (in capital letters) and its index, or else 0.
    """

    kernel: KernelIR
    resources: list[LoweredResource] = field(default_factory=list)
    lines: Sequence[str] = field(default_factory=list)
    points: list[Points] = field(default_factory=list)
    parameters: list[FunctionParameter] = field(default_factory=list)
    instances: int = 1
    specialisation: Specialisation = field(default_factory=Specialisation)
    labels: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    early_tests: bool = False
    least_depth: int = 0
    printed: list[PrintFormat] = field(default_factory=list)
    loose: Widths = KEEP
    folded: Mapping[int, Number] = field(default_factory=dict)
    unwritten: Mapping[tuple[str, int], float] | None = None

    def points_of(self, direction: Direction, rate: Rate) -> Points | None:
        """Return the points of a direction and rate; None if the program emits no points."""
        for each in self.points:
            if each.slot.direction is direction and each.slot.rate is rate:
                return each
        return None

    @property
    def streams(self) -> list[Points]:
        """The output vertices of a geometry shader, one entry per stream."""
        vertices = Direction.OUTPUT, Rate.VERTEX
        return [each for each in self.points if (each.slot.direction, each.slot.rate) == vertices]
