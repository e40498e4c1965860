"""Spans of SHBIN files and objects: fields of the record and of the program, gaps and padding.

record     dvles[0].end …      code, descriptors   ->   the fields of their words
padding    up to a multiple of four bytes               unread, trailing: in no table
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...errors import FormatError
from ...wire import Span
from ...wire.spans import gaps, spans_of

if TYPE_CHECKING:
    from .tables import TableFile

WIDTH = 4  # bytes; picasso pads files to a multiple of this


def named_spans(file: "TableFile") -> list[Span]:
    """Return every named field of the file, in file order."""
    data, found = file.traced()
    named = instructions_named(file, spans_of(found), found.pointers, file.called)
    for start, end in gaps(named, len(data)):
        raw = data[start:end]
        path = file.called("unread")
        if any(raw) or end - start >= WIDTH:
            named.append(Span(start, end - start, path, raw, "in no table", None, "raw"))
        else:
            doc = f"padding to a multiple of {WIDTH}"
            path = file.called("padding")
            named.append(Span(start, end - start, path, raw, doc, None, "padding"))
    if file.trailing:
        doc = "after the last table"
        size = len(file.trailing)
        named.append(Span(len(data), size, "trailing", file.trailing, doc, None, "raw"))
    named.sort(key=lambda span: (span.offset, span.length if span.bits is None else 0))
    return named


def instructions_named(
    file: "TableFile",
    spans: Iterable[Span],
    pointers: Iterable[tuple[str, int]],
    called: Callable[[str], str],
) -> list[Span]:
    """Return the fields under their public paths, with fields of instructions in place of words.

    Args:
        file: The file, for its program.
        spans: The fields of the records.
        pointers: The offset of each table, by the path of its pointer.
        called: Returns the public path of a field.
    """
    places = dict(pointers)
    lead = file.code_prefix
    code, table = places.get(f".{lead}code", 0), places.get(f".{lead}descriptors", 0)
    words = (f"{lead}code[", f"{lead}descriptors[")
    named = [
        span._replace(path=called(span.path)) for span in spans if not span.path.startswith(words)
    ]
    program = file.program
    for each in program.spans():
        start = code if each.offset < program.code_size else table - program.code_size
        path = code_path(file, each.path, called)
        named.append(each._replace(offset=each.offset + start, path=path))
    return named


def code_path(file: "TableFile", path: str, called: Callable[[str], str] | None = None) -> str:
    """Return the public path of a field of the program.

    `called` makes a path public; by default it is `file.called`.
    """
    return (called or file.called)(file.code_prefix + path.replace("instructions[", "code[", 1))


def shared_bytes(file: "TableFile") -> FormatError | None:
    """Return the error for bytes that belong to two values; only strings may share bytes."""
    spans = sorted(spans_of(file.traced()[1]), key=lambda span: span.offset)
    before: Span | None = None  # the span that ends last
    for span in spans:
        if before is not None and span.offset < before.offset + before.length:
            texts = isinstance(span.value, str) and isinstance(before.value, str)
            same = (span.offset, span.length) == (before.offset, before.length)
            if not texts and not same:
                path, other = file.called(span.path), file.called(before.path)
                problem = f"these bytes also belong to {other}, which no layout can describe"
                return FormatError(problem, offset=span.offset, path=path)
        if before is None or span.offset + span.length > before.offset + before.length:
            before = span
    return None
