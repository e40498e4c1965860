"""The screen of `unshade explain`: what tables contain about words."""

from collections.abc import Iterable, Iterator

from ..analysis.explanations import Explanation
from .blocks import Block, Cell, FactsBlock, Prose, Title
from .info import TONES

__all__ = ["blocks"]


def blocks(found: Iterable[Explanation]) -> Iterator[Block]:
    """Yield the blocks of explanations: the sentences, and between them the labelled texts.

    A text of several lines, such as operands, has its label before the first.
    """
    for number, each in enumerate(found):
        yield Title(each.word, each.title, inner=number > 0)
        facts: list[tuple[str, Cell]] = []
        for label, text in each.rows:
            if label:
                lines = text.split("\n")
                labels = (label, *[""] * (len(lines) - 1))
                facts += zip(labels, map(_toned, lines), strict=True)
                continue
            if facts:
                yield FactsBlock(facts)
                facts = []
            yield Prose(f"  {text}")
        if facts:
            yield FactsBlock(facts)


def _toned(text: str) -> Cell:
    return (text, TONES[text]) if text in TONES else text
