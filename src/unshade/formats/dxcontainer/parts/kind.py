"""Kinds of parts: the protocol of part modules, and the kinds of records and of programs."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from ....errors import FormatError
from ....limits import Limits
from ....wire import Record, Span, read, trace
from ....wire.codegen import NO_ARGUMENTS, Arguments
from ....wire.data import Plain, from_data, to_data
from ....wire.roundtrip import layout_to_data, write_like, write_placed
from ....wire.spans import spans_of, with_padding


class PartKind(Protocol):
    """A kind of part: how to read, write and show it.

    `pad` is the padding byte of the container's compiler, `like` the data that the part was read
    from, or None for a new part.
    """

    @property
    def types(self) -> tuple[type, ...]:
        """The classes of the typed part: several if the name has several meanings."""

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

    def spans(self, name: str, data: bytes, pad: int) -> Iterable[Span]:
        """Return the spans of all fields, with offsets from the start of the part's data."""

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        """Return the spans of the fields of a malformed part that can be read."""

    def schema(self) -> dict[str, Plain] | None:
        """Return the JSON Schema of the result of `to_data`, or None if there is none."""


class RecordKind:
    """A part that is one record of `wire`.

    `for_data` and `for_value` return the record's arguments, for the bytes and for a value.
    """

    __slots__ = ("for_data", "for_value", "record")

    def __init__(
        self,
        record: type[Record],
        *,
        for_data: Callable[[str, bytes], Arguments] = lambda name, data: NO_ARGUMENTS,
        for_value: Callable[[str, Plain], Arguments] = lambda name, value: NO_ARGUMENTS,
    ) -> None:
        self.record = record
        self.for_data = for_data
        self.for_value = for_value

    @property
    def types(self) -> tuple[type[Record], ...]:
        return (self.record,)

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
        from ....wire.salvage import SalvageReader  # not needed to read an intact file

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


class ProgramKind:
    """A part that is a program.

    `load` returns its class, whose `decode` reads the data of a part. The function is called when a
    part is read, so that files without the instruction set do not import it.
    """

    __slots__ = ("load",)

    def __init__(self, load: Callable[[], type[Any]]) -> None:
        self.load = load

    @property
    def typed(self) -> type[Any]:
        """The class of the program."""
        return self.load()

    @property
    def types(self) -> tuple[type, ...]:
        return (self.typed,)

    def read(self, name: str, data: bytes, limits: Limits) -> Any:
        return self.typed.decode(data, limits)

    def write(self, name: str, value: Any, pad: int, like: bytes | None) -> bytes:
        found: bytes = value.encode()
        return found

    def to_data(self, name: str, value: Any, pad: int, like: bytes | None, limits: Limits) -> Plain:
        return value.to_data()

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Any, bytes]:
        value = self.typed.from_data(data, path)
        return value, value.encode()

    def spans(self, name: str, data: bytes, pad: int) -> Iterable[Span]:
        found: Iterable[Span] = self.typed.decode(data).iter_spans()
        return found

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        return []

    def schema(self) -> None:
        return None


class EitherKind:
    """A part that is a record, or of a second kind if `is_second` is True for its bytes.

    `key` is a key of plain data that only the second kind has.
    """

    __slots__ = ("first", "is_second", "key", "second")

    def __init__(
        self, first: RecordKind, second: PartKind, is_second: Callable[[bytes], bool], key: str
    ) -> None:
        self.first = first
        self.second = second
        self.is_second = is_second
        self.key = key

    @property
    def record(self) -> type[Record]:
        """The record of the first kind."""
        return self.first.record

    @property
    def types(self) -> tuple[type, ...]:
        return (*self.first.types, *self.second.types)

    def of_data(self, data: bytes) -> PartKind:
        """Return the kind of a part with these bytes."""
        return self.second if self.is_second(data) else self.first

    def _of_value(self, value: Any) -> PartKind:
        return self.first if isinstance(value, self.record) else self.second

    def _like(self, kind: PartKind, like: bytes | None) -> bytes | None:
        """Return the bytes that the part was read from, if they are of that kind."""
        return like if like is not None and self.of_data(like) is kind else None

    def read(self, name: str, data: bytes, limits: Limits) -> Any:
        return self.of_data(data).read(name, data, limits)

    def write(self, name: str, value: Any, pad: int, like: bytes | None) -> bytes:
        kind = self._of_value(value)
        return kind.write(name, value, pad, self._like(kind, like))

    def to_data(self, name: str, value: Any, pad: int, like: bytes | None, limits: Limits) -> Plain:
        kind = self._of_value(value)
        return kind.to_data(name, value, pad, self._like(kind, like), limits)

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Any, bytes]:
        second = isinstance(data, dict) and self.key in data
        kind: PartKind = self.second if second else self.first
        return kind.from_data(name, data, pad, path)

    def spans(self, name: str, data: bytes, pad: int) -> Iterable[Span]:
        return self.of_data(data).spans(name, data, pad)

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        return self.of_data(data).intact_spans(name, data)

    def schema(self) -> dict[str, Plain]:
        """Return a schema that accepts the first kind in detail, and any object with the key."""
        found = self.first.schema()
        other: dict[str, Plain] = {
            "type": "object",
            "properties": {},
            "required": [self.key],
            "additionalProperties": {},
        }
        return {"anyOf": [{"$ref": found["$ref"]}, other], "$defs": found["$defs"]}
