"""A listing in colours, by the lexer that its program declares.

Colours only: without them the text is what `disassemble()` gave.
"""

from collections.abc import Iterator

from ..isa.lexer import Kind, Lexer
from .text import Segment, visible

COLOURS = {  # that can be read on black and on white
    Kind.COMMENT: 244,
    Kind.DECLARATION: 67,
    Kind.OPERATION: 33,
    Kind.ACCESS: 70,
    Kind.FLOW: 169,
    Kind.REGISTER: 73,
    Kind.LITERAL: 172,
    Kind.WORD: 103,
    Kind.NAME: 71,
    None: None,
}


def lines(text: str, lexer: Lexer) -> Iterator[list[Segment]]:
    """Yield the text line by line, control characters made visible."""
    for tokens in lexer.lines(text):
        yield [(visible(word, keep="\t"), COLOURS[kind]) for word, kind in tokens]
