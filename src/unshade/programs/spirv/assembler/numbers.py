"""Literals of SPIR-V text as words.

    7  -7  0x7f  0.5  1e3  0x1.8p+1     by the type that is expected
    "text\\"with quotes"                 a backslash keeps the character after it

A hexadecimal number of a signed type may have all of its bits: 0xffff is -1 in 16 bits, and its
words are extended by the sign. Numbers narrower than 32 bits take one word.

Source: recorded calls of spirv-as.
"""

import re
import struct
from fractions import Fraction

from ..context import Number
from ..text.literals import FloatFormat

__all__ = [
    "LiteralError",
    "encoded",
    "float_bits",
    "immediate",
    "string_words",
    "unquoted",
    "untyped",
]

INTEGER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|[0-9]+)\Z")
OCTAL = re.compile(r"-?0[0-7]+\Z")
DECIMAL = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
HEX_FLOAT = re.compile(r"(-?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)\Z")
LONGEST = 4096  # characters of a number
WIDEST = 64  # bits of a type


class LiteralError(Exception):
    """A literal that does not fit; never leaves the assembler."""


def integer(text: str) -> int | None:
    """Return the value of an integer, decimal, octal or hexadecimal, or None."""
    if len(text) > LONGEST or not INTEGER.match(text):
        return None
    if OCTAL.match(text):
        return int(text, 8)
    return int(text, 16 if "x" in text or "X" in text else 10)


def encoded(text: str, number: Number, form: FloatFormat | None) -> tuple[int, ...]:
    """Return the words of a number of a type."""
    if not 1 <= number.width <= WIDEST:
        raise LiteralError(f"expected a type of 1 to {WIDEST} bits, got {number.width}")
    if number.is_float:
        if form is None:
            raise LiteralError(f"expected a float type of a known format, got {number.width} bits")
        bits = float_bits(text, form)
    else:
        bits = _integer_bits(text, number)
    count = max(1, number.width + 31 >> 5)
    return tuple(bits >> 32 * at & 0xFFFF_FFFF for at in range(count))


def _integer_bits(text: str, number: Number) -> int:
    value = integer(text)
    kind = f"{'a signed' if number.signed else 'an unsigned'} integer of {number.width} bits"
    if value is None:
        raise LiteralError(f"expected {kind}, got {text!r:.40}")
    width = number.width
    hexadecimal = "x" in text or "X" in text
    if not number.signed and text.startswith("-"):
        raise LiteralError(f"expected {kind}, got the negative {text:.40}")
    if number.signed and not hexadecimal:
        fits = -(1 << width - 1) <= value < 1 << width - 1
    else:
        fits = -(1 << width - 1) <= value < 1 << width
    if not fits:
        raise LiteralError(f"expected {kind}, got {text:.40}")
    if number.signed and value >> width - 1 & 1:  # extend the sign; the caller splits words
        value |= -1 << width
    return value


def float_bits(text: str, form: FloatFormat) -> int:
    """Return the bits of a float; LiteralError if it is too large.

    Floats of 32 and 64 bits are rounded to nearest even, smaller ones toward zero, as by
    spirv-as.
    """
    bad = LiteralError(f"expected a {form.name}, got {text!r:.40}")
    if len(text) > LONGEST:
        raise bad
    found = HEX_FLOAT.match(text)
    if found is not None and (found[2] or found[3]):
        return _hex_bits(found, form, bad)
    if not DECIMAL.match(text):
        raise bad
    negative = text.startswith("-")
    if form.name in ("float", "double"):
        value = float(text)
        try:
            packed = struct.pack("<f" if form.name == "float" else "<d", value)
        except OverflowError:
            raise bad from None
        if value in (float("inf"), float("-inf")):
            raise bad
        return int.from_bytes(packed, "little")
    exponent = re.search(r"[eE]([+-]?[0-9]+)", text)
    if exponent is not None and abs(int(exponent[1])) > LONGEST:
        raise bad
    return _rounded(abs(Fraction(text)), negative, form, bad, truncate=True)


def _hex_bits(found: "re.Match[str]", form: FloatFormat, bad: LiteralError) -> int:
    power = int(found[4])
    if abs(power) > 1 << 20:
        raise bad
    digits = f"{found[2]}{found[3] or ''}"
    value = int(digits, 16)
    exponent = power - 4 * len(found[3] or "")
    if not value:
        return _rounded(Fraction(0), bool(found[1]), form, bad)
    top = value.bit_length() - 1 + exponent
    sign = int(bool(found[1])) << form.exponent + form.fraction
    if not form.scale and not form.fixed and top == form.bias + 1:  # infinity and NaN
        shift = value.bit_length() - 1
        fraction = value ^ 1 << shift
        fraction = (
            fraction << form.fraction - shift
            if shift <= form.fraction
            else (fraction >> shift - form.fraction)
        )
        return sign | (1 << form.exponent) - 1 << form.fraction | fraction
    if abs(top) > 1 << 15:
        if top > 0:
            raise bad
        return sign
    scaled = Fraction(value) * (Fraction(2) ** exponent)
    return _rounded(scaled, bool(found[1]), form, bad, truncate=True)


def _rounded(
    value: Fraction, negative: bool, form: FloatFormat, bad: LiteralError, truncate: bool = False
) -> int:
    """Return the bits of a number that is not negative, and a sign."""
    if form.scale:
        if negative or not value:
            raise bad
        top = _log2(value) + form.bias
        if not 0 <= top < 255:
            raise bad
        return top
    if form.fixed:
        scaled = value * (1 << form.fixed)
        rounded = int(scaled) if truncate else round(scaled)
        rounded = -rounded if negative else rounded
        half = 1 << form.fraction - 1
        if not -half <= rounded < half:
            raise bad
        return rounded & 2 * half - 1
    sign = int(negative) << form.exponent + form.fraction
    if not value:
        return sign
    exponent = max(_log2(value), 1 - form.bias)
    unit = Fraction(2) ** (exponent - form.fraction)
    count = int(value / unit) if truncate else round(value / unit)
    bits = count + (exponent + form.bias - 1 << form.fraction)
    if bits >= (1 << form.exponent) - 1 << form.fraction:
        raise bad
    return sign | bits


def _log2(value: Fraction) -> int:
    """Return the largest integer whose power of two is not above the value."""
    found = value.numerator.bit_length() - value.denominator.bit_length()
    return found if Fraction(2) ** found <= value else found - 1


def immediate(text: str) -> int | None:
    """Return the word of `!0x…`; None for any other text."""
    value = integer(text[1:])
    if value is None or not 0 <= value <= 0xFFFF_FFFF or text[1:2] == "-":
        return None
    return value


def untyped(text: str) -> tuple[int, ...]:
    """Return the words of a literal of unspecified type: an integer, a float or a string."""
    if text.startswith('"'):
        return string_words(unquoted(text))
    value = integer(text)
    if value is not None:
        if -(1 << 31) <= value < 1 << 32:
            return (value & 0xFFFF_FFFF,)
        if -(1 << 63) <= value < 1 << 64:
            value &= (1 << 64) - 1
            return (value & 0xFFFF_FFFF, value >> 32)
    return encoded(text, Number(True, 32, True), FloatFormat(8, 23, "float"))


def unquoted(text: str) -> str:
    """Return the text of a string in quotes."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise LiteralError(f"expected a string in quotes, got {text!r:.40}")
    body = text[1:-1]
    made = re.sub(r"\\(.)", r"\1", body, flags=re.DOTALL)
    if re.search(r'(?<!\\)(?:\\\\)*"', body):
        raise LiteralError(f"expected a string in quotes, got {text!r:.40}")
    return made


def string_words(text: str) -> tuple[int, ...]:
    """Return the words of a literal string."""
    raw = text.encode("utf-8", "surrogateescape") + b"\0"
    raw += bytes(-len(raw) % 4)
    return struct.unpack(f"<{len(raw) // 4}I", raw)
