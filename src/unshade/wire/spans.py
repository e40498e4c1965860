"""Spans: the field that each byte of a file belongs to, for `hexdump` and coverage counts.

Spans are computed on demand, by reading a record again with a trace (`region.trace`); a container
shifts the spans of its parts to the parts' offsets.
"""

from collections.abc import Iterable
from typing import Any

from ..enums import member_of
from ..tuples import NamedTuple
from .record import Record
from .region import ReadTrace
from .types import Pointer, Pool


class Spelled(str):
    """The spelling of a number, shown without the quotes of strings in a file."""

    __slots__ = ()


class Span(NamedTuple):
    """One field: `length` bytes at `offset`, its dotted path, value and documentation.

    `bits` is (lowest bit, width) if the field is only a part of these bytes. `kind` is "field" for
    a named field, "raw" for bytes of unknown meaning, "padding" for alignment.
    """

    offset: int
    length: int
    path: str
    value: Any
    doc: str
    bits: tuple[int, int] | None = None
    kind: str = "field"

    def shifted(self, offset: int, path: str) -> "Span":
        """Return the span relative to a structure that contains this structure at `offset`."""
        at, length, inner, value, doc, bits, kind = self
        joined = f"{path}.{inner}" if path and inner else path or inner
        return Span(at + offset, length, joined, value, doc, bits, kind)


def is_below(path: str, group: str) -> bool:
    """Return True if a path leads to a group of fields, or to a field in the group."""
    return path.startswith(group) and path[len(group) : len(group) + 1] in ("", ".", "[")


def spans_of(trace: ReadTrace) -> list[Span]:
    """Return the spans of one region in file order."""
    found: list[Span] = []
    for start, end, path, value, field in sorted(trace.spans, key=lambda s: (s[0], s[1])):
        slot = isinstance(field.type, Pointer) and isinstance(value, int)
        kind = "raw" if field.unknown and not slot else "field"
        shown = None if isinstance(value, Record) else value
        if isinstance(field.type, Pool) and isinstance(value, bytes):
            kind = "raw"
        if field.is_padding:
            kind = "padding" if value == field.default else "raw"
        if isinstance(value, int) and not slot:
            if field.enum is not None:
                member = member_of(field.enum, value)
                shown = value if member is None else member
            elif field.spell is not None:
                spelled = field.spell.shown(value)
                shown = Spelled(spelled) if isinstance(spelled, str) else spelled
        found.append(Span(start, end - start, path.lstrip("."), shown, field.doc, None, kind))
    return found


def gaps(spans: Iterable[Span], size: int) -> list[tuple[int, int]]:
    """Return the (start, end) of every run of bytes that no span covers."""
    found = []
    at = 0
    for span in sorted(spans, key=lambda s: s.offset):
        if span.offset > at:
            found.append((at, span.offset))
        at = max(at, span.offset + span.length)
    if at < size:
        found.append((at, size))
    return found


def with_padding(spans: list[Span], data: bytes, pad: int, align: int = 4) -> list[Span]:
    """Return the spans with the gaps between them filled.

    A gap that is all `pad` is padding if it is at the end or shorter than `align` bytes; a short
    one after a string becomes part of that string. Any other gap is raw.
    """
    found = list(spans)
    texts = {s.offset + s.length: i for i, s in enumerate(found) if isinstance(s.value, str)}
    for start, end in gaps(spans, len(data)):
        raw = data[start:end]
        if (end - start >= align and end < len(data)) or raw.strip(bytes([pad])):
            found.append(Span(start, end - start, "unread", raw, "in no field", None, "raw"))
        elif start in texts and end - start < align:
            text = found[texts[start]]
            found[texts[start]] = text._replace(length=end - text.offset)
        else:
            doc = f"fills up to a multiple of {align}"
            found.append(Span(start, end - start, "padding", raw, doc, None, "padding"))
    found.sort(key=lambda s: (s.offset, s.length))
    return found
