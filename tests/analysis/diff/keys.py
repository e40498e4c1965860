"""Keys of lines as those of tokenized programs."""

from __future__ import annotations

from unshade.analysis.diff.align import ComparedLine, lines_of
from unshade.isa.steps import step_of
from unshade.programs.tpf.lexer import LEXER


def keys(*texts: list[str]) -> list[list[ComparedLine]]:
    """Return the keys of the lines; equal numbers mean equal keys in all texts."""
    known = {line: step_of(LEXER, line) for text in texts for line in text}
    return lines_of(texts, [[known[line] for line in text] for text in texts])
