"""Content of XNA and MonoGame (.xnb) that is packed with LZ4.

    "XNB" platform  version  flags  size of the file u32  size of the contents u32  a block of LZ4

Source: ContentManager.cs of MonoGame. Content that is not packed is stored in plain form, as the
shaders of an effect (MGFX) do; LZX, the compression of XNA itself, is not read.
"""

from typing import Any

from ..errors import UnsupportedError
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .lz4 import block_contents

MAGIC = b"XNB"
PLATFORMS = b"wxmiadXWnMrP5OSGbpvgl"
VERSIONS = (3, 4, 5)
LZX, LZ4 = 0x80, 0x40
HEADER = 14


def xnb(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read packed content at the start of a file."""
    head = bytes(data[at : at + HEADER])
    if len(head) < HEADER or head[:3] != MAGIC or head[3] not in PLATFORMS:
        return None
    if head[4] not in VERSIONS or not head[5] & (LZX | LZ4):
        return None
    size, whole = (int.from_bytes(head[each : each + 4], "little") for each in (6, 10))
    if not HEADER < size <= len(data) - at:
        return None
    if head[5] & LZX:
        raise UnsupportedError("content of XNA that is packed with LZX is not read")
    packed = bytes(data[at + HEADER : at + size])
    contents = block_contents(packed, whole, budget, "packed content of MonoGame")
    return None if contents is None else Opened(size, iter([ArchiveEntry("", contents)]))
