"""What each bit of a word is: a span for every field, and one for the bits that have no name."""

from collections.abc import Iterator

from ..wire import Span
from ..wire.data import name_of
from .bits import Word


def word_spans(
    cls: type[Word], word: int, offset: int, path: str, unused: int = 0
) -> Iterator[Span]:
    """The spans of one word of four bytes; `unused` are bits of fields that mean nothing here."""
    rest = word
    for f in cls.FIELDS:
        if f.mask << f.low & unused:
            continue
        number = f.of(word)
        # No letters: a mask of nothing.
        value = f.spell(number) or number if f.spell else name_of(f.enum, number)
        yield Span(offset, 4, f"{path}.{f.name}", value, f.doc, (f.low, f.width))
        rest &= ~(f.mask << f.low)
    if rest:
        low = (rest & -rest).bit_length() - 1
        at = low, rest.bit_length() - low
        doc = "set, but no field names them"
        yield Span(offset, 4, f"{path}.unnamed", rest, doc, at, "raw")
