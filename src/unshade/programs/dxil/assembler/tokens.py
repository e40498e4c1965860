"""Tokens of LLVM assembly.

Comments are skipped, line ends are not tokens; `is_first` is true for a token that begins a line.
"""

import re

from ....errors import AssembleError
from ....isa.source import Source
from ....tuples import NamedTuple

__all__ = ["END", "AssemblyToken", "error_at", "tokens_of", "unescaped", "unescaped_bytes"]

_NAME = r'(?:"[^"\n]*"|[-A-Za-z$._0-9]+)'
_PATTERN = re.compile(
    rf"""(?P<blank>[ \t\r\n\f\v]+|;[^\n]*)
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
    """,
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


def unescaped(text: str) -> str:
    """Return the string that an escaped text means."""
    if "\\" not in text:
        return text
    return unescaped_bytes(text).decode("utf-8", "surrogateescape")


def unescaped_bytes(text: str) -> bytes:
    """Return the bytes that an escaped text means."""
    data = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)


def tokens_of(source: Source) -> list[AssemblyToken]:
    """Return the tokens of a text, followed by a token of kind `end`.

    Raises:
        AssembleError: A character begins no token.
    """
    text = source.text
    found: list[AssemblyToken] = []
    at, is_first = 0, True
    while at < len(text):
        match = _PATTERN.match(text, at)
        if match is None:
            raise error_at(source, at, f"expected a token, got {text[at]!r}")
        kind = match.lastgroup or ""
        at = match.end()
        if kind == "blank":
            is_first = is_first or "\n" in match[0]
        else:
            found.append(AssemblyToken(kind, match[0], match.start(), is_first))
            is_first = False
    found.append(AssemblyToken(END, "", len(text), True))
    return found


def error_at(source: Source, offset: int, problem: str, width: int = 1) -> AssembleError:
    """Return an error at an offset of the text."""
    line = source.text.count("\n", 0, offset) + 1
    column = offset - (source.text.rfind("\n", 0, offset) + 1) + 1
    return source.error(problem, line, column, width)
