"""Lexer of picasso source and of the exact dialect, from the tables of the assembler.

.fvec projection[4]             DECLARATION NAME LITERAL
.proc main
loop: ifc cmp.x && !cmp.y       NAME FLOW REGISTER
        dp4 o0.x, c0, v0        OPERATION REGISTER …
    .end                        FLOW
"""

from ...isa.lexer import Kind, Lexer
from ...vocab.pica import OutputType, PicaGeometryMode
from .assembler.instructions import MNEMONICS
from .assembler.operand_fields import EMIT_FLAGS
from .assembler.operands import COMPONENTS
from .tables.fields import CompareOp
from .tables.registers import RegisterFile

__all__ = ["LEXER", "result_count"]

CALCULATES = frozenset({"arithmetic", "address", "compare", "nop", "emit", "setemit"})
BLOCKS = frozenset({".else", ".end"})
WORDS = frozenset(
    [each.name.lower() for kind in (CompareOp, PicaGeometryMode, OutputType) for each in kind]
) | frozenset(EMIT_FLAGS)
REGISTER = rf"(?:[{''.join(RegisterFile)}][0-9]+|a0|aL|cmp)"
SELECTED = rf"\.[{''.join(COMPONENTS)}]{{1,4}}"  # xyzw, rgba or stpq
FLOAT = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"


def first(word: str) -> Kind | None:
    """Return the kind of the first word of a line."""
    if word.endswith(":"):
        return Kind.NAME
    if word.startswith("."):
        return Kind.FLOW if word in BLOCKS else Kind.DECLARATION
    return other(word)


def other(word: str) -> Kind | None:
    """Return the kind of a later word; after a label it can be a mnemonic."""
    op = MNEMONICS.get(word)
    if op is None:
        return Kind.WORD if word in WORDS else Kind.NAME
    return Kind.OPERATION if op.kind in CALCULATES else Kind.FLOW


def result_count(word: str) -> int:
    """Return the number of operands that an operation writes; they come first in its text."""
    op = MNEMONICS.get(word)
    return 0 if op is None else op.results


LEXER = Lexer(
    (Kind.COMMENT, r";.*|^[ \t]*#.*"),
    (Kind.REGISTER, rf"(?<![\w$.]){REGISTER}(?:{SELECTED})?(?![\w$])"),
    (Kind.REGISTER, rf"(?<=[\w$\]]){SELECTED}(?![\w$])"),
    (Kind.LITERAL, r"(?<![\w$.])[0-9]+\.\.[0-9]+"),  # ranges of descriptors: 6..127
    (Kind.LITERAL, rf"(?<![\w$.])(?:0[xX][0-9a-fA-F]+|{FLOAT})"),
    (Kind.DECLARATION, r"(?<![\w$\]])\.[A-Za-z]\w*"),
    (other, r"[A-Za-z_$][\w$]*"),
    first=(first, r"(?:[A-Za-z_$][\w$]*[ \t]*:|\.?[A-Za-z_$][\w$]*)"),
)
