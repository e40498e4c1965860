"""Numbers and strings as spirv-dis writes them.

    u32 7, i32 -7, f32 0.5, f64 0.1      7, -7, 0.5, 0.10000000000000001
    subnormal, infinite, NaN             0x1p-149, 0x1p+128, 0x1.8p+128
    f16 and smaller, bfloat16            always in hexadecimal: 0x1p+0

Source: output of spirv-dis.
"""

import struct

from ....tuples import NamedTuple
from ..context import Number

__all__ = ["FLOATS", "FloatFormat", "float_format", "hex_float", "number_text", "string_text"]


class FloatFormat(NamedTuple):
    """Bits of exponent and fraction of a float."""

    exponent: int
    fraction: int
    name: str  # in friendly names of types
    scale: bool = False  # an exponent alone: neither sign nor zero
    fixed: int = 0  # bits after the point of a number in two's complement

    @property
    def bias(self) -> int:
        """Value of the exponent's bits that means 0."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def width(self) -> int:
        """Bits in all."""
        sign = not (self.scale or self.fixed)
        return sign + self.exponent + self.fraction


IEEE = {
    16: FloatFormat(5, 10, "half"),
    32: FloatFormat(8, 23, "float"),
    64: FloatFormat(11, 52, "double"),
}
# By the enumerant of FPEncoding.
FLOATS = {
    "BFloat16KHR": FloatFormat(8, 7, "bfloat16"),
    "Float8E4M3EXT": FloatFormat(4, 3, "fp8e4m3"),
    "Float8E5M2EXT": FloatFormat(5, 2, "fp8e5m2"),
    "Float4E2M1EXT": FloatFormat(2, 1, "fp4e2m1"),
    "Float6E2M3EXT": FloatFormat(2, 3, "fp6e2m3"),
    "Float6E3M2EXT": FloatFormat(3, 2, "fp6e3m2"),
    "Float8UnsignedE8M0EXT": FloatFormat(8, 0, "fp8e8m0", scale=True),
    "MXInt8EXT": FloatFormat(0, 8, "mxint8", fixed=6),
}


def float_format(number: Number, encodings: dict[int, str]) -> FloatFormat | None:
    """Return the format of a float type; None if it is unknown."""
    if number.encoding is None:
        return IEEE.get(number.width)
    return FLOATS.get(encodings.get(number.encoding, ""))


def number_text(number: Number, words: tuple[int, ...], encodings: dict[int, str]) -> str:
    """Return a literal of a numeric type."""
    bits = sum(word << 32 * at for at, word in enumerate(words))
    if not number.is_float:
        if number.signed:
            width = number.width if number.width in (8, 16, 32, 64) else 32 * len(words)
            bits &= (1 << width) - 1
            return str(bits - (1 << width) if bits >> (width - 1) else bits)
        return str(bits)
    form = float_format(number, encodings)
    if form is None:
        return str(bits)
    if number.encoding is None and number.width in (32, 64):
        exponent = bits >> form.fraction & (1 << form.exponent) - 1
        normal = 0 < exponent < (1 << form.exponent) - 1
        if normal or not bits & ~(1 << number.width - 1):
            if number.width == 32:
                return f"{struct.unpack('<f', struct.pack('<I', bits))[0]:.9g}"
            return f"{struct.unpack('<d', struct.pack('<Q', bits))[0]:.17g}"
    return hex_float(bits, form)


def hex_float(bits: int, form: FloatFormat) -> str:
    """Return a float in hexadecimal; infinities and NaN as if their exponent were a usual one."""
    if form.scale:
        return f"0x1p{(bits & 0xFF) - form.bias:+d}"
    if form.fixed:
        return _fixed(bits, form)
    sign = "-" if bits >> (form.exponent + form.fraction) & 1 else ""
    exponent = bits >> form.fraction & (1 << form.exponent) - 1
    fraction = bits & (1 << form.fraction) - 1
    if not exponent and not fraction:
        return f"{sign}0x0p+0"
    power = exponent - form.bias
    if not exponent:  # subnormal: shift the first set bit out to the left
        shift = form.fraction - fraction.bit_length() + 1
        power = 1 - form.bias - shift
        fraction = fraction << shift & (1 << form.fraction) - 1
    digits = -(-form.fraction // 4)
    text = f"{fraction << 4 * digits - form.fraction:0{digits}x}".rstrip("0") if digits else ""
    return f"{sign}0x1{'.' if text else ''}{text}p{power:+d}"


def _fixed(bits: int, form: FloatFormat) -> str:
    """Return a number in two's complement with a number of bits after the point, in hexadecimal."""
    half = 1 << form.fraction - 1
    value = (bits & 2 * half - 1 ^ half) - half
    if not value:
        return "0x0p+0"
    size = abs(value).bit_length() - 1
    digits = f"{(abs(value) ^ 1 << size) << 8 - size:02x}".rstrip("0")
    power = size - form.fixed
    return f"{'-' if value < 0 else ''}0x1{'.' if digits else ''}{digits}p{power:+d}"


def string_text(text: str) -> str:
    """Return a literal string in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
