"""Columns of numbers, texts and bytes in one compressed block, which a page's script reads.

    block    =  gzip of:  size of the header (4 bytes)  header (JSON)  padding  column  padding …
    header   =  {"columns": {name: [form, offset, items]}, "values": {…}}
    column   =  at a multiple of 8 bytes behind the header; little-endian

Forms are `i1`, `i2`, `i4`, `i8` for numbers as they are, `d1`, `d2`, `d4`, `d8` for differences
from the number before (the first from 0), `r1`, … for how far numbers are below the first one that
has not occurred, `text` for texts that end with a NUL, and `raw` for bytes. A text that only counts
on, `%8` after `%7`, is the letter U+0001. Numbers of 8 bytes are doubles, the others integers.
Differences of ascending offsets are small and repeat, which gzip shortens to a fraction of a byte.
Numbers have at most 53 bits, like the numbers of JavaScript.
"""

import gzip
import json
import re
import sys
from array import array
from base64 import b64encode
from collections.abc import Iterable, Sequence
from operator import sub
from typing import Any

__all__ = ["Columns", "Strings"]

AGAIN = "\x01"  # a text that counts on
LONGEST = 64  # letters of one
COUNTED = re.compile(r"(.*?)(?<![0-9])(0|[1-9][0-9]{0,14})", re.DOTALL)
WIDTHS = (("b", 1), ("h", 2), ("i", 4))


class Strings:
    """Texts, each stored once and numbered in the order of first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))


class Columns:
    """A block under construction; `values` are plain values that belong to no column."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._places: dict[str, tuple[str, int, int]] = {}
        self._body = bytearray()

    def numbers(self, name: str, numbers: Sequence[int]) -> None:
        """Add integers, in as many bytes each as the largest needs."""
        self._add(name, "i", numbers)

    def differences(self, name: str, numbers: Sequence[int]) -> None:
        """Add integers as differences, for those that ascend or stay close to each other."""
        self._add(name, "d", [*numbers[:1], *map(sub, numbers[1:], numbers)])

    def recent(self, name: str, numbers: Sequence[int]) -> None:
        """Add integers that are numbers in order of first use: 0 is a new one, 1 the latest."""
        next_one, found = 0, []
        for each in numbers:
            found.append(next_one - each)
            next_one = max(next_one, each + 1)
        self._add(name, "r", found)

    def raw(self, name: str, data: bytes) -> None:
        """Add bytes."""
        self._place(name, "raw", len(data), data)

    def texts(self, name: str, texts: Iterable[str]) -> None:
        """Add texts; a NUL and U+0001 in them and lone surrogates are replaced."""
        listed = [each.replace("\0", "\ufffd").replace(AGAIN, "\ufffd") for each in texts]
        before = ""
        shown = []
        for each in listed:
            shown.append(AGAIN if before and each == _next(before) else each)
            before = each
        data = "".join(each + "\0" for each in shown).encode("utf-8", "replace")
        self._place(name, "text", len(listed), data)

    def _add(self, name: str, form: str, numbers: Sequence[int]) -> None:
        least, most = min(numbers, default=0), max(numbers, default=0)
        for code, size in WIDTHS:
            if -(1 << 8 * size - 1) <= least and most < 1 << 8 * size - 1:
                self._place(name, f"{form}{size}", len(numbers), _little(array(code, numbers)))
                return
        self._place(name, f"{form}8", len(numbers), _little(array("d", numbers)))

    def _place(self, name: str, form: str, items: int, data: bytes) -> None:
        self._body += bytes(-len(self._body) % 8)
        self._places[name] = form, len(self._body), items if form != "raw" else len(data)
        self._body += data

    def packed(self) -> str:
        """Return the block in base64."""
        header = json.dumps({"columns": self._places, "values": self.values}).encode()
        head = len(header).to_bytes(4, "little") + header
        head += bytes(-len(head) % 8)
        return b64encode(gzip.compress(head + self._body, 9, mtime=0)).decode("ascii")


def _next(text: str) -> str | None:
    """Return a text with the number at its end one greater; None if it ends with no number."""
    if not text[-1].isascii() or not text[-1].isdigit() or len(text) > LONGEST:
        return None
    found = COUNTED.fullmatch(text)
    return None if found is None else f"{found[1]}{int(found[2]) + 1}"


def _little(numbers: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
