"""Zstandard frames (RFC 8878).

The headers of the blocks lead to the end of a frame, so that its size is known before the library
is needed, and four bytes that happen to be the magic are told from a frame.
"""

from typing import Any

from ..errors import not_installed
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .streams import OUT, joined

MAGIC = b"\x28\xb5\x2f\xfd"
WINDOW = 128 << 20  # bytes of memory for a window; `zstd --ultra -22` needs as many
BLOCK = 128 << 10
RAW, RLE, COMPRESSED = 0, 1, 2


def frame_size(data: Any, at: int) -> int | None:
    """Return the size of the frame at an offset; None if it is none."""
    head = bytes(data[at : at + 18])
    if len(head) < 6 or head[:4] != MAGIC or head[4] & 8:  # a reserved bit
        return None
    flags = head[4]
    single = flags >> 5 & 1
    end = at + 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
    while True:
        block = bytes(data[end : end + 3])
        if len(block) < 3:
            return None
        word = int.from_bytes(block, "little")
        kind, size = word >> 1 & 3, word >> 3
        if kind > COMPRESSED or (kind != RLE and size > BLOCK):
            return None
        end += 3 + (1 if kind == RLE else size)
        if word & 1:
            break
    end += 4 * (flags >> 2 & 1)
    return end - at if end <= len(data) else None


def zstd(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read frames of Zstandard."""
    return joined(data, at, MAGIC, lambda place: frame_contents(data, place, budget))


def frame_contents(data: Any, at: int, budget: UnpackBudget) -> tuple[bytes, int] | None:
    """Return the contents and the size of the frame at an offset; None if it is none."""
    size = frame_size(data, at)
    if size is None:
        return None
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError:
        raise not_installed("a frame of Zstandard", "zstandard", "find") from None
    pieces: list[bytes] = []
    made = 0
    decoder = ZstdDecompressor(max_window_size=WINDOW)
    try:
        with decoder.stream_reader(bytes(data[at : at + size])) as reader:
            while out := reader.read(OUT):
                made += len(out)
                budget.check(made)
                pieces.append(out)
    except (ZstdError, MemoryError):
        return None
    finally:
        budget.take(made)
    return b"".join(pieces), size


__all__ = ["ArchiveEntry", "frame_size", "zstd"]
