"""Writing of records in the layout of the file that they were read from.

`like` are the bytes of that file. If the default layout reproduces them, nothing else is needed;
otherwise the placement of targets is taken from `like`.
"""

from collections.abc import Callable
from functools import lru_cache

from ..errors import FormatError, LimitError
from .codegen import NO_ARGUMENTS, Arguments
from .data import Plain, placement_from_data, placement_to_data
from .record import Placement, Record
from .region import placement_of, trace, write
from .spans import gaps, spans_of


def write_like(
    record: Record,
    arguments: Arguments,
    like: bytes | None,
    like_arguments: Arguments = NO_ARGUMENTS,
    *,
    pad: int = 0,
    end: int = 1,
) -> bytes:
    """Return the record's bytes in the layout of `like`."""
    if like is None:
        return write(record, arguments, pad=pad, end=end)
    if write(record, arguments, pad=pad, end=end, most=len(like)) == like:
        return like
    cls = type(record)
    try:
        placement = _placement(cls, like, like_arguments, pad, end)
    except FormatError:  # values overlap, so that they cannot be written separately
        notes = trace(cls, like, like_arguments)
        fill = {start: like[start:stop] for start, stop in gaps(spans_of(notes), len(like))}
        placement = Placement(0, {}, fill)  # of size 0: unread bytes go to the end
        made = write(record, arguments, pad=pad, end=end, placement=placement)
        again = write(notes.record, arguments, pad=pad, end=end, placement=placement)
        return like if again == made else made
    return write(record, arguments, pad=pad, end=end, placement=placement)


def layout_to_data(
    record: Record,
    arguments: Arguments,
    like: bytes | None,
    like_arguments: Arguments = NO_ARGUMENTS,
    *,
    pad: int = 0,
    end: int = 1,
) -> Plain | None:
    """Return the layout of `like` as plain data, or None if the default layout reproduces it.

    Raises:
        FormatError: Two values overlap.
    """
    if like is None or write(record, arguments, pad=pad, end=end, most=len(like)) == like:
        return None
    placement = _placement(type(record), like, like_arguments, pad, end)
    return None if placement is None else placement_to_data(placement)


def fields_or_bytes(
    fields: Callable[[], dict[str, Plain]], data: Callable[[], bytes]
) -> dict[str, Plain]:
    """Return `fields()`, or the bytes if plain data cannot represent them.

    Bytes are returned for values that overlap, and for data whose shared targets exceed a limit.
    """
    try:
        return fields()
    except (FormatError, LimitError):
        return {"data": data().hex()}


def write_placed(
    record: Record, arguments: Arguments, layout: Plain, path: str, *, pad: int = 0, end: int = 1
) -> bytes:
    """Return the record's bytes in a layout given as plain data; None is the default layout."""
    placement = None if layout is None else placement_from_data(layout, path)
    return write(record, arguments, pad=pad, end=end, placement=placement)


@lru_cache(maxsize=4)  # needed for the same record by writing, verification and plain data
def _placement(
    cls: type[Record], data: bytes, arguments: Arguments, pad: int, end: int
) -> Placement | None:
    return placement_of(cls, data, arguments, pad=pad, end=end)
