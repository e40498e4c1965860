"""Tokens of SPIR-V text: words, and strings in quotes; `;` starts a comment."""

import re
from collections.abc import Iterator

from ....errors import AssembleError
from ....isa.source import Source
from ....tuples import NamedTuple

__all__ = ["Token", "tokens"]

# A word ends at white space or a comment; in quotes, which may start anywhere in it, neither does.
WORD = re.compile(r'(?:[^\s;"\\]|\\.|"(?:[^"\\]|\\.)*("|$))+', re.DOTALL)
SPACE = re.compile(r"(?:[ \t\r\n\f\v]+|;[^\n]*)+")
OPCODE = re.compile(r"Op[A-Z]")


class Token(NamedTuple):
    """A word of the text; `line` counts from 1, `column` from 1 in characters."""

    text: str
    line: int
    column: int
    source: Source

    def error(self, problem: str) -> AssembleError:
        """Return an error located at this token."""
        return self.source.error(problem, self.line, self.column, len(self.text.split("\n")[0]))

    def after(self, problem: str) -> AssembleError:
        """Return an error located after this token."""
        lines = self.text.split("\n")
        column = len(lines[-1]) + (self.column if len(lines) == 1 else 1)
        return self.source.error(problem, self.line + len(lines) - 1, column)

    @property
    def is_opcode(self) -> bool:
        """True if the token looks like the name of an instruction."""
        return OPCODE.match(self.text) is not None


def tokens(source: Source, at: int = 0, line: int = 1) -> Iterator[Token]:
    """Iterate over the tokens of a text, or of its lines from `line` on, which starts at `at`."""
    text = source.text
    start = at
    size = len(text)
    while at < size:
        space = SPACE.match(text, at)
        if space is not None:
            lines = space[0].count("\n")
            if lines:
                line += lines
                start = space.start() + space[0].rindex("\n") + 1
            at = space.end()
            continue
        found = WORD.match(text, at)
        end = found.end() if found is not None else at + 1
        word = text[at:end]
        yield Token(word, line, at - start + 1, source)
        lines = word.count("\n")
        if lines:
            line += lines
            start = at + word.rindex("\n") + 1
        at = end
