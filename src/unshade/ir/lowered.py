"""What lowering a program gives: a kernel, and what has to be bound to run it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ..vocab.slots import Direction, Part, PointsSlot, Rate, ResourceSlot
from ..vocab.words import Topology
from .kernel import Kernel
from .memory import Port
from .specialisation import Specialisation
from .textures import Shape

# The label of a constant memory of one word, Exchange.SAMPLE_COUNT: how many samples a pixel of the
# target has. A kernel that asks has it; whoever launches the kernel fills it in.
RASTERIZER = "rasterizer"
SAMPLE_COUNTS = (1, 2, 4, 8, 16)  # what it may be: the counts that have standard positions


class Form(StrEnum):
    """What kind of thing is bound."""

    CONSTANTS = "constants"  # rows of 16 bytes
    RAW = "raw"  # bytes, addressed by four
    STRUCTURED = "structured"  # elements of `stride` bytes
    TYPED = "typed"  # texels in one row: `returns` says what their components are
    TEXTURE = "texture"
    CHILD = "child"  # a program; also a texture with its sampler if it has a `shape`
    SAMPLER = "sampler"
    COUNTER = "counter"  # the hidden one of a structured view
    SHARED = "shared"  # nothing to bind: memory of the thread group


@dataclass(slots=True)
class LoweredResource:
    """One thing to bind: the kernel's memory, texture or sampler of the same slot.

    `name` is the label that the program has for it; without a slot it is also the key.
    `returns` are the words for the components of a typed one: unorm, snorm, float, sint, uint.
    Memories of typed resources and textures hold texels of four 32-bit components, whatever the
    array that was given: a writable texture also has a memory of its `shape`, a texture that is
    sampled is a memory only after `library.sampling`.
    """

    name: str
    form: Form
    stride: int = 0
    writable: bool = False
    returns: tuple[str, ...] = ()
    shape: Shape | None = None
    layered: bool = False
    multisampled: bool = False
    size: int = 0  # bytes of constants that the program can reach, 0 where it does not say
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """The key of its memory, texture or sampler."""
        return self.name if self.slot is None else self.slot

    @property
    def shape_key(self) -> Hashable:
        """The key of the memory that has a texture's shape."""
        return f"{self.name}.shape" if self.slot is None else self.slot.of(Part.SHAPE)


@dataclass(slots=True)
class Points:
    """Vertices, control points, or the constants of a patch: `count` for each lane, in a memory.

    A point is an element of the memory, its registers of four components one behind the other:

        v[2][1].y of lane 7       element 7 * count + 2, byte 16 * 1 + 4 of its `stride`

    `ports` are the components that the program has, and the byte of a point where each stands;
    engines do not know them. Which points a geometry shader gives is not known before it runs. Each
    of its streams has a memory with room for as many as a lane may give, a memory of the part CUTS
    that is 1 where a point begins a strip, and a port Exchange.VERTEX_COUNT with the number of
    those that were given: so emitting a vertex is stores and an output, as any other statement, and
    an engine needs nothing for it. `topology` says what the points of a stream make.

    Where lanes are threads of groups, the points are those of a group: `count` for each, groups by
    x, then y, then z. Mesh shaders give vertices and primitives so; how many of them is a word for
    each group in a memory of the part COUNT. A primitive's ports are its attributes, and
    Exchange.INDICES, whole numbers.
    """

    name: str
    count: int
    stride: int
    slot: PointsSlot
    ports: dict[Port, int] = field(default_factory=dict)
    topology: Topology = Topology.UNDEFINED

    @property
    def counts(self) -> PointsSlot:
        """The key of the memory that says how many each thread group gives."""
        return self.slot.of(Part.COUNT)

    @property
    def cuts(self) -> PointsSlot:
        """The key of the memory that says where strips begin."""
        return self.slot.of(Part.CUTS)


@dataclass(slots=True)
class Lowered:
    """A kernel, and what has to be bound to run it.

    `lines` is the listing that the kernel's line numbers count in, from 1. `points` are those that
    lanes have several of, and `instances` is how many lanes share a primitive, one after the other.
    `specialisation` is what it was made for. `labels` has the program's words for what no port
    has: sources (their `word`) and built-ins. `sources` are the files that locations refer to, as
    far as the program has their text.
    """

    kernel: Kernel
    resources: list[LoweredResource] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    points: list[Points] = field(default_factory=list)
    instances: int = 1
    specialisation: Specialisation = field(default_factory=Specialisation)
    labels: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def points_of(self, direction: Direction, rate: Rate) -> Points | None:
        """Return the points of a direction and rate, None where the program has none."""
        for each in self.points:
            if each.slot.direction is direction and each.slot.rate is rate:
                return each
        return None

    @property
    def streams(self) -> list[Points]:
        """The vertices that a geometry shader gives, stream by stream."""
        vertices = Direction.OUTPUT, Rate.VERTEX
        return [each for each in self.points if (each.slot.direction, each.slot.rate) == vertices]
