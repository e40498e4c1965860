"""Operations that Direct3D defines alike in all of its instruction sets.

    fraction      x - floor(x), and the number below 1 where that rounds to 1: the formula and the
                  table of the specification, which has [0, 1), cannot both hold for -2^-25 to 0;
                  the table is kept, as SwiftShader and OpenCL's fract do (0x3F7FFFFF at most)
    first_*       the position of a bit, from the top for `high`; all ones if there is none
    field         bits of a number; width and offset have as few bits as needed
    msad          the masked sum of absolute differences, which saturates instead of wrapping around
    READABLE      the shapes of textures that an action can read
    half          the bits of the nearest half, ties to even, as drivers of Vulkan round, whose
                  results are the golden ones of our own shaders; the specification's rule for
                  conversions is toward zero, and vkd3d-proton's tests of f32tof16 expect that of
                  drivers of Direct3D 12

Source: Direct3D 11.3 functional specification, sections 3.1 (floating point rules) and 22
(instructions).
"""

from ..builder import Builder, constant
from ..fold import from_float
from ..kernel import Value
from ..ops import Op
from ..textures import Action, Shape
from ..types import F16, F32, I16, I32

__all__ = [
    "FARTHEST",
    "MAPPED",
    "READABLE",
    "bits_inserted",
    "field",
    "first_high",
    "first_high_signed",
    "first_low",
    "fraction",
    "from_half",
    "half",
    "msad",
    "saturated",
]

ONES = constant(0xFFFF_FFFF, I32)
ZERO = constant(0, I32)
FARTHEST = 0xFFFF_FFF0  # a byte beyond every element, also plus the offset of a component
MAPPED = constant(0, I32)  # a residency status: set bits mean that something is not mapped
READABLE: dict[Action, frozenset[Shape]] = {
    Action.SAMPLE: frozenset({Shape.D1, Shape.D2, Shape.D3, Shape.CUBE}),
    Action.LOD: frozenset({Shape.D1, Shape.D2, Shape.D3, Shape.CUBE}),
    Action.GATHER: frozenset({Shape.D2, Shape.CUBE}),
    Action.FETCH: frozenset({Shape.D1, Shape.D2, Shape.D3}),
}
BELOW_ONE = {16: 0x3BFF, 32: 0x3F7F_FFFF, 64: 0x3FEF_FFFF_FFFF_FFFF}


def saturated(b: Builder, x: Value) -> Value:
    """Append a float clamped to 0 and 1; NaN becomes 0."""
    found: Value = b.fmin(b.fmax(x, 0.0), 1.0)
    return found


def fraction(b: Builder, x: Value) -> Value:
    """Append the fractional part of a float; NaN stays NaN."""
    found = b.fsub(x, b.ffloor(x))
    one = constant(from_float(1.0, x.type), x.type)
    return b.select(b.feq(found, one), constant(BELOW_ONE[x.type.bits], x.type), found)


def first_high(b: Builder, x: Value) -> Value:
    """Append the number of zeros above the highest set bit, as an i32."""
    return _found(b, x, b.clz(x))


def first_low(b: Builder, x: Value) -> Value:
    """Append the number of zeros below the lowest set bit, as an i32."""
    return _found(b, x, b.ctz(x))


def first_high_signed(b: Builder, x: Value) -> Value:
    """Append the number of bits above the highest one that differs from the sign, as an i32."""
    return first_high(b, b.xor(x, b.ishr(x, x.type.bits - 1)))


def _found(b: Builder, x: Value, place: Value) -> Value:
    place = place if place.type == I32 else b.uconv(place, type=I32)
    found: Value = b.select(b.ieq(x, 0), ONES, place)
    return found


def field(b: Builder, width: Value, offset: Value, x: Value, shift: Op) -> Value:
    """Append bits offset to offset + width - 1 of x, extended by `ushr` or `ishr`."""
    bits = x.type.bits
    width, offset = b.and_(width, bits - 1), b.and_(offset, bits - 1)
    end = b.iadd(width, offset)
    left = b.ishl(x, b.isub(bits, end))
    inside = b.make(shift, left, b.isub(bits, width))
    beyond = b.make(shift, x, offset)
    found = b.select(b.ult(end, bits), inside, beyond)
    return b.select(b.ieq(width, 0), constant(0, x.type), found)


def bits_inserted(b: Builder, width: Value, offset: Value, x: Value, base: Value) -> Value:
    """Append `base` with the low `width` bits of x from bit `offset` on."""
    bits = x.type.bits
    width, offset = b.and_(width, bits - 1), b.and_(offset, bits - 1)
    mask = b.ishl(b.isub(b.ishl(constant(1, x.type), width), 1), offset)
    moved = b.and_(b.ishl(x, offset), mask)
    return b.or_(moved, b.and_(base, b.not_(mask)))


def half(b: Builder, x: Value) -> Value:
    """Append the bits of the nearest half, as an i32."""
    return b.uconv(b.asint(b.fconv(x, type=F16)), type=I32)


def from_half(b: Builder, x: Value) -> Value:
    """Append the number whose bits as a half are the low 16 bits of x."""
    bits = b.uconv(b.and_(x, 0xFFFF), type=I16)
    return b.fconv(b.asfloat(bits), type=F32)


def msad(b: Builder, reference: Value, source: Value, sum: Value) -> Value:
    """Append the masked sum of absolute differences, which skips reference bytes of 0."""
    for byte in (0, 8, 16, 24):
        one = b.and_(b.ushr(reference, byte), 255)
        other = b.and_(b.ushr(source, byte), 255)
        distance = b.isub(b.umax(one, other), b.umin(one, other))
        found = b.iadd(sum, b.select(b.ieq(one, ZERO), ZERO, distance))
        sum = b.select(b.ult(found, sum), ONES, found)
    return sum
