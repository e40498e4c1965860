"""The bytes that a record is read from, and what has been reached through pointers so far."""

from collections.abc import Callable
from typing import Any

from ..errors import FormatError, LimitError
from ..limits import DEFAULT, Limits
from .field import Field
from .record import Record

SHARED_PER_BYTE = 16


class Short(Exception):
    """Raised by compiled readers when something does not fit; never leaves `wire`."""


class Source:
    """A region of bytes. Offsets in pointers count from its start.

    What a pointer reaches is read once and shared. Two counts keep a small file from asking for a
    large tree: the bytes reached (`Limits.overlap`), and the bytes that all of it would have if
    nothing were shared (`Limits.sharing`), which is what whoever walks the records will meet.
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
        "size",
        "spans",
        "strings",
        "unshared",
    )

    def __init__(self, data: bytes, limits: Limits = DEFAULT) -> None:
        self.data = data
        self.size = len(data)
        self.limits = limits
        self.strings: dict[int, str] = {}
        self.pools: dict[str, TextPool] = {}
        self.cache: dict[object, tuple[Any, int]] = {}
        self.depth = 0
        self.budget = limits.overlap * self.size + 4096
        self.unshared = limits.sharing + SHARED_PER_BYTE * self.size
        self.spans: list[Any] | None = None
        self.partial = False  # whether of an array that is cut off the first items are read
        self.pointers: list[tuple[str, int]] = []

    def spend(self, size: int) -> None:
        """Count `size` bytes as reached for the first time."""
        self.budget -= size
        if self.budget < 0:
            allowed = self.limits.overlap
            raise LimitError("overlap", allowed, f"more than {allowed} times its {self.size} bytes")
        self.repeat(size)

    def repeat(self, size: int) -> None:
        """Count `size` bytes as reached, be it once more."""
        self.unshared -= size
        if self.unshared < 0:
            needed = f"more than that, and {SHARED_PER_BYTE} times its {self.size} bytes"
            raise LimitError("sharing", self.limits.sharing, needed)

    def cstring(self, at: int) -> str:
        """The NUL-terminated text at `at`."""
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

    def shared(self, key: object, at: int, read: Callable[..., tuple[Any, int]], *rest: Any) -> Any:
        """What `read(self, at, *rest)` gives, read once for each `key`."""
        known = self.cache.get(key)
        if known is not None:
            if known is _READING:
                path = "" if self.spans is None else rest[-1]  # only traced readers know it
                raise FormatError("the record holds itself", offset=at, path=path)
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
        """What `read(self, at, *rest)` gives, one level further in."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise LimitError("depth", self.limits.depth, "deeper nesting")
        found = read(self, at, *rest)
        self.depth -= 1
        return found


_READING = None, 0


class TextPool:
    """A table of texts while the record that it belongs to is read; `reached` through pointers."""

    __slots__ = ("reached", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.reached: list[tuple[int, str]] = []

    def text(
        self,
        src: Source,
        offset: int,
        order: int,
        slot: int = 0,
        path: str = "",
        f: Field | None = None,
    ) -> str:
        """The text at an offset from the start of the table."""
        at = self.start + offset
        if f is None:
            found = src.cstring(at)
        else:
            traced_pointer(src, slot, at, path)
            found = traced_string(src, at, path, f)
        self.reached.append((order, found))
        return found

    def taken(
        self, src: Source, size: int, path: str = "", f: Field | None = None
    ) -> tuple[list[str], int | None]:
        """Every text of the table, or none where it holds what a writer would put there.

        And its size, None where that is what the texts take.
        """
        texts = in_order(self.reached)
        end = self.start + size
        if not size:
            return [], 0 if texts else None
        if end > src.size or src.data[end - 1]:  # it does not end where a text does
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
    """The texts as a writer puts them into a table: lowest order first, each once."""
    return list(dict.fromkeys(text for _, text in sorted(reached, key=lambda each: each[0])))


def take_rest(src: Source, item: Record, at: int, stop: int, path: str) -> int:
    """What stands between the known fields of an array item and the next item."""
    if at > stop:
        raise FormatError(
            f"the item runs {at - stop} bytes into the next one", offset=at, path=path
        )
    if stop > at:
        for f in item.layout.fields:
            if f.is_rest:
                value = src.data[at:stop]
                setattr(item, f.name, value)
                if src.spans is not None:
                    src.spans.append((at, stop, f"{path}.{f.name}", value, f))
                return stop
        raise FormatError(
            f"{stop - at} bytes more than a {type(item).__name__} has", offset=at, path=path
        )
    return stop


def traced_pointer(src: Source, slot: int, offset: int, path: str) -> None:
    """Refuse an offset that leaves the region."""
    src.pointers.append((path, offset))
    if offset > src.size:
        raise FormatError(
            f"offset 0x{offset:x} lies behind the end at 0x{src.size:x}", offset=slot, path=path
        )


def traced_string(src: Source, at: int, path: str, f: Field) -> str:
    """`Source.cstring`, with a span."""
    known = at in src.strings
    try:
        value = src.cstring(at)
    except Short:
        raise FormatError("no NUL before the end of the region", offset=at, path=path) from None
    if not known and src.spans is not None:
        src.spans.append((at, src.data.index(0, at) + 1, path, value, f))
    return value
