"""What a part's module says about its parts: how to read, write and show them."""

from collections.abc import Callable
from typing import Any, Protocol

from ....errors import FormatError
from ....limits import Limits
from ....wire import Record, Span, read, trace
from ....wire.code import NO_ARGUMENTS, Arguments
from ....wire.data import Plain, from_data, to_data
from ....wire.intact import Intacts
from ....wire.keeping import layout_to_data, write_like, write_placed
from ....wire.spans import spans_of, with_padding


class PartKind(Protocol):
    """One kind of part. `pad` is the byte with which the container's compiler fills up."""

    def accepts(self, data: bytes) -> bool:
        """Whether the bytes are of this kind at all; a name can have two meanings."""

    @property
    def typed(self) -> type:
        """The class of the typed part."""

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

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        """Return the fields of a malformed part that can be read."""

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
    def typed(self) -> type[Record]:
        return self.record

    def read(self, name: str, data: bytes, limits: Limits) -> Record:
        return read(self.record, data, self.for_data(name, data), limits)

    def write(self, name: str, value: Record, pad: int, like: bytes | None) -> bytes:
        like_arguments = NO_ARGUMENTS if like is None else self.for_data(name, like)
        arguments = self.for_value(name, value)
        return write_like(value, arguments, like, like_arguments, pad=pad, end=4)

    def to_data(
        self, name: str, value: Record, pad: int, like: bytes | None, limits: Limits
    ) -> Plain:
        found = to_data(value, limits)
        like_arguments = NO_ARGUMENTS if like is None else self.for_data(name, like)
        arguments = self.for_value(name, value)
        layout = layout_to_data(value, arguments, like, like_arguments, pad=pad, end=4)
        if layout is not None:
            found["layout"] = layout
        return found

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Record, bytes]:
        if not isinstance(data, dict):
            raise FormatError(f"expected a mapping, got {type(data).__name__}", path=path)
        data = dict(data)
        layout = data.pop("layout", None)
        arguments = self.for_value(name, data)
        value = from_data(self.record, data, arguments, path)
        return value, write_placed(value, arguments, layout, f"{path}.layout", pad=pad, end=4)

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        found = trace(self.record, data, self.for_data(name, data))
        return with_padding(spans_of(found), data, pad)

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        found = Intacts(data).read(self.record, arguments=self.for_data(name, data))
        return spans_of(found.trace)

    def schema(self) -> dict[str, Plain]:
        from ....wire.schema import PLACEMENT, json_schema  # who reads a file needs none

        found = json_schema(self.record)
        found["$defs"][self.record.__name__]["properties"]["layout"] = PLACEMENT
        return found
