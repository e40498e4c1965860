"""Tokens of SkSL source.

    half4 c = x.rgb1;  →  WORD half4, WORD c, "=", WORD x, ".", WORD rgb1, ";"

Each keyword and operator is a kind of token, whose name is its text; a number in a swizzle
(`.001r`) is a FLOAT and a WORD.

Source: sksl.lex of Skia's milestone 104.
"""

import re

from .....enums import StrEnum
from .....tuples import NamedTuple
from ..messages import Position, span

__all__ = ["END", "KEYWORDS", "RESERVED", "SourceToken", "TokenKind", "TokenLexer"]


class TokenKind(StrEnum):
    """The kind of a token other than keywords and operators."""

    WORD = "identifier"
    RESERVED = "reserved word"
    INT = "integer literal"
    FLOAT = "float literal"
    BAD_OCTAL = "octal"
    DIRECTIVE = "directive"
    SPACE = "whitespace"
    INVALID = "invalid"
    END = "end of file"


END = TokenKind.END

KEYWORDS = frozenset(
    [
        "true",
        "false",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "discard",
        "return",
        "in",
        "out",
        "inout",
        "uniform",
        "const",
        "flat",
        "noperspective",
        "inline",
        "noinline",
        "sk_has_side_effects",
        "struct",
        "layout",
        "highp",
        "mediump",
        "lowp",
        "$es3",
    ]
)
RESERVED = re.compile(
    r"""(?x) attribute | varying | precision | invariant | asm | class | union | enum | typedef
    | template | this | packed | goto | volatile | public | static | extern | external | interface
    | long | double | fixed | unsigned | superp | input | output | [hdf]vec[234]
    | sampler[12]DShadow | sampler3DRect | sampler2DRectShadow | samplerCube | sizeof | cast
    | namespace | using | gl_\w*"""
)
SPACE = re.compile(r"[ \t\n\r]+|//[^\n]*|/\*(?>[^*]*(?:\*[^/][^*]*)*)\*/")
WORD = re.compile(r"[a-zA-Z_$][0-9a-zA-Z_]*")
NUMBERS = (
    (TokenKind.FLOAT, re.compile(r"[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?"
                            r"|[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?"
                            r"|[0-9]+[eE][+-]?[0-9]+")),
    (TokenKind.INT, re.compile(r"(?:0[xX][0-9a-fA-F]+|[1-9][0-9]*|0[0-7]*)[uU]?")),
    (TokenKind.BAD_OCTAL, re.compile(r"0[0-9]+[uU]?")),
)  # fmt: skip
DIRECTIVE = re.compile(r"#[a-zA-Z_][0-9a-zA-Z_]*")
SIGN = re.compile(
    r"@if|@switch|<<=|>>=|\+\+|--|<<|>>|\|\||\^\^|&&|==|!=|>=|<=|[-+*/%|^&]=|[-(){}\[\].,+*/%|^&~!?:=<>;]"
)


class SourceToken(NamedTuple):
    """A token: its kind, or its text if it is a keyword or operator; and its offset."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Offset of the character after the token."""
        return self.start + len(self.text)

    @property
    def position(self) -> Position:
        """The position of the token, for messages."""
        return span(self.start, self.end)


class TokenLexer:
    """A reader of tokens; `at` is the offset of the next one, which can be set back."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def next(self) -> SourceToken:
        """Return the next token, white space and comments included."""
        start = self.at
        if start >= len(self.text):
            return SourceToken(END, "", start)
        token = self._token(start)
        self.at = token.end
        return token

    def _token(self, at: int) -> SourceToken:
        found = SPACE.match(self.text, at)
        if found:
            return SourceToken(TokenKind.SPACE, found[0], at)
        found = WORD.match(self.text, at)
        if found:
            return SourceToken(_kind_of_word(found[0]), found[0], at)
        first = self.text[at]
        if first.isdigit() or first == ".":
            best = SourceToken(TokenKind.INVALID, "", at)
            for kind, pattern in NUMBERS:
                found = pattern.match(self.text, at)
                if found and len(found[0]) > len(best.text):
                    best = SourceToken(kind, found[0], at)
            if best.text:
                return best
        found = SIGN.match(self.text, at)
        if found:
            return SourceToken(found[0], found[0], at)
        found = DIRECTIVE.match(self.text, at)
        if found:
            return SourceToken(TokenKind.DIRECTIVE, found[0], at)
        return SourceToken(TokenKind.INVALID, first, at)


def _kind_of_word(word: str) -> str:
    if word in KEYWORDS:
        return word
    return TokenKind.RESERVED if RESERVED.fullmatch(word) else TokenKind.WORD
