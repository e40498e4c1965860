"""The description of an archive or a compression: its magic and its reader.

    archives/streams.py      def gzip(data, at, budget): …        Opened(size, entries)
    archives/__init__.py     Archive("gzip", (b"\\x1f\\x8b\\x08",), "unshade.archives.streams:gzip")

A reader gets the data, the offset of the magic and the budget of the search. It returns None if
no archive that can be read to its end begins there, in particular if the magic is missing. It
unpacks lazily, one entry after the other.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from ..errors import UnsupportedError
from ..format import load
from ..tuples import NamedTuple
from .budget import UnpackBudget

__all__ = ["Archive", "ArchiveEntry", "Opened", "Reader", "load"]


_loaded = cache(load)  # noise has a magic of two bytes every few kilobytes


class ArchiveEntry(NamedTuple):
    """Bytes that were unpacked.

    `pieces` are the offsets in `data` at which streams begin that follow each other without a gap,
    and their places in the archive's data: together they are one file, as of `gzip` and `zstd`.
    """

    name: str  # of a file in an archive, as it is written there; empty for a stream
    data: bytes
    pieces: tuple[tuple[int, int], ...] = ()


class Opened(NamedTuple):
    """An archive that was recognised: the bytes that it takes, and its contents."""

    size: int
    entries: Iterator[ArchiveEntry]
    start: int | None = None  # if it is not the place of the magic


class ArchivePlace(NamedTuple):
    """An archive in data, for a writer."""

    name: str  # of the kind of archive
    opened: Opened
    data: Any
    at: int


Edit = Callable[[bytes, bool], bytes]  # contents, and whether their size may change
Writer = Callable[[ArchivePlace, Mapping[str, Edit], bool], bytes]
Reader = Callable[[Any, int, UnpackBudget], Opened | None]


class Archive(NamedTuple):
    """An archive or a compression.

    Attributes:
        name: Its name in paths: `zstd@0x1f00`.
        magics: The bytes that it may begin with. If there are none, the reader is called at the
            start of data.
        home: The reader, as "module:function".
        shows: The reader is also called at the magic of a shader that cannot be read: it may be the
            start of a packed shader, whose first bytes are stored unchanged.
        writer: The function that returns the bytes in place of the archive, with other contents of
            some entries; it is told whether their number may change.
        last: The archive may be the end of a file that begins with something else.
        continued: The suffixes of a file and of another one that continues it, if the archive is
            two files.
    """

    name: str
    magics: tuple[bytes, ...]
    home: str
    shows: bool = False
    writer: str = ""
    last: bool = False
    continued: tuple[str, str] | None = None

    def open(self, data: Any, at: int, budget: UnpackBudget) -> Opened | None:
        """Return the archive at an offset; None if no archive of this kind begins there."""
        reader: Reader = _loaded(self.home)
        return reader(data, at, budget)

    def put(self, place: ArchivePlace, edits: Mapping[str, Edit], free: bool) -> bytes:
        """Return the bytes in place of an archive; UsageError if the new contents do not fit."""
        if not self.writer:
            raise UnsupportedError(f"{self.name}: what is inside cannot be put back")
        writer: Writer = load(self.writer)
        return writer(place, edits, free)
