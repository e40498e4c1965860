"""Texts in a file, where they are, and what the file's structure says about them.

    a field that is a string          its text
    a field or a gap that is bytes    runs of letters in UTF-8 and UTF-16, and what zlib streams
                                      among the bytes contain

The inflated bytes of a file together are bounded by `Limits.inflated`.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...errors import LimitError
from ...formats import known
from ...limits import Limits
from ...shader import Shader
from ...wire.spans import Span, Spelled
from .kinds import Reveals

__all__ = ["FileText", "texts_of"]

LEAST = 5  # characters of a run in bytes of unknown meaning; shorter ones are chance
LETTER = (
    rb"[\x20-\x7e\t\r\n]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
NARROW = re.compile(rb"(?:%b){%d,}" % (LETTER, LEAST))
WIDE = re.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){%d,}" % LEAST)
WORD = re.compile(r"[^\W\d_]{3}")
ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
DOCUMENTED = ("FourCC", "magic")  # how the documentation of a signature of a file or part begins


class FileText(NamedTuple):
    """A text in a file: its place, its kind if a format declares it, and its encoding."""

    text: str
    offset: int
    length: int
    path: str
    kind: Reveals | None  # None: by the form of the text
    stored: str  # utf-8, utf-16, packed (not in whole bytes), zlib


class _TextSearch(NamedTuple):
    data: bytes
    declared: list[tuple[re.Pattern[str], str]]
    room: list[int]  # bytes that may still be inflated
    limits: Limits


def texts_of(shader: Shader) -> Iterator[FileText]:
    """Yield the texts of a shader in file order.

    Raises:
        LimitError: The compressed data of the file is larger than `limits.inflated`.
    """
    # Of all formats: a file may hold files of others.
    declared = [(re.compile(pattern), kind) for each in known() for pattern, kind in each.reveals]
    limits = shader.limits
    reader = _TextSearch(shader.to_bytes(), declared, [limits.inflated], limits)
    for span in _joined(shader.spans()):
        yield from _texts_in(span, reader)


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans; runs of bytes that continue each other, in neighbouring blocks, as one."""
    last: Span | None = None
    for span in spans:
        if (
            last is not None
            and isinstance(span.value, bytes)
            and isinstance(last.value, bytes)
            and (span.path, last.kind) == (last.path, span.kind)
            and span.offset == last.offset + last.length
        ):
            last = last._replace(length=last.length + span.length, value=last.value + span.value)
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _texts_in(span: Span, reader: _TextSearch) -> Iterator[FileText]:
    kind = next((kind for pattern, kind in reader.declared if pattern.search(span.path)), None)
    known = Reveals(kind) if kind else None
    value = span.value
    if span.kind == "padding" or span.doc.startswith(DOCUMENTED):
        return
    if isinstance(value, bytes):
        for text, at, size, stored in _in_bytes(value, reader, 0):
            yield FileText(text, span.offset + at, size, span.path, known, stored)
    elif type(value) is str:  # `Spelled` is the spelling of a number
        raw = value.encode("utf-8", "surrogateescape")
        at = reader.data.find(raw, span.offset, span.offset + span.length)
        if value and (at >= 0 or kind is not None):
            stored = "utf-8" if at >= 0 else "packed"
            place = (at, len(raw)) if at >= 0 else (span.offset, span.length)
            yield FileText(value, *place, span.path, known, stored)
    elif known is not None and value and (text := _spelled(span, known)):
        yield FileText(text, span.offset, span.length, span.path, known, "number")


def _spelled(span: Span, kind: Reveals) -> str:
    """Return the text of a number that gives something away; empty if it gives nothing away."""
    if kind is Reveals.TIME and isinstance(span.value, int):
        from datetime import UTC, datetime

        return datetime.fromtimestamp(span.value, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return str(span.value) if isinstance(span.value, Spelled) else ""


def _in_bytes(data: bytes, reader: _TextSearch, depth: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield (text, offset, length, how it is stored) of the texts among bytes."""
    taken: list[tuple[int, int]] = []
    for found in ZLIB.finditer(data):
        at = found.start()
        if depth or any(start <= at < end for start, end in taken):
            continue
        inner, size = _inflated(data[at:], reader)
        if inner:
            taken.append((at, at + size))
            for text, *_ in _in_bytes(inner, reader, depth + 1):
                yield text, at, size, "zlib"
    for pattern, encoding in ((NARROW, "utf-8"), (WIDE, "utf-16")):
        for found in pattern.finditer(data):
            text = found[0].decode("utf-8" if encoding == "utf-8" else "utf-16-le", "replace")
            start = found.start()
            if WORD.search(text) and not any(a <= start < b for a, b in taken):
                yield text, start, len(found[0]), encoding


def _inflated(data: bytes, reader: _TextSearch) -> tuple[bytes, int]:
    """Return the contents of a zlib stream at the start of data, and the size of the stream."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, reader.room[0] + 1)
    except zlib.error:
        return b"", 0
    if len(found) > reader.room[0]:
        raise LimitError("inflated", reader.limits.inflated, len(found))
    if not stream.eof:
        return b"", 0
    reader.room[0] -= len(found)
    return found, len(data) - len(stream.unused_data)
