"""Tokens of the text of kernels: names, numbers, types and constants.

    i32 -5      i32 0xffff0000      f32 1.5      f32 0x7fc00001      bool true
    r0.x        "a name"

Patterns limit the length of numbers, so that Python never converts long numbers.
"""

import re
from enum import StrEnum
from json import loads
from typing import TypeVar

from unshade.ir.builder import constant
from unshade.ir.fold import from_float
from unshade.ir.kernel import Value
from unshade.ir.types import FLOATS, TYPES, Type, Widths
from unshade.isa.source import Scanner

NAME = re.compile(r'[A-Za-z_][\w.]*|"(?:[^"\\]|\\.)*"', re.ASCII)
WORD = re.compile(r"\w+", re.ASCII)
FLOAT = re.compile(r"-?(?:inf|nan|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F]{1,16}|\d{1,20})(?!\w)")

E = TypeVar("E", bound=StrEnum)


def read_constant(scanner: Scanner) -> Value:
    """Read a type and a number, or the bits of a float in hex."""
    if WORD.match(scanner.rest) is None:
        raise scanner.expected("a value or a constant")
    type = read_type(scanner)
    match type.kind:
        case "b":
            start = scanner.at
            text = scanner.take(WORD, "true or false")
            if text not in ("true", "false"):
                raise scanner.place(start).error(f"expected true or false, got {text!r:.40}")
            return constant(int(text == "true"), type)
        case "i":
            low, high = -(1 << type.bits - 1), 1 << type.bits
            return constant(read_integer(scanner, low, high), type)
        case "f":
            if scanner.rest.startswith("0x"):
                return constant(read_integer(scanner, 0, 1 << type.bits), type)
            value = float(scanner.take(FLOAT, "a number"))
            return constant(from_float(value, type), type)
    raise scanner.expected("a number")


def read_type(scanner: Scanner) -> Type:
    """Read the name of a type."""
    start = scanner.at
    name = scanner.take(WORD, "a type")
    if name not in TYPES:
        raise scanner.unknown("type", name, start, TYPES)
    return TYPES[name]


def read_name(scanner: Scanner, wanted: str) -> str:
    """Read a name, plain or in quotes."""
    start = scanner.at
    text = scanner.take(NAME, wanted)
    if not text.startswith('"'):
        return text
    try:
        found: str = loads(text)
    except ValueError:
        raise scanner.place(start).error("expected a quoted name as a JSON string") from None
    return found


def read_one_of(scanner: Scanner, words: type[E]) -> E:
    """Read a value of an enumeration."""
    start = scanner.at
    text = scanner.take(WORD, f"a {words.__name__.lower()}")
    if text not in tuple(words):
        raise scanner.unknown(words.__name__.lower(), text, start, words)
    return words(text)


def read_integer(scanner: Scanner, low: int, high: int) -> int:
    """Read an integer from `low` up to, not including, `high`."""
    start = scanner.at
    text = scanner.take(INTEGER, "an integer")
    number = int(text, 16 if "x" in text else 10)
    if not low <= number < high:
        raise scanner.place(start).error(f"expected a number from {low} to {high - 1}, got {text}")
    return number


def read_widths(scanner: Scanner) -> Widths:
    """Read one or more widths of floats."""
    found: set[int] = set()
    while not found or scanner.rest[:1].isdigit():
        start = scanner.at
        width = read_integer(scanner, 0, max(FLOATS) + 1)
        if width not in FLOATS:
            raise scanner.place(start).error(f"expected a width of 16, 32 or 64, got {width}")
        found.add(width)
    return frozenset(found)


def at_end(scanner: Scanner) -> bool:
    """Return True if no operand follows."""
    return scanner.done or scanner.rest.startswith(("!", "#", "as ", "gives ", "//"))
