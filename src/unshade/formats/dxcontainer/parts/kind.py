"""Kinds of parts: the protocol that each part module implements, and the kind for one record."""

from collections.abc import Callable
from typing import Any, Protocol

from ....errors import FormatError
from ....limits import Limits
from ....wire import Record, Span, read, trace
from ....wire.codegen import NO_ARGUMENTS, Arguments
from ....wire.data import Plain, from_data, to_data
from ....wire.roundtrip import layout_to_data, write_like, write_placed
from ....wire.salvage import SalvageReader
from ....wire.spans import spans_of, with_padding


class PartKind(Protocol):
    """A kind of part: how to read, write and show it.

    `pad` is the padding byte of the container's compiler, `like` the data that the part was read
    from, or None for a new part.
    """

    def accepts(self, data: bytes) -> bool:
        """Return True if the bytes are of this kind; a name can have two meanings."""

    @property
    def typed(self) -> type:
        """The class of the typed part."""

    def read(self, name: str, data: bytes, limits: Limits) -> Any:
        """Return the typed part.

        Raises:
            FormatError: The data is malformed. Offset and path are relative to the part's data.
        """

    def write(self, name: str, value: Any, pad: int, like: bytes | None) -> bytes:
        """Return the part's data, with any unusual layout of `like` preserved."""

    def to_data(self, name: str, value: Any, pad: int, like: bytes | None, limits: Limits) -> Plain:
        """Return the part as plain data; `from_data` and `write` turn it into the same bytes."""

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Any, bytes]:
        """Return the typed part and its bytes."""

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        """Return the spans of all fields, with offsets from the start of the part's data."""

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        """Return the spans of the fields of a malformed part that can be read."""

    def schema(self) -> dict[str, Plain] | None:
        """Return the JSON Schema of the result of `to_data`, or None if there is none."""


class RecordKind:
    """A part that is one record of `wire`.

    `for_data` and `for_value` return the record's arguments, for the bytes and for a value.
    `unless` is a predicate that is True for bytes of another kind.
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
        try:
            arguments = self.for_data(name, data)
        except FormatError:  # what the arguments depend on is malformed
            return []
        return spans_of(SalvageReader(data).read(self.record, arguments=arguments).trace)

    def schema(self) -> dict[str, Plain]:
        from ....wire.schema import PLACEMENT, json_schema  # not needed to read a file

        found = json_schema(self.record)
        found["$defs"][self.record.__name__]["properties"]["layout"] = PLACEMENT
        return found
