"""Lexer of root signatures in HLSL, from the tables that print and read them.

// rootsig_1_1                                              COMMENT
DescriptorTable(SRV(t0, numDescriptors=4, space=1))         DECLARATION REGISTER NAME LITERAL
StaticSampler(s0, filter=FILTER_MIN_MAG_MIP_POINT)          … WORD
"""

from ....isa.lexer import Kind, Lexer
from .arguments import (
    CONSTANTS,
    DESCRIPTOR,
    RANGE,
    RANGES,
    ROOT_DESCRIPTORS,
    ROOT_FLAGS,
    SAMPLER,
    VISIBILITY,
    FlagForm,
    FloatForm,
    NumberForm,
)
from .reading import COUNT, NAMES

__all__ = ["LEXER"]

ARGUMENTS = (COUNT, *CONSTANTS, *DESCRIPTOR, *RANGE, *SAMPLER, VISIBILITY)
LETTERS = "".join(
    sorted({letter for table in (RANGES, ROOT_DESCRIPTORS) for _, letter in table.values()})
)
RANGE_NAMES = (name for name, _ in RANGES.values())


def _words(form: NumberForm | FlagForm | FloatForm) -> list[str]:
    return [] if isinstance(form, FloatForm) else [*form.names.values()]


WORDS = {
    **{
        word.lower(): Kind.WORD
        for form in (ROOT_FLAGS, *(each.form for each in ARGUMENTS))
        for word in _words(form)
    },
    **{each.name.lower(): Kind.NAME for each in ARGUMENTS},
    **{name.lower(): Kind.DECLARATION for name in (*NAMES, *RANGE_NAMES, "RootSignature")},
}


def kind(word: str) -> Kind | None:
    """Return the kind of a word, which is read in any case."""
    return WORDS.get(word.lower())


LEXER = Lexer(
    (Kind.COMMENT, r"//.*|/\*(?:[^*]|\*(?!/))*(?:\*/)?"),
    (Kind.DECLARATION, r"#[ \t]*define\b"),
    (Kind.REGISTER, rf"\b(?i:[{LETTERS}])[0-9]+\b"),
    (Kind.LITERAL, r"\basfloat\(0x[0-9a-fA-F]{8}\)"),
    (
        Kind.LITERAL,
        r"(?<![\w.])[-+]?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fF]?)",
    ),
    (kind, r"[A-Za-z_]\w*"),
)
