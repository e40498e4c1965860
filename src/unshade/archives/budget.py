"""The work that one search may cause: bytes unpacked, entries, and the depth of archives.

Every byte that is unpacked counts, also of entries that overlap. Of data that turns out not to be
an archive, the bytes that were read and the headers that were followed count, too. So a bomb, an
archive that contains itself and a million headers that lead to the same bytes all end with the name
of the limit.
"""

import re
from typing import Any

from ..errors import LimitError
from ..limits import Limits

FACTOR = 16  # bytes unpacked for each byte of the data, in addition to the limit


class UnpackBudget:
    """The bounds of one search, and the part of them that is used up.

    Args:
        limits: The limits `unpacked`, `entries`, `layers`, and `file_size` for each entry.
        size: Size of the data to search.
    """

    def __init__(self, limits: Limits, size: int) -> None:
        self.limits = limits
        self.most = limits.unpacked + FACTOR * size
        self.unpacked = 0
        self.entries = 0
        self._places: dict[tuple[int, bytes], tuple[Any, list[int]]] = {}

    @property
    def room(self) -> int:
        """Bytes that an entry may have."""
        return min(self.most - self.unpacked, self.limits.file_size)

    def check(self, size: int) -> None:
        """Raise LimitError if an entry of this size, so far unpacked, exceeds a limit."""
        if size > self.limits.file_size:
            raise LimitError("file_size", self.limits.file_size, f"{size:,} bytes for an entry")
        if self.unpacked + size > self.most:
            raise LimitError(
                "unpacked",
                self.limits.unpacked,
                f"more than {self.most:,} bytes, {FACTOR} for each byte of the data included",
            )

    def take(self, size: int) -> None:
        """Count unpacked bytes; raise LimitError if there are too many."""
        self.check(size)
        self.unpacked += size

    def waste(self, size: int, headers: int = 0) -> None:
        """Count bytes and headers read in vain; raise LimitError if there are too many."""
        self.unpacked += size
        self.check(0)
        self.entry(headers)

    def entry(self, count: int = 1) -> None:
        """Count entries; raise LimitError if there are too many."""
        self.entries += count
        if self.entries > self.limits.entries:
            raise LimitError("entries", self.limits.entries, "more entries of archives")

    def enter(self, depth: int) -> None:
        """Raise LimitError if archives lie too deep in each other."""
        if depth > self.limits.layers:
            raise LimitError("layers", self.limits.layers, "more archives in each other")

    def places(self, data: Any, magic: bytes) -> list[int]:
        """Return all places of a magic in a piece of data, which is searched for it once."""
        key = id(data), magic
        if key not in self._places:
            found = [each.start() for each in re.finditer(re.escape(magic), data)]
            self._places[key] = data, found
        return self._places[key][1]

    def forget(self, data: Any) -> None:
        """Drop the known places in a piece of data."""
        for key in [key for key, (piece, _) in self._places.items() if piece is data]:
            del self._places[key]
