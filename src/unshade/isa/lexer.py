"""Lexers for syntax highlighting of program text.

    mul_sat r0.x, cb0[1].y, l(0.5)  // half
    OPERATION     REGISTER  LITERAL COMMENT

    LEXER = Lexer(
        (Kind.COMMENT, r"//.*"),
        (word, r"[A-Za-z_]\\w*"),        a function that returns the kind of a word, or None
        first=(mnemonic, r"\\w+"),       tried first, at the start of a line
    )

The lexer of a dialect is declared next to its printer and uses the same tables. Lexers accept any
text; the concatenated tokens are the text.
"""

import re
from collections.abc import Callable, Iterator
from enum import auto

from ..enums import StrEnum

__all__ = ["Kind", "Lexer", "Token", "comments"]


class Kind(StrEnum):
    """Kinds of words in program text."""

    COMMENT = auto()
    DECLARATION = auto()  # not executed
    OPERATION = auto()
    ACCESS = auto()  # an operation that reads or writes memory or textures
    FLOW = auto()  # a control-flow operation
    REGISTER = auto()
    LITERAL = auto()
    WORD = auto()  # a keyword: types, modes, system values
    NAME = auto()  # an identifier: labels, procedures, uniforms


Token = tuple[str, Kind | None]  # a piece of text; None for punctuation and unknown words
Rule = tuple[Kind | Callable[[str], Kind | None], str]


class Lexer:
    """An ordered list of patterns and the kinds of tokens that they match; the first match wins.

    Patterns are compiled with re.ASCII and re.MULTILINE and must not have capturing groups.
    """

    __slots__ = ("_kinds", "_pattern")

    def __init__(self, *rules: Rule, first: Rule | None = None) -> None:
        patterns = [pattern for _, pattern in rules]
        kinds = [kind for kind, _ in rules]
        if first is not None:
            patterns.insert(0, rf"(?<![^\n])[ \t]*{first[1]}")
            kinds.insert(0, first[0])
        self._kinds = kinds
        joined = "|".join(f"({pattern})" for pattern in patterns)
        self._pattern = re.compile(joined, re.ASCII | re.MULTILINE)

    def tokens(self, text: str) -> Iterator[Token]:
        """Iterate over the tokens of a text."""
        at = 0
        for found in self._pattern.finditer(text):
            word = found[0]
            bare = word.lstrip(" \t")
            start = found.end() - len(bare)
            if start > at:
                yield text[at:start], None
            kind = self._kinds[(found.lastindex or 0) - 1]
            if bare:
                yield bare, kind if isinstance(kind, Kind) else kind(bare)
            at = found.end()
        if at < len(text):
            yield text[at:], None

    def lines(self, text: str) -> Iterator[list[Token]]:
        """Iterate over the lines of a text, as lists of tokens without line ends."""
        line: list[Token] = []
        for word, kind in self.tokens(text):
            for number, piece in enumerate(word.split("\n")):
                if number:
                    yield line
                    line = []
                if piece:
                    line.append((piece, kind))
        if line:
            yield line


def comments(mark: str) -> Lexer:
    """Return a lexer that recognises only comments, from the mark to the end of the line."""

    return Lexer((Kind.COMMENT, re.escape(mark) + ".*"))
