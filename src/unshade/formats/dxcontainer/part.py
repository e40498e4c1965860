"""Parts of a container: raw bytes, and typed values that are read on first access.

    FourCC   u32 size   data …

Source: DXC DxilContainer.h (DxilPartHeader).
"""

from _thread import allocate_lock  # `threading` takes a millisecond to import
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, SupportsIndex

from ...errors import Diagnostic, EncodeError, FormatError, LimitError, Severity, UsageError
from ...limits import DEFAULT, Limits
from ...parts import ByName, Category, RawBytes
from ...unchanged import once
from ...wire import Span
from ...wire.data import hex_from_data
from ...wire.roundtrip import fields_or_bytes
from ...wire.spans import gaps
from .parts import description_of, kind_of
from .parts.description import UNKNOWN, PartDescription, Purpose
from .parts.kind import EitherKind, PartKind, RecordKind
from .readings import PartReading, keep_reading, kept_reading
from .repeated import bytes_like, fields_like, keep_bytes, keep_fields

PART_HEADER = 8
_FIRST = allocate_lock()


class DxPart:
    """A part of a container.

    `value` is a typed record or a program; it is bytes if the type of the part is unknown or the
    part is malformed, in which case `error` is set. Assign to it or edit it to change the file.
    `gap` holds the bytes between the part and the previous part. `remarks` are findings about the
    text that the value was assembled from; they last until another value is assigned.
    """

    __slots__ = (
        "_data",
        "_gap",
        "_limits",
        "_name",
        "_pad",
        "_reading",
        "_taken",
        "_value",
        "error",
        "offset",
        "remarks",
    )

    gap = RawBytes("the bytes between this part and the previous part")

    def __init__(
        self,
        name: str,
        value: Any = b"",
        *,
        gap: bytes = b"",
        offset: int = 0,
        pad: int = 0xAB,
        limits: Limits = DEFAULT,
    ) -> None:
        self._name = name
        self.gap = gap  # noqa: PLE0237  (RawBytes keeps it in `_gap`)
        self.offset = offset
        self._pad: int | PartNames = pad
        self.error: FormatError | LimitError | None = None
        self._data: bytes | None = b""
        self._value: Any = None
        self._reading: PartReading | None = None
        self._taken = False  # True: `_value` was handed out, and may have been edited
        self._limits = limits
        self.remarks: Sequence[Diagnostic] = ()
        if isinstance(value, bytes):
            self._data = value
        else:
            self.value = value

    @property
    def name(self) -> str:
        """The four-letter name. Setting it makes the same bytes be read as a part of that name."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._data, self._value, self.error = self.data, None, None
        self._reading = None
        self._name = name

    @property
    def kind(self) -> PartKind | None:
        """The kind of the part; None if it is unknown or the part is malformed."""
        return None if self.error is not None else kind_of(self.name)

    @property
    def value(self) -> Any:
        """The typed part, read on first access; bytes if it is unknown or malformed."""
        self._taken = True
        if self._value is None:
            assert self._data is not None
            kind = self.kind
            value: Any = self._data
            if kind is not None:
                try:
                    value = kind.read(self.name, self._data, self._limits)
                except FormatError as error:
                    self.error = error.within(self.offset + PART_HEADER, self.name)
                except LimitError as error:
                    self.error = error
            with _FIRST:  # threads that read at the same time all get the first one's value
                if self._value is None:
                    self._value = value
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(value, bytes | bytearray):
            self._data, self._value = bytes(value), None
        elif (kind := kind_of(self.name)) is not None and isinstance(value, kind.types):
            self._data, self._value = None, value  # the layout of the old data is dropped
        else:
            typed = "".join(f" or a {each.__name__}" for each in kind.types) if kind else ""
            raise UsageError(f"{self.name}: expected bytes{typed}, got {value!r:.40}")
        self._reading = None
        self.error = None
        self.remarks = ()

    @property
    def reading(self) -> PartReading:
        """The typed part for reading only, shared by equal parts until an edit."""
        data = self._data
        if self._value is not None or data is None or self._limits is not DEFAULT:
            return PartReading(self.value)
        found = self._reading
        if found is None:
            kind = kind_of(self._name)
            if isinstance(kind, EitherKind):
                kind = kind.of_data(data)
            if isinstance(kind, RecordKind):
                found = kept_reading(self._name, data) or self._read_for_all(kind, data)
            self._reading = found = found or PartReading(self.value)  # which sets `error`
        return found

    def _read_for_all(self, kind: RecordKind, data: bytes) -> PartReading | None:
        """Read the part, and keep the result for equal parts; None if it is malformed."""
        with suppress(FormatError, LimitError):
            found = PartReading(kind.read(self._name, data, self._limits))
            keep_reading(self._name, data, found)
            return found
        return None

    @property
    def loaded(self) -> Any:
        """The typed part if it was already read or set, or None."""
        self._taken = True
        return self._value

    @property
    def data(self) -> bytes:
        """The bytes of the part as they would be written now."""
        if self._data is not None and (
            not self._taken or self._value is None or isinstance(self._value, bytes)
        ):
            return self._data
        kind = kind_of(self.name)
        assert kind is not None
        try:
            return kind.write(self.name, self._value, self.pad, self._data)
        except EncodeError as error:
            raise error.within(self.name) from None

    @property
    def size(self) -> int:
        """Size of the data in bytes, without the 8-byte part header."""
        return _size(self)

    @property
    def pad(self) -> int:
        """The padding byte: 0xAB as fxc writes it, or 0 beside a part of dxc."""
        return self._pad if isinstance(self._pad, int) else self._pad.pad

    def beside(self, names: "PartNames") -> None:
        """Set the names of the parts of the container, which determine the padding byte."""
        self._pad = names

    @property
    def purpose(self) -> Purpose:
        """The purpose of such parts: title, category, and the loss when they are stripped."""
        described = self.description
        if described.second is not None and self.is_second:
            return described.second
        return described.purpose

    @property
    def description(self) -> PartDescription:
        """The properties of parts of this name; default properties if it is unknown."""
        return description_of(self.name) or UNKNOWN

    @property
    def is_second(self) -> bool:
        """True if the part has the second meaning of its name, such as a STAT that is a program."""
        kind = kind_of(self.name)
        if not isinstance(kind, EitherKind):
            return False
        if self._data is None:
            return not isinstance(self._value, kind.record)
        return kind.is_second(self._data)

    @property
    def extents(self) -> list[tuple[int, int]]:
        """The (start, end) of the part in the file, header included."""
        return [(self.offset, self.offset + PART_HEADER + self.size)]

    @property
    def title(self) -> str:
        """The contents of parts of this name; empty if unknown."""
        return self.purpose.title

    @property
    def category(self) -> Category:
        """The category of parts of this name."""
        return self.purpose.category

    def category_of(self, field: str) -> Category:
        """Return the category of a field of the typed part; `creator` of RDEF is COMPILER."""
        return self.description.fields.get(field, self.category)

    def in_program(self, field: str) -> bool:
        """Return False: programs are separate parts."""
        return False

    def described(self, field: str, value: Any) -> str | None:
        """Return None: no field needs a description of its value."""
        return None

    def finding(self) -> Diagnostic | None:
        """Return the error that made the part stay bytes, as a diagnostic, or None."""
        _ = self.reading
        if self.error is None:
            return None
        if isinstance(self.error, FormatError):
            at, path = self.error.offset, self.error.path
            problem = f"{self.error.problem}; kept as bytes"
            return Diagnostic("part.malformed", Severity.ERROR, problem, offset=at, path=path)
        problem = str(self.error)
        return Diagnostic("part.limit", Severity.ERROR, problem, offset=self.offset, path=self.name)

    def spans(self) -> list[Span]:
        """Return the spans of all fields, with offsets from the start of the part's data."""
        return [*self.spans_of(self.data)]

    def spans_of(self, data: bytes) -> Iterable[Span]:
        """Return the same as `spans`, for data that the caller has already encoded."""
        value = self.value  # reading decides whether the part is typed
        if self.kind is not None and not isinstance(value, bytes):
            return self.kind.spans(self.name, data, self.pad)
        if self.error is None:
            return (
                [Span(0, len(data), "", data, "unknown, kept unchanged", None, "raw")]
                if data
                else []
            )
        kind = kind_of(self.name)
        found = [] if kind is None else kind.intact_spans(self.name, data)
        path = "unread" if found else ""
        for start, end in gaps(found, len(data)):
            doc = "malformed, kept unchanged"
            found.append(Span(start, end - start, path, data[start:end], doc, None, "raw"))
        return sorted(found, key=lambda each: (each.offset, each.length if not each.bits else 0))

    def spans_at(self, at: int, path: str, size: int, data: bytes) -> Iterator[Span]:
        """Iterate over the spans of the part whose header is at `at` and declares `size` bytes."""
        yield Span(at, 4, f"{path}.name", self.name, "FourCC")
        yield Span(at + 4, 4, f"{path}.size", size, "size of the data in bytes")
        for span in self.spans_of(data):
            yield span.shifted(at + PART_HEADER, path)

    def to_data(self) -> dict[str, Any]:
        """Return plain data: the name and the fields, or the bytes as hex."""
        found: dict[str, Any] = {"name": self.name}
        if self.gap:
            found["gap"] = self.gap.hex()
        before = None if self._limits is not DEFAULT or self._value is not None else self._data
        if before is not None:  # as it was read
            fields = fields_like(self.name, self.pad, before)
            if fields is not None:
                found["fields"] = fields
                return found
        value = self.value
        kind = self.kind
        if kind is None or isinstance(value, bytes):
            found["data"] = self.data.hex()
            return found
        convert = partial(kind.to_data, self.name, value, self.pad, self._data, self._limits)
        found |= fields_or_bytes(lambda: {"fields": convert()}, lambda: self.data)
        if before is not None and "fields" in found:
            keep_fields(kind, self.name, self.pad, before, found["fields"])
        return found

    @classmethod
    def from_data(cls, data: Any, pad: int, path: str) -> "DxPart":
        """Return the part that plain data describes."""
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise FormatError("expected a part with a name", path=path)
        if len(encoded_name(data["name"])) != 4:
            raise FormatError(f"expected a four-letter name, got {data['name']!r:.40}", path=path)
        odd = data.keys() - {"name", "gap", "fields", "data"}
        if odd:
            raise FormatError(f"unknown key of a part: {min(map(str, odd))!r}", path=path)
        if "fields" in data and "data" in data:
            raise FormatError("expected fields or data, got both", path=path)
        part = cls(data["name"], gap=hex_from_data(data.get("gap", ""), f"{path}.gap"), pad=pad)
        if "fields" not in data:
            part._data = hex_from_data(data.get("data", ""), f"{path}.data")
            return part
        fields = data["fields"]
        kind = kind_of(part.name)
        if kind is None:
            raise FormatError(
                f"{part.name} is of an unknown type: expected data, got fields", path=path
            )
        part._data = bytes_like(kind, part.name, pad, fields)
        if part._data is None:
            where = f"{path}.{part.name}"
            part._value, part._data = kind.from_data(part.name, fields, pad, where)
            keep_bytes(kind, part.name, pad, fields, part._value, part._data)
        return part

    def __repr__(self) -> str:
        return f"<Part {self.name} at 0x{self.offset:x}>"


class PartList(ByName[DxPart], list[DxPart]):
    """The parts in file order; `["RDEF"]` is the first part of that name, `all("RDEF")` lists all.

    A list whose methods also accept a name instead of a part or an index.
    """

    def __setitem__(self, key: Any, part: Any) -> None:
        if isinstance(key, str):
            raise UsageError(
                f"cannot replace a part by name: set parts[{key!r}].value, or shader[{key!r}]"
            )
        super().__setitem__(key, part)

    def __delitem__(self, key: SupportsIndex | slice | str) -> None:
        """Remove the part at an index, or the first of that name."""
        super().__delitem__(self.index(key) if isinstance(key, str) else key)

    def index(self, part: DxPart | str, *bounds: SupportsIndex) -> int:
        """Return the index of a part, or of the first of that name."""
        return super().index(self[part] if isinstance(part, str) else part, *bounds)

    def count(self, part: DxPart | str) -> int:
        """Return the number of times a part is in the list, or the number of parts of a name."""
        return len(self.all(part)) if isinstance(part, str) else super().count(part)

    def remove(self, part: DxPart | str) -> None:
        """Remove a part, or the first of that name."""
        super().remove(self[part] if isinstance(part, str) else part)

    def pop(self, key: SupportsIndex | str = -1) -> DxPart:
        """Remove and return the part at an index, or the first of that name."""
        return super().pop(self.index(key) if isinstance(key, str) else key)

    def sort(self, *, key: Callable[[DxPart], Any] | None = None, reverse: bool = False) -> None:
        """Sort by `key`, which is required: parts have no natural order."""
        if key is None:
            raise UsageError("sort() needs a key, such as sort(key=lambda part: part.name)")
        super().sort(key=key, reverse=reverse)

    def move(self, part: int | str, index: int) -> None:
        """Move a part, by index or by name, to another index; -1 is the last."""
        at = self.index(self[part])
        try:
            to = range(len(self))[index]
        except (IndexError, TypeError):
            raise UsageError(
                f"expected an index of one of {len(self)} parts, got {index!r:.40}"
            ) from None
        self.insert(to, self.pop(at))


def part_paths(parts: Iterable[DxPart]) -> list[str]:
    """Return the path of each part: `STAT`, or `STAT[1]` for the second of that name."""
    names = [part.name for part in parts]
    several = Counter(names)
    seen: Counter[str] = Counter()
    paths = []
    for name in names:
        paths.append(f"{name}[{seen[name]}]" if several[name] > 1 else name)
        seen[name] += 1
    return paths


class PartNames:
    """The names of a container's parts, which share the padding byte that follows from them."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)

    @cached_property
    def pad(self) -> int:
        """The padding byte; computed once, and only for a part that asks for it."""
        return pad_beside(self.names)


def pad_beside(names: Iterable[object]) -> int:
    """Return the padding byte for a part added beside parts of these names."""
    described = (description_of(name) for name in names if isinstance(name, str))
    return 0 if any(each is not None and each.by_dxc for each in described) else 0xAB


def encoded_name(name: str) -> bytes:
    """Return the bytes of a part's name; empty if a letter cannot be encoded."""
    try:
        return name.encode("latin-1")
    except (UnicodeEncodeError, AttributeError):
        return b""


@once
def _size(part: DxPart) -> int:
    """Return the size of the data of a part, which is encoded if it was decoded."""
    return len(part.data)
