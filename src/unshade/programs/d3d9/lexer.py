"""Lexer of the text and of the exact dialect, from the tables that print and read them.

ps_2_0                      DECLARATION
def c0, 0.5, 1, 0, 0        DECLARATION REGISTER LITERAL …
if_gt r0.x, c0.x            FLOW REGISTER …
texld_pp r0, t0, s0         ACCESS
(!p0.x) mad_sat r0, r1_abs.x, c3[a0.x], r2      OPERATION
"""

from ...isa.lexer import Kind, Lexer
from .mnemonics import read_mnemonic
from .registers import FILES, SINGLE
from .tables.ops import OPS
from .tables.tokens import PROFILE

__all__ = ["LEXER", "result_count"]

KINDS = {
    "declaration": Kind.DECLARATION, "literal": Kind.DECLARATION, "flow": Kind.FLOW,
    "texture": Kind.ACCESS,
}  # fmt: skip
DECIMAL = r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?"
STEMS = {*FILES, "a", "t", "o", "oT"}
COMMENT_LINE = "comment"  # of the exact dialect


def mnemonic(word: str) -> Kind | None:
    """Return the kind of the word that begins a line."""
    if PROFILE.fullmatch(word) or word == COMMENT_LINE:
        return Kind.DECLARATION
    found = read_mnemonic(word)
    return None if found is None else KINDS.get(OPS[found.opcode].kind, Kind.OPERATION)


def name(word: str) -> Kind | None:
    """Return the kind of another word."""
    bare = word.split("_", 1)[0]
    if bare in SINGLE or bare.rstrip("0123456789") in STEMS:
        return Kind.REGISTER
    return Kind.LITERAL if word in ("true", "false") else None


def result_count(word: str) -> int:
    """Return the number of operands that an operation writes; they come first in its text."""
    found = read_mnemonic(word)
    return int(
        found is not None
        and OPS[found.opcode].name != "texkill"
        and ("d" in OPS[found.opcode].operands)
    )


LEXER = Lexer(
    (Kind.COMMENT, r"//.*|;.*|^[ \t]*#.*"),
    (mnemonic, r"(?<=[)+] )[a-z]\w*"),  # after a predicate, or issued with the one before
    (Kind.REGISTER, r"(?<=[\w\]])\.[xyzwrgba]{1,4}\b"),
    (
        Kind.LITERAL,
        r"(?<![\w.])[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)(?!-[a-z])",
    ),
    (name, r"[A-Za-z]\w*"),
    first=(mnemonic, r"[a-z]\w*"),
)
