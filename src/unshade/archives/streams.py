"""Compressed streams that Python's standard library reads: zlib, gzip, bzip2 and xz.

A stream ends where its structure ends, and is read only if it is complete and its checksum is
right. Members of gzip and streams of bzip2 and xz that follow each other are one file.
"""

import zlib
from collections.abc import Callable
from typing import Any, Protocol

from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget

FIRST, MOST = 64, 1 << 16  # bytes given to a decoder at once: few at first, as most are none
OUT = 1 << 20  # bytes taken from a decoder at once
JOINED = 64 << 20  # bytes of streams that are read as one file
XZ_MEMORY = 256 << 20  # bytes of memory; `xz -9` needs 65 MiB


class StreamBudget(Protocol):
    """The work that streams may cause."""

    def check(self, size: int) -> None:
        """Raise LimitError if a stream of this size, so far unpacked, exceeds a limit."""

    def take(self, size: int) -> None:
        """Count unpacked bytes; raise LimitError if there are too many."""

    def waste(self, size: int) -> None:
        """Count bytes that were read in vain; raise LimitError if there are too many."""


def unpacked(
    data: Any, at: int, decoder: Any, budget: StreamBudget, wrong: tuple[type[Exception], ...]
) -> tuple[bytes, int] | None:
    """Return the contents of the stream at an offset and its size; None if it is malformed.

    Args:
        data: The bytes that hold the stream.
        at: Its offset.
        decoder: An incremental decoder, as of `zlib`, `bz2`, `lzma` and `lz4.frame`.
        budget: The budget of the search.
        wrong: The exceptions that the decoder raises for malformed data.
    """
    pieces: list[bytes] = []
    made = fed = 0
    waiting = b""
    step = FIRST
    whole = False
    try:
        while not decoder.eof:
            if not waiting and getattr(decoder, "needs_input", True):
                waiting = bytes(data[at + fed : at + fed + step])
                fed += len(waiting)
                step = min(2 * step, MOST)
            out, ended = decoder.decompress(waiting, OUT), not waiting
            if ended and not out and not decoder.eof:
                return None
            waiting = getattr(decoder, "unconsumed_tail", b"")
            made += len(out)
            budget.check(made)
            pieces.append(out)
        whole = True
    except wrong:
        return None
    finally:
        budget.take(made)
        if not whole:
            budget.waste(max(fed - FIRST, 0))
    return b"".join(pieces), fed - len(decoder.unused_data or b"")


class FrameExtent(NamedTuple):
    """The size of a frame and the number of its blocks, by the headers of the blocks."""

    size: int
    blocks: int


Unpack = Callable[[int], tuple[bytes, int] | None]


def joined(data: Any, at: int, magic: bytes, unpack: Unpack) -> Opened | None:
    """Return streams that follow each other without a gap as one file; None if there is none."""
    first = unpack(at)
    if first is None:
        return None
    contents, end = [first[0]], at + first[1]
    pieces, size = [(0, at)], len(first[0])
    while size < JOINED and data[end : end + len(magic)] == magic:
        more = unpack(end)
        if more is None:
            break
        pieces.append((size, end))
        contents.append(more[0])
        size += len(more[0])
        end += more[1]
    return Opened(end - at, iter([ArchiveEntry("", b"".join(contents), tuple(pieces))]))


def zlib_stream(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a stream of zlib."""
    block = bytes(data[at + 2 : at + 7])
    if len(block) == 5 and not _may_begin(block):
        return None
    found = unpacked(data, at, zlib.decompressobj(), budget, (zlib.error,))
    if found is None:
        return None
    return Opened(found[1], iter([ArchiveEntry("", found[0])]))


def _may_begin(block: bytes) -> bool:
    """Return False for bytes that begin no block of DEFLATE, as half of all noise does.

    Bits 1 and 2 are the type, and 3 is none; a stored block has its length twice, once inverted.
    """
    kind = block[0] >> 1 & 3
    stored = block[1] ^ block[3] == 0xFF and block[2] ^ block[4] == 0xFF
    return kind != 3 and (kind != 0 or stored)


def gzip(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read members of gzip."""

    def unpack(place: int) -> tuple[bytes, int] | None:
        return unpacked(data, place, zlib.decompressobj(31), budget, (zlib.error,))

    return joined(data, at, b"\x1f\x8b\x08", unpack)


def bzip2(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read streams of bzip2."""
    from bz2 import BZ2Decompressor

    def unpack(place: int) -> tuple[bytes, int] | None:
        wrong = OSError, ValueError
        return unpacked(data, place, BZ2Decompressor(), budget, wrong)

    return joined(data, at, b"BZh", unpack)


def xz(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read streams of xz."""
    from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

    def unpack(place: int) -> tuple[bytes, int] | None:
        decoder = LZMADecompressor(FORMAT_XZ, XZ_MEMORY)
        return unpacked(data, place, decoder, budget, (LZMAError,))

    return joined(data, at, b"\xfd7zXZ\0", unpack)
