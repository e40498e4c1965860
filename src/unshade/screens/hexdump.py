"""The lines of `unshade hexdump`: bytes, the path of their field, its value.

    0x0158  02 00 00 00              RDEF.bindings[1].kind            2
    0x0390  59 00 00 04              SHEX.instructions[0]
                bits  0-10           .opcode                          89

In a pipe each line has the whole path. A terminal is narrow: there a part's name is printed above
its fields, and text that does not fit behind a path continues below it.

A field's colour comes from its path without indices, so one field has one colour in every file.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import zip_longest
from math import isfinite
from typing import Any
from zlib import crc32

from ..wire.spans import Span, Spelled
from .blocks import columns
from .text import Segment, visible

ACROSS = 8  # bytes on a line
FEW_ACROSS = 4  # bytes on a line of a narrow terminal
RAW_ACROSS = 16  # bytes on a line of a field that nothing takes apart
NARROW, WIDE = 24, 60  # columns for the path: as many as it takes between these
NARROWEST = 16  # of a narrow terminal
VALUE = 20  # columns that a terminal keeps for values beside paths
COLOURS = (33, 37, 41, 71, 75, 107, 110, 139, 143, 149, 168, 173, 176, 179, 209, 215)
DIM = 244


def field(span: Span, data: bytes) -> dict[str, Any]:
    """Return the field with its bytes as plain data; a value of type bytes is omitted."""
    value = span.value
    if isinstance(value, bytes):
        value = None
    elif isinstance(value, Enum):
        value = value.name
    elif isinstance(value, float) and not isfinite(value):  # JSON has no number for it
        value = str(value)
    piece = data[span.offset : span.offset + span.length]
    return {**span._asdict(), "value": value, "bytes": piece.hex()}


def lines(
    spans: Callable[[], Iterable[Span]], data: bytes, docs: bool = False, width: int | None = None
) -> Iterator[list[Segment]]:
    """Yield the lines of every field in file order.

    Args:
        spans: Returns the fields. It is called twice, the first time for the width of the paths,
            so that the fields of a large file need not be held.
        data: The bytes of the file.
        docs: Whether a line ends with the meaning of its field.
        width: The width of a terminal.
    """
    layout = _Layout(spans(), len(data), docs, width)
    last = None
    token = -1
    for span in spans():
        part, dot, _ = span.path.partition(".")
        if dot and part != last:
            if last is not None:
                yield []
            if width is not None:
                yield [(visible(part), colour_of(part))]
        last = part
        if span.bits is None:
            token = -1
            yield from layout.field(span, data)
        else:
            if span.offset != token:
                token = span.offset
                whole = span._replace(path=span.path.rpartition(".")[0], bits=None, doc="")
                yield from layout.field(whole._replace(value=None), data)
            yield from layout.bits(span)


class _Layout:
    """The columns of a dump, and their contents.

    0x0190  02 00 00 00              bindings[2].kind   2 TEXTURE
    |<------- left ------->|         |<---- path --->|
                                     |<---------- room --------->|   of a terminal
    """

    def __init__(self, spans: Iterable[Span], size: int, docs: bool, width: int | None) -> None:
        self.docs = docs
        self.digits = max(4, len(f"{size:x}"))
        self.few = ACROSS
        if width is not None and width < self.digits + 5 + 3 * ACROSS + NARROW + VALUE:
            self.few = FEW_ACROSS
        self.left = self.digits + 4 + 3 * self.few
        self.room = None if width is None else max(width - self.left - 1, NARROWEST + VALUE)
        self.across = RAW_ACROSS
        if width is not None and width < self.digits + 6 + 4 * RAW_ACROSS:
            self.across = ACROSS
        most = WIDE if self.room is None else self.room - VALUE
        self.path = min(NARROW if self.few == ACROSS else NARROWEST, most)
        for span in spans:
            if span.bits is None:
                self.path = min(max(self.path, len(self.name(span.path))), most)
                if self.path == most:
                    break

    def name(self, path: str) -> str:
        """Return the printed form of a path: on a terminal without the name of its part."""
        return visible(path if self.room is None else path.partition(".")[2] or path)

    def field(self, span: Span, data: bytes) -> Iterator[list[Segment]]:
        """Yield the lines of a field."""
        piece = data[span.offset : span.offset + span.length]
        raw = span.kind == "raw" and len(piece) > self.few
        across = self.across if raw else self.few
        colour = colour_of(span.path) if span.kind == "field" else DIM
        right = self.right(" ", self.name(span.path), colour, value_text(span), span.doc)
        if raw:
            for number, words in enumerate(right):
                yield [self.offset(span.offset) if number == 0 else (" " * 8, None), *words]
            right = []
        rows = range(0, len(piece), across)
        for at, words in zip_longest(rows, right):
            if at is None:
                yield [(" " * self.left, None), *words]
                continue
            row = piece[at : at + across]
            line = [self.offset(span.offset + at), (f"{row.hex(' '):<{3 * across}}", colour)]
            if raw:
                line.append(("  " + "".join(chr(b) if 32 <= b < 127 else "." for b in row), DIM))
            yield line + (words or [])

    def bits(self, span: Span) -> Iterator[list[Segment]]:
        """Yield the lines of some bits of a word."""
        low, width = span.bits or (0, 0)
        which = f"{low}" if width == 1 else f"{low}-{low + width - 1}"
        left = f"{'bits' if width > 1 else 'bit':>{self.left - 14}} {which:<13}"
        name = "." + visible(span.path.rpartition(".")[2])
        for words in self.right("  ", name, colour_of(span.path), value_text(span), span.doc):
            yield [(left, DIM), *words]
            left = " " * self.left

    def offset(self, at: int) -> Segment:
        """Return the first column, an offset."""
        return f"0x{at:0{self.digits}x}  ", DIM

    def right(self, lead: str, name: str, colour: int, value: str, doc: str) -> list[list[Segment]]:
        """Return the lines beside the bytes: path, value, meaning."""
        means = f"; {visible(doc)}" if self.docs and doc else ""
        room = self.path - len(lead) + 1
        path = _path(lead, name, colour, room)
        if self.room is None:
            return [[*path, (" " + value, None), (f"  {means}" if means else "", DIM)]]
        rows = [path]
        if len(lead) + len(name) > self.room:
            rows = [[(" " + each, colour)] for each in _steps(name, self.room)]
            rows += [[(" " + each, None)] for each in _folded(value, self.room)]
        elif max(room, len(name)) + len(lead) + columns(value) <= self.room:
            path.append((" " + value, None))
        else:
            rows += [[(" " + each, None)] for each in _folded(value, self.room)]
        return rows + [[(" " + each, DIM)] for each in _folded(means, self.room)]


def _path(lead: str, name: str, colour: int, room: int) -> list[Segment]:
    head, dot, last = name.rpartition(".")
    room = max(room - len(head) - len(dot), 0)
    return [(lead + head + dot, DIM), (f"{last:<{room}}", colour)]


def _steps(path: str, room: int) -> Iterator[str]:
    """Yield the lines of a long path, cut before dots."""
    lead = ""
    while len(lead + path) > room:
        cut = path.rfind(".", 1, room - 2)
        cut = cut if cut > 0 else room - 2
        yield lead + path[:cut]
        path = path[cut:]
        lead = "  "
    yield lead + path


def _folded(text: str, room: int) -> list[str]:
    """Return the text as lines of at most `room` columns, two of them indent; keep spaces."""
    if not text:
        return []
    from textwrap import wrap

    wide = room - 2 if columns(text) == len(text) else (room - 2) // 2
    return ["  " + line for line in wrap(text, wide, drop_whitespace=False)]


def value_text(span: Span) -> str:
    """Return the value of a field as text; empty for bytes. Strings in a file have quotes."""
    value = span.value
    if value is None or isinstance(value, bytes | list | tuple | dict):
        return ""
    if isinstance(value, str):
        bare = isinstance(value, Spelled) or span.bits is not None
        return visible(value) if bare else f'"{visible(value)}"'
    if isinstance(value, Enum):
        return f"{value.value} {value.name}"
    if isinstance(value, int) and abs(value) > 0xFFFF:
        return f"{value} (0x{value:x})" if value >= 0 else str(value)
    return str(value)


def colour_of(path: str) -> int:
    """Return a colour of the palette, the same for `a[0].b` and `a[7].b`."""
    first, *rest = path.split("[")
    bare = first + "".join(piece.partition("]")[2] for piece in rest)
    return COLOURS[crc32(bare.encode("utf-8", "replace")) % len(COLOURS)]
