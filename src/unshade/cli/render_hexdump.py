"""The lines of `unshade hexdump`: bytes, the path of the field they are, its value.

    0x0158  02 00 00 00              RDEF.bindings[1].kind            2
    0x0390  59 00 00 04              SHEX.instructions[0]
                bits  0-10           .opcode                          89

A field's colour comes from its path without indices, so one field has one colour in every file.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import isfinite
from typing import Any
from zlib import crc32

from ..wire.spans import Span
from .output import Segment, visible

ACROSS = 8  # bytes on a line
RAW_ACROSS = 16  # bytes on a line of a field that nothing takes apart
NARROW, WIDE = 24, 60  # columns for the path: as many as it takes between these
COLOURS = (33, 37, 41, 71, 75, 107, 110, 139, 143, 149, 168, 173, 176, 179, 209, 215)
DIM = 244


def field(span: Span, data: bytes) -> dict[str, Any]:
    """The field with its bytes as plain data; a value that is bytes is shown by them alone."""
    value = span.value
    if isinstance(value, bytes):
        value = None
    elif isinstance(value, Enum):
        value = value.name
    elif isinstance(value, float) and not isfinite(value):  # JSON has no number for it
        value = str(value)
    piece = data[span.offset : span.offset + span.length]
    return {**span._asdict(), "value": value, "bytes": piece.hex()}


def below(path: str, wanted: str | None) -> bool:
    """Whether the path is the wanted one, or below it."""
    if wanted is None:
        return True
    return path == wanted or (path.startswith(wanted) and path[len(wanted)] in ".[")


def lines(spans: Sequence[Span], data: bytes, docs: bool = False) -> Iterator[list[Segment]]:
    """Every field in file order, a blank line between parts."""
    last = ""
    token = -1
    width = min(max([len(span.path) for span in spans if not span.bits] + [NARROW]), WIDE)
    for span in spans:
        part = span.path.partition(".")[0]
        if last and part != last and "." in span.path:
            yield []
        last = part
        if span.bits is None:
            token = -1
            yield from _field(span, data, width, docs)
        else:
            if span.offset != token:
                token = span.offset
                whole = span._replace(path=span.path.rpartition(".")[0], bits=None, doc="")
                yield from _field(whole._replace(value=None), data, width, False)
            yield _bits(span, width, docs)


def _field(span: Span, data: bytes, width: int, docs: bool) -> Iterator[list[Segment]]:
    piece = data[span.offset : span.offset + span.length]
    raw = span.kind == "raw" and len(piece) > ACROSS
    across = RAW_ACROSS if raw else ACROSS
    colour = colour_of(span.path) if span.kind == "field" else DIM
    if raw:
        yield [(f"0x{span.offset:04x}  ", DIM), *_path(span, colour, 0), _doc(span, docs)]
    for at in range(0, len(piece), across):
        row = piece[at : at + across]
        line: list[Segment] = [
            (f"0x{span.offset + at:04x}  ", DIM), (f"{row.hex(' '):<{3 * across}}", colour)
        ]  # fmt: skip
        if raw:
            line.append(("  " + "".join(chr(b) if 32 <= b < 127 else "." for b in row), DIM))
        elif at == 0:
            line += [*_path(span, colour, width), (_value(span.value), None), _doc(span, docs)]
        yield line


def _bits(span: Span, columns: int, docs: bool) -> list[Segment]:
    low, width = span.bits or (0, 0)
    which = f"{low}" if width == 1 else f"{low}-{low + width - 1}"
    name = span.path.rpartition(".")[2]
    colour = colour_of(span.path)
    return [
        (f"{'bits' if width > 1 else 'bit':>18} {which:<12} ", DIM),
        (f"  .{name:<{columns - 2}} ", colour),
        (visible(span.value) if isinstance(span.value, str) else _value(span.value), None),
        _doc(span, docs),
    ]


def _path(span: Span, colour: int, width: int) -> list[Segment]:
    head, dot, name = span.path.rpartition(".")
    room = max(width - len(head) - len(dot), 0)
    return [(" " + visible(head) + dot, DIM), (f"{visible(name):<{room}} ", colour)]


def _doc(span: Span, docs: bool) -> Segment:
    return (f"  ; {visible(span.doc)}" if docs and span.doc else "", DIM)


def _value(value: Any) -> str:
    if value is None or isinstance(value, bytes | list | tuple | dict):
        return ""
    if isinstance(value, str):
        return f'"{visible(value)}"'
    if isinstance(value, Enum):
        return f"{value.value} {value.name}"
    if isinstance(value, int) and abs(value) > 0xFFFF:
        return f"{value} (0x{value:x})" if value >= 0 else str(value)
    return str(value)


def colour_of(path: str) -> int:
    """One of the palette, the same for `a[0].b` and `a[7].b`."""
    first, *rest = path.split("[")
    bare = first + "".join(piece.partition("]")[2] for piece in rest)
    return COLOURS[crc32(bare.encode("utf-8", "replace")) % len(COLOURS)]
