"""Places in a pixel at which an input of a pixel shader is evaluated.

    its own       at the centre, the centroid or a sample: as the input is declared
    at_centre     at the centre, however it is declared: a port besides its own
    centroid      how far the centroid is from the centre: two ports

The caller has the ports filled in; without several samples all places are the centre.

Source: Direct3D 11.3 functional specification, sections 15.11 and 22.4.23 to 22.4.25.
"""

from ...vocab.slots import Direction, Exchange, PortSlot, Rate
from ...vocab.words import Interpolation
from ..builder import Builder
from ..kernel import Value
from ..memory import Port
from ..types import F32

CENTRED = {
    Interpolation.LINEAR_CENTROID: Interpolation.LINEAR,
    Interpolation.LINEAR_SAMPLE: Interpolation.LINEAR,
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: Interpolation.LINEAR_NOPERSPECTIVE,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: Interpolation.LINEAR_NOPERSPECTIVE,
}


def at_centre(b: Builder, port: Port) -> Port:
    """Return the port with an input at the centre: its own, if that is where it is."""
    centred = CENTRED.get(port.interpolation) if port.interpolation is not None else None
    if centred is None or port.slot is None or port.slot.location is None:
        return port
    slot = port.slot._replace(place=Exchange.CENTRE, element=port.slot.location)
    made = Port(f"{port.name}.centre", port.type, None, centred, slot, port.row)
    return _declared(b, made)


def centroid(b: Builder) -> list[Value]:
    """Append the place of the centroid, x and y in pixels from the centre."""
    slots = [PortSlot(Direction.INPUT, Rate.PIXEL, Exchange.CENTROID, axis) for axis in range(2)]
    names = ("centroid.x", "centroid.y")
    ports = [Port(name, F32, slot=slot) for name, slot in zip(names, slots, strict=True)]
    return [b.input(_declared(b, port)) for port in ports]


def _declared(b: Builder, port: Port) -> Port:
    for each in b.kernel.inputs:
        if each.slot == port.slot:
            return each
    b.kernel.inputs.append(port)
    return port
