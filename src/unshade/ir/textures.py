"""Textures, and what `sample` does with one.

    sample %t0 %s0 2d auto offset(1,0,0)  u, v          -> texel

Both engines run no such operation: before a kernel runs, `library.sampling` writes each out as
loads and arithmetic, knowing the bound texture's kind and the sampler's state. So both filter
alike, and the JIT compiles the filter into the kernel.

The operands, in this order (those that the operation does not have are left out):

    coordinates   one for each dimension of the shape; floats, for a fetch integers
    layer         of an array: a float (rounded to even), for a fetch an integer
    reference     f32 that gives the comparison its other side
    level         bias: f32; explicit: f32, for a fetch i32; gradient: d/dx then d/dy of each
                  coordinate
    sample        i32, of a multisampled texture
    offset        i32 for each coordinate, where it is not a constant
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

from ..vocab.slots import ResourceSlot
from .types import Type


class Shape(StrEnum):
    """What a texture is; arrays of them have a layer besides."""

    BUFFER = "buffer"
    D1 = "1d"
    D2 = "2d"
    D3 = "3d"
    CUBE = "cube"

    @property
    def coordinates(self) -> int:
        """How many say where; a cube is looked at from its middle."""
        return {"buffer": 1, "1d": 1, "2d": 2}.get(self.value, 3)


class Action(StrEnum):
    """What is wanted of the texture."""

    SAMPLE = "sample"  # filtered
    GATHER = "gather"  # one component of the four texels that a bilinear filter would use
    FETCH = "fetch"  # one texel by its place
    LOD = "lod"  # the level that sample would use: clamped, and not
    SIZE = "size"  # width, height, depth or layers, levels: integers; `level` is its operand
    SAMPLES = "samples"  # how many samples a texel has
    EVALUATE = "evaluate"  # the colour of a child, a program or a texture (children.py)


class Level(StrEnum):
    """How the level of detail is chosen."""

    AUTO = "auto"
    BIAS = "bias"
    EXPLICIT = "explicit"
    GRADIENT = "gradient"
    ZERO = "zero"


@dataclass(slots=True, eq=False)
class TextureDeclaration:
    """A texture that is bound; `type` is what its components are to the shader: f32 or i32."""

    name: str
    shape: Shape
    type: Type
    layered: bool = False
    samples: int = 1
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """What it is bound by: its slot, or its name where nobody gave it one."""
        return self.name if self.slot is None else self.slot

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(slots=True, eq=False)
class SamplerDeclaration:
    """A sampler that is bound."""

    name: str
    slot: ResourceSlot | None = None

    @property
    def key(self) -> Hashable:
        """What it is bound by: its slot, or its name where nobody gave it one."""
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
    component: int = 0  # that a gather takes
    clamped: bool = False  # the last operand is the least level that may be used
    feedback: bool = False
