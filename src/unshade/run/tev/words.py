"""Words of the texture combiners, as citro3d spells them without prefixes.

    GPU_MODULATE  modulate          GPU_TEVOP_RGB_ONE_MINUS_SRC_R  one_minus_src_r

Source: enums.h of libctru; 3dbrew's page on the internal registers of the GPU.
"""

import re
from enum import StrEnum, auto
from typing import Any, TypeVar

from ..raster.state_words import word_of

PREFIX = re.compile(r"(?i)^(GPU_)?(TEVOP_(RGB|A)_|TEVSCALE_)?")
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


def combiner_word(kind: type[Word], given: Any, where: str) -> Word:
    """Return the member that a word means, with or without citro3d's prefix."""
    text = PREFIX.sub("", str(given))
    return word_of(kind, SHORT.get(text.lower(), text), where)
