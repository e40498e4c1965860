"""What is known of bound textures and samplers when a kernel is prepared.

Source: Direct3D 11.3 functional specification, section 7.18.3 (sampler state).
"""

from dataclasses import dataclass
from enum import StrEnum

from ..ops import OPS, Op


class Address(StrEnum):
    """What stands outside of 0 to 1."""

    WRAP = "wrap"
    MIRROR = "mirror"
    CLAMP = "clamp"
    BORDER = "border"
    MIRROR_ONCE = "mirror_once"


class Filter(StrEnum):
    """How texels between the samples come about."""

    POINT = "point"
    LINEAR = "linear"


class Reduction(StrEnum):
    """What becomes of the texels that a filter looks at."""

    MEAN = "mean"  # by their weights
    MINIMUM = "minimum"  # of those that have a weight, each component for itself
    MAXIMUM = "maximum"


class TexelFormat(StrEnum):
    """What a component of a texel can hold, as far as 32 bits are not enough to say so."""

    WIDE = "wide"  # 32 bits
    FLOAT16 = "float16"
    UNORM8 = "unorm8"
    UNORM16 = "unorm16"
    SNORM8 = "snorm8"
    SNORM16 = "snorm16"
    UINT8 = "uint8"
    UINT16 = "uint16"
    SINT8 = "sint8"
    SINT16 = "sint16"


@dataclass(frozen=True, slots=True)
class SamplerState:
    """How a sampler filters; the default is Direct3D's own.

    `anisotropy`: how many times as long as wide the footprint of a pixel may be taken to be; such
    filters are linear in every way, and with 1 they are the linear ones.
    """

    magnify: Filter = Filter.LINEAR
    minify: Filter = Filter.LINEAR
    between: Filter = Filter.LINEAR  # levels
    address: tuple[Address, Address, Address] = (Address.CLAMP, Address.CLAMP, Address.CLAMP)
    bias: float = 0.0
    least: float = -1000.0
    most: float = 1000.0
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    comparison: str = "never"
    anisotropy: int = 1
    reduction: Reduction = Reduction.MEAN


@dataclass(frozen=True, slots=True)
class TextureState:
    """What is known of a bound texture besides its memories.

    `components`: how many its format has. Of the others a border and a read outside give the
    default (0, 0, 0, 1), and a store leaves it. `range`: from where to where its numbers go, which
    bounds border colours and references; None for those of 32 bits and floats. `format` is said of
    what is written, and changes what a store keeps. Code that has no use for one of these is the
    same whatever it is.
    """

    levels: int = 1
    samples: int = 1
    components: int = 4
    range: tuple[float, float] | None = None
    format: TexelFormat = TexelFormat.WIDE


COMPARISONS: dict[str, tuple[Op, bool]] = {  # operation on (reference, texel), swapped or not
    "less": (OPS.flt, False),
    "less_equal": (OPS.fle, False),
    "greater": (OPS.flt, True),
    "greater_equal": (OPS.fle, True),
    "equal": (OPS.feq, False),
    "not_equal": (OPS.fne, False),
}
