"""LZ4 frames (LZ4 Frame Format Description 1.6).

The sizes of the blocks lead to the end of a frame, so that its size is known before the library is
needed.
"""

from typing import Any

from ..errors import not_installed
from .archive import Opened
from .budget import UnpackBudget
from .streams import joined, unpacked

MAGIC = b"\x04\x22\x4d\x18"
SIZES = {4: 64 << 10, 5: 256 << 10, 6: 1 << 20, 7: 4 << 20}  # of a block, by the field of BD


def frame_size(data: Any, at: int) -> int | None:
    """Return the size of the frame at an offset; None if it is none."""
    head = bytes(data[at : at + 6])
    if len(head) < 6 or head[:4] != MAGIC or head[4] >> 6 != 1 or head[4] & 2:
        return None
    flags, block = head[4], SIZES.get(head[5] >> 4)
    if block is None or head[5] & 0x0F:
        return None
    end = at + 6 + 8 * (flags >> 3 & 1) + 4 * (flags & 1) + 1
    while True:
        word = bytes(data[end : end + 4])
        if len(word) < 4:
            return None
        size = int.from_bytes(word, "little") & 0x7FFFFFFF
        end += 4
        if not int.from_bytes(word, "little"):
            break
        if size > block:
            return None
        end += size + 4 * (flags >> 4 & 1)
    end += 4 * (flags >> 2 & 1)
    return end - at if end <= len(data) else None


def lz4(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read LZ4 frames."""
    if frame_size(data, at) is None:
        return None
    try:
        from lz4.frame import LZ4FrameDecompressor
    except ImportError:
        raise not_installed("an LZ4 frame", "lz4", "find") from None

    def unpack(place: int) -> tuple[bytes, int] | None:
        if frame_size(data, place) is None:
            return None
        return unpacked(data, place, LZ4FrameDecompressor(), budget, (RuntimeError,))

    return joined(data, at, MAGIC, unpack)
