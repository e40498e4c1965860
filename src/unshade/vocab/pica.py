"""Numbers of the PICA200: its registers, and the enumerations in shader files.

    .out - texcoord0 o2.xy       an output of the meaning 3
    .gsh fixed c4 c0 4           a geometry shader of the mode 2

Source: 3dbrew (SHBIN); the words are from picasso's manual.
"""

from ..enums import IntEnum
from . import words
from .numbers import same_names

COMPONENTS = "xyzw"
INPUTS = TEMPORARIES = OUTPUTS = BOOLS = 16  # registers
FLOATS = 96
INTEGERS = 4
WORD_INTEGERS = 16  # that a word can encode
SPEAKABLE_INTEGERS = 8  # that picasso accepts, although only four exist
IF_STACK, CALL_STACK, LOOP_STACK = 8, 4, 4  # entries
PIPELINE_OUTPUTS = 7  # o0 to o6 can be mapped to the rasteriser


class PicaGeometryMode(IntEnum):
    """Input mode of a geometry shader."""

    POINT = 0  # as many vertices as fit its inputs, gathered into v0, v1, …
    VARIABLE = 1  # subdivision: as many as the index stream states, in float uniforms
    FIXED = 2  # particles: a fixed number, in float uniforms


GEOMETRY_MODES = same_names(PicaGeometryMode, words.GeometryMode)


class OutputType(IntEnum):
    """Meaning of an output register to the rasteriser."""

    POSITION = 0
    NORMALQUAT = 1
    COLOR = 2
    TEXCOORD0 = 3
    TEXCOORD0W = 4
    TEXCOORD1 = 5
    TEXCOORD2 = 6
    VIEW = 8
    DUMMY = 9


SYSTEM_VALUES = same_names(OutputType, words.SystemValue)
