"""Floats in hexadecimal are their bits, in every format; decimal ones where those are exact."""

from __future__ import annotations

import struct
from fractions import Fraction

from unshade.programs.spirv.text.literals import FLOATS, IEEE, FloatFormat, hex_float

# Bits of the sign, exponent and fraction: IEEE 754; bfloat16; the OCP specifications of 8-bit
# floats 1.0 and of microscaling formats 1.0.
WIDTHS = {
    "half": (1, 5, 10), "float": (1, 8, 23), "double": (1, 11, 52), "bfloat16": (1, 8, 7),
    "fp8e4m3": (1, 4, 3), "fp8e5m2": (1, 5, 2), "fp4e2m1": (1, 2, 1), "fp6e2m3": (1, 2, 3),
    "fp6e3m2": (1, 3, 2), "fp8e8m0": (0, 8, 0), "mxint8": (0, 0, 8),
}  # fmt: skip


def value_of(text: str) -> Fraction:
    """Return a number in hexadecimal, whose exponent may be beyond that of a double."""
    digits, _, power = text.partition("p")
    return Fraction(float.fromhex(digits)) * two_to(int(power))


def two_to(power: int) -> Fraction:
    return Fraction(1 << max(power, 0), 1 << max(-power, 0))


def usual(bits: int, form: FloatFormat) -> Fraction:
    """Return the value of bits, with the largest exponent as any other."""
    _, exponents, fractions = WIDTHS[form.name]
    bias = (1 << exponents - 1) - 1
    exponent = bits >> fractions & (1 << exponents) - 1
    fraction = bits & (1 << fractions) - 1
    size = Fraction(fraction, 1 << fractions) + (exponent > 0)
    made = size * two_to(max(exponent, 1) - bias)
    return -made if bits >> exponents + fractions & 1 else made


def expected(bits: int, form: FloatFormat) -> Fraction:
    if form.name == "fp8e8m0":
        return two_to(bits - 127)
    if form.name == "mxint8":
        return Fraction(bits - (bits >> 7 << 8), 64)
    return usual(bits, form)


def patterns(form: FloatFormat) -> list[int]:
    """Return all patterns of few bits; of others those around each border."""
    _, exponents, fractions = WIDTHS[form.name]
    if form.width <= 8:
        return list(range(1 << form.width))
    top = 1 << exponents
    ends = (0, 1, 2, top // 2 - 2, top // 2 - 1, top // 2, top - 2, top - 1)
    rest = (0, 1, 2, 5, 1 << fractions - 1, (1 << fractions) - 1, 0b1011 << fractions - 5)
    found = [each << fractions | fraction for each in ends for fraction in rest]
    return found + [each | 1 << exponents + fractions for each in found]


def test_hexadecimal_floats_have_the_value_of_their_bits() -> None:
    forms = [*IEEE.values(), *FLOATS.values()]
    assert {each.name for each in forms} == set(WIDTHS)
    wrong = []
    for form in forms:
        assert form.width == sum(WIDTHS[form.name]), form
        signed = form.name != "fp8e8m0"
        for bits in patterns(form):
            text = hex_float(bits, form)
            negative = signed and bits >> form.width - 1 == 1
            if value_of(text) != expected(bits, form) or text.startswith("-") != negative:
                wrong.append((form.name, hex(bits), text))
    assert wrong == []
    assert {width: form.width for width, form in IEEE.items()} == {16: 16, 32: 32, 64: 64}


def test_usual_doubles_are_those_of_python() -> None:
    for number in (1.0, -0.1, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308):
        (bits,) = struct.unpack("<Q", struct.pack("<d", number))
        assert value_of(hex_float(bits, IEEE[64])) == Fraction(number)
