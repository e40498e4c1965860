"""Tokens of LLVM assembly, and a reader that moves through them.

Comments are skipped, line ends are not tokens; `is_first` says that a token begins a line.
"""

import re
from typing import NamedTuple, NoReturn

from ....errors import AssembleError
from ....isa.source import Source

__all__ = ["AssemblyReader", "AssemblyToken", "unescaped"]

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
LONGEST = 40


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
    """Return the tokens of a text, with one of kind `end` after the last.

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


class AssemblyReader:
    """The tokens of a text, read from `at` on."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.at = 0

    @property
    def token(self) -> AssemblyToken:
        """The next token."""
        return self.tokens[self.at]

    def next(self) -> AssemblyToken:
        """Return the next token and move past it; stay at the end."""
        token = self.tokens[self.at]
        if token.kind != END:
            self.at += 1
        return token

    def fail(self, problem: str, token: AssemblyToken | None = None) -> NoReturn:
        token = token or self.token
        raise error_at(self.source, token.offset, problem, len(token.text))

    def expected(self, wanted: str) -> NoReturn:
        """Raise AssembleError that another token was expected here."""
        text = self.token.text
        self.fail(f"expected {wanted}, got {f'{text!r:.{LONGEST}}' if text else 'the end'}")

    def accept(self, text: str) -> bool:
        """Move past a mark or word if it is next."""
        token = self.token
        if token.text == text and token.kind in ("mark", "word"):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Move past a mark or word."""
        if not self.accept(text):
            self.expected(repr(text))

    def take(self, kind: str, wanted: str) -> AssemblyToken:
        """Return the next token, which is of a kind."""
        if self.token.kind != kind:
            self.expected(wanted)
        return self.next()

    def take_number(self, wanted: str = "a number") -> int:
        """Return the next token, which is an integer."""
        token = self.take("number", wanted)
        try:
            return int(token.text)
        except ValueError:
            self.fail(f"expected {wanted}, got {token.text!r:.{LONGEST}}", token)

    def take_text(self) -> str:
        """Return the next token, which is a string in quotes."""
        token = self.take("text", "a string")
        if not token.text.startswith('"'):
            self.fail("expected a string in plain quotes", token)
        return unescaped(token.text[1:-1])

    def skip_parentheses(self) -> None:
        """Move past a text in parentheses, which may hold others."""
        self.expect("(")
        depth = 1
        while depth and self.token.kind != END:
            text = self.next().text
            depth += (text == "(") - (text == ")")

    def skip_statement(self) -> int:
        """Move to the next token that begins a line outside of braces; return where it began."""
        start, depth = self.at, 0
        while self.token.kind != END:
            if self.token.is_first and not depth and self.at > start:
                break
            depth += self.token.text in ("{", "!{", "[")
            depth -= self.token.text in ("}", "]")
            self.at += 1
        return start
