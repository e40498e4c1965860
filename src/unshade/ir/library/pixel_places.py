"""An input of a pixel shader, evaluated at a place of the pixel.

    v(d) = v + (v'x dx + v'y dy) / (1 + p'x dx + p'y dy)        d = (dx, dy): pixels from the centre

    v            the input at the centre of the pixel, however it is declared
    v'x, v'y     its derivatives there, for a step of a pixel
    p'x, p'y     the slopes of 1/w, divided by 1/w at the centre; 0 for an input without perspective

With perspective an input is n/p, where n and p = 1/w are linear on the screen. Its derivatives are
v' = (n' - v p')/p, so the formula is n(d)/p(d): the input exactly, not an extrapolation. The result
is v at the centre, and for an input that is constant over the primitive. The caller knows the
primitive, so it supplies these values, and the place of the centroid, as inputs of the kernel.

Source: Direct3D 11.3 functional specification, sections 15.11 and 22.4.23 to 22.4.25; Vulkan
specification, "Interpolation Decorations" and the formulas of basic polygon rasterization.
"""

from collections.abc import Sequence

from ...dataclass import dataclass
from ...vocab.slots import Direction, Exchange, PortPart, PortSlot, Rate
from ...vocab.words import Interpolation, SystemValue
from ..builder import Builder
from ..kernel import Value
from ..memory import Port
from ..types import F32

__all__ = ["FRACTION_BITS", "Evaluated", "centroid", "evaluated", "moved", "snapped"]

CENTRED = {
    Interpolation.LINEAR_CENTROID: Interpolation.LINEAR,
    Interpolation.LINEAR_SAMPLE: Interpolation.LINEAR,
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: Interpolation.LINEAR_NOPERSPECTIVE,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: Interpolation.LINEAR_NOPERSPECTIVE,
}
FRACTION_BITS = 4  # of an offset in a pixel
W = 3  # the component of a position that is not linear on the screen


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A component of an input: its value at the centre, its derivatives, derivatives of 1/w."""

    centre: Value
    slopes: tuple[Value, ...] = ()
    perspective: tuple[Value, ...] = ()


def evaluated(b: Builder, port: Port) -> Evaluated:
    """Append the values needed to evaluate an input at another place."""
    slot, how = port.slot, port.interpolation
    if slot is None or how is Interpolation.CONSTANT or slot.rate is not Rate.PIXEL:
        return Evaluated(_value(b, port))
    centre = port
    if how in CENTRED:
        name = f"{port.name}.centre"
        centred = slot.of(PortPart.CENTRE)
        centre = Port(name, port.type, None, CENTRED[how], centred, port.row)
    slopes = [
        Port(f"{port.name}.{name}", F32, None, how, slot.of(part), port.row)
        for name, part in (("ddx", PortPart.SLOPE_X), ("ddy", PortPart.SLOPE_Y))
    ]
    found = tuple(_value(b, each) for each in slopes)
    perspective: tuple[Value, ...] = ()
    if _has_perspective(port):
        names = ("perspective.ddx", "perspective.ddy")
        perspective = _exchanged(b, Exchange.PERSPECTIVE, names)
    return Evaluated(_value(b, centre), found, perspective)


def moved(b: Builder, found: Evaluated, offset: Sequence[Value]) -> Value:
    """Append a component at an offset from the centre of the pixel, in pixels along x and y."""
    if not found.slopes:
        return found.centre
    step = _along(b, found.slopes, offset)
    if found.perspective:
        step = b.fdiv(step, b.fadd(1.0, _along(b, found.perspective, offset)))
    type = found.centre.type
    centre = found.centre if type == F32 else b.fconv(found.centre, type=F32)
    made: Value = b.fadd(centre, step)
    if type != F32:
        made = b.fconv(made, type=type)
    still = b.and_(*(b.feq(each, 0.0) for each in offset))
    kept: Value = b.select(still, found.centre, made)  # infinite inputs have no derivatives
    return kept


def snapped(b: Builder, offset: Value) -> Value:
    """Append the number of pixels of an offset in sixteenths, which has four bits."""
    unused = 32 - FRACTION_BITS
    found: Value = b.fmul(b.itof(b.ishr(b.ishl(offset, unused), unused), type=F32), 1 / 16)
    return found


def centroid(b: Builder) -> list[Value]:
    """Append the place of the centroid, x and y in pixels from the centre."""
    return [*_exchanged(b, Exchange.CENTROID, ("centroid.x", "centroid.y"))]


def _has_perspective(port: Port) -> bool:
    if port.role is SystemValue.POSITION:
        return port.slot is not None and port.slot.component == W
    how = port.interpolation
    return CENTRED.get(how, how) is Interpolation.LINEAR if how is not None else False


def _along(b: Builder, slopes: Sequence[Value], offset: Sequence[Value]) -> Value:
    first, second = (b.fmul(slope, by) for slope, by in zip(slopes, offset, strict=True))
    found: Value = b.fadd(first, second)
    return found


def _exchanged(b: Builder, place: Exchange, names: tuple[str, str]) -> tuple[Value, ...]:
    slots = [PortSlot(Direction.INPUT, Rate.PIXEL, place, axis) for axis in range(2)]
    pairs = zip(names, slots, strict=True)
    return tuple(_value(b, Port(name, F32, slot=slot)) for name, slot in pairs)


def _value(b: Builder, port: Port) -> Value:
    """Append an input, declared once, as a 32-bit float unless its type is declared."""
    for each in b.kernel.inputs:
        if each.slot == port.slot:
            port = each
            break
    else:
        b.kernel.inputs.append(port)
    value = b.input(port)
    return value if value.type.kind == "f" else b.asfloat(value)
