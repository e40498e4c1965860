"""Text on a screen: text from files made safe to show, counts with their nouns."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
GAP = r"(?<=\S) {4,}"  # between columns
INDENT = 4  # columns of a line that continues another
Segment = tuple[str, int | None]  # text, and its colour among a terminal's 256


def visible(text: str, keep: str = "") -> str:
    """Return the text with control and invisible characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(ord(c)) for c in text)


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def many(count: int, one: str, more: str = "") -> str:
    """Return `1 part` or `2 parts`; `more` is an irregular plural."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def folded(
    line: Sequence[tuple[str, T | None]], width: int
) -> Iterator[list[tuple[str, T | None]]]:
    """Yield a line as lines of at most `width` columns, cut at spaces; a longer word stays whole.

    Columns of a line that is too long move together. Lines after the first are indented.
    """
    from textwrap import wrap

    text = "".join(words for words, _ in line)
    if len(text.rstrip()) <= width:
        yield [*line]
        return
    spans = [found.span() for found in re.finditer(GAP, text)]
    if spans:
        places = [0, *(at for start, end in spans for at in (start + 2, end)), len(text)]
        line = [
            piece
            for start, end in zip(places[::2], places[1::2], strict=True)
            for piece in _sliced(line, start, end)
        ]
        text = "".join(words for words, _ in line)
    lead = min(len(text) - len(text.lstrip()), width // 4) + INDENT
    pieces = wrap(
        text, width, subsequent_indent=" " * lead, break_long_words=False,
        break_on_hyphens=False, expand_tabs=False, replace_whitespace=False,
    )  # fmt: skip
    at = 0
    for number, piece in enumerate(pieces):
        bare = piece[lead:] if number else piece
        at = text.index(bare, at)
        indent: list[tuple[str, T | None]] = [(" " * lead, None)] if number else []
        yield [*indent, *_sliced(line, at, at + len(bare))]
        at += len(bare)
    if not pieces:
        yield []


def _sliced(line: Sequence[tuple[str, T]], start: int, end: int) -> list[tuple[str, T]]:
    """Return the segments of some columns of a line."""
    found: list[tuple[str, T]] = []
    at = 0
    for words, colour in line:
        cut = words[max(start - at, 0) : max(end - at, 0)]
        if cut:
            found.append((cut, colour))
        at += len(words)
    return found
