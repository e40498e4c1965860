"""Clip and cull distances of Vulkan, which are elements of an array, as vectors of HLSL.

    gl_ClipDistance[0 … 5]   out float4 … : SV_ClipDistance, out float2 … : SV_ClipDistance1

Direct3D has two registers for distances, so a semantic for each of them is too many.
"""

from ...vocab.words import SystemValue
from ..interface import EntryInterface, EntryParameter

__all__ = ["join_distances"]

DISTANCES = (SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE)
WIDTH = 4  # components of a register


def join_distances(interface: EntryInterface, parameters: list[EntryParameter]) -> None:
    """Join up to four distances to one parameter, in the order of their elements."""
    for meaning in DISTANCES:
        elements = sorted(
            (each for each in parameters if each.meaning is meaning and each.by_register),
            key=lambda each: each.index,
        )
        for number, start in enumerate(range(0, len(elements), WIDTH)):
            joined = elements[start : start + WIDTH]
            first = joined[0]
            first.index = number
            first.type = first.type.wide(len(joined))
            for at, each in enumerate(joined):
                for port in [*each.ports]:
                    first.ports[port] = at
                    interface.of[port] = first, at
            for each in joined[1:]:
                parameters.remove(each)
