"""The string pool: strings of up to 255 bytes, each after a byte with its size.

    u16 size   { u8 n   n bytes }…

A command refers to a string by its offset from the size field, so the first one has offset 2. The
writer adds a string when it is first used, each once.
"""

from collections.abc import Iterable

from ....errors import EncodeError, FormatError
from ....wire import Span

__all__ = ["BASE", "PooledStrings", "read_strings", "string_spans"]

BASE = 2  # offset of the first string
LONGEST = 0xFF
LAST_OFFSET = 0xFFFF


class PooledStrings:
    """Strings by offset, and the offset of each string.

    If a file contains a string twice, the first is used.
    """

    __slots__ = ("data", "offsets", "texts")

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.data = bytearray()
        self.offsets: dict[str, int] = {}
        self.texts: list[str] = []
        for each in texts:
            self.append(each)

    def append(self, text: str) -> int:
        """Add a string and return its offset."""
        raw = text.encode("utf-8", "surrogateescape")
        if len(raw) > LONGEST:
            raise EncodeError(f"expected a string of at most {LONGEST} bytes, got {len(raw)}")
        offset = BASE + len(self.data)
        if offset > LAST_OFFSET:
            raise EncodeError(f"the string pool has more than {LAST_OFFSET - BASE} bytes")
        self.data.append(len(raw))
        self.data += raw
        self.offsets.setdefault(text, offset)
        self.texts.append(text)
        return offset

    def offset(self, text: str) -> int:
        """Return the offset of a string, which is added if it is new."""
        found = self.offsets.get(text)
        return self.append(text) if found is None else found

    def text(self, offset: int) -> str | None:
        """Return the string at an offset, also inside another one; None if it is outside."""
        at = offset - BASE
        if not 0 <= at < len(self.data):
            return None
        end = at + 1 + self.data[at]
        if end > len(self.data):
            return None
        return bytes(self.data[at + 1 : end]).decode("utf-8", "surrogateescape")


def read_strings(data: bytes) -> list[str]:
    """Return the strings of a pool, in order; FormatError if the last string is truncated."""
    found: list[str] = []
    at = 0
    while at < len(data):
        end = at + 1 + data[at]
        if end > len(data):
            raise FormatError(
                f"expected {data[at]} bytes of a string, got {len(data) - at - 1}",
                offset=at,
                path=f"strings[{len(found)}]",
            )
        found.append(data[at + 1 : end].decode("utf-8", "surrogateescape"))
        at = end
    return found


def string_spans(data: bytes) -> list[Span]:
    """Return the size and the text of each string of a pool that `read_strings` accepts."""
    found = []
    at = 0
    for index, text in enumerate(read_strings(data)):
        size = data[at]
        found.append(Span(at, 1, f"strings[{index}].size", size, "bytes of the string"))
        if size:
            found.append(Span(at + 1, size, f"strings[{index}]", text, "a string"))
        at += 1 + size
    return found
