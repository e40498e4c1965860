"""Words of the fixed fragment stage, as libctru and citro3d spell them without prefixes.

    GPU_MODULATE      modulate        GPU_TEVOP_RGB_ONE_MINUS_SRC_R  one_minus_src_r
    GPU_LUTINPUT_NH   nh              GPU_PT_MIRRORED_REPEAT         mirrored_repeat
    GPU_TEX_SHADOW_2D shadow_2d       GPU_BUMP_AS_BUMP               as_bump

Source: enums.h of libctru; 3dbrew's page on the internal registers of the GPU.
"""

import re
from enum import auto
from typing import Any, TypeVar

from ...enums import StrEnum
from ..raster.states.words import word_of

PREFIX = re.compile(
    r"(?i)^(GPU_)?(TEVOP_(RGB|A)_|TEVSCALE_|LUTINPUT_|PT_|(?<=GPU_)TEX_|BUMP_(?=AS_|NOT_))?"
)
SHORT = {"lequal": "less_equal", "gequal": "greater_equal"}  # of comparisons
Word = TypeVar("Word", bound=StrEnum)


class CombinerSource(StrEnum):
    """The colour that a combiner takes."""

    PRIMARY_COLOR = auto()
    FRAGMENT_PRIMARY_COLOR = auto()
    FRAGMENT_SECONDARY_COLOR = auto()
    TEXTURE0 = auto()
    TEXTURE1 = auto()
    TEXTURE2 = auto()
    TEXTURE3 = auto()  # the procedural texture
    PREVIOUS_BUFFER = auto()
    CONSTANT = auto()
    PREVIOUS = auto()


class CombinerOperand(StrEnum):
    """The part of a source that a combiner takes; alpha combiners take no `src_color`."""

    SRC_COLOR = auto()
    ONE_MINUS_SRC_COLOR = auto()
    SRC_ALPHA = auto()
    ONE_MINUS_SRC_ALPHA = auto()
    SRC_R = auto()
    ONE_MINUS_SRC_R = auto()
    SRC_G = auto()
    ONE_MINUS_SRC_G = auto()
    SRC_B = auto()
    ONE_MINUS_SRC_B = auto()


class CombinerFunction(StrEnum):
    """The operation of a combiner on its operands a, b and c."""

    REPLACE = auto()  # a
    MODULATE = auto()  # a * b
    ADD = auto()  # a + b
    ADD_SIGNED = auto()  # a + b - 0.5
    INTERPOLATE = auto()  # a * c + b * (1 - c)
    SUBTRACT = auto()  # a - b
    DOT3_RGB = auto()  # the dot product of a and b from -1 to 1, in each component
    DOT3_RGBA = auto()  # in alpha, too
    MULTIPLY_ADD = auto()  # a * b + c
    ADD_MULTIPLY = auto()  # (a + b) * c


class TextureType(StrEnum):
    """The kind of the texture of unit 0."""

    PLAIN = "2d"
    CUBE_MAP = "cube_map"
    SHADOW_2D = "shadow_2d"
    PROJECTION = "projection"
    SHADOW_CUBE = "shadow_cube"


class LightingTable(StrEnum):
    """A look-up table that all lights share."""

    D0 = auto()  # distribution of the first specular term
    D1 = auto()  # of the second
    SP = auto()  # spotlight; each light has a table of its own
    FR = auto()  # Fresnel
    RB = auto()  # reflection: blue, green, red
    RG = auto()
    RR = auto()


class LightingInput(StrEnum):
    """The cosine that a look-up table takes."""

    NH = auto()  # of normal and half vector
    VH = auto()  # of view and half vector
    NV = auto()  # of normal and view
    LN = auto()  # of light and normal
    SP = auto()  # of light and the direction of the spotlight, turned around
    CP = auto()  # of tangent and the half vector in the plane of the surface


class Fresnel(StrEnum):
    """The results whose alpha is from the table FR."""

    NO_FRESNEL = auto()
    PRI_ALPHA_FRESNEL = auto()
    SEC_ALPHA_FRESNEL = auto()
    PRI_SEC_ALPHA_FRESNEL = auto()


class BumpMode(StrEnum):
    """The vector that a texture gives: the normal, or the tangent."""

    NOT_USED = auto()
    AS_BUMP = auto()
    AS_TANG = auto()


class ProceduralClamp(StrEnum):
    """The treatment of coordinates of a procedural texture beyond 1."""

    CLAMP_TO_ZERO = auto()
    CLAMP_TO_EDGE = auto()
    REPEAT = auto()
    MIRRORED_REPEAT = auto()
    PULSE = auto()  # 0 up to one half, else 1


class ProceduralFunction(StrEnum):
    """The number that a procedural texture makes of its coordinates u and v."""

    U = auto()
    U2 = auto()
    V = auto()
    V2 = auto()
    ADD = auto()  # (u + v) / 2
    ADD2 = auto()  # (u² + v²) / 2
    SQRT2 = auto()  # √(u² + v²)
    MIN = auto()
    MAX = auto()
    RMAX = auto()  # the mean of `add` and `sqrt2`


class ProceduralShift(StrEnum):
    """The rows of repetitions that are shifted by half of a repetition."""

    NONE = auto()
    ODD = auto()
    EVEN = auto()


class ProceduralFilter(StrEnum):
    """The filter of the colour table; with `mip`, of its levels, too."""

    NEAREST = auto()
    LINEAR = auto()
    NEAREST_MIP_NEAREST = auto()
    LINEAR_MIP_NEAREST = auto()
    NEAREST_MIP_LINEAR = auto()
    LINEAR_MIP_LINEAR = auto()


def combiner_word(kind: type[Word], given: Any, where: str) -> Word:
    """Return the member that a word means, with or without libctru's prefix."""
    text = PREFIX.sub("", str(given))
    return word_of(kind, SHORT.get(text.lower(), text), where)
