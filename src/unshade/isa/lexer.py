"""Telling the words of a program's text apart, so that they can be shown in colours.

    mul_sat r0.x, cb0[1].y, l(0.5)  // half
    OPERATION     REGISTER  LITERAL COMMENT

    LEXER = Lexer(
        (Kind.COMMENT, r"//.*"),
        (word, r"[A-Za-z_]\\w*"),        a function: the kind of such a word, None for none
        first=(mnemonic, r"\\w+"),       at the beginning of a line, before all others
    )

A text dialect declares its lexer beside its printer, from the tables that the printer uses. It is
for display: it takes any text and refuses nothing, and the tokens joined are the text.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum, auto

__all__ = ["Kind", "Lexer", "Token", "comments"]


class Kind(StrEnum):
    """What a word of a program's text is."""

    COMMENT = auto()
    DECLARATION = auto()  # says what there is, and does nothing when the program runs
    OPERATION = auto()
    ACCESS = auto()  # an operation that reads or writes memory or textures
    FLOW = auto()  # one that decides what runs next, or whether anything does
    REGISTER = auto()
    LITERAL = auto()
    WORD = auto()  # of the language: types, modes, system values
    NAME = auto()  # of the program: labels, procedures, uniforms


Token = tuple[str, Kind | None]  # some of the text; None for what is punctuation, or unknown
Rule = tuple[Kind | Callable[[str], Kind | None], str]


class Lexer:
    """Patterns with the kind of what they match, in order: the first that matches counts.

    Patterns are ASCII (`\\w` is a letter of that), their `.` matches no newline, `^` and `$` match
    at every line; they have no capturing groups.
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
        """Return the tokens of a text in order."""
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
        """Return the tokens line by line, without the line ends."""
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
    """Return a lexer that knows comments alone: from the mark to the end of the line."""
    return Lexer((Kind.COMMENT, re.escape(mark) + ".*"))
