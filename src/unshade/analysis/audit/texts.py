"""Texts in a file: their places, and their kinds if the file's structure declares the kind.

    a field that is a string          its text
    a field or a gap that is bytes    runs of letters in UTF-8 and UTF-16, and what zlib streams
                                      among the bytes contain

The inflated bytes of a file together are bounded by `Limits.inflated`.
"""

import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from ...archives.streams import unpacked
from ...errors import LimitError
from ...formats import known
from ...limits import Limits
from ...shader import Shader
from ...tuples import NamedTuple
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
HASH = re.compile(r"(?:^|\.)(?:digest|hash)\Z")  # bytes in which a text is chance
DOCUMENTED = ("FourCC", "magic")  # how the documentation of a signature of a file or part begins


class FileText(NamedTuple):
    """A text in a file: its place, its kind if a format declares it, and its encoding."""

    text: str
    offset: int
    length: int
    path: str
    kind: Reveals | None  # None: by the form of the text
    stored: str  # utf-8, utf-16, packed (not in whole bytes), zlib


class _InflateBudget:
    """The bytes that one audit may still inflate, or read in vain to find a stream."""

    def __init__(self, limits: Limits) -> None:
        self.limit = self.room = limits.inflated

    def check(self, size: int) -> None:
        if size > self.room:
            raise LimitError("inflated", self.limit, size)

    def take(self, size: int) -> None:
        self.check(size)
        self.room -= size

    waste = take


class _TextSearch(NamedTuple):
    data: bytes
    declared: list[tuple[re.Pattern[str], str]]
    budget: _InflateBudget


def texts_of(shader: Shader) -> Iterator[FileText]:
    """Yield the texts of a shader in file order.

    Raises:
        LimitError: The compressed data of the file is larger than `limits.inflated`.
    """
    # Of all formats: a file may hold files of others.
    declared = [(re.compile(pattern), kind) for each in known() for pattern, kind in each.reveals]
    reader = _TextSearch(shader.to_bytes(), declared, _InflateBudget(shader.limits))
    for span in _joined(shader.spans()):
        yield from _texts_in(span, reader)


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans; join adjacent runs of bytes in neighbouring blocks to one span."""
    run: list[Span] = []
    for span in spans:
        if run and not _continues(run[-1], span):
            yield _one(run)
            run = []
        run.append(span)
    if run:
        yield _one(run)


def _continues(last: Span, span: Span) -> bool:
    return (
        isinstance(span.value, bytes)
        and isinstance(last.value, bytes)
        and (span.path, span.kind) == (last.path, last.kind)
        and span.offset == last.offset + last.length
    )


def _one(run: list[Span]) -> Span:
    """Return the span of a run of bytes."""
    first = run[0]
    if len(run) == 1:
        return first
    length = sum(each.length for each in run)
    return first._replace(length=length, value=b"".join(each.value for each in run))


def _texts_in(span: Span, reader: _TextSearch) -> Iterator[FileText]:
    kind = next((kind for pattern, kind in reader.declared if pattern.search(span.path)), None)
    known = Reveals(kind) if kind else None
    value = span.value
    if span.kind == "padding" or span.doc.startswith(DOCUMENTED):
        return
    if isinstance(value, bytes):
        if HASH.search(span.path):
            return
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
    taken = [(0, 0)]
    for found in ZLIB.finditer(data) if not depth else ():
        at = found.start()
        if at < taken[-1][1]:
            continue
        stream = unpacked(data, at, zlib.decompressobj(), reader.budget, (zlib.error,))
        if stream and stream[0]:
            taken.append((at, at + stream[1]))
            for text, *_ in _in_bytes(stream[0], reader, depth + 1):
                yield text, at, stream[1], "zlib"
    for pattern, encoding in ((NARROW, "utf-8"), (WIDE, "utf-16")):
        for found in pattern.finditer(data):
            text = found[0].decode("utf-8" if encoding == "utf-8" else "utf-16-le", "replace")
            start = found.start()
            stream_end = taken[bisect_right(taken, (start, len(data))) - 1][1]
            if WORD.search(text) and start >= stream_end:
                yield text, start, len(found[0]), encoding
