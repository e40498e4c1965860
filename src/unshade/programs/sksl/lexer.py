"""Lexer of SkSL source and of upstream's text, for syntax highlighting.

uniform half4 tint;          DECLARATION WORD NAME
return tint * half(p.x);     FLOW NAME WORD …
"""

from ...isa.lexer import Kind, Lexer
from .builtins import module
from .tree import ALIASES, PRIVATE_TYPES, ROOT_TYPES, FunctionDeclaration, OverloadSet

__all__ = ["LEXER"]

FLOW = frozenset(
    [
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "return",
        "break",
        "continue",
        "discard",
    ]
)
DECLARES = frozenset(
    [
        "uniform",
        "const",
        "in",
        "out",
        "inout",
        "flat",
        "noperspective",
        "highp",
        "mediump",
        "lowp",
        "inline",
        "noinline",
        "struct",
        "layout",
        "sk_has_side_effects",
    ]
)
TYPES = frozenset((*ROOT_TYPES, *ALIASES, *PRIVATE_TYPES))
FUNCTIONS = frozenset(
    name
    for each in ("public", "gpu")
    for name, symbol in module(each).names.items()
    if isinstance(symbol, FunctionDeclaration | OverloadSet)
)
LITERALS = frozenset(("true", "false"))


def kind(word: str) -> Kind:
    """Return the kind of a word."""
    if word in FLOW:
        return Kind.FLOW
    if word in DECLARES:
        return Kind.DECLARATION
    if word in TYPES:
        return Kind.WORD
    if word in LITERALS:
        return Kind.LITERAL
    return Kind.OPERATION if word in FUNCTIONS else Kind.NAME


LEXER = Lexer(
    (Kind.COMMENT, r"//.*|/\*(?:[^*]|\*(?!/))*(?:\*/)?"),
    (Kind.DECLARATION, r"^#.*"),
    (Kind.LITERAL, r"(?<![\w$])(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uU]?"),
    (kind, r"[A-Za-z_$][\w$]*"),
)
