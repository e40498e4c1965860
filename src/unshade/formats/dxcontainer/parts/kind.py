"""What a part's module says about its parts: how to read, write and show them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from ....errors import FormatError
from ....limits import Limits
from ....wire import Placement, Record, Span, placement_of, read, trace, write
from ....wire.code import NO_ARGUMENTS, Arguments
from ....wire.data import Plain, from_data, placement_from_data, placement_to_data, to_data
from ....wire.spans import gaps, spans_of, with_padding


class Kind(Protocol):
    """One kind of part. `pad` is the byte with which the container's compiler fills up."""

    def accepts(self, data: bytes) -> bool:
        """Whether the bytes are of this kind at all; a name can have two meanings."""

    @property
    def wanted(self) -> str:
        """What `holds` asks for, as the end of a sentence: ` or a Statistics`."""

    def holds(self, value: object) -> bool:
        """Whether the value is a typed part of this kind."""

    def read(self, name: str, data: bytes, limits: Limits) -> Any:
        """The typed part. FormatError: offset from the start of the part's data, path below it."""

    def write(self, name: str, value: Any, pad: int, like: bytes | None) -> bytes:
        """The part's data; `like` is what it was read from, whose odd layout is kept."""

    def to_data(self, name: str, value: Any, pad: int, like: bytes | None, limits: Limits) -> Plain:
        """The part as plain data, from which `from_data` and `write` make the same bytes."""

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Any, bytes]:
        """The typed part and its bytes."""

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        """Every field, offsets from the start of the part's data."""

    def schema(self) -> dict[str, Plain] | None:
        """The JSON Schema of what `to_data` gives, None where nobody has written one."""


class RecordKind:
    """A part that is one record of `wire`.

    `for_data` and `for_value` give the record's arguments, from the bytes and from a value.
    """

    __slots__ = ("for_data", "for_value", "record", "unless")

    def __init__(
        self,
        record: type[Record],
        *,
        for_data: Callable[[str, bytes], Arguments] = lambda name, data: NO_ARGUMENTS,
        for_value: Callable[[str, Plain], Arguments] = lambda name, value: NO_ARGUMENTS,
        unless: Callable[[bytes], bool] | None = None,
    ) -> None:
        self.record = record
        self.for_data = for_data
        self.for_value = for_value
        self.unless = unless

    def accepts(self, data: bytes) -> bool:
        return self.unless is None or not self.unless(data)

    @property
    def wanted(self) -> str:
        return f" or a {self.record.__name__}"

    def holds(self, value: object) -> bool:
        return isinstance(value, self.record)

    def read(self, name: str, data: bytes, limits: Limits) -> Record:
        return read(self.record, data, self.for_data(name, data), limits)

    def write(self, name: str, value: Record, pad: int, like: bytes | None) -> bytes:
        arguments = self.for_value(name, value)
        if like is None:
            return write(value, arguments, pad=pad, end=4)
        if write(value, arguments, pad=pad, end=4, most=len(like)) == like:
            return like
        try:
            placement = _layout(self.record, like, self.for_data(name, like), pad)
        except FormatError:  # one byte belongs to two values, so that neither can be edited
            notes = trace(self.record, like, self.for_data(name, like))
            fill = {start: like[start:end] for start, end in gaps(spans_of(notes), len(like))}
            placement = Placement(0, {}, fill)  # nothing fits there: what is unread goes behind
            made = write(value, arguments, pad=pad, end=4, placement=placement)
            again = write(notes.record, arguments, pad=pad, end=4, placement=placement)
            return like if again == made else made
        return write(value, arguments, pad=pad, end=4, placement=placement)

    def to_data(
        self, name: str, value: Record, pad: int, like: bytes | None, limits: Limits
    ) -> Plain:
        found = to_data(value, limits)
        arguments = self.for_value(name, value)
        if like is not None and write(value, arguments, pad=pad, end=4, most=len(like)) != like:
            placement = _layout(self.record, like, self.for_data(name, like), pad)
            if placement is not None:
                found["layout"] = placement_to_data(placement)
        return found

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Record, bytes]:
        placement = None
        if not isinstance(data, dict):
            raise FormatError(f"a mapping expected, not {type(data).__name__}", path=path)
        if "layout" in data:
            data = dict(data)
            placement = placement_from_data(data.pop("layout"), f"{path}.layout")
        arguments = self.for_value(name, data)
        value = from_data(self.record, data, arguments, path)
        return value, write(value, arguments, pad=pad, end=4, placement=placement)

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        found = trace(self.record, data, self.for_data(name, data))
        return with_padding(spans_of(found), data, pad)

    def schema(self) -> dict[str, Plain]:
        from ....wire.schema import PLACEMENT, json_schema  # who reads a file needs none

        found = json_schema(self.record)
        found["$defs"][self.record.__name__]["properties"]["layout"] = PLACEMENT
        return found


@lru_cache(maxsize=4)  # writing, verifying and plain data all ask for that of the same part
def _layout(record: type[Record], data: bytes, arguments: Arguments, pad: int) -> Placement | None:
    return placement_of(record, data, arguments, pad=pad, end=4)
