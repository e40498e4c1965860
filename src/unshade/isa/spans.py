"""Spans of the bit fields of a word, and of its bits outside of any field."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from ..wire import Span
from ..wire.data import name_of
from .bits import Word


def word_spans(
    cls: type[Word], word: int, offset: int, path: str, unused: int = 0
) -> Iterator[Span]:
    """Iterate over the spans of a 4-byte word; leave out fields with bits in the mask `unused`."""
    for name, value, doc, bits, kind in _fields(cls, word, unused):  # type: ignore[arg-type]  # classes can be hashed
        yield Span(offset, 4, path + name, value, doc, bits, kind)


_Field: TypeAlias = tuple[str, int | str, str, tuple[int, int], str]


@lru_cache(1 << 10)  # few words of a program differ
def _fields(cls: type[Word], word: int, unused: int) -> list[_Field]:
    """Return the name with a dot before it, value, doc, bits and kind of each field of a word."""
    found: list[_Field] = []
    rest = word
    for f in cls.FIELDS:
        if f.mask << f.low & unused:
            continue
        number = f.of(word)
        # An empty spelling: a mask without components.
        value = f.spell(number) or number if f.spell else name_of(f.enum, number)
        found.append((f".{f.name}", value, f.doc, (f.low, f.width), "field"))
        rest &= ~(f.mask << f.low)
    if rest:
        low = (rest & -rest).bit_length() - 1
        at = low, rest.bit_length() - low
        found.append((".unnamed", rest, "set, but not part of any field", at, "raw"))
    return found
