"""Records that were read from a file and go back into one: an odd layout is kept, and told.

`like` is what the record was read from. While the writer's own walk gives those bytes, there is
nothing to keep; else the places come from `like` itself.
"""

from collections.abc import Callable
from functools import lru_cache

from ..errors import FormatError, LimitError
from .code import NO_ARGUMENTS, Arguments
from .data import Plain, placement_from_data, placement_to_data
from .placing import Placement
from .record import Record
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
    """The record's bytes, laid out as those that it was read from."""
    if like is None:
        return write(record, arguments, pad=pad, end=end)
    if write(record, arguments, pad=pad, end=end, most=len(like)) == like:
        return like
    cls = type(record)
    try:
        placement = _placement(cls, like, like_arguments, pad, end)
    except FormatError:  # one byte belongs to two values, so that neither can be edited
        notes = trace(cls, like, like_arguments)
        fill = {start: like[start:stop] for start, stop in gaps(spans_of(notes), len(like))}
        placement = Placement(0, {}, fill)  # nothing fits there: what is unread goes behind
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
    """The layout as plain data, None where the writer's own walk gives the same bytes.

    FormatError where one byte belongs to two values.
    """
    if like is None or write(record, arguments, pad=pad, end=end, most=len(like)) == like:
        return None
    placement = _placement(type(record), like, like_arguments, pad, end)
    return None if placement is None else placement_to_data(placement)


def fields_or_bytes(
    fields: Callable[[], dict[str, Plain]], data: Callable[[], bytes]
) -> dict[str, Plain]:
    """Plain data of something, or its bytes where plain data cannot say it.

    One byte that belongs to two values has no layout to tell, and what too many share is not
    repeated.
    """
    try:
        return fields()
    except (FormatError, LimitError):
        return {"data": data().hex()}


def write_placed(
    record: Record, arguments: Arguments, layout: Plain, path: str, *, pad: int = 0, end: int = 1
) -> bytes:
    """The record's bytes, laid out as plain data tells; None is the writer's own walk."""
    placement = None if layout is None else placement_from_data(layout, path)
    return write(record, arguments, pad=pad, end=end, placement=placement)


@lru_cache(maxsize=4)  # writing, verifying and plain data all ask for that of the same record
def _placement(
    cls: type[Record], data: bytes, arguments: Arguments, pad: int, end: int
) -> Placement | None:
    return placement_of(cls, data, arguments, pad=pad, end=end)
