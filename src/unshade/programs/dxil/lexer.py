"""Lexer of LLVM assembly, from the tables of the printer, and lines taken apart.

define void @main() #0 {                       DECLARATION WORD NAME
  %3 = fadd fast float %1, 2.0e+00             REGISTER OPERATION WORD WORD REGISTER LITERAL
  br i1 %4, label %5, label %6, !dbg !7        FLOW … NAME
"""

import re
from functools import lru_cache

from ...isa.lexer import Kind, Lexer
from ...isa.steps import Step, Term
from .model.instructions import BY_OPCODE, Instruction
from .tables.dxil_operations import operations

__all__ = ["LEXER", "step"]


def _kind(made: type[Instruction]) -> Kind:
    """Return the kind of the opcodes of a class."""
    if made.IS_TERMINATOR:
        return Kind.FLOW
    return Kind.ACCESS if hasattr(made, "ordering") else Kind.OPERATION


_WORDS: dict[Kind, tuple[str, ...]] = {
    Kind.DECLARATION: ("target", "define", "declare", "attributes", "module"),
    Kind.LITERAL: ("true", "false", "null", "undef", "zeroinitializer"),
}
KINDS = {word: kind for kind, words in _WORDS.items() for word in words}
KINDS.update((word, _kind(made)) for word, made in BY_OPCODE.items())
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

_QUOTED = r'[%@$!c]?"[^"\n]*"'
_COMMENT = re.compile(rf"({_QUOTED})|;.*")
_RESULT = re.compile(rf"(%(?:{STRING}|{PLAIN_NAME})) = ")
_LABEL = re.compile(rf"(%(?:{STRING}|{PLAIN_NAME})):$")
_CALL = re.compile(r"(?:(?:must)?tail )?call [^@]*@\"?dx\.op\.[^(]*\(i32 (\d+)[,)]")
_WORD = re.compile(rf"{_QUOTED}|[%@$]{PLAIN_NAME}|![-\w$.\\]*|#\d+|[-+\w.$]+")
_NUMBERED = re.compile(r"%\d+\Z")
TAILS = ("tail", "musttail")
CACHE_SIZE = 1 << 13  # lines


@lru_cache(maxsize=CACHE_SIZE)
def step(line: str) -> Step:
    """Split a line of the text into operation, result and operands.

    For a call of a dx.op function, the step is the DXIL operation; its operands begin after the
    number. Numbered values are registers; `%5:`, which begins a block, has a block as its result.
    """
    line = _COMMENT.sub(lambda match: match[1] or "", line).strip()
    label = _LABEL.match(line)
    if label is not None:
        return Step("label", "", (_term(label[1]),), ())
    result = _RESULT.match(line)
    body = line[result.end() :] if result is not None else line
    results = () if result is None else (_term(result[1]),)
    call = _CALL.match(body)
    known = operations().get(int(call[1])) if call is not None else None
    if call is not None and known is not None:
        return Step(known.name, "", results, tuple(map(_term, _WORD.findall(body[call.end() :]))))
    words = _WORD.findall(body)
    while len(words) > 1 and words[0] in TAILS:
        del words[0]
    operation = words[0] if words else body
    return Step(operation, "", results, tuple(map(_term, words[1:])))


def _term(word: str) -> Term:
    if _NUMBERED.match(word):
        return Term(word, "%#", "%#", (word,))
    return Term(word, word, word, ())
