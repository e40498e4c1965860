"""Tokens of LLVM assembly.

Comments are skipped, line ends are not tokens; `is_first` is true for a token that begins a line.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import overload

from ....errors import AssembleError
from ....isa.source import Source
from ....tuples import NamedTuple

__all__ = ["END", "AssemblyToken", "AssemblyTokens", "error_at", "unescaped", "unescaped_bytes"]

_NAME = r'(?:"[^"\n]*"|[-A-Za-z$._0-9]+)'
_PATTERN = re.compile(
    rf"""(?:
    (?P<blank>(?:[ \t\r\n\f\v]+|;[^\n]*)+)
    |(?P<label>{_NAME}:)
    |(?P<text>!?c?"[^"\n]*")
    |(?P<local>%{_NAME})
    |(?P<global>@{_NAME})
    |(?P<comdat>\${_NAME})
    |(?P<group>\#[0-9]+)
    |(?P<record>\#dbg_\w+)
    |(?P<node>![-A-Za-z$._0-9\\]+)
    |(?P<number>0x[KLMH]?[0-9A-Fa-f]+|[-+]?[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?)
    |(?P<word>[A-Za-z_][\w.]*)
    |(?P<mark>\.\.\.|!\{{|[][(){{}}<>,=*|])
    )[ \t]*""",
    re.VERBOSE | re.ASCII,
)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2})")


class AssemblyToken(NamedTuple):
    """A token: its kind, its text, the offset of both in the source."""

    kind: str
    text: str
    offset: int
    is_first: bool

    @property
    def name(self) -> str:
        """The name without prefix, quotes and escapes."""
        text = self.text[1:] if self.text[0] in "%@$!" else self.text.removesuffix(":")
        return unescaped(text[1:-1]) if text.startswith('"') else unescaped(text)


END = "end"
KINDS = ("", *_PATTERN.groupindex, END)  # by the number of the group in the pattern
BLANK, MARK, END_KIND = KINDS.index("blank"), KINDS.index("mark"), KINDS.index(END)
BRACES = frozenset(("{", "!{", "}"))
FIRST = 1 << 7  # added to the kind of a token that begins a line
BITS = 10  # tokens of a piece, as a power of two
MASK = (1 << BITS) - 1
PIECES = 16  # that are kept


def unescaped(text: str) -> str:
    """Return the string that an escaped text means."""
    if "\\" not in text:
        return text
    return unescaped_bytes(text).decode("utf-8", "surrogateescape")


def unescaped_bytes(text: str) -> bytes:
    """Return the bytes that an escaped text means."""
    data = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)


class AssemblyTokens(Sequence[AssemblyToken]):
    """The tokens of a text, followed by a token of kind `end`.

    A token takes twenty times the memory of its place in the text, so that places are kept, and
    tokens made in pieces when they are asked for.
    """

    __slots__ = ("_braces", "_ends", "_kinds", "_pieces", "_starts", "source")

    def __init__(self, source: Source) -> None:
        """Divide a text.

        Raises:
            AssembleError: A character begins no token.
        """
        self.source = source
        self._starts, self._ends, self._kinds = array("Q"), array("Q"), array("B")
        self._pieces: dict[int, list[AssemblyToken]] = {}
        self._braces = array("Q")  # the numbers of the tokens `{`, `!{` and `}`
        text = source.text
        add_start, add_end, add_kind = self._starts.append, self._ends.append, self._kinds.append
        at, first = 0, FIRST
        for match in _PATTERN.finditer(text):
            start = match.start()
            if start != at:
                break
            at = match.end()
            kind = match.lastindex or 0
            if kind == BLANK:
                if not first and "\n" in match[0]:
                    first = FIRST
                continue
            if kind == MARK and match[kind] in BRACES:
                self._braces.append(len(self._starts))
            add_start(start)
            add_end(match.end(kind))
            add_kind(kind | first)
            first = 0
        if at < len(text):
            raise error_at(source, at, f"expected a token, got {text[at]!r}")
        add_start(at)
        add_end(at)
        add_kind(END_KIND | FIRST)

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> AssemblyToken: ...
    @overload
    def __getitem__(self, at: slice) -> list[AssemblyToken]: ...
    def __getitem__(self, at: int | slice) -> AssemblyToken | list[AssemblyToken]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        return self.piece(at >> BITS)[at & MASK]

    def closing(self, at: int) -> int | None:
        """Return the index of the brace that closes the brace at an index; None if none does."""
        text, starts, braces = self.source.text, self._starts, self._braces
        depth = 0
        for number in range(bisect_left(braces, at), len(braces)):
            brace = braces[number]
            depth += -1 if text[starts[brace]] == "}" else 1
            if depth <= 0:
                return brace
        return None

    def piece(self, number: int) -> list[AssemblyToken]:
        """Return a piece of the tokens, which is kept with some others."""
        known = self._pieces.get(number)
        if known is not None:
            return known
        if len(self._pieces) >= PIECES:
            self._pieces.clear()
        text = self.source.text
        places = slice(number << BITS, number + 1 << BITS)
        found = [
            AssemblyToken(KINDS[kind & ~FIRST], text[start:end], start, kind >= FIRST)
            for start, end, kind in zip(
                self._starts[places], self._ends[places], self._kinds[places], strict=True
            )
        ]
        self._pieces[number] = found
        return found


def error_at(source: Source, offset: int, problem: str, width: int = 1) -> AssembleError:
    """Return an error at an offset of the text."""
    line = source.text.count("\n", 0, offset) + 1
    column = offset - (source.text.rfind("\n", 0, offset) + 1) + 1
    return source.error(problem, line, column, width)
