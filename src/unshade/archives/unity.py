"""Bundles of Unity 5.3 and later (UnityFS).

    "UnityFS\\0"  version u32  texts of two versions
    size of the bundle u64  packed and unpacked size of the directory u32, u32  flags u32
    directory    a digest, blocks (unpacked, packed, flags), nodes (offset, size, flags, path)
    blocks       none, LZMA or LZ4, in a row: together the bytes of the nodes

Numbers are big-endian. The nodes are files of assets; Unity packs the code of shaders in them once
more, in LZ4 blocks without a header.

Source: ArchiveStorageHeader and BundleFile of UnityPy and AssetStudio. UnityPy itself unpacks a
bundle whole, whatever its size, and is not needed for the container.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import UnsupportedError
from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .lz4 import block_contents
from .streams import XZ_MEMORY, unpacked

MAGIC = b"UnityFS\0"
VERSIONS = (6, 7, 8)
ALIGNED = 7  # version from which the header is padded to 16 bytes
NONE, LZMA, LZ4, LZ4HC = range(4)
METHOD = 0x3F  # of the flags
AT_END = 0x80  # the directory follows the blocks
PADDED = 0x200  # the blocks begin at a multiple of 16
ENCRYPTED = 0x200 | 0x400 | 0x1000  # by Unity in China, by version: 0x200 was its flag once
LONGEST = 64  # bytes of a version
DIGEST = 16
BLOCK, NODE = struct.Struct(">IIH"), struct.Struct(">QQI")


class BundleHeader(NamedTuple):
    """The header of a bundle: its sizes, and where it ends."""

    size: int
    packed: int
    unpacked: int
    flags: int
    end: int


class BundleBlock(NamedTuple):
    """A block of a bundle."""

    unpacked: int
    packed: int
    flags: int


class BundleNode(NamedTuple):
    """A file in a bundle: its place in the unpacked blocks."""

    path: str
    start: int
    size: int


def unity(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a bundle."""
    header = _header(data, at)
    if header is None:
        return None
    end = at + header.size
    place = end - header.packed if header.flags & AT_END else header.end
    raw = _block(bytes(data[place : place + header.packed]), header.unpacked, header.flags, budget)
    found = None if raw is None else _directory(raw, budget)
    if found is None:
        return None
    blocks, nodes = found
    start = header.end if header.flags & AT_END else header.end + header.packed
    if header.flags & PADDED:
        start += -(start - at) % 16
    if start + sum(each.packed for each in blocks) > end:
        return None
    total = sum(each.unpacked for each in blocks)
    if any(each.start + each.size > total for each in nodes):
        return None
    budget.check(total)
    pieces = []
    for each in blocks:
        piece = _block(bytes(data[start : start + each.packed]), each.unpacked, each.flags, budget)
        if piece is None:
            return None
        pieces.append(piece)
        start += each.packed
    return Opened(header.size, _entries(b"".join(pieces), nodes, budget))


def _entries(
    whole: bytes, nodes: Sequence[BundleNode], budget: UnpackBudget
) -> Iterator[ArchiveEntry]:
    for each in nodes:
        budget.take(each.size)  # nodes may overlap
        yield ArchiveEntry(each.path, whole[each.start : each.start + each.size])


def _header(data: Any, at: int) -> BundleHeader | None:
    """Return the header at an offset; None unless the whole bundle is there."""
    head = bytes(data[at : at + len(MAGIC) + 4 + 2 * LONGEST + 20 + 16])
    if not head.startswith(MAGIC) or len(head) < len(MAGIC) + 4:
        return None
    place = len(MAGIC)
    version = int.from_bytes(head[place : place + 4], "big")
    place += 4
    for _ in range(2):
        stop = head.find(b"\0", place, place + LONGEST)
        if stop < 0 or not head[place:stop].isascii():
            return None
        place = stop + 1
    if version not in VERSIONS or len(head) < place + 20:
        return None
    size, packed, whole, flags = struct.unpack_from(">QIII", head, place)
    place += 20
    if version >= ALIGNED:
        place += -place % 16
    if not place + packed <= size <= len(data) - at:
        return None
    return BundleHeader(size, packed, whole, flags, at + place)


def _block(packed: bytes, size: int, flags: int, budget: UnpackBudget) -> bytes | None:
    """Return the contents of a block; None if it is malformed."""
    method = flags & METHOD
    found: bytes | None = None
    if method == NONE:
        found = packed
        budget.take(len(packed))
    elif method == LZMA:
        from lzma import FORMAT_ALONE, LZMADecompressor, LZMAError

        alone = packed[:5] + size.to_bytes(8, "little") + packed[5:]
        decoder = LZMADecompressor(FORMAT_ALONE, XZ_MEMORY)
        result = unpacked(alone, 0, decoder, budget, (LZMAError,))
        found = None if result is None else result[0]
    elif method in (LZ4, LZ4HC):
        found = block_contents(packed, size, budget, "a bundle of Unity")
        if found is None and flags & ENCRYPTED:
            raise UnsupportedError("an encrypted bundle of Unity is not read")
    if found is not None and len(found) == size:
        return found
    budget.waste(len(packed))
    return None


def _directory(
    raw: bytes, budget: UnpackBudget
) -> tuple[list[BundleBlock], list[BundleNode]] | None:
    """Return the blocks and the nodes of a directory; None if it is malformed."""
    place = DIGEST
    try:
        (count,) = struct.unpack_from(">I", raw, place)
        place += 4
        if count * BLOCK.size > len(raw) - place:
            return None
        budget.entry(count)
        blocks = [
            BundleBlock(*BLOCK.unpack_from(raw, place + BLOCK.size * each)) for each in range(count)
        ]
        place += BLOCK.size * count
        (count,) = struct.unpack_from(">I", raw, place)
        place += 4
        if count * (NODE.size + 1) > len(raw) - place:
            return None
        budget.entry(count)
        nodes = []
        for _ in range(count):
            start, size, _flags = NODE.unpack_from(raw, place)
            stop = raw.index(b"\0", place + NODE.size)
            path = raw[place + NODE.size : stop].decode("utf-8", "surrogateescape")
            nodes.append(BundleNode(path, start, size))
            place = stop + 1
    except (struct.error, ValueError):
        return None
    return blocks, nodes
