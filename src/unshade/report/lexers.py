"""Lexers of listings for Pygments, and so for Sphinx, notebooks and editors that use it.

    pygmentize -l fxc phong.asm        by name, file name or first line, as any lexer of Pygments
    from unshade.report.lexers import FxcLexer

The terminal uses the same lexers. Each language of the registered formats (`Format.languages`) has
a class here, which an entry point in pyproject.toml names: FxcLexer is the class of `fxc`. The
tables of a lexer are loaded when it reads its first text.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from pygments.lexer import Lexer as PygmentsLexer
from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Text,
    Whitespace,
    _TokenType,
)

from ..format import ListingLanguage, load
from ..formats import own
from ..isa.lexer import Kind

__all__ = ["LEXERS", "TOKENS", "ListingLexer", "lexer_class"]

TOKENS: dict[Kind, _TokenType] = {
    Kind.COMMENT: Comment,
    Kind.DECLARATION: Keyword.Declaration,
    Kind.OPERATION: Name.Function,
    Kind.ACCESS: Name.Builtin,
    Kind.FLOW: Keyword,
    Kind.REGISTER: Name.Variable,
    Kind.LITERAL: Literal.Number,
    Kind.WORD: Keyword.Type,
    Kind.NAME: Name.Label,
}
SKIPPED = re.compile(r"(?:[ \t\r]*(?:(?:;|//)[^\n]*)?\n)*")  # blank lines and comments
SURE, PROBABLE = 1.0, 0.9  # by the first line, and by the first line of code


class ListingLexer(PygmentsLexer):
    """A lexer of Pygments for a language of listings."""

    about: ClassVar[ListingLanguage]
    priority = -1  # of a file name alone: patterns such as *.asm belong to other lexers, too

    def __init_subclass__(cls) -> None:
        found = cls.about
        cls.name = found.title
        cls.aliases = [found.name, *found.aliases]
        cls.filenames = [*found.files]
        begins = re.compile(found.begins, re.ASCII | re.MULTILINE)
        cls.analyse_text = staticmethod(partial(_certainty, begins))  # type: ignore[method-assign]

    def __init__(self, **options: Any) -> None:
        # Pygments would remove empty lines at both ends and add a line end.
        super().__init__(**{"stripnl": False, "ensurenl": False, **options})

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        at = 0
        for word, kind in load(self.about.lexer).tokens(text):
            yield at, _token(word, kind), word
            at += len(word)


def _token(word: str, kind: Kind | None) -> _TokenType:
    if kind is None:
        return Whitespace if word.isspace() else Text
    return Literal.String if kind == Kind.LITERAL and '"' in word else TOKENS[kind]


def _certainty(begins: re.Pattern[str], text: str) -> float:
    """Return how certain the language of a text is by its first line, or first line of code."""
    if begins.match(text.lstrip()):
        return SURE
    skipped = SKIPPED.match(text)
    return PROBABLE if begins.match(text[skipped.end() :].lstrip() if skipped else text) else 0.0


def lexer_class(language: ListingLanguage) -> type[ListingLexer]:
    """Return the class of lexers for a language; formats of other packages add theirs with it."""
    return type(f"{language.name.capitalize()}Lexer", (ListingLexer,), {"about": language})


LEXERS = {  # by the name of the class
    made.__name__: made for each in own() for made in map(lexer_class, each.languages)
}


def __getattr__(name: str) -> type[ListingLexer]:
    if name not in LEXERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return LEXERS[name]
