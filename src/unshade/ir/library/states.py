"""What is known of bound textures and samplers when a kernel is prepared.

Source: Direct3D 11.3 functional specification, section 7.18.3 (sampler state).
"""

from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class SamplerState:
    """How a sampler filters; the default is Direct3D's own."""

    magnify: Filter = Filter.LINEAR
    minify: Filter = Filter.LINEAR
    between: Filter = Filter.LINEAR  # levels
    address: tuple[Address, Address, Address] = (Address.CLAMP, Address.CLAMP, Address.CLAMP)
    bias: float = 0.0
    least: float = -1000.0
    most: float = 1000.0
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    comparison: str = "never"


@dataclass(frozen=True, slots=True)
class TextureState:
    """What is known of a bound texture besides its memories.

    `components`: how many its format has; of the others a read outside gives the default (0, 0, 0,
    1). `range`: from where to where its numbers go, which bounds border colours and references;
    None for floats.
    """

    levels: int = 1
    samples: int = 1
    components: int = 4
    range: tuple[float, float] | None = None


COMPARISONS: dict[str, tuple[str, bool]] = {  # operation on (reference, texel), swapped or not
    "less": ("flt", False),
    "less_equal": ("fle", False),
    "greater": ("flt", True),
    "greater_equal": ("fle", True),
    "equal": ("feq", False),
    "not_equal": ("fne", False),
}
