"""Lexer of fxc's listings and the exact dialect, from the tables that print and read them.

dcl_resource_texture2d (float,…) t0    DECLARATION … WORD … REGISTER
if_nz cb0[3].x                         FLOW         by column `kind` of the table of operations
  sample_indexable(texture2d)(…)       ACCESS
  mul r0.xyz, r1.xyzx, l(0.5, …)       OPERATION … REGISTER with components … LITERAL
"""

from ...isa.lexer import Kind, Lexer
from .assembler import lexical
from .assembler.mnemonics import resolve
from .tables import spellings

__all__ = ["LEXER", "result_count"]

KINDS = {  # by kind of operation; the others are OPERATION
    "decl": Kind.DECLARATION,
    "phase": Kind.DECLARATION,
    "flow": Kind.FLOW,
    "sync": Kind.FLOW,
    "tex": Kind.ACCESS,
    "mem": Kind.ACCESS,
    "atomic": Kind.ACCESS,
}
WORDS: dict[str, Kind] = {
    **{
        word: Kind.WORD
        for words in (
            spellings.DIMENSIONS, spellings.RETURN_TYPES, spellings.SYSTEM_VALUES,
            spellings.INTERPOLATIONS, spellings.PRIMITIVES, spellings.TOPOLOGIES,
            spellings.SAMPLER_MODES, spellings.CONSTANT_BUFFER_ACCESS, spellings.DOMAINS,
            spellings.PARTITIONINGS, spellings.OUTPUT_PRIMITIVES, spellings.GLOBAL_FLAGS,
            spellings.PRECISIONS, spellings.RESINFO_TYPES, spellings.SAMPLE_INFO_TYPES,
            (spellings.NONUNIFORM.strip(" {}"),),
            ("as", "space", "stride"),
        )
        for phrase in words
        for word in phrase.split()
    },
    **dict.fromkeys(spellings.REGISTERS, Kind.REGISTER),
}  # fmt: skip
HEADS = {
    spellings.CONSTANT_TABLE: Kind.DECLARATION,
    **dict.fromkeys(spellings.MESSAGES.values(), Kind.OPERATION),
}


def mnemonic(word: str) -> Kind | None:
    """Return the kind of the word that begins a line."""
    known = HEADS.get(word)
    if known is not None:
        return known
    found = resolve(word)
    if found is not None:
        return KINDS.get(found.row.kind, Kind.OPERATION)
    return Kind.DECLARATION if lexical.PROFILE.fullmatch(word) else None


def name(word: str) -> Kind | None:
    """Return the kind of another word. Registers of Shader Model 5.1 are in capitals."""
    stem = word.rstrip("0123456789")
    return (
        WORDS.get(word) or WORDS.get(stem) or (WORDS.get(stem.lower()) if stem.isupper() else None)
    )


def result_count(word: str) -> int:
    """Return the number of operands that an operation writes; they come first in its text."""
    found = resolve(word)
    return 0 if found is None else found.row.results


LEXER = Lexer(
    (Kind.COMMENT, r"//.*|^[ \t]*#.*"),
    (Kind.WORD, r"\[precise\b[^\]\n]*\]"),
    (Kind.LITERAL, r"\b[ld]\((?:[^()\n]|\(ind\))*\)"),
    (Kind.REGISTER, r"(?<=[\w\]])\.[xyzw]{1,4}\b"),
    (Kind.LITERAL, r"(?<![\w.])[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)"),
    (name, r"[A-Za-z_]\w*"),
    first=(mnemonic, f"(?:{lexical.MNEMONIC.pattern})"),
)
