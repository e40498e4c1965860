"""Spellings of operations: how a target writes each, and where the target's rule differs.

    Infix("+", ADDITIVE)      a + b
    Prefix("-")               -a
    CallSpelling("max")       max(a, b)
    Helper("fraction", …)     fraction(a), with a function that the source then defines

An operation that is missing from a target's table is refused.
"""

from collections.abc import Callable, Mapping
from math import copysign, floor, log10
from typing import TypeAlias

from ..dataclass import dataclass
from ..enums import IntEnum

__all__ = [
    "INDENT", "CallSpelling", "Helper", "Infix", "Prefix", "Rank", "Spelling", "Spellings",
    "float_text", "helper_names",
]  # fmt: skip

INDENT = "    "


class Rank(IntEnum):
    """Precedence of an expression, from loosest to tightest."""

    SELECT = 1
    OR = 2
    AND = 3
    BIT_OR = 4
    BIT_XOR = 5
    BIT_AND = 6
    EQUAL = 7
    ORDER = 8
    SHIFT = 9
    ADD = 10
    MULTIPLY = 11
    UNARY = 12
    PRIMARY = 13


@dataclass(frozen=True, slots=True)
class Infix:
    """An operator between two operands."""

    word: str
    rank: Rank


@dataclass(frozen=True, slots=True)
class Prefix:
    """An operator before its operand."""

    word: str


@dataclass(frozen=True, slots=True)
class CallSpelling:
    """A function; with `whole`, scalar operands are widened to the others' vectors."""

    word: str
    whole: bool = False
    bits: int = 0  # of the only integers that it is for, 0 for all


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that the source defines, if it is used: a template with the type as `{T}`.

    `{U}` is the unsigned type of the same width, `{B}` the bool type; `{S}` and `{W}` are the
    signed and unsigned types of 32 bits. The function has the name `word`, and an overload for
    each width used.
    """

    word: str
    text: str
    declared: bool = False  # without a body: an instruction, whose operands may be vectors
    bits: int = 0  # of the only integers that it is for, 0 for all


Spelling: TypeAlias = Infix | Prefix | CallSpelling | Helper
Spellings: TypeAlias = Mapping[object, Spelling]


def helper_names(spellings: Spellings) -> frozenset[str]:
    """Return the names of the functions that a source may define."""
    return frozenset(each.word for each in spellings.values() if isinstance(each, Helper))


def float_text(value: float, digits: int, same: Callable[[str], bool], away: bool = False) -> str:
    """Return the shortest decimal that is read as a float, with a point.

    With `away`, also try the decimal that is farther from 0, which a reader may truncate.
    """
    for count in range(1, digits + 1):
        text = f"{value:.{count}g}"
        if same(text):
            break
        if away:
            half = 0.5 * 10.0 ** (floor(log10(abs(value))) + 1 - count)
            text = f"{value + copysign(half, value):.{count}g}"
            if same(text):
                break
    if "e" in text:
        mantissa, exponent = text.split("e")
        number = int(exponent)
        plain = f"{value:.{max(0, len(mantissa.replace('-', '').replace('.', '')) - 1 - number)}f}"
        text = plain if len(plain) <= len(text) + 3 and same(plain) else f"{mantissa}e{number}"
    if "." not in text and "e" not in text:
        text += ".0"
    return text
