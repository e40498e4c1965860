"""Values that evaluate a pixel's inputs at another place: see ir.library.pixel_places.

In a draw, the rasteriser supplies these values exactly (raster.inputs). In a call with arrays, each
input is one number for each pixel. Then the derivatives of an input are its differences over the
quad, 0 for separate pixels; no input has perspective, and the centroid is the centre.
"""

from collections.abc import Hashable, Iterable, MutableMapping

import numpy as np

from ...ir.memory import Port
from ...vm.launch import Array, dtype
from ...vocab.slots import Exchange, PortPart, PortSlot
from ..signature import bits_of

PIXEL_PLACES = (Exchange.CENTROID, Exchange.PERSPECTIVE)
SLOPES = (PortPart.SLOPE_X, PortPart.SLOPE_Y)


def is_of_place(port: Port) -> bool:
    """Return whether an input serves to evaluate other inputs at another place."""
    slot = port.slot
    return slot is not None and (slot.part is not PortPart.VALUE or slot.place in PIXEL_PLACES)


def add_places(
    ports: Iterable[Port], inputs: MutableMapping[Hashable, Array], count: int, *, quads: bool
) -> None:
    """Add the values of missing ports; `quads`: four lanes are a quad."""
    for port in ports:
        if is_of_place(port) and port.key not in inputs:
            assert port.slot is not None
            inputs[port.key] = _value(port, port.slot, inputs, count, quads)


def _value(
    port: Port, slot: PortSlot, inputs: MutableMapping[Hashable, Array], count: int, quads: bool
) -> Array:
    declared = inputs.get(slot.of(PortPart.VALUE))
    if declared is None or (slot.part in SLOPES and not quads):
        return np.zeros(count, dtype(port.type))
    if slot.part is PortPart.CENTRE:
        return declared
    values = inputs.get(slot.of(PortPart.CENTRE), declared)
    numbers = values if values.dtype.kind == "f" else values.view("<f4")
    return bits_of(port, slope(numbers, SLOPES.index(slot.part)))


def slope(values: Array, axis: int) -> Array:
    """Return the differences of lanes in quads along x (axis 0) or y, each along its own line."""
    quad = values.reshape(-1, 2, 2)  # rows, columns
    with np.errstate(all="ignore"):
        found = np.diff(quad, axis=2 - axis)
    return np.ascontiguousarray(np.broadcast_to(found, quad.shape)).reshape(-1)
