"""The colours of the kinds of words in listings: on terminals, in HTML and in Pygments' styles."""

from ..isa.lexer import Kind
from ..tuples import NamedTuple

__all__ = ["KINDS", "WordColour"]


class WordColour(NamedTuple):
    """A colour of words: on terminals (of 256 colours), on light and on dark backgrounds."""

    terminal: int  # can be read on black and on white
    light: str
    dark: str


KINDS = {
    Kind.COMMENT: WordColour(244, "#6e7781", "#8b949e"),
    Kind.DECLARATION: WordColour(67, "#57606a", "#a5b1c2"),
    Kind.OPERATION: WordColour(33, "#0550ae", "#79c0ff"),
    Kind.ACCESS: WordColour(70, "#116329", "#7ee787"),
    Kind.FLOW: WordColour(169, "#bf3989", "#f778ba"),
    Kind.REGISTER: WordColour(73, "#1b7c83", "#76e3ea"),
    Kind.LITERAL: WordColour(172, "#bc4c00", "#ffa657"),
    Kind.WORD: WordColour(103, "#6639ba", "#d2a8ff"),
    Kind.NAME: WordColour(71, "#1a7f37", "#56d364"),
}
