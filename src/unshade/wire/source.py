"""The bytes that records are read from, with a cache of the targets of pointers."""

from collections.abc import Callable
from typing import Any

from ..errors import FormatError, LimitError
from ..limits import DEFAULT, Limits
from .field import Field
from .record import Record
from .types import TableForm

SHARED_PER_BYTE = 16


class Short(Exception):
    """Raised by compiled readers for data that ends too early; never leaves `wire`."""


class ByteSource:
    """A region of bytes. Offsets in pointers count from its start.

    The target of a pointer is read once and shared. Two counters bound the tree that a small file
    can describe: the bytes read (`Limits.overlap`), and the bytes without sharing
    (`Limits.sharing`), which is the work of anyone who walks the records.
    """

    __slots__ = (
        "budget",
        "cache",
        "data",
        "depth",
        "limits",
        "partial",
        "pointers",
        "pools",
        "references",
        "size",
        "spans",
        "strings",
        "tables",
        "unshared",
    )

    def __init__(self, data: bytes, limits: Limits = DEFAULT) -> None:
        self.data = data
        self.size = len(data)
        self.limits = limits
        self.strings: dict[int, str] = {}
        self.pools: dict[str, StringPool] = {}
        self.tables: dict[str, tuple[bytes, list[Any], TableForm]] = {}
        self.references: list[tuple[Record, tuple[Field, ...], str]] = []
        self.cache: dict[object, tuple[Any, int]] = {}
        self.depth = 0
        self.budget = limits.overlap * self.size + 4096
        self.unshared = limits.sharing + SHARED_PER_BYTE * self.size
        self.spans: list[Any] | None = None
        self.partial = False  # True: read the first items of a truncated array
        self.pointers: list[tuple[str, int]] = []

    def spend(self, size: int) -> None:
        """Count `size` bytes that are read for the first time."""
        self.budget -= size
        if self.budget < 0:
            allowed = self.limits.overlap
            raise LimitError("overlap", allowed, f"more than {allowed} times its {self.size} bytes")
        self.repeat(size)

    def repeat(self, size: int) -> None:
        """Count `size` bytes that are referred to, for the first time or again."""
        self.unshared -= size
        if self.unshared < 0:
            needed = f"more than that, and {SHARED_PER_BYTE} times its {self.size} bytes"
            raise LimitError("sharing", self.limits.sharing, needed)

    def cstring(self, at: int) -> str:
        """Return the NUL-terminated string at `at`."""
        found = self.strings.get(at)
        if found is not None:
            self.repeat(len(found) + 1)
            return found
        end = self.data.find(0, at)
        if end < 0 or at > self.size:
            raise Short
        if end - at > self.limits.string_size:
            raise LimitError("string_size", self.limits.string_size, end - at)
        self.spend(end - at + 1)
        found = self.data[at:end].decode("utf-8", "surrogateescape")
        self.strings[at] = found
        return found

    def table(self, name: str, form: TableForm, start: int, end: int, path: str = "") -> list[Any]:
        """Register the table of that name; return a list for its items, empty until all is read.

        The tables of a region have different names.
        """
        if name in self.tables:
            raise FormatError(f"a second table {name}", offset=start, path=path)
        self.spend(end - start)
        listed: list[Any] = []
        self.tables[name] = self.data[start:end], listed, form
        return listed

    def content(self, name: str) -> bytes:
        """Return the table of that name; no bytes if there is none."""
        return self.tables[name][0] if name in self.tables else b""

    def shared(self, key: object, at: int, read: Callable[..., tuple[Any, int]], *rest: Any) -> Any:
        """Return the result of `read(self, at, *rest)`, cached by `key`."""
        known = self.cache.get(key)
        if known is not None:
            if known is _READING:
                path = "" if self.spans is None else rest[-1]  # only traced readers know it
                raise FormatError("the record contains itself", offset=at, path=path)
            self.repeat(known[1])
            return known[0]
        if at > self.size:
            raise Short
        self.cache[key] = _READING
        before = self.unshared
        found, end = self.deeper(read, at, *rest)
        self.spend(max(end - at, 1))
        self.cache[key] = found, before - self.unshared
        return found

    def deeper(self, read: Callable[..., tuple[Any, int]], at: int, *rest: Any) -> tuple[Any, int]:
        """Return the result of `read(self, at, *rest)`, one nesting level deeper."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise LimitError("depth", self.limits.depth, "deeper nesting")
        found = read(self, at, *rest)
        self.depth -= 1
        return found


_READING = None, 0


class StringPool:
    """The string table of a record that is being read; `reached` are strings of pointers."""

    __slots__ = ("reached", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.reached: list[tuple[int, str]] = []

    def text(
        self,
        src: ByteSource,
        offset: int,
        order: int,
        slot: int = 0,
        path: str = "",
        f: Field | None = None,
    ) -> str:
        """Return the string at an offset from the start of the table."""
        at = self.start + offset
        if f is None:
            found = src.cstring(at)
        else:
            traced_pointer(src, slot, at, path)
            found = traced_string(src, at, path, f)
        self.reached.append((order, found))
        return found

    def taken(
        self, src: ByteSource, size: int, path: str = "", f: Field | None = None
    ) -> tuple[list[str], int | None]:
        """Return the strings of the table and its size.

        The list is empty if a writer would produce the same table; the size is None if it is the
        sum of their sizes.
        """
        texts = in_order(self.reached)
        end = self.start + size
        if not size:
            return [], 0 if texts else None
        if end > src.size or src.data[end - 1]:  # it does not end at the end of a string
            if src.spans is not None and f is not None and end <= src.size:
                rest = src.data.rfind(0, self.start, end) + 1 or self.start
                src.spans.append((rest, end, f"{path}.cut", src.data[rest:end], f))
            return [], size
        src.spend(size)
        listed = src.data[self.start : end].decode("utf-8", "surrogateescape").split("\0")[:-1]
        if src.spans is not None:
            at = self.start
            for index, text in enumerate(listed):
                stop = src.data.index(0, at) + 1
                if at not in src.strings:
                    src.strings[at] = text
                    src.spans.append((at, stop, f"{path}[{index}]", text, f))
                at = stop
        return ([] if listed == texts else listed), None


def in_order(reached: list[tuple[int, str]]) -> list[str]:
    """Return the strings in the order of a written table: ascending, each once."""
    return list(dict.fromkeys(text for _, text in sorted(reached, key=lambda each: each[0])))


def take_rest(src: ByteSource, item: Record, at: int, stop: int, path: str) -> int:
    """Store the bytes after the known fields of an array item, up to `stop`; return `stop`."""
    if at > stop:
        raise FormatError(f"the item overlaps the next by {at - stop} bytes", offset=at, path=path)
    if stop > at:
        for f in item.layout.fields:
            if f.is_rest:
                value = src.data[at:stop]
                setattr(item, f.name, value)
                if src.spans is not None:
                    src.spans.append((at, stop, f"{path}.{f.name}", value, f))
                return stop
        raise FormatError(
            f"the item is {stop - at} bytes longer than {type(item).__name__}", offset=at, path=path
        )
    return stop


def traced_pointer(src: ByteSource, slot: int, offset: int, path: str) -> None:
    """Record the offset; raise FormatError if it is outside the region."""
    src.pointers.append((path, offset))
    if offset > src.size:
        raise FormatError(
            f"offset 0x{offset:x} is past the end at 0x{src.size:x}", offset=slot, path=path
        )


def traced_string(src: ByteSource, at: int, path: str, f: Field) -> str:
    """Return the string at `at`, and record its span."""
    known = at in src.strings
    try:
        value = src.cstring(at)
    except Short:
        raise FormatError("no NUL before the end of the region", offset=at, path=path) from None
    if not known and src.spans is not None:
        src.spans.append((at, src.data.index(0, at) + 1, path, value, f))
    return value
