"""Textures, samplers and the attribute of `sample`.

    sample %t0 %s0 2d auto offset(1,0,0)  u, v          -> texel

Engines do not execute `sample`: before a kernel runs, `library.sampling` expands each into loads
and arithmetic for the bound texture's kind and the sampler's state. So both engines filter alike,
and the JIT compiles the filter into the kernel.

The operands, in this order (without those that do not apply):

    coordinates   one for each dimension of the shape; floats, for a fetch integers
    layer         of an array: a float (rounded to even), for a fetch an integer
    reference     f32, compared with the texels
    level         bias: f32; explicit: f32, for a fetch i32; gradient: d/dx then d/dy of each
                  coordinate
    sample        i32, of a multisampled texture
    offset        i32 for each coordinate, unless it is a constant
"""

from collections.abc import Hashable

from ..dataclass import dataclass
from ..enums import StrEnum
from ..vocab.slots import ResourceSlot
from .types import Type


class Shape(StrEnum):
    """The shape of a texture; arrays also have a layer."""

    BUFFER = "buffer"
    D1 = "1d"
    D2 = "2d"
    D3 = "3d"
    CUBE = "cube"

    @property
    def coordinates(self) -> int:
        """The number of coordinates; 3 for a cube, whose coordinates are a direction."""
        return {"buffer": 1, "1d": 1, "2d": 2}.get(self.value, 3)


class Action(StrEnum):
    """The kind of a texture operation."""

    SAMPLE = "sample"  # filtered
    GATHER = "gather"  # one component of the four texels that a bilinear filter would use
    FETCH = "fetch"  # one texel by its indices
    LOD = "lod"  # the level that sample would use: clamped and unclamped
    SIZE = "size"  # width, height, depth or layers, levels: integers; `level` is its operand
    SAMPLES = "samples"  # number of samples of a texel
    EVALUATE = "evaluate"  # the colour of a child, a program or a texture (children.py)


class Level(StrEnum):
    """The source of the level of detail."""

    AUTO = "auto"
    BIAS = "bias"
    EXPLICIT = "explicit"
    GRADIENT = "gradient"
    ZERO = "zero"


@dataclass(slots=True, eq=False)
class TextureDeclaration:
    """A texture that a kernel uses; `type` is the type of its components in code: f32 or i32."""

    name: str
    shape: Shape
    type: Type
    layered: bool = False
    samples: int = 1
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """The key that bindings use: the slot, or else the name."""
        return self.name if self.slot is None else self.slot

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(slots=True, eq=False)
class SamplerDeclaration:
    """A sampler that a kernel uses."""

    name: str
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """The key that bindings use: the slot, or else the name."""
        return self.name if self.slot is None else self.slot

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(frozen=True, slots=True)
class Sample:
    """The attribute of `sample`."""

    action: Action
    texture: TextureDeclaration
    sampler: SamplerDeclaration | None = None
    level: Level = Level.AUTO
    compare: bool = False
    offset: tuple[int, int, int] = (0, 0, 0)
    moving: bool = False  # the offset is an operand
    component: int = 0  # of a gather
    clamped: bool = False  # the last operand is the minimum level
    feedback: bool = False
