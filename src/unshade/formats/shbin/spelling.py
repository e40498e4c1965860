"""Spelling of numbers of SHBIN tables in YAML and listings.

    FLOAT24     0x3f0000 is 1.0     `0x7f8000` if no number converts to these bits
    REGISTER    0x10 is c0          v0-v15 from 0, c0-c95 from 0x10, i0-i3 from 0x70, b0-b15 0x78
    MASK        5 is xz             bit 0 is x, bit 3 w; a number if it is 0 or has other bits

Source: 3dbrew (SHBIN) for the registers of the uniform table; libctru agrees.
"""

import re
from math import isnan
from typing import Any

from ...errors import FormatError
from ...vocab.float24 import BITS, from_float, text, to_float
from ...vocab.pica import BOOLS, COMPONENTS, FLOATS, INPUTS, SPEAKABLE_INTEGERS

FILES = (  # letter, first number, how many
    ("v", 0x00, INPUTS),
    ("c", 0x10, FLOATS),
    ("i", 0x70, SPEAKABLE_INTEGERS),
    ("b", 0x78, BOOLS),
)
_REGISTER = re.compile(r"([vcib])([0-9]{1,2})")
_WORD = re.compile(r"0x[0-9a-fA-F]{1,8}")


class Float24Spelling:
    """Spelling of a float24 in the low bits of a word."""

    def shown(self, number: int) -> float | str:
        """Return the shortest number that rounds to these bits, or the word in hexadecimal."""
        if number >> BITS or isnan(to_float(number)):
            return f"0x{number:06x}"
        return float(text(number))

    def number(self, given: object, path: str) -> int:
        """Return the bits of a number, rounded towards zero; FormatError if it is not a number."""
        if isinstance(given, str) and _WORD.fullmatch(given):
            return int(given, 16)
        if given in ("inf", "-inf"):
            given = float(str(given))
        if isinstance(given, int | float) and not isinstance(given, bool) and not isnan(given):
            try:
                return from_float(float(given), subnormal=True)
            except OverflowError:
                pass
        raise FormatError(f"expected a number or a word such as 0x7f8000, got {given!r:.40}",
                          path=path)  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema: a number, infinity, or a word."""
        pattern = "^(-?inf|0x[0-9a-fA-F]{1,8})$"
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]}


class RegisterSpelling:
    """Spelling of a register in the uniform table, which numbers inputs and uniforms together."""

    def shown(self, number: int) -> int | str:
        """Return the name, such as `c0`, or the number if no register has it."""
        for letter, first, count in FILES:
            if first <= number < first + count:
                return f"{letter}{number - first}"
        return number

    def number(self, given: object, path: str) -> int:
        """Return the number of a register given by name or number; FormatError if it is neither."""
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        match = _REGISTER.fullmatch(given) if isinstance(given, str) else None
        if match:
            for letter, first, count in FILES:
                if letter == match[1] and int(match[2]) < count:
                    return first + int(match[2])
        raise FormatError(f"expected a register such as c0, or its number, got {given!r:.40}",
                          path=path)  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema: a name or a number."""
        return {"anyOf": [{"type": "string", "pattern": "^[vcib][0-9]{1,2}$"},
                          {"type": "integer", "minimum": 0, "maximum": 0xFFFF}]}  # fmt: skip


class MaskSpelling:
    """Spelling of a component mask of the output table."""

    def shown(self, number: int) -> int | str:
        """Return the components, such as `xyz`, or the number if it is 0 or other bits are set."""
        return letters(number) if 0 < number < 16 else number

    def number(self, given: object, path: str) -> int:
        """Return the bits of components or of a number; FormatError if it is neither."""
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        if isinstance(given, str) and given:
            bits = sum(1 << i for i, letter in enumerate(COMPONENTS) if letter in given)
            if letters(bits) == given:
                return bits
        raise FormatError(f"expected components such as xyz, or a number, got {given!r:.40}",
                          path=path)  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema: letters or a number."""
        return {"anyOf": [{"type": "string", "pattern": "^x?y?z?w?$"},
                          {"type": "integer", "minimum": 0, "maximum": 0xFFFF}]}  # fmt: skip


def letters(mask: int) -> str:
    """Return the components of a mask; other bits are ignored."""
    return "".join(letter for i, letter in enumerate(COMPONENTS) if mask >> i & 1)


FLOAT24 = Float24Spelling()
REGISTER = RegisterSpelling()
MASK = MaskSpelling()
