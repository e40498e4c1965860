"""Captures of RenderDoc (.rdc): sections, most of them packed in blocks.

    "RDOC" 0 0 0 0  version u32  size of the header u32 …                  header
    0 0 0 0  type  packed u64  size u64  version u64  flags  name          a section: 40 bytes
    size u32, block                                                        packed, again and again

Source: renderdoc/serialise of baldurk/renderdoc: rdcfile.cpp, lz4io.cpp, zstdio.cpp. A block of LZ4
has at most 64 KiB and refers to the block before it, one of Zstandard is a frame.
"""

from collections.abc import Iterator
from typing import Any

from ..errors import not_installed
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .zstd import frame_contents

MAGIC, VERSION = b"RDOC\0\0\0\0", range(0x100, 0x200)
SECTION, NAMES = 40, 2048  # bytes of the header of a section, and of its name at most
LZ4, ZSTD = 2, 4  # flags
PAGE = 64 << 10  # bytes of a block of LZ4, and of the history


def _number(data: Any, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def renderdoc(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read the binary sections of a capture at the start of a file."""
    if data[at : at + 8] != MAGIC or _number(data, at + 8, 4) not in VERSION:
        return None
    found: list[tuple[str, int, int, int]] = []
    place = at + _number(data, at + 12, 4)
    while place + SECTION <= len(data) and data[place : place + 4] == bytes(4):
        packed, flags, name = (
            _number(data, place + each, size) for each, size in ((8, 8), (32, 4), (36, 4))
        )
        start = place + SECTION + name
        if not 0 < name <= NAMES or start + packed > len(data):
            break
        words = bytes(data[place + SECTION : start - 1]).decode("utf-8", "surrogateescape")
        found.append((words, start, packed, flags))
        place = start + packed
    return Opened(len(data) - at, _sections(data, found, budget)) if found else None


def _sections(
    data: Any, found: list[tuple[str, int, int, int]], budget: UnpackBudget
) -> Iterator[ArchiveEntry]:
    for name, start, packed, flags in found:
        section = bytes(data[start : start + packed])
        if flags & LZ4:
            section = _pages(section, budget)
        elif flags & ZSTD:
            section = _frames(section, budget)
        else:
            budget.take(packed)
        yield ArchiveEntry(name, section)


def _blocks(section: bytes, budget: UnpackBudget) -> Iterator[bytes]:
    at = 0
    while at + 4 <= len(section):
        budget.entry()
        size = _number(section, at, 4)
        yield section[at + 4 : at + 4 + size]
        at += 4 + size


def _pages(section: bytes, budget: UnpackBudget) -> bytes:
    """Return the contents of blocks of LZ4, up to the first that is malformed."""
    try:
        from lz4.block import LZ4BlockError, decompress
    except ImportError:
        raise not_installed("a capture of RenderDoc", "lz4", "find") from None
    made: list[bytes] = []
    last = b""
    for block in _blocks(section, budget):
        try:
            last = bytes(decompress(block, uncompressed_size=PAGE, dict=last))
        except (LZ4BlockError, ValueError):
            break
        budget.take(len(last))
        made.append(last)
    return b"".join(made)


def _frames(section: bytes, budget: UnpackBudget) -> bytes:
    made: list[bytes] = []
    for block in _blocks(section, budget):
        contents = frame_contents(block, 0, budget)
        if contents is None:
            break
        made.append(contents[0])
    return b"".join(made)
