"""Texture addressing: texel indices from a coordinate, along one axis.

    reduced = an equivalent coordinate, close to 0 to 1
    place   = reduced * size - 1/2                         without the half for point sampling
    first   = floor(place)    weight = place - first       the weight of texel first + 1

Then offsets are added, and indices outside of 0 to size - 1 are mapped by the address mode.
Coordinates remain floats; the fixed point of the specification, with at least 8 fractional bits,
would round them. NaN counts as place 0, as specified.

Source: Direct3D 11.3 functional specification, sections 7.18.6 to 7.18.9.
"""

from ..builder import Builder
from ..kernel import Value
from ..types import F32, I32
from .states import Address

FURTHEST = (
    10.0  # beyond this distance from 0 the texel is the border or the last one for any offset
)
FURTHEST_TEXEL = 2.0**20  # the same, in texels
Number = tuple[Value, Value | None]  # index of a texel; whether it is inside, if that matters


class Axis:
    """An axis of a texture with the address mode of a sampler."""

    def __init__(
        self,
        b: Builder,
        mode: Address,
        size: Value,
        offset: "Value | int" = 0,
        *,
        unnormalized: bool = False,
    ) -> None:
        self.b = b
        self.unnormalized = unnormalized
        self.mode = mode
        self.size = size
        self.offset = offset
        self.moved = not isinstance(offset, int) or bool(offset)

    def first(self, coordinate: Value, half: float) -> tuple[Value, Value]:
        """Return the index of the first texel, before mapping, and the weight of the next."""
        b = self.b
        if self.unnormalized:
            place = self._near(coordinate, FURTHEST_TEXEL)
        else:
            place = b.fmul(self._reduced(coordinate), b.utof(self.size, type=F32))
        if half:
            place = b.fsub(place, half)
        if self.mode in (Address.BORDER, Address.MIRROR_ONCE):
            place = b.select(b.feq(place, place), place, 0.0)
        first = b.ffloor(place)
        number = b.ftoi(first, type=I32)
        if self.moved:
            number = b.iadd(number, self.offset)
        return number, b.fmax(b.fsub(place, first), 0.0)

    def _reduced(self, coordinate: Value) -> Value:
        b = self.b
        if self.mode is Address.WRAP:
            return b.fsub(coordinate, b.ffloor(coordinate))
        if self.mode is Address.MIRROR:
            half = b.fmul(coordinate, 0.5)
            return b.fmul(b.fsub(half, b.ftrunc(half)), 2.0)
        return self._near(coordinate, FURTHEST)

    def _near(self, coordinate: Value, most: float) -> Value:
        """Return a coordinate limited to a distance from 0 beyond which nothing changes."""
        b = self.b
        if self.mode is Address.CLAMP:
            return b.fmin(b.fmax(coordinate, -most), most)
        low = b.select(b.flt(coordinate, -most), -most, coordinate)  # keeps NaN
        return b.select(b.flt(most, coordinate), most, low)

    def inside(self, number: Value) -> Number:
        """Map an index into the texture; for a border also return whether the index was inside."""
        b = self.b
        last = b.isub(self.size, 1)
        match self.mode:
            case Address.WRAP:
                return self._wrapped(number), None
            case Address.MIRROR:
                number = b.select(b.ilt(number, 0), b.not_(number), number)
                if self.moved:  # may be several periods away
                    number = b.urem(number, b.ishl(self.size, 1))
                back = b.imax(b.isub(b.iadd(last, self.size), number), 0)
                return b.select(b.ilt(number, self.size), number, back), None
            case Address.MIRROR_ONCE:
                number = b.select(b.ilt(number, 0), b.not_(number), number)
                return b.imin(number, last), None
            case Address.BORDER:
                return b.imax(b.imin(number, last), 0), b.ult(number, self.size)
            case _:
                return b.imax(b.imin(number, last), 0), None

    def _wrapped(self, number: Value) -> Value:
        b = self.b
        if self.moved:
            rest = b.irem(number, self.size)
            return b.select(b.ilt(rest, 0), b.iadd(rest, self.size), rest)
        # A reduced coordinate is at most 1, so the index is at most one size off.
        less = b.isub(number, self.size)
        found = b.select(b.ilt(less, 0), number, less)
        return b.select(b.ilt(number, 0), b.iadd(number, self.size), found)
