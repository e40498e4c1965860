"""What sources and containers say of a shader beside its code: outputs, geometry modes.

    .out - texcoord0 o2.xy       an output of the meaning 3
    .gsh fixed c4 c0 4           a geometry shader of the mode 2

Source: 3dbrew (SHBIN); picasso's manual has the words.
"""

from enum import IntEnum

from ...vocab import words
from ...vocab.numbers import same_names

__all__ = ["GEOMETRY_MODES", "SYSTEM_VALUES", "GeometryMode", "OutputType"]


class GeometryMode(IntEnum):
    """How vertices come to a geometry shader."""

    POINT = 0  # as many vertices as its inputs take, gathered into v0, v1, …
    VARIABLE = 1  # subdivision: the index stream says how many, in float uniforms
    FIXED = 2  # particles: a fixed number, in float uniforms


GEOMETRY_MODES = same_names(GeometryMode, words.GeometryMode)


class OutputType(IntEnum):
    """What an output register means to the rasteriser."""

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
