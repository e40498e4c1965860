"""A listing in colours, by the lexer that its program declares.

Colours only: without them the text is what `disassemble()` gave.
"""

from collections.abc import Iterator

from ..isa.lexer import Kind, Lexer
from .colours import KINDS
from .text import Segment, visible

COLOURS: dict[Kind | None, int | None] = {
    None: None,
    **{kind: each.terminal for kind, each in KINDS.items()},
}


def lines(text: str, lexer: Lexer) -> Iterator[list[Segment]]:
    """Yield the text line by line, control characters made visible."""
    for tokens in lexer.lines(text):
        yield [(visible(word, keep="\t"), COLOURS[kind]) for word, kind in tokens]
