"""States of bound textures and samplers that prepared kernels are specialised for.

Source: Direct3D 11.3 functional specification, section 7.18.3 (sampler state).
"""

from ...dataclass import dataclass
from ...enums import StrEnum
from ..ops import OPS, Op


class Address(StrEnum):
    """The address mode: the texels outside of 0 to 1."""

    WRAP = "wrap"
    MIRROR = "mirror"
    CLAMP = "clamp"
    BORDER = "border"
    MIRROR_ONCE = "mirror_once"


class Filter(StrEnum):
    """A filter: nearest texel, or linear interpolation."""

    POINT = "point"
    LINEAR = "linear"


class Reduction(StrEnum):
    """The reduction of the texels of a filter."""

    MEAN = "mean"  # weighted
    MINIMUM = "minimum"  # of texels with a non-zero weight, per component
    MAXIMUM = "maximum"


class TexelFormat(StrEnum):
    """The precision of texel components, for formats below 32 bits."""

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
    UNORM10 = "unorm10"  # the fourth component has two bits
    UINT10 = "uint10"
    UFLOAT11 = "ufloat11"  # floats without a sign, the third of ten bits


@dataclass(frozen=True, slots=True)
class SamplerState:
    """The state of a sampler; the defaults follow Direct3D.

    `anisotropy` is the maximum ratio of length to width of a footprint; anisotropic filters are
    linear throughout, and 1 is the ordinary linear filter. With `unnormalized`, coordinates are in
    texels instead of from 0 to 1.
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
    unnormalized: bool = False


@dataclass(frozen=True, slots=True)
class TextureState:
    """The state of a bound texture, apart from its memories.

    `components` is the number of components of its format; the others read as (0, 0, 0, 1) in
    borders and outside, and stores do not change them. `range` are the bounds of its numbers, which
    clamp border colours and references; None for floats and 32-bit formats. `format` is set for
    written textures and determines the rounding of stores. Code that does not depend on a field is
    shared by all values of the field.
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
