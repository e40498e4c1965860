"""The screen of `unshade explain`: what tables contain about words."""

from collections.abc import Iterable, Iterator

from ..analysis.explanations import Explanation
from .blocks import Block, Cell, FactsBlock, Prose, Title
from .info import TONES

__all__ = ["blocks"]


def blocks(found: Iterable[Explanation]) -> Iterator[Block]:
    """Yield the blocks of explanations: the sentences, and between them the labelled texts."""
    for number, each in enumerate(found):
        yield Title(each.word, each.title, inner=number > 0)
        facts: list[tuple[str, Cell]] = []
        for label, text in each.rows:
            if label:
                facts.append((label, (text, TONES[text]) if text in TONES else text))
                continue
            if facts:
                yield FactsBlock(facts)
                facts = []
            yield Prose(f"  {text}")
        if facts:
            yield FactsBlock(facts)
