"""Spans of the bit fields of a word, and of its bits outside of any field."""

from collections.abc import Iterator

from ..wire import Span
from ..wire.data import name_of
from .bits import Word


def word_spans(
    cls: type[Word], word: int, offset: int, path: str, unused: int = 0
) -> Iterator[Span]:
    """Iterate over the spans of a 4-byte word; leave out fields with bits in the mask `unused`."""
    rest = word
    for f in cls.FIELDS:
        if f.mask << f.low & unused:
            continue
        number = f.of(word)
        # An empty spelling: a mask without components.
        value = f.spell(number) or number if f.spell else name_of(f.enum, number)
        yield Span(offset, 4, f"{path}.{f.name}", value, f.doc, (f.low, f.width))
        rest &= ~(f.mask << f.low)
    if rest:
        low = (rest & -rest).bit_length() - 1
        at = low, rest.bit_length() - low
        doc = "set, but not part of any field"

        yield Span(offset, 4, f"{path}.unnamed", rest, doc, at, "raw")
