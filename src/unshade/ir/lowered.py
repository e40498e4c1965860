"""What lowering a program gives: a kernel, and what has to be bound to run it."""

from dataclasses import dataclass, field
from enum import StrEnum

from ..vocab.words import Topology
from .kernel import Kernel
from .memory import Port
from .specialisation import Specialisation
from .textures import Shape

# A constant memory of one word: how many samples a pixel of the target has. A kernel that asks has
# it; whoever launches the kernel fills it in.
RASTERIZER = "rasterizer"
SAMPLE_COUNTS = (1, 2, 4, 8, 16)  # what it may be: the counts that have standard positions


class Form(StrEnum):
    """What kind of thing is bound."""

    CONSTANTS = "constants"  # rows of 16 bytes
    RAW = "raw"  # bytes, addressed by four
    STRUCTURED = "structured"  # elements of `stride` bytes
    TYPED = "typed"  # texels in one row: `returns` says what their components are
    TEXTURE = "texture"
    SAMPLER = "sampler"
    COUNTER = "counter"  # the hidden one of a structured view
    SHARED = "shared"  # nothing to bind: memory of the thread group


@dataclass(slots=True)
class Resource:
    """One thing to bind, under the name that the kernel's memories, textures and samplers have.

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


@dataclass(slots=True)
class Points:
    """Vertices, control points, or the constants of a patch: `count` for each lane, in a memory.

    A point is an element of the memory, its registers of four components one behind the other:

        v[2][1].y of lane 7       element 7 * count + 2, byte 16 * 1 + 4 of its `stride`

    `ports` names the components that the program has ("v1.y"); engines do not know them. Which
    points a geometry shader gives is not known before it runs. Each of its streams has a memory
    "stream0" with room for as many as a lane may give, a memory "stream0.cut" that is 1 where a
    point begins a strip, and a port "stream0.count" with the number of those that were given:
    so emitting a vertex is stores and an output, as any other statement, and an engine needs
    nothing for it. `topology` says what the points of a stream make, in the words of the model.
    """

    name: str
    count: int
    stride: int
    ports: list[Port] = field(default_factory=list)
    topology: Topology = Topology.UNDEFINED


@dataclass(slots=True)
class Lowered:
    """A kernel, and what has to be bound to run it, by name.

    `lines` is the listing that the kernel's line numbers count in, from 1. `points` are those that
    lanes have several of, by the name of their memory, and `instances` is how many lanes share a
    primitive, one after the other. `specialisation` is what it was made for.
    """

    kernel: Kernel
    resources: dict[str, Resource] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    points: dict[str, Points] = field(default_factory=dict)
    instances: int = 1
    specialisation: Specialisation = field(default_factory=Specialisation)
