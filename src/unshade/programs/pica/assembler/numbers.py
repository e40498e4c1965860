"""Numbers, of three kinds, in the notation of C.

    register, vertex     12  0x0c  014           decimal, 0x hexadecimal, 0 octal
    size, offset, byte   12  -1                  decimal only
    float                1.0  .5e3  0x1.8p1  inf  nan

picasso reads the longest prefix that is a number and ignores the rest: `1.0/2` is 1.0, `c0x` is c0.
Here anything but a number is an error, except the `f` of `1.0f`, the `.0` of a byte, and arithmetic
after a value, which occur in shipped sources; `ignored_arithmetic` reads arithmetic after a value.
"""

import math
import re

from ....isa.source import Scanner

__all__ = ["byte", "c_integer", "decimal", "floating", "ignored_arithmetic", "small"]

WHOLE = re.compile(r"0[xX][0-9a-fA-F]+|\d+", re.ASCII)
DECIMAL = re.compile(r"[+-]?\d+(?![\w.])", re.ASCII)
BYTE = re.compile(r"([+-]?\d+)(?:\.0*)?(?![\w.])", re.ASCII)
FLOAT = re.compile(
    r"([+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
    r"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
    r"|inf(?:inity)?|nan))f?(?![\w.])",
    re.ASCII | re.IGNORECASE,
)
FORGOTTEN = re.compile(r"[-+*/][^,()]+", re.ASCII)
LONGEST = 9  # digits; no valid number has more


def c_integer(text: str) -> int | None:
    """Return the value of an integer in C notation: `010` is 8; None for `08`."""
    if text[:2] in ("0x", "0X"):
        return int(text[2:12], 16)
    if text.startswith("0"):
        return int(text[:20], 8) if not set(text) & {"8", "9"} else None
    return int(text[: LONGEST + 1])


def small(scanner: Scanner, wanted: str, most: int) -> int:
    """Read an integer up to `most`, in any of C's notations."""
    start = scanner.at
    value = c_integer(scanner.take(WHOLE, wanted))
    if value is None or value > most:
        got = scanner.text[start : scanner.at].rstrip()
        raise scanner.place(start).error(f"expected {wanted}, 0 to {most}, got {got:.40}")
    return value


def decimal(scanner: Scanner, wanted: str) -> int:
    """Read a decimal integer with an optional sign."""
    start = scanner.at
    return _int(scanner, scanner.take(DECIMAL, f"{wanted}: a decimal number"), start)


def byte(scanner: Scanner, wanted: str) -> int:
    """Read a decimal integer; return its low eight bits."""
    start = scanner.at
    found = scanner.match(BYTE)
    if found is None:
        raise scanner.expected(f"a whole number for {wanted}")
    return _int(scanner, found[1], start) & 0xFF


def _int(scanner: Scanner, text: str, start: int) -> int:
    if len(text) > LONGEST:
        raise scanner.place(start).error(f"the number {text:.40} has too many digits")
    return int(text)


def floating(scanner: Scanner, wanted: str) -> float:
    """Read a number as C's `atof` does, with 64 bits."""
    found = scanner.match(FLOAT)
    if found is None:
        raise scanner.expected(f"a number for {wanted}")
    text = found[1]
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf


def ignored_arithmetic(scanner: Scanner) -> str:
    """Read arithmetic after a number, which picasso ignores; return its text, or ""."""
    found = scanner.match(FORGOTTEN)
    return found[0].rstrip() if found else ""
