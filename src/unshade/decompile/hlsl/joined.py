"""Parameters of Vulkan that are one vector in HLSL, whose semantics have no components.

    gl_ClipDistance[0 … 5]                     out float4 … : SV_ClipDistance,
                                               out float2 … : SV_ClipDistance1
    layout(location = 0) in vec2 a;            float4 texcoord0 : TEXCOORD0
    layout(location = 0, component = 2) …      a is texcoord0.xy

Direct3D has two registers for distances, so a semantic for each of them is too many.
"""

from collections.abc import Sequence

from ...errors import UnsupportedError
from ...vocab.slots import Direction
from ...vocab.words import SystemValue
from ..interface import EntryInterface, EntryParameter

__all__ = ["join_distances", "join_locations"]

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
            joined[0].index = number
            _join(interface, parameters, joined, [*range(len(joined))])


def join_locations(interface: EntryInterface, parameters: list[EntryParameter]) -> None:
    """Join the parameters of each location, which have other components of it.

    Raises:
        UnsupportedError: They have several types or interpolations, which no vector has.
    """
    places: dict[tuple[int, int], list[EntryParameter]] = {}
    for each in parameters:
        located = each.by_register and each.meaning in (None, SystemValue.TARGET)
        if located and each.location is not None:
            places.setdefault((each.location, each.blend), []).append(each)
    for (location, _), found in places.items():
        if len(found) == 1:
            continue
        if len({(each.type.wide(1), each.interpolation) for each in found}) > 1:
            words = ", ".join(each.name for each in found)
            raise UnsupportedError(
                f"{words} of location {location} have several types, and HLSL no components"
            )
        first = found[0]
        stem = "target" if first.meaning is SystemValue.TARGET else "texcoord"
        out = "out_" * (first.direction is Direction.OUTPUT)
        first.name = interface.names.unique(f"{out}{stem}{location}")
        _join(interface, parameters, found, [each.first for each in found])
        first.first = 0


def _join(
    interface: EntryInterface,
    parameters: list[EntryParameter],
    joined: Sequence[EntryParameter],
    starts: Sequence[int],
) -> None:
    """Make the first of some parameters a vector of all, each from its component on."""
    first = joined[0]
    width = max(at + each.type.width for at, each in zip(starts, joined, strict=True))
    for start, each in zip(starts, joined, strict=True):
        for port, at in [*each.ports.items()]:
            first.ports[port] = start + at
            interface.of[port] = first, start + at
    first.type = first.type.wide(width)
    for each in joined[1:]:
        parameters.remove(each)
