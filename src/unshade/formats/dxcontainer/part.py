"""One part of a container: its bytes, and what they mean once somebody asks.

    FourCC   u32 size   data …

Source: DXC DxilContainer.h (DxilPartHeader).
"""

from _thread import allocate_lock  # `threading` takes a millisecond to import
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, SupportsIndex

from ...errors import Diagnostic, EncodeError, FormatError, LimitError, Severity, UsageError
from ...limits import DEFAULT, Limits
from ...parts import ByName, Category, RawBytes
from ...wire import Span
from ...wire.data import hex_from_data
from ...wire.keeping import fields_or_bytes
from ...wire.spans import gaps
from .parts import kind_of
from .parts.kind import PartKind
from .parts.purposes import FIELDS, OTHERWISE, PURPOSES, UNKNOWN, Purpose

PART_HEADER = 8
_FIRST = allocate_lock()


class DxPart:
    """One part: its name, its bytes, and what they mean.

    `value` is the typed record, the program, or plain bytes where nothing here describes the part
    or the part is malformed (then `error` says why). Assign to it, or edit it, to change the file.
    `gap` holds the bytes between the part and the one before it.
    """

    __slots__ = (
        "_data",
        "_gap",
        "_limits",
        "_name",
        "_value",
        "error",
        "offset",
        "pad",
    )

    gap = RawBytes("the bytes between this part and the one before it")

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
        self.pad = pad
        self.error: FormatError | LimitError | None = None
        self._data: bytes | None = b""
        self._value: Any = None
        self._limits = limits
        if isinstance(value, bytes):
            self._data = value
        else:
            self.value = value

    @property
    def name(self) -> str:
        """The four letters. With another name the same bytes are read as what that name means."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._data, self._value, self.error = self.data, None, None
        self._name = name

    @property
    def kind(self) -> PartKind | None:
        """What describes the part; None where it is, or has to stay, plain bytes."""
        kind = kind_of(self.name)
        if kind is None or self.error is not None:
            return None
        return kind if self._data is None or kind.accepts(self._data) else None

    @property
    def value(self) -> Any:
        """The typed part, read when first asked for."""
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
            with _FIRST:  # of threads that read at once the first one's value is everyone's
                if self._value is None:
                    self._value = value
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(value, bytes | bytearray):
            self._data, self._value = bytes(value), None
        elif (kind := kind_of(self.name)) is not None and isinstance(value, kind.typed):
            self._data, self._value = None, value  # the layout of what stood here is gone
        else:
            typed = f" or a {kind.typed.__name__}" if kind else ""
            raise UsageError(f"{self.name}: expected bytes{typed}, got {value!r:.40}")
        self.error = None

    @property
    def loaded(self) -> Any:
        """The typed part if it has been read, or set, by now; None otherwise."""
        return self._value

    @property
    def data(self) -> bytes:
        """The part's bytes as they would be written now."""
        if self._value is None or isinstance(self._value, bytes):
            assert self._data is not None
            return self._data
        kind = kind_of(self.name)
        assert kind is not None
        try:
            return kind.write(self.name, self._value, self.pad, self._data)
        except EncodeError as error:
            raise error.within(self.name) from None

    @property
    def size(self) -> int:
        """Bytes of the data, without the eight of the part's own header."""
        return len(self.data)

    @property
    def purpose(self) -> Purpose:
        """What such parts are for: title, category, what is lost with them."""
        if self.name in OTHERWISE and self._data is not None:
            kind = kind_of(self.name)
            if kind is not None and not kind.accepts(self._data):
                return OTHERWISE[self.name]
        return PURPOSES.get(self.name, UNKNOWN)

    @property
    def extents(self) -> list[tuple[int, int]]:
        """Where it stands, its header included."""
        return [(self.offset, self.offset + PART_HEADER + self.size)]

    @property
    def title(self) -> str:
        """What such parts are for, in a few words; empty where that is not known."""
        return self.purpose[0]

    @property
    def category(self) -> Category:
        """What such parts are for, in one word."""
        return self.purpose[1]

    def category_of(self, field: str) -> Category:
        """The same of one field of the typed part: RDEF's `creator` tells of the compiler."""
        return FIELDS.get((self.name, field), self.category)

    def in_program(self, field: str) -> bool:
        """Whether a field is what a program says: programs are parts of their own."""
        return False

    def described(self, field: str, value: Any) -> str | None:
        """The value of a field in words of its own: they all speak for themselves."""
        return None

    def finding(self) -> Diagnostic | None:
        """Why the part had to stay bytes, if it had to."""
        _ = self.value
        if isinstance(self.error, FormatError):
            at, path = self.error.offset, self.error.path
            problem = f"{self.error.problem}; kept as bytes"
            return Diagnostic("part.malformed", Severity.ERROR, problem, offset=at, path=path)
        if self.error is not None:
            problem = str(self.error)
            return Diagnostic(
                "part.limit", Severity.ERROR, problem, offset=self.offset, path=self.name
            )
        return None

    def spans(self) -> list[Span]:
        """Every field of the part's data."""
        return self.spans_of(self.data)

    def spans_of(self, data: bytes) -> list[Span]:
        """The same for the part's bytes where they are at hand, written already."""
        value = self.value  # reading decides whether the part is typed
        if self.kind is not None and not isinstance(value, bytes):
            return self.kind.spans(self.name, data, self.pad)
        if self.error is None:
            return [Span(0, len(data), "", data, "kept as it is", None, "raw")] if data else []
        kind = kind_of(self.name)
        found = [] if kind is None else kind.intact_spans(self.name, data)
        path = "unread" if found else ""
        for start, end in gaps(found, len(data)):
            doc = "malformed, kept as it is"
            found.append(Span(start, end - start, path, data[start:end], doc, None, "raw"))
        return sorted(found, key=lambda each: (each.offset, each.length if not each.bits else 0))

    def spans_at(self, at: int, path: str, size: int, data: bytes) -> list[Span]:
        """Return every field of the part with its header at `at`, which declares `size` bytes."""
        return [
            Span(at, 4, f"{path}.name", self.name, "FourCC"),
            Span(at + 4, 4, f"{path}.size", size, "bytes of the data that follow"),
            *(span.shifted(at + PART_HEADER, path) for span in self.spans_of(data)),
        ]

    def to_data(self) -> dict[str, Any]:
        """Plain data: the name and the fields, or the bytes as hex."""
        found: dict[str, Any] = {"name": self.name}
        if self.gap:
            found["gap"] = self.gap.hex()
        value = self.value
        kind = self.kind
        if kind is not None and not isinstance(value, bytes):
            told = partial(kind.to_data, self.name, value, self.pad, self._data, self._limits)
            found |= fields_or_bytes(lambda: {"fields": told()}, lambda: self.data)
        else:
            found["data"] = self.data.hex()
        return found

    @classmethod
    def from_data(cls, data: Any, pad: int, path: str) -> "DxPart":
        """The part that plain data describes."""
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise FormatError("a part needs a name", path=path)
        if len(encoded_name(data["name"])) != 4:
            raise FormatError(
                f"expected a name of four letters, got {data['name']!r:.40}", path=path
            )
        odd = data.keys() - {"name", "gap", "fields", "data"}
        if odd:
            raise FormatError(f"a part has no {min(map(str, odd))!r}", path=path)
        if "fields" in data and "data" in data:
            raise FormatError("fields and data, where one is enough", path=path)
        part = cls(data["name"], gap=hex_from_data(data.get("gap", ""), f"{path}.gap"), pad=pad)
        if "fields" in data:
            kind = kind_of(part.name)
            if kind is None:
                raise FormatError(f"{part.name} has no fields here, give its data", path=path)
            part._value, part._data = kind.from_data(
                part.name, data["fields"], pad, f"{path}.{part.name}"
            )
        else:
            part._data = hex_from_data(data.get("data", ""), f"{path}.data")
        return part

    def __repr__(self) -> str:
        return f"<Part {self.name} at 0x{self.offset:x}>"


class PartList(ByName[DxPart], list[DxPart]):
    """The parts in file order; `["RDEF"]` is the first of a name, `all("RDEF")` every one.

    A list, whose methods take a name where they take a part or its number.
    """

    def __setitem__(self, key: Any, part: Any) -> None:
        if isinstance(key, str):
            raise UsageError(f"a part's value is set: parts[{key!r}].value = ..., shader[{key!r}]")
        super().__setitem__(key, part)

    def __delitem__(self, key: SupportsIndex | slice | str) -> None:
        """By number; by name the first of that name."""
        super().__delitem__(self.index(key) if isinstance(key, str) else key)

    def index(self, part: DxPart | str, *bounds: SupportsIndex) -> int:
        """The number of a part, or of the first of a name."""
        return super().index(self[part] if isinstance(part, str) else part, *bounds)

    def count(self, part: DxPart | str) -> int:
        """How often a part is in the list, or how many have a name."""
        return len(self.all(part)) if isinstance(part, str) else super().count(part)

    def remove(self, part: DxPart | str) -> None:
        """Take out a part, or the first of a name."""
        super().remove(self[part] if isinstance(part, str) else part)

    def pop(self, key: SupportsIndex | str = -1) -> DxPart:
        """Take out a part by number, or the first of a name, and give it."""
        return super().pop(self.index(key) if isinstance(key, str) else key)

    def sort(self, *, key: Callable[[DxPart], Any] | None = None, reverse: bool = False) -> None:
        """In the order of `key`: parts have none of their own."""
        if key is None:
            raise UsageError("parts have no order of their own: sort(key=lambda part: part.name)")
        super().sort(key=key, reverse=reverse)

    def move(self, part: int | str, index: int) -> None:
        """Put a part, by number or the first of a name, at another place: -1 is the last."""
        at = self.index(self[part])
        try:
            to = range(len(self))[index]
        except (IndexError, TypeError):
            raise UsageError(f"no place {index!r:.40} among {len(self)} parts") from None
        self.insert(to, self.pop(at))


def part_paths(parts: Iterable[DxPart]) -> list[str]:
    """Return the path of each part: `STAT`, of the second of that name `STAT[1]`."""
    names = [part.name for part in parts]
    several = Counter(names)
    seen: Counter[str] = Counter()
    paths = []
    for name in names:
        paths.append(f"{name}[{seen[name]}]" if several[name] > 1 else name)
        seen[name] += 1
    return paths


def encoded_name(name: str) -> bytes:
    """The bytes of a part's name, none where it has letters that cannot stand there."""
    try:
        return name.encode("latin-1")
    except (UnicodeEncodeError, AttributeError):
        return b""
