"""A reader of the comments before a program.

    // Input signature:                   the title of a table
    //
    // Name                 Index   …     the titles of its columns, and a rule
    // -------------------- ----- …
    // POSITION                 0   …     rows, up to an empty comment
    //

A comment that is not the title of a table is skipped. Cells are separated by any number of blanks,
so that an edited table need not be aligned.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from .....isa.source import ErrorList, Scanner, Source
from ..listing.columns import ColumnTable

__all__ = ["NAME", "Comments", "chosen", "number", "reading", "words"]

T = TypeVar("T")
NAME = re.compile(r"[^\s]+")
WORD = re.compile(r"[^\s,;|]+")
DIGITS = re.compile(r"[0-9]+")
RULE = re.compile(r"-[-\s]*$")
U32 = 0xFFFF_FFFF
MARK = "//"


class Comments:
    """The lines of a source before line `last`, with a current line."""

    __slots__ = ("last", "line", "mistakes", "source")

    def __init__(self, source: Source, last: int, mistakes: ErrorList) -> None:
        self.source = source
        self.line = 1  # the next one to read
        self.last = last
        self.mistakes = mistakes

    @property
    def done(self) -> bool:
        """True if no line is left."""
        return self.line >= self.last

    def peek(self) -> Scanner | None:
        """Return the next line after its `//`, or None if there is none or it is not a comment."""
        if self.done:
            return None
        scanner = self.source.scanner(self.line)
        return scanner if scanner.accept(MARK) else None

    def skip(self) -> None:
        """Skip the next line."""
        self.line += 1

    def take(self, wanted: str) -> Scanner:
        """Read the next non-empty comment, or raise AssembleError: expected `wanted`."""
        while (scanner := self.peek()) is not None:
            self.skip()
            if not scanner.done:
                return scanner
        line = min(self.line, len(self.source.lines))
        raise self.source.scanner(line).expected(f"a comment with {wanted}")

    def rows(self) -> Iterator[Scanner]:
        """Yield the lines up to the end of the table; a mistake does not end it."""
        while (scanner := self.peek()) is not None and not scanner.done:
            self.skip()
            yield scanner

    def heads(self, *tables: ColumnTable) -> ColumnTable:
        """Read the column titles and the rule, and return the table with these titles."""
        scanner = self.take("the titles of the table's columns")
        titles = words(scanner.rest)
        for table in tables:
            if titles == words(table.heads[0].removeprefix(MARK)):
                rule = self.take("a rule of dashes")
                if rule.match(RULE) is None:
                    raise rule.expected("a rule of dashes and blanks below the titles")
                return table
        wanted = words(tables[0].heads[0].removeprefix(MARK))
        raise scanner.expected(f"the titles of the table's columns, {wanted!r}")


def words(text: str) -> str:
    """Return the text stripped, with single blanks between words."""
    return " ".join(text.split())


def reading(table: Mapping[int, str]) -> dict[str, int]:
    """Return the inverse of a table of printed words; the first of equal words is used."""
    found: dict[str, int] = {}
    for value, word in table.items():
        found.setdefault(word.strip(), value)
    return found


def number(scanner: Scanner, wanted: str, most: int = U32) -> int:
    """Read a decimal number from 0 to `most`."""
    start = scanner.at
    digits = scanner.take(DIGITS, wanted)
    if len(digits) > 10 or int(digits) > most:
        raise scanner.place(start).error(f"expected {wanted} up to {most}, got {digits:.40}")
    return int(digits)


def chosen(
    scanner: Scanner, what: str, known: Mapping[str, T], pattern: re.Pattern[str] = WORD
) -> T:
    """Read a known word and return its value."""
    start = scanner.at
    word = scanner.take(pattern, f"a {what}")
    found = known.get(word)
    if found is None:
        raise scanner.unknown(what, word, start, known)
    return found


def numbered(scanner: Scanner, what: str, known: Mapping[str, int]) -> int:
    """Read a known word, or a number without a word, and return the number."""
    found = scanner.match(DIGITS)
    if found is not None and len(found[0]) <= 10 and int(found[0]) <= U32:
        return int(found[0])
    return chosen(scanner, what, known)
