"""Zstandard frames (RFC 8878).

The headers of the blocks lead to the end of a frame, so that its size is known before the library
is needed, and four bytes that happen to be the magic are told from a frame.
"""

from itertools import count
from typing import Any

from ..errors import not_installed
from .archive import Opened
from .budget import UnpackBudget
from .streams import OUT, FrameExtent, joined

MAGIC = b"\x28\xb5\x2f\xfd"
WINDOW = 128 << 20  # bytes of memory for a window; `zstd --ultra -22` needs as many
BLOCK = 128 << 10
RAW, RLE, COMPRESSED = 0, 1, 2


def frame_extent(data: Any, at: int, budget: UnpackBudget) -> FrameExtent | None:
    """Return the extent of the frame at an offset; None if no whole frame is there."""
    head = bytes(data[at : at + 18])
    if len(head) < 6 or head[:4] != MAGIC or head[4] & 8:  # a reserved bit
        return None
    flags = head[4]
    single = flags >> 5 & 1
    end = at + 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]
    for number in count(1):
        block = bytes(data[end : end + 3])
        word = int.from_bytes(block, "little")
        kind, size = word >> 1 & 3, word >> 3
        if len(block) < 3 or kind > COMPRESSED or (kind != RLE and size > BLOCK):
            break
        end += 3 + (1 if kind == RLE else size)
        if word & 1:
            end += 4 * (flags >> 2 & 1)
            if end <= len(data):
                return FrameExtent(end - at, number)
            break
    budget.waste(0, number)
    return None


def zstd(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read frames of Zstandard."""
    return joined(data, at, MAGIC, lambda place: frame_contents(data, place, budget))


def frame_contents(data: Any, at: int, budget: UnpackBudget) -> tuple[bytes, int] | None:
    """Return the contents and the size of the frame at an offset; None without a whole frame."""
    extent = frame_extent(data, at, budget)
    if extent is None:
        return None
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError:
        budget.waste(0, extent.blocks)
        raise not_installed("a frame of Zstandard", "zstandard", "find") from None
    pieces: list[bytes] = []
    made = 0
    decoder = ZstdDecompressor(max_window_size=WINDOW)
    try:
        with decoder.stream_reader(bytes(data[at : at + extent.size])) as reader:
            while out := reader.read(OUT):
                made += len(out)
                budget.check(made)
                pieces.append(out)
    except (ZstdError, MemoryError):
        budget.waste(*extent)
        return None
    finally:
        budget.take(made)
    return b"".join(pieces), extent.size
