"""LZ4 frames (LZ4 Frame Format Description 1.6).

The sizes of the blocks lead to the end of a frame, so that its size is known before the library is
needed.
"""

from itertools import count
from typing import Any

from ..errors import not_installed
from .archive import Opened
from .budget import UnpackBudget
from .streams import FrameExtent, joined, unpacked

MAGIC = b"\x04\x22\x4d\x18"
RATIO = 256  # bytes that a byte of a block unpacks to, at most
SIZES = {4: 64 << 10, 5: 256 << 10, 6: 1 << 20, 7: 4 << 20}  # of a block, by the field of BD


def frame_extent(data: Any, at: int, budget: UnpackBudget) -> FrameExtent | None:
    """Return the extent of the frame at an offset; None if no whole frame is there."""
    head = bytes(data[at : at + 6])
    if len(head) < 6 or head[:4] != MAGIC or head[4] >> 6 != 1 or head[4] & 2:
        return None
    flags, block = head[4], SIZES.get(head[5] >> 4)
    if block is None or head[5] & 0x0F:
        return None
    end = at + 6 + 8 * (flags >> 3 & 1) + 4 * (flags & 1) + 1
    for number in count(1):
        word = bytes(data[end : end + 4])
        size = int.from_bytes(word, "little") & 0x7FFFFFFF
        if len(word) < 4 or size > block:
            break
        end += 4
        if not any(word):
            end += 4 * (flags >> 2 & 1)
            if end <= len(data):
                return FrameExtent(end - at, number)
            break
        end += size + 4 * (flags >> 4 & 1)
    budget.waste(0, number)
    return None


def lz4(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read LZ4 frames."""
    first = frame_extent(data, at, budget)
    if first is None:
        return None
    try:
        from lz4.frame import LZ4FrameDecompressor
    except ImportError:
        budget.waste(0, first.blocks)
        raise not_installed("an LZ4 frame", "lz4", "find") from None

    def unpack(place: int) -> tuple[bytes, int] | None:
        extent = frame_extent(data, place, budget)
        if extent is None:
            return None
        found = unpacked(data, place, LZ4FrameDecompressor(), budget, (RuntimeError,))
        if found is None:
            budget.waste(0, extent.blocks)
        return found

    return joined(data, at, MAGIC, unpack)


def longest(size: int) -> int:
    """Return the bytes that a block takes at most, whose contents have so many."""
    return size + size // 255 + 16


def block_contents(packed: bytes, size: int, budget: UnpackBudget, what: str) -> bytes | None:
    """Return the contents of a block without a frame; None if it does not have this size.

    Args:
        packed: The block.
        size: The size of its contents.
        budget: The budget of the search.
        what: What the block is in, for the error if the package is missing.
    """
    budget.check(size)
    if size > RATIO * len(packed):  # which the library would allocate
        budget.waste(len(packed))
        return None
    try:
        from lz4.block import LZ4BlockError, decompress
    except ImportError:
        raise not_installed(what, "lz4", "find") from None
    budget.take(size)
    try:
        contents = bytes(decompress(packed, uncompressed_size=size))
    except (LZ4BlockError, ValueError):
        contents = b""
    if not size or len(contents) != size:
        budget.waste(len(packed))
        return None
    return contents
