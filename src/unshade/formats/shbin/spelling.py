"""How numbers of SHBIN tables are written where people read them.

    FLOAT24     0x3f0000 is 1.0     the number itself; `0x7f8000` for what no number stands for
    REGISTER    0x10 is c0          v0-v15 from 0, c0-c95 from 0x10, i0-i3 from 0x70, b0-b15 0x78
    MASK        5 is xz             bit 0 is x, bit 3 w; a number where there are none, or others

Source: 3dbrew (SHBIN), for the registers of the uniform table; libctru reads them so.
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
    """A float24 in the low bits of a word."""

    def shown(self, number: int) -> float | str:
        """The shortest number that is rounded to these bits."""
        if number >> BITS or isnan(to_float(number)):
            return f"0x{number:06x}"
        return float(text(number))

    def number(self, given: object, path: str) -> int:
        """The bits; a number in between is rounded towards zero, as all tools do."""
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
        """A number, infinity, or a word."""
        pattern = "^(-?inf|0x[0-9a-fA-F]{1,8})$"
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]}


class RegisterSpelling:
    """A register in the numbering of the uniform table: inputs and uniforms in one row."""

    def shown(self, number: int) -> int | str:
        """`c0`; the number itself where no register has it."""
        for letter, first, count in FILES:
            if first <= number < first + count:
                return f"{letter}{number - first}"
        return number

    def number(self, given: object, path: str) -> int:
        """The number of `c0`, or a number as it is."""
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
        """A name or a number."""
        return {"anyOf": [{"type": "string", "pattern": "^[vcib][0-9]{1,2}$"},
                          {"type": "integer", "minimum": 0, "maximum": 0xFFFF}]}  # fmt: skip


class MaskSpelling:
    """Components of an output register."""

    def shown(self, number: int) -> int | str:
        """`xyz`; the number itself where it is no set of components, or an empty one."""
        return letters(number) if 0 < number < 16 else number

    def number(self, given: object, path: str) -> int:
        """The bits of `xyz`, or a number as it is."""
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        if isinstance(given, str) and given:
            bits = sum(1 << i for i, letter in enumerate(COMPONENTS) if letter in given)
            if letters(bits) == given:
                return bits
        raise FormatError(f"expected components such as xyz, or a number, got {given!r:.40}",
                          path=path)  # fmt: skip

    def schema(self) -> dict[str, Any]:
        """Letters or a number."""
        return {"anyOf": [{"type": "string", "pattern": "^x?y?z?w?$"},
                          {"type": "integer", "minimum": 0, "maximum": 0xFFFF}]}  # fmt: skip


def letters(mask: int) -> str:
    """The components of a mask; bits that are none are left out."""
    return "".join(letter for i, letter in enumerate(COMPONENTS) if mask >> i & 1)


FLOAT24 = Float24Spelling()
REGISTER = RegisterSpelling()
MASK = MaskSpelling()
