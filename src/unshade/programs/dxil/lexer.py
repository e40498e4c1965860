"""Lexer of LLVM assembly, from the tables of the printer.

define void @main() #0 {                       DECLARATION WORD NAME
  %3 = fadd fast float %1, 2.0e+00             REGISTER OPERATION WORD WORD REGISTER LITERAL
  br i1 %4, label %5, label %6, !dbg !7        FLOW … NAME
"""

from ...isa.lexer import Kind, Lexer
from .tables.operations import BINARY_OPERATIONS, CASTS, FLOAT_OPERATIONS

__all__ = ["LEXER"]

_OTHERS = (
    "icmp fcmp phi select getelementptr extractelement insertelement shufflevector extractvalue "
    "insertvalue va_arg landingpad alloca call"
)
_WORDS: dict[Kind, tuple[str, ...]] = {
    Kind.OPERATION: (
        *BINARY_OPERATIONS.values(),
        *FLOAT_OPERATIONS.values(),
        *CASTS.values(),
        *_OTHERS.split(),
    ),
    Kind.ACCESS: ("load", "store", "atomicrmw", "cmpxchg", "fence"),
    Kind.FLOW: ("br", "switch", "indirectbr", "ret", "invoke", "resume", "unreachable"),
    Kind.DECLARATION: ("target", "define", "declare", "attributes", "module"),
    Kind.LITERAL: ("true", "false", "null", "undef", "zeroinitializer"),
}
KINDS = {word: kind for kind, words in _WORDS.items() for word in words}
STRING = r'"[^"\n]*"'
PLAIN_NAME = r"[-A-Za-z$._0-9]+"


def _word(word: str) -> Kind | None:
    return KINDS.get(word, Kind.WORD)


LEXER = Lexer(
    (Kind.COMMENT, r";.*"),
    (Kind.LITERAL, rf"!?c?{STRING}(?!:)"),
    (Kind.REGISTER, rf"%(?:{STRING}|{PLAIN_NAME})"),
    (Kind.NAME, rf"[@$](?:{STRING}|{PLAIN_NAME})"),
    (Kind.NAME, rf"!(?:{PLAIN_NAME})|#[0-9]+"),
    (Kind.LITERAL, r"(?<![\w.])(?:0x[KLMH]?[0-9A-Fa-f]+|-?[0-9]+(?:\.[0-9]*(?:e[-+]?[0-9]+)?)?)\b"),
    (_word, r"[A-Za-z_][\w.]*"),
    first=(Kind.NAME, rf"(?:{STRING}|{PLAIN_NAME}):"),
)
