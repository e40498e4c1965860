"""Spans of a file: the header, the strings of the pool, the fields of the commands."""

from typing import TYPE_CHECKING

from ...wire import Span, trace
from ...wire.spans import spans_of
from .program import HEADER, commands_start, string_spans, unit_key
from .records import SkslFile

if TYPE_CHECKING:
    from .shader import SkslShader

__all__ = ["header_spans", "spans_of_file"]


def spans_of_file(shader: "SkslShader") -> list[Span]:
    """Return every field in file order."""
    data = shader.to_bytes()
    record = shader.record
    found = header_spans(data, record.pool)
    start, key = commands_start(record), unit_key(shader.program)
    found += [each.shifted(start, key) for each in shader.program.spans()]
    if shader.trailing:
        size = len(shader.trailing)
        doc = "after the last command"
        found.append(Span(len(data) - size, size, "trailing", shader.trailing, doc, None, "raw"))
    return found


def header_spans(data: bytes, pool: bytes) -> list[Span]:
    """Return the fields of the header, and the strings."""
    found = [
        each for each in spans_of(trace(SkslFile, data)) if each.path in ("version", "pool_size")
    ]
    return found + [each.shifted(HEADER, "") for each in string_spans(pool)]
