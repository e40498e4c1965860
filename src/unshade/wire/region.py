"""Reads and writes a region: a root record at offset 0 and everything its pointers reach.

    +--------+----------+-------+-----------+---------+
    |  root  |  target  |  pad  |  target   |  text…  |
    +--------+----------+-------+-----------+---------+
        └── offsets from the start of the region ──┘

A record holds what a pointer points at, not the offset. The writer finds a place for each target by
the rule that compilers follow, a depth-first walk (`types.Pointer` says how to steer it). Where a
file was laid out differently, its `Placement` says how, and the writer obeys that.
"""

import struct
from typing import Any, NamedTuple, TypeVar

from ..errors import EncodeError, FormatError
from ..limits import DEFAULT, Limits
from .code import NO_ARGUMENTS, Arguments
from .explain import explain
from .placing import Conflict, Packed, Placed, Placement
from .reading import reader
from .record import Record
from .source import Short, Source

R = TypeVar("R", bound=Record)

_READ_ERRORS = (Short, struct.error, IndexError, ValueError, OverflowError, FormatError)
_WRITE_ERRORS = (struct.error, TypeError, AttributeError, ValueError, OverflowError, RecursionError)


class Trace(NamedTuple):
    """One reading that kept notes: spans are (start, end, path, value, field)."""

    record: Any
    end: int
    spans: list[tuple[int, int, str, Any, Any]]
    pointers: list[tuple[str, int]]


def read(
    cls: type[R], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> R:
    """The record at the start of the region `data`. FormatError names the field that is wrong."""
    return read_prefix(cls, data, arguments, limits)[0]


def read_prefix(
    cls: type[R], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> tuple[R, int]:
    """The record at the start of `data`, and the offset behind the root record itself."""
    try:
        found, end = reader(cls.layout, arguments)(Source(data, limits), 0)
    except _READ_ERRORS:
        traced = trace(cls, data, arguments, limits)
        return traced.record, traced.end
    return found, end


def trace(
    cls: type[Record], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> Trace:
    """The same reading, field by field, with the span of each and the offset of each pointer."""
    src = Source(data, limits)
    src.spans = []
    try:
        found, end = reader(cls.layout, arguments, traced=True)(src, 0, "")
    except FormatError as error:
        raise FormatError(error.problem, offset=error.offset, path=error.path.lstrip(".")) from None
    return Trace(found, end, src.spans, src.pointers)


def write(
    record: Record,
    arguments: Arguments = NO_ARGUMENTS,
    *,
    pad: int = 0,
    end: int = 1,
    placement: Placement | None = None,
    most: int | None = None,
) -> bytes:
    """The bytes of the region. `pad` fills gaps, `end` is what the size is a multiple of.

    Where they would be more than `most`, the work stops, and none come back: whoever only wants
    to know whether a file is laid out like this need not wait for a tree that shares nothing.

    A placement that the record has outgrown is given up for the writer's own; the bytes of no field
    that it kept then stand behind everything else, so that an edit loses none of them.
    """
    try:
        if placement is not None:
            try:
                return Placed(placement, pad).write(record, arguments)
            except Conflict:
                made = Packed(pad, end).write(record, arguments)
                return made + _unread(placement, pad, end)
        return Packed(pad, end, most).write(record, arguments)
    except _WRITE_ERRORS as error:
        explain(record, arguments)
        raise EncodeError(str(error), path=type(record).__name__) from error


def placement_of(
    cls: type[Record],
    data: bytes,
    arguments: Arguments = NO_ARGUMENTS,
    *,
    pad: int = 0,
    end: int = 1,
    limits: Limits = DEFAULT,
) -> Placement | None:
    """How `data` is laid out, None where `write` does the same unasked."""
    record = read(cls, data, arguments, limits)
    if write(record, arguments, pad=pad, end=end, most=len(data)) == data:
        return None
    notes = trace(cls, data, arguments, limits)
    at = {path.lstrip("."): offset for path, offset in notes.pointers}
    try:
        placed = Placed(Placement(len(data), at, {}), pad)
        placed.write(record, arguments)
        gaps = {start: data[start:stop] for start, stop in placed.gaps()}
        fill = {start: bytes(raw) for start, raw in gaps.items() if raw.strip(bytes([pad]))}
        found = Placement(len(data), at, fill)
        if Placed(found, pad).write(record, arguments) == data:
            return found
    except Conflict:
        pass
    raise FormatError("the region holds one byte as part of two different values")


def _unread(placement: Placement, pad: int, end: int) -> bytes:
    """The bytes of no field, for an end that they may be kept at.

    Up to three bytes in front of a multiple of four fill up: pads do before others, and whatever
    stands alone there does.
    """
    kept = bytearray()
    filler = bytes([pad])
    for at, raw in sorted(placement.fill.items()):
        ahead = -at % 4
        rest = raw[:ahead].lstrip(filler) + raw[ahead:]
        if rest.strip(filler) and len(raw) > ahead:
            kept += rest
    return bytes(kept) + filler * (-len(kept) % end)
