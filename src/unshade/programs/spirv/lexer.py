"""Lexer of SPIR-V assembly, from the classes of instructions in the grammar.

    %sum = OpFAdd %float %ax %y     REGISTER, OPERATION, REGISTER …
           OpStore %at_y %sum       ACCESS
           OpName %main "main"      DECLARATION, REGISTER, LITERAL

Operands are separated by spaces alone, so a line is taken apart here and not by `isa.steps`.
"""

import re
from functools import lru_cache

from ...isa.lexer import Kind, Lexer
from ...isa.steps import Step, Term
from .tables.grammar import grammar

__all__ = ["LEXER", "step"]

GROUPS = {
    "Debug": Kind.DECLARATION,
    "Annotation": Kind.DECLARATION,
    "Extension": Kind.DECLARATION,
    "Mode-Setting": Kind.DECLARATION,
    "Type-Declaration": Kind.DECLARATION,
    "Constant-Creation": Kind.DECLARATION,
    "Memory": Kind.ACCESS,
    "Image": Kind.ACCESS,
    "Atomic": Kind.ACCESS,
    "Function": Kind.FLOW,
    "Control-Flow": Kind.FLOW,
}
# Instructions of a kind other than their class.
KINDS = {
    "OpExtInst": Kind.OPERATION,
    "OpUndef": Kind.DECLARATION,
    "OpUntypedVariableKHR": Kind.DECLARATION,
    "OpVariable": Kind.DECLARATION,
}
STRING = r'"(?:[^"\\]|\\(?:.|\n))*"?'
WORDS = re.compile(rf";.*|{STRING}|[^\s;]+")
CACHE_SIZE = 1 << 13  # lines


def operation(word: str) -> Kind:
    """Return the kind of an opcode."""
    op = grammar().core.by_name.get(word)
    group = "" if op is None else op.group
    return KINDS.get(word) or GROUPS.get(group, Kind.OPERATION)


LEXER = Lexer(
    (Kind.COMMENT, r";.*"),
    (Kind.LITERAL, STRING),
    (Kind.REGISTER, r"%\w+"),
    (operation, r"(?<![\w%])Op[A-Z]\w*"),
    (Kind.WORD, r"[1-3]D\b"),
    (Kind.LITERAL, r"!?-?(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\d[\d.]*(?:[eE][+-]?\d+)?)\b"),
    (Kind.WORD, r"[A-Za-z_]\w*"),
)


@lru_cache(maxsize=CACHE_SIZE)
def step(line: str) -> Step:
    """Split a line into operation, result and operands; ids are its registers."""
    words = [each for each in WORDS.findall(line) if not each.startswith(";")]
    if not words:
        return Step(line.strip(), "", (), ())
    results: tuple[Term, ...] = ()
    if len(words) > 2 and words[1] == "=":
        results, words = (_term(words[0]),), words[2:]
    return Step(words[0], "", results, tuple(map(_term, words[1:])))


def _term(word: str) -> Term:
    if word.startswith("%"):
        return Term(word, "%#", "%#", (word,))
    return Term(word, word, word, ())
