"""Reading and writing of regions: a root record at offset 0 and all targets of its pointers.

    +--------+----------+-------+-----------+---------+
    |  root  |  target  |  pad  |  target   |  text…  |
    +--------+----------+-------+-----------+---------+
        └── offsets from the start of the region ──┘

A record holds the target of a pointer instead of the offset. By default the writer places targets
as compilers do, by a depth-first walk (`types.Pointer` has options for it). For a file with another
layout, a `Placement` holds the offsets.
"""

import struct
from typing import Any, TypeVar

from ..errors import EncodeError, FormatError
from ..limits import DEFAULT, Limits
from ..tuples import NamedTuple
from .codegen import NO_ARGUMENTS, Arguments
from .reading import reader
from .record import Placement, Record
from .source import ByteSource, Short
from .tables import resolve

R = TypeVar("R", bound=Record)

_READ_ERRORS = (Short, struct.error, IndexError, ValueError, OverflowError, FormatError)
_WRITE_ERRORS = (struct.error, TypeError, AttributeError, ValueError, OverflowError, RecursionError)


class ReadTrace(NamedTuple):
    """A record with notes about its reading: spans are (start, end, path, value, field)."""

    record: Any
    end: int
    spans: list[tuple[int, int, str, Any, Any]]
    pointers: list[tuple[str, int]]


def read(
    cls: type[R], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> R:
    """Return the record at the start of `data`; raise FormatError with the malformed field."""
    return read_prefix(cls, data, arguments, limits)[0]


def read_prefix(
    cls: type[R], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> tuple[R, int]:
    """Return the record at the start of `data` and the end offset of the root record itself."""
    try:
        src = ByteSource(data, limits)
        found, end = reader(cls.layout, arguments)(src, 0)
        if src.references or src.tables:
            resolve(src, found)
    except _READ_ERRORS:
        traced = trace(cls, data, arguments, limits)
        return traced.record, traced.end
    return found, end


def trace(
    cls: type[Record], data: bytes, arguments: Arguments = NO_ARGUMENTS, limits: Limits = DEFAULT
) -> ReadTrace:
    """Read field by field, recording the span of each field and the offset of each pointer."""
    src = ByteSource(data, limits)
    src.spans = []
    try:
        found, end = reader(cls.layout, arguments, traced=True)(src, 0, "")
        if src.references or src.tables:
            resolve(src, found)
    except FormatError as error:
        raise FormatError(error.problem, offset=error.offset, path=error.path.lstrip(".")) from None
    return ReadTrace(found, end, src.spans, src.pointers)


def write(
    record: Record,
    arguments: Arguments = NO_ARGUMENTS,
    *,
    pad: int = 0,
    end: int = 1,
    placement: Placement | None = None,
    most: int | None = None,
) -> bytes:
    """Return the bytes of the region.

    Args:
        record: The root record.
        arguments: Arguments of its parameters.
        pad: Byte value that fills gaps.
        end: The size is a multiple of this.
        placement: Offsets of targets; the default layout if None. If the record no longer fits it,
            the default layout is used and bytes of no field are appended, so that none is lost.
        most: Give up and return no bytes if there would be more than this.

    Raises:
        EncodeError: A value does not fit its field.
    """
    from .placement import Conflict, PackedWriter, PlacedWriter  # not needed to read

    try:
        if placement is not None:
            try:
                return PlacedWriter(placement, pad).write(record, arguments)
            except Conflict:
                made = PackedWriter(pad, end).write(record, arguments)
                return made + _unread(placement, pad, end)
        return PackedWriter(pad, end, most).write(record, arguments)
    except _WRITE_ERRORS as error:
        from .explain import explain

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
    """Return the placement of `data`, or None if it has the default layout."""
    from .placement import Conflict, PlacedWriter

    record = read(cls, data, arguments, limits)
    if write(record, arguments, pad=pad, end=end, most=len(data)) == data:
        return None
    notes = trace(cls, data, arguments, limits)
    at = {path.lstrip("."): offset for path, offset in notes.pointers}
    try:
        placed = PlacedWriter(Placement(len(data), at, {}), pad)
        placed.write(record, arguments)
        gaps = {start: data[start:stop] for start, stop in placed.gaps()}
        fill = {start: bytes(raw) for start, raw in gaps.items() if raw.strip(bytes([pad]))}
        found = Placement(len(data), at, fill)
        if PlacedWriter(found, pad).write(record, arguments) == data:
            return found
    except Conflict:
        pass
    raise FormatError("two values overlap")


def _unread(placement: Placement, pad: int, end: int) -> bytes:
    """Return the bytes that belong to no field, to be appended to the region.

    Up to three bytes before a multiple of four may be padding: pad bytes there are left out, and so
    is a run that ends there.
    """
    kept = bytearray()
    filler = bytes([pad])
    for at, raw in sorted(placement.fill.items()):
        ahead = -at % 4
        rest = raw[:ahead].lstrip(filler) + raw[ahead:]
        if rest.strip(filler) and len(raw) > ahead:
            kept += rest
    return bytes(kept) + filler * (-len(kept) % end)
