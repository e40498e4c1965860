"""Blocks of files of Unreal Engine: plain, or packed by one of the methods that a table names.

Packs (.pak) and containers (.utoc) cut files into blocks, 64 KiB as a rule, and pack each alone.
Oodle is named and not read.
"""

import zlib
from collections.abc import Iterator
from typing import Any

from ..errors import UnsupportedError, not_installed
from .budget import UnpackBudget
from .lz4 import block_contents, longest
from .repacking import PACKERS
from .streams import unpacked
from .zstd import frame_contents

__all__ = ["packed_block", "unpacked_block"]

GZIP = 31  # window bits that make zlib read gzip
LEVELS = (0, 12, 9, 6, 3)  # of LZ4: the first is the fast one
STREAMS = ("zlib", "gzip", "zstd")


def unpacked_block(
    data: Any, start: int, end: int, size: int, method: str, budget: UnpackBudget, what: str
) -> bytes | None:
    """Return the contents of a packed block; None if it is malformed.

    Args:
        data: The bytes that hold it.
        start: Its offset.
        end: The offset of its end.
        size: The size of its contents; other methods than LZ4 may unpack to another one.
        method: The name of the method.
        budget: The budget of the search.
        what: A noun phrase for the file that the block is in.
    """
    match method.lower():
        case "zlib":
            found = unpacked(data, start, zlib.decompressobj(), budget, (zlib.error,))
        case "gzip":
            found = unpacked(data, start, zlib.decompressobj(GZIP), budget, (zlib.error,))
        case "zstd":
            found = frame_contents(data, start, budget)
        case "lz4":
            if end - start > longest(size):
                return None
            return block_contents(bytes(data[start:end]), size, budget, what)
        case _:
            name = method if method.isascii() and method.isidentifier() else "an unknown method"
            raise UnsupportedError(f"files in {what} that are packed by {name} are not read")
    return None if found is None or found[1] > end - start else found[0]


def packed_block(contents: bytes, old: bytes, method: str) -> Iterator[bytes]:
    """Yield packed forms of a block, the most usual first; `old` is the packed block before."""
    if method.lower() in STREAMS:
        yield from PACKERS[method.lower()][0](contents, old)
        return
    try:
        from lz4.block import compress
    except ImportError:
        raise not_installed("a block of LZ4", "lz4", "find") from None
    for level in LEVELS:
        mode = "high_compression" if level else "default"
        yield bytes(compress(contents, mode, compression=level, store_size=False))
