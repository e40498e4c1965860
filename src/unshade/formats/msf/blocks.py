"""The structure of MSF 7.00 files: streams in blocks of a fixed size.

    block 0      header: magic, block size, number of blocks, size and map of the directory
    block 1, 2   maps of free blocks, one of them in use
    block 3      numbers of the blocks of the directory
    block 4 …    directory: u32 streams, u32 size of each, then the numbers of the blocks of each
    then         the streams

This is the order in which dxc writes the blocks; each may be anywhere. dxc writes a number of
blocks that is one too small. A size of 0xFFFFFFFF marks an absent stream.

Source: LLVM's documentation of PDB files (docs/PDB/MsfFile.rst), checked on files of dxc.
"""

import struct
from itertools import chain
from typing import Any

from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...tuples import NamedTuple
from ...wire import U32, Record, array, blob, derived, field, magic, read, u32, write
from ...wire.runs import differing

__all__ = [
    "BLOCK_SIZES",
    "HEADER",
    "MAGIC",
    "MsfLayout",
    "NamedStream",
    "PdbStream",
    "SuperBlock",
    "block_layout",
    "read_directory",
    "read_streams",
    "write_streams",
]

MAGIC = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"
HEADER = 56
NO_STREAM = 0xFFFF_FFFF
BLOCK_SIZES = tuple(1 << bits for bits in range(9, 17))  # 512 to 65,536
MAP_BLOCK = 3


class SuperBlock(Record, source="LLVM docs/PDB/MsfFile.rst"):
    """The header of the file. 56 bytes."""

    magic: bytes = magic("magic number", MAGIC)
    block_size: u32 = field("size of a block in bytes", default=512)
    free_map: u32 = field("block of the map of free blocks in use: 1 or 2", default=1)
    block_count: u32 = field("number of blocks")
    directory_size: u32 = field("size of the directory in bytes")
    unknown: u32 = field("unknown; 0 in all files", default=0)
    map_block: u32 = field("block with the numbers of the directory's blocks", default=MAP_BLOCK)


class NamedStream(Record, source="LLVM docs/PDB/HashTable.rst"):
    """A stream with a name. 8 bytes."""

    name: u32 = field("offset of its name among the names")
    stream: u32 = field("number of the stream")


class PdbStream(Record, source="LLVM docs/PDB/PdbStream.rst"):
    """Stream 1: identity of the PDB, and streams with names, in a hash table of bucket sets."""

    version: u32 = field("version; dxc writes 20000404")
    signature: u32 = field("time of creation; dxc writes 0")
    age: u32 = field("number of times that it was written")
    guid: bytes = blob("GUID; dxc writes the hash of the program", 16, opaque=False)
    name_size: u32 | None = derived("bytes of the names", "size(names)")
    names: bytes = blob("the names of streams, each with a NUL", "name_size", opaque=False)
    named_count: u32 | None = derived("number of streams with names", "len(named)")
    capacity: u32 = field("number of buckets of the hash table", default=1)
    present_words: u32 | None = derived("words of the set of buckets in use", "len(present)")
    present: list[int] = array("the buckets in use, as bits", U32, count="present_words")
    deleted_words: u32 | None = derived("words of the set of deleted buckets", "len(deleted)")
    deleted: list[int] = array("the deleted buckets, as bits", U32, count="deleted_words")
    named: list[NamedStream] = array("streams with names", NamedStream, count="named_count")
    rest: bytes = blob("number after the last named stream, and features")

    def streams_by_name(self) -> dict[str, int]:
        """Return the number of each stream with a name; entries without a name are left out."""
        return {
            self.names[each.name :].partition(b"\0")[0].decode("utf-8", "surrogateescape"): (
                each.stream
            )
            for each in self.named
            if each.name < len(self.names)
        }


class MsfLayout(NamedTuple):
    """The place of everything in a file; bytes in no stream that are not 0 are in `fill`."""

    size: int
    free_map: int
    block_count: int
    unknown: int
    map_block: int
    directory: list[int]
    streams: list[list[int]]
    directory_tail: bytes
    fill: dict[int, bytes]

    def to_data(self) -> dict[str, Any]:
        found: dict[str, Any] = self._asdict()
        found["directory_tail"] = self.directory_tail.hex()
        found["fill"] = {f"0x{at:x}": raw.hex() for at, raw in self.fill.items()}
        return found

    @classmethod
    def from_data(cls, data: Any, block_size: int) -> "MsfLayout":
        """Return the layout in plain data; raise FormatError if it is invalid."""
        try:
            given = dict(data)
            given["directory_tail"] = bytes.fromhex(given["directory_tail"])
            given["fill"] = {int(at, 16): bytes.fromhex(raw) for at, raw in given["fill"].items()}
            found = cls(**given)
            blocks = [found.map_block, *found.directory, *chain.from_iterable(found.streams)]
            for each in (found.size, *found[1:5], *blocks):
                if not 0 <= int(each) <= 0xFFFF_FFFF:
                    raise ValueError("expected numbers of 32 bits")
            ends = [at + len(raw) for at, raw in found.fill.items()]
            if found.size > DEFAULT.file_size or max(ends, default=0) > found.size:
                raise ValueError(f"expected all bytes before the end, got a size of {found.size}")
            if max(blocks) * block_size >= found.size or min(found.fill, default=0) < 0:
                raise ValueError(f"expected blocks before 0x{found.size:x}, got {max(blocks)}")
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise FormatError(f"invalid layout: {error}", path="layout") from None
        return found


class Directory(NamedTuple):
    """The directory of a file: the size of each stream, and where everything is."""

    head: SuperBlock
    sizes: list[int]
    layout: MsfLayout


class Streams(NamedTuple):
    """The contents of a file: its block size and streams, and where they are."""

    block_size: int
    streams: list[bytes | None]
    layout: MsfLayout


def read_directory(data: bytes | memoryview) -> Directory:
    """Return the directory of a file; raise FormatError if it is invalid."""
    head = read(SuperBlock, bytes(data[:HEADER]))
    size = head.block_size
    if size not in BLOCK_SIZES:
        problem = f"expected a block size from 512 to 65536, got {size}"
        raise FormatError(problem, offset=32, path="block_size")
    count = -(-head.directory_size // size)
    at = head.map_block * size
    if head.directory_size > len(data) or at + 4 * count > len(data):
        problem = f"expected a directory of at most {len(data)} bytes, got {head.directory_size}"
        raise FormatError(problem, offset=44, path="directory_size")
    blocks = _words(data, at, count)
    raw = _joined(data, blocks, head.directory_size, size, at, "directory")
    start = blocks[0] * size if blocks else 0
    number = _words(raw, 0, 1)[0] if len(raw) >= 4 else 0
    if 4 + 4 * number > len(raw):
        problem = f"expected sizes of {number} streams, got {len(raw)} bytes"
        raise FormatError(problem, offset=start, path="directory")
    sizes = _words(raw, 4, number)
    at = 4 + 4 * number
    places = []
    for index, each in enumerate(sizes):
        wanted = 0 if each == NO_STREAM else -(-each // size)
        if at + 4 * wanted > len(raw):
            problem = f"expected {wanted} blocks, got the end of the directory"
            raise FormatError(problem, offset=start, path=f"streams[{index}]")
        places.append(_words(raw, at, wanted))
        at += 4 * wanted
    layout = MsfLayout(
        len(data), head.free_map, head.block_count, head.unknown, head.map_block,
        blocks, places, raw[at:], {},
    )  # fmt: skip
    return Directory(head, sizes, layout)


def read_streams(data: bytes, limits: Limits) -> Streams:
    """Return the streams of a file.

    Raises:
        FormatError: The header, the directory or a number of a block is invalid.
        LimitError: The streams have more bytes than the limits allow.
    """
    head, sizes, layout = read_directory(data)
    total = sum(each for each in sizes if each != NO_STREAM)
    if total > limits.overlap * len(data):
        raise LimitError("overlap", limits.overlap, f"streams of {total} bytes in {len(data)}")
    streams: list[bytes | None] = []
    for index, (each, blocks) in enumerate(zip(sizes, layout.streams, strict=True)):
        path = f"streams[{index}]"
        whole = None if each == NO_STREAM else _joined(data, blocks, each, head.block_size, 0, path)
        streams.append(whole)
    bare = write_streams(head.block_size, streams, layout)
    return Streams(head.block_size, streams, layout._replace(fill=differing(bare, data)))


def _words(data: bytes | memoryview, at: int, count: int) -> list[int]:
    return list(struct.unpack_from(f"<{count}I", data, at))


def _joined(
    data: bytes | memoryview, blocks: list[int], length: int, size: int, at: int, path: str
) -> bytes:
    """Return the bytes in some blocks."""
    out = bytearray()
    for index, block in enumerate(blocks):
        want = min(size, length - len(out))
        start = block * size
        if start + want > len(data):
            problem = f"expected a block before 0x{len(data):x}, got number {block}"
            raise FormatError(problem, offset=at + 4 * index, path=f"{path}.blocks[{index}]")
        out += data[start : start + want]
    return bytes(out)


def block_layout(block_size: int, streams: list[bytes | None]) -> MsfLayout:
    """Return the layout that dxc would choose."""
    sizes = [0 if each is None else -(-len(each) // block_size) for each in streams]
    length = 4 + 4 * len(streams) + 4 * sum(sizes)
    count = -(-length // block_size)
    directory = list(range(MAP_BLOCK + 1, MAP_BLOCK + 1 + count))
    at = MAP_BLOCK + 1 + count
    places = []
    for each in sizes:
        places.append(list(range(at, at + each)))
        at += each
    return MsfLayout(at * block_size, 1, at - 1, 0, MAP_BLOCK, directory, places, b"", {})


def write_streams(block_size: int, streams: list[bytes | None], layout: MsfLayout | None) -> bytes:
    """Return the file, in the given layout, or in dxc's layout if the streams do not fit."""
    sizes = [0 if each is None else -(-len(each) // block_size) for each in streams]
    length = 4 + 4 * len(streams) + 4 * sum(sizes)
    if layout is not None:
        length += len(layout.directory_tail)
    if (
        layout is None
        or list(map(len, layout.streams)) != sizes
        or len(layout.directory) != -(-length // block_size)
    ):
        layout = block_layout(block_size, streams)
        length = 4 + 4 * len(streams) + 4 * sum(sizes)
    out = bytearray(layout.size)
    head = SuperBlock(
        block_size=block_size,
        free_map=layout.free_map,
        block_count=layout.block_count,
        directory_size=length,
        unknown=layout.unknown,
        map_block=layout.map_block,
    )
    directory = [len(streams), *(NO_STREAM if each is None else len(each) for each in streams)]
    directory += [block for blocks in layout.streams for block in blocks]
    raw = struct.pack(f"<{len(directory)}I", *directory) + layout.directory_tail
    for blocks, each in zip(layout.streams, streams, strict=True):
        _put(out, blocks, each or b"", block_size)
    _put(out, layout.directory, raw, block_size)
    at = layout.map_block * block_size
    numbers = struct.pack(f"<{len(layout.directory)}I", *layout.directory)
    out[at : at + len(numbers)] = numbers
    out[:HEADER] = write(head)
    for at, each in layout.fill.items():
        out[at : at + len(each)] = each
    return bytes(out[: layout.size])


def _put(out: bytearray, blocks: list[int], data: bytes, size: int) -> None:
    for index, block in enumerate(blocks):
        piece = data[index * size : (index + 1) * size]
        out[block * size : block * size + len(piece)] = piece
