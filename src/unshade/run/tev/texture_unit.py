"""Texture unit 0, the only one whose texture need not be flat.

texture0: {type: projection}                   s and t divided by w: texcoord0 and texcoord0w
texture0: {type: cube_map}                     the direction texcoord0, texcoord0w
texture0: {type: shadow_2d, bias: 0.001}       depths of a light, compared with w
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...dataclass import dataclass
from ...errors import UsageError
from ..binding.numbers import as_array, shown
from ..raster.states.fields import flag
from .fields import number_of, set_field
from .words import TextureType, combiner_word

DEPTHS = 0xFF_FFFF  # steps of a shadow texture
SHADOWS = (TextureType.SHADOW_2D, TextureType.SHADOW_CUBE)


@dataclass(frozen=True, slots=True)
class TextureUnit:
    """The type of texture unit 0, and the parameters of its shadow (C3D_TexShadowParams).

    `perspective` divides the coordinates of a shadow in two dimensions by w. `bias` is subtracted
    from w before it is compared, in parts of the depth range.
    """

    type: str = TextureType.PLAIN
    perspective: bool = True
    bias: float = 0.0

    def __post_init__(self) -> None:
        set_field(self, "type", combiner_word(TextureType, self.type, "type"))
        set_field(self, "perspective", flag(self.perspective, "perspective"))
        bias = number_of(self.bias, "bias")
        if not 0 <= bias < 1:
            raise UsageError(f"bias: expected 0 to 1, got {shown(self.bias)}")
        set_field(self, "bias", bias)

    @property
    def steps(self) -> int:
        """The bias in steps of the depth; the register has no lowest bit."""
        return int(self.bias * (DEPTHS + 1)) & ~1


def shadow_texture(depths: Any, density: int = 255) -> npt.NDArray[np.uint8]:
    """Return depths from 0 to 1 as a shadow texture, RGBA8: the density and 24 bits of depth.

    The density is the result where nothing is nearer to the light: 255 is full light.
    """
    array = as_array(depths, "depths: expected an array of numbers")
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise UsageError(f"depths: expected finite floats, got {shown(depths)}")
    steps = (np.clip(array.astype(np.float64), 0, 1) * DEPTHS).astype(np.uint32)
    parts = [np.full_like(steps, density), steps, steps >> 8, steps >> 16]
    return np.stack([each & 0xFF for each in parts], axis=-1).astype(np.uint8)
