"""Formats of printf in shaders, `NonSemantic.DebugPrintf`: their conversions and their arguments.

    "light %d at %1.2v3f\\n"      text "light ", %d, text " at ", %1.2f of each of 3 components

    %[flags][width][.precision][v2 v3 v4]d i u o x X f F e E g G a A     numbers of up to 32 bits,
                                                                       floats of any width
    … ld li lu lo lx lX ul                                             integers of 64 bits
    %%                                                                 a percent sign

`%ul` prints hexadecimal digits, `%lu` decimal ones. Components are separated by a comma and a
space. The specifications leave the conversions to the client; these are the conversions of the
Vulkan validation layers, and C's flags. Strings, characters and pointers cannot be printed.

Source: GL_EXT_debug_printf; NonSemantic.DebugPrintf; docs/debug_printf.md of
KhronosGroup/Vulkan-ValidationLayers; ISO C for the form of each number.
"""

import math
import re
import struct
from collections.abc import Sequence
from functools import lru_cache

from ..dataclass import dataclass
from ..tuples import NamedTuple

__all__ = ["FLOATS", "Conversion", "PrintArgument", "PrintFormat", "conversions", "mismatch"]

# A conversion, or a percent sign with what follows it.
PATTERN = re.compile(
    r"%(?:(?P<percent>%)|(?P<flags>[-+ #0]*)(?P<width>\d{0,3})(?:\.(?P<precision>\d{0,3}))?"
    r"(?:v(?P<count>\d+))?(?P<letters>ul|l[diuoxX]|[diuoxXfFeEgGaA])|(?P<bad>.?))",
    re.ASCII | re.DOTALL,
)
INTEGERS, FLOATS = "diuoxX", "fFeEgGaA"
VECTORS = (2, 3, 4)


class PrintArgument(NamedTuple):
    """The type of an argument: float, int, uint or bool, its bits, and its components.

    An argument that is not a scalar or vector has the kind "".
    """

    kind: str
    bits: int = 32
    components: int = 1

    def __str__(self) -> str:
        if not self.kind:
            return "another type"
        scalar = self.kind if self.kind == "bool" else f"{self.kind}{self.bits}"
        return scalar if self.components == 1 else f"{self.components} x {scalar}"


class Conversion(NamedTuple):
    """A conversion: its text, the range that it takes up in the format, and its parts.

    `problem` is the reason why it cannot be printed.
    """

    text: str
    start: int
    end: int
    flags: str = ""
    width: str = ""
    precision: str | None = None
    components: int = 1
    letters: str = ""
    problem: str = ""

    @property
    def wide(self) -> bool:
        """True for integers of 64 bits."""
        return "l" in self.letters

    @property
    def letter(self) -> str:
        """The letter of C."""
        return "x" if self.letters == "ul" else self.letters[-1:]


@lru_cache(maxsize=256)
def conversions(text: str) -> tuple[Conversion, ...]:
    """Return the conversions of a format, including those that cannot be printed."""
    found = []
    for each in PATTERN.finditer(text):
        if each["percent"]:
            continue
        if each["letters"] is None:
            problem = "unknown conversion" if each["bad"] else "conversion without a letter"
            found.append(Conversion(_shown(text, each), *each.span(), problem=problem))
            continue
        count = int(each["count"]) if each["count"] else 1
        problem = ""
        if each["count"] and count not in VECTORS:
            problem = f"expected 2 to 4 components, got {count}"
        found.append(
            Conversion(
                each[0], *each.span(), each["flags"], each["width"], each["precision"], count,
                each["letters"], problem,
            )
        )  # fmt: skip
    return tuple(found)


def _shown(text: str, found: re.Match[str]) -> str:
    """Return an unknown conversion up to its first letter."""
    rest = re.compile(r"%[^\s\w%]*[\d.]*(?:v\d+)?\w?").match(text, found.start())
    return rest[0] if rest is not None else found[0]


def mismatch(conversion: Conversion, argument: PrintArgument) -> str:
    """Return why a conversion cannot print an argument; "" if it can."""
    if conversion.problem:
        return conversion.problem
    floats = conversion.letter in FLOATS
    wanted = "a float" if floats else "an integer"
    if conversion.wide:
        wanted = "an integer of 64 bits"
    elif not floats:
        wanted = "an integer of up to 32 bits"
    good = argument.kind == "float" if floats else argument.kind in ("int", "uint", "bool")
    if good and not floats:
        good = (argument.bits > 32) == conversion.wide
    if good and argument.components == conversion.components:
        return ""
    if conversion.components > 1:
        wanted = f"{conversion.components} components, each {wanted}"
    return f"expected {wanted}, got {argument}"


@dataclass(frozen=True, slots=True)
class PrintFormat:
    """A format and the types of the arguments that a program prints with it.

    `line` is its line of the listing. Arguments are passed as words of 32 bits: floats of 16 bits
    as floats of 32 bits, smaller integers extended by their sign, 64 bits as two words, low first.
    """

    text: str
    arguments: tuple[PrintArgument, ...] = ()
    line: int = 0

    @property
    def problem(self) -> str:
        """The reason that it cannot be printed; "" if it can."""
        found = conversions(self.text)
        for at, each in enumerate(found):
            reason = each.problem
            if at < len(self.arguments):
                reason = mismatch(each, self.arguments[at])
            if reason:
                return f"{each.text}: {reason}"
        if len(found) > len(self.arguments):
            return (
                f"expected an argument for each of {len(found)} conversions,"
                f" got {len(self.arguments)}"
            )
        return ""

    @property
    def printed(self) -> tuple[PrintArgument, ...]:
        """The arguments that have a conversion; others are ignored."""
        return self.arguments[: len(conversions(self.text))]

    @property
    def words(self) -> int:
        """The number of words of the arguments that are printed."""
        return sum(each.components * (2 if each.bits > 32 else 1) for each in self.printed)

    def formatted(self, words: Sequence[int]) -> str:
        """Return the text for the words of the arguments."""
        pieces: list[str] = []
        done = at = 0
        for each, argument in zip(conversions(self.text), self.arguments, strict=False):
            pieces.append(self.text[done : each.start].replace("%%", "%"))
            step = 2 if argument.bits > 32 else 1
            values = []
            for _ in range(argument.components):
                bits = sum(int(word) << 32 * n for n, word in enumerate(words[at : at + step]))
                values.append(_number(each, argument, bits))
                at += step
            pieces.append(", ".join(values))
            done = each.end
        pieces.append(self.text[done:].replace("%%", "%"))
        return "".join(pieces)


# ---------------------------------------------------------------- numbers


def _number(conversion: Conversion, argument: PrintArgument, bits: int) -> str:
    """Return a number as C prints it."""
    if conversion.letter in FLOATS:
        wide = argument.bits > 32
        (value,) = struct.unpack("<d" if wide else "<f", bits.to_bytes(8 if wide else 4, "little"))
        return _float(conversion, value)
    width = 64 if conversion.wide else 32
    if conversion.letter in "di" and bits >> (width - 1):
        bits -= 1 << width
    return _integer(conversion, bits)


def _integer(conversion: Conversion, value: int) -> str:
    letter, precision = conversion.letter, conversion.precision
    digits = format(abs(value), {"o": "o", "x": "x", "X": "X"}.get(letter, "d"))
    if precision is not None:
        digits = digits.rjust(int(precision or "0"), "0") if value or int(precision or "0") else ""
    prefix = ""
    if "#" in conversion.flags:
        if letter in "xX" and value:
            prefix = f"0{letter}"
        elif letter == "o" and not digits.startswith("0"):
            digits = f"0{digits}"
    sign = _sign(conversion, value < 0) if letter in "di" else ""
    return _padded(conversion, sign + prefix, digits, precision is None)


def _float(conversion: Conversion, value: float) -> str:
    letter = conversion.letter
    negative = struct.pack("<d", value)[7] >> 7 == 1
    sign = _sign(conversion, negative)
    if not math.isfinite(value):
        word = "nan" if math.isnan(value) else "inf"
        return _padded(conversion, sign, word.upper() if letter.isupper() else word, False)
    size = abs(value)
    precision = conversion.precision
    if letter in "aA":
        digits = _hexadecimal(
            size, None if precision is None else int(precision or "0"), "#" in conversion.flags
        )
        prefix, digits = sign + "0x", digits[2:]
        if letter == "A":
            prefix, digits = prefix.upper(), digits.upper()
        return _padded(conversion, prefix, digits, True)
    places = "6" if precision is None else precision or "0"
    alternate = "#" if "#" in conversion.flags else ""
    return _padded(conversion, sign, f"%{alternate}.{places}{letter}" % size, True)


def _hexadecimal(size: float, precision: int | None, point: bool) -> str:
    """Return a float as C's %a does, without the zeros at its end; always with a `point`."""
    if size == 0:
        digits = "0" * (precision or 0)
        return f"0x0{'.' if digits or point else ''}{digits}p+0"
    mantissa, _, exponent = size.hex().removeprefix("0x").partition("p")
    whole, _, fraction = mantissa.partition(".")
    if precision is None:
        fraction = fraction.rstrip("0")
    elif precision < len(fraction):
        scale = 16 ** (len(fraction) - precision)
        number, rest = divmod(int(whole + fraction, 16), scale)
        number += 2 * rest > scale or (2 * rest == scale and number % 2 == 1)
        text = format(number, "x").rjust(precision + 1, "0")
        whole, fraction = text[: len(text) - precision], text[len(text) - precision :]
    else:
        fraction = fraction.ljust(precision, "0")
    return f"0x{whole}{'.' if fraction or point else ''}{fraction}p{int(exponent):+d}"


def _sign(conversion: Conversion, negative: bool) -> str:
    if negative:
        return "-"
    return next((each for each in "+ " if each in conversion.flags), "")


def _padded(conversion: Conversion, lead: str, digits: str, zeros: bool) -> str:
    """Return sign and prefix, padding and digits, at least as wide as the conversion says."""
    width = int(conversion.width or "0")
    if "-" in conversion.flags:
        return (lead + digits).ljust(width)
    if "0" in conversion.flags and zeros:
        return lead + digits.rjust(width - len(lead), "0")
    return (lead + digits).rjust(width)
