"""Containers of Unreal (.utoc with .ucas), versions 1 to 8.

    header      magic  version u8, 3 bytes  144: bytes of the header  numbers of chunks, of blocks
                12, number and bytes of names   bytes of a block  bytes of the directory
                partitions  …  flags  …  numbers of hash seeds, of overflows
    chunks      ids of 12 bytes, then offset and size as if nothing were packed: 5 and 5 bytes, big
    seeds, overflows of 4 bytes
    blocks      offset 5 bytes  packed size 3  size 3  number of the method 1
    names of the methods
    signatures  size u32, two of that size, SHA-1 of each block: if a flag is set
    directory   names of the chunks
    hashes      of the contents of each chunk, and flags: 33 bytes; 24 from version 8
    ────────    the end of the .utoc
    blocks      the .ucas, in pieces of which each begins at a multiple of 16

The blocks are in a file of their own, with the suffix .ucas. It is read as the continuation of the
table. A table without it has no entries, and tells what nobody finds in the other file without it:
anything in an encrypted container, or packed by Oodle or LZ4.

Source: facts from FIoStoreTocHeader and FIoStoreTocResource of Unreal Engine.
"""

import struct
from collections.abc import Iterator, Mapping
from hashlib import sha1
from typing import Any

from ..errors import UnsupportedError, UsageError
from ..limits import DEFAULT
from ..tuples import NamedTuple
from .archive import ArchiveEntry, ArchivePlace, Edit, Opened
from .budget import UnpackBudget
from .unreal_blocks import packed_block, unpacked_block

__all__ = ["put", "unreal_container"]

MAGIC = b"-==--==--==--==-"
VERSIONS = range(1, 9)
HEADER = struct.Struct("<16sB3x9I24xB3xI8xI44x")
ENCRYPTED, SIGNED = 2, 4  # flags
ID, PLACE, SEED, BLOCK, DIGEST = 12, 10, 4, 12, 20  # bytes
HASH, SHORT_HASH, SHORT = 33, 24, 8  # bytes of a hash with flags, and the version that is short
LONGEST, MOST = 64, 255  # bytes of a name, and names: a block has the number of one in a byte
ALIGNED = 16
FOUND = {"", "zlib", "gzip", "zstd"}  # packed blocks that begin with a magic
KIND = "a container of Unreal (.utoc, .ucas)"


class ContainerTable(NamedTuple):
    """A table of contents: the places of its parts in the data, and what they are of."""

    at: int
    chunks: int
    blocks: int
    block: int  # bytes of the contents of each, except the last of a chunk
    first_block: int  # place of the rows of blocks
    methods: tuple[str, ...]
    hashes: int  # place
    hash_size: int
    end: int
    signed: bool
    partitions: int


class ContainerChunk(NamedTuple):
    """A chunk: its number, its name, the numbers of its blocks and its size."""

    number: int
    name: str
    blocks: range
    size: int


class ContainerBlock(NamedTuple):
    """A block: the place of its row, and of its bytes in the data, and its sizes."""

    row: int
    start: int
    packed: int
    size: int
    method: str  # empty for a plain block


def read_table(data: Any, at: int) -> ContainerTable | None:
    """Return the table at an offset; None if there is none.

    Raises:
        UnsupportedError: The container is encrypted.
    """
    head = bytes(data[at : at + HEADER.size])
    if len(head) < HEADER.size:
        return None
    (
        magic, version, size, chunks, blocks, row, names, longest, block, directory, partitions,
        flags, seeds, overflows,
    ) = HEADER.unpack(head)  # fmt: skip
    if magic != MAGIC or version not in VERSIONS or (size, row) != (HEADER.size, BLOCK):
        return None
    first_block = at + size + chunks * (ID + PLACE) + (seeds + overflows) * SEED
    first = first_block + blocks * BLOCK
    end = first + names * longest
    if longest > LONGEST or names > MOST or end > len(data):
        return None
    if flags & ENCRYPTED:
        raise UnsupportedError(f"{KIND} that is encrypted is not read")
    methods = tuple(
        bytes(data[place : place + longest]).rstrip(b"\0").decode("ascii", "replace")
        for place in range(first, end, longest or 1)
    )
    if flags & SIGNED:
        end += 4 + 2 * int.from_bytes(data[end : end + 4], "little") + blocks * DIGEST
    hashes = end + directory
    hash_size = HASH if version < SHORT else SHORT_HASH
    end = hashes + chunks * hash_size
    if end > len(data):
        return None
    return ContainerTable(
        at, chunks, blocks, block, first_block, methods, hashes, hash_size, end,
        bool(flags & SIGNED), partitions,
    )  # fmt: skip


def unreal_container(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a table that is all of the data, or that the contents of its .ucas follow.

    Raises:
        UnsupportedError: The container is encrypted, or packed by what is not read.
    """
    table = read_table(data, at)
    if table is None:
        return None
    if table.end < len(data):
        return Opened(len(data) - at, _entries(data, table, budget))
    for name in table.methods:
        if name.lower() not in FOUND:
            shown = name if name.isidentifier() else "an unknown method"
            raise UnsupportedError(f"blocks of {KIND} that are packed by {shown} are not read")
    return Opened(len(data) - at, iter(()))


# ---------------------------------------------------------------- chunks


def _chunks(data: Any, table: ContainerTable) -> Iterator[ContainerChunk | None]:
    """Yield the chunks; None for one that is not in the container."""
    ids = table.at + HEADER.size
    places = ids + table.chunks * ID
    for number in range(table.chunks):
        name = bytes(data[ids + number * ID : ids + (number + 1) * ID]).hex()
        row = bytes(data[places + number * PLACE : places + (number + 1) * PLACE])
        start, size = int.from_bytes(row[:5], "big"), int.from_bytes(row[5:], "big")
        if not table.block or start % table.block:
            yield None
            continue
        first = start // table.block
        after = first + -(-size // table.block)
        whole = after <= table.blocks
        yield ContainerChunk(number, name, range(first, after), size) if whole else None


def _block(data: Any, table: ContainerTable, number: int) -> ContainerBlock | None:
    """Return a block; None if it has a method without a name."""
    row = table.first_block + number * BLOCK
    start, packed, size, method = (
        int.from_bytes(data[row + first : row + after], "little")
        for first, after in ((0, 5), (5, 8), (8, 11), (11, 12))
    )
    if method > len(table.methods):
        return None
    name = table.methods[method - 1] if method else ""
    return ContainerBlock(row, table.end + start, packed, size, name)


def _pieces(
    data: Any, table: ContainerTable, chunk: ContainerChunk, budget: UnpackBudget
) -> list[tuple[ContainerBlock, bytes]] | None:
    """Return the blocks of a chunk and their contents; None if one is malformed."""
    left = chunk.size
    found: list[tuple[ContainerBlock, bytes]] = []
    for number in chunk.blocks:
        block = _block(data, table, number)
        size = min(table.block, left)
        if block is None or block.size != size or block.start + block.packed > len(data):
            return None
        end = block.start + block.packed
        if block.method:
            made = unpacked_block(data, block.start, end, size, block.method, budget, KIND)
        else:
            budget.take(block.packed)
            made = bytes(data[block.start : end])
        if made is None or len(made) != size:
            return None
        found.append((block, made))
        left -= size
    return found


def _entries(data: Any, table: ContainerTable, budget: UnpackBudget) -> Iterator[ArchiveEntry]:
    if table.partitions > 1:
        raise UnsupportedError(f"{KIND} with several files of contents is not read")
    missing: UnsupportedError | None = None
    for chunk in _chunks(data, table):
        budget.waste(0, 1)
        try:
            found = None if chunk is None else _pieces(data, table, chunk, budget)
        except UnsupportedError as error:
            missing = missing or error
            continue
        if chunk is not None and found:
            yield ArchiveEntry(chunk.name, b"".join(piece for _, piece in found))
    if missing is not None:
        raise missing


# ---------------------------------------------------------------- writing


def put(place: ArchivePlace, edits: Mapping[str, Edit], free: bool) -> bytes:
    """Return the container with other contents of some chunks, which keep their sizes.

    A block that changes is packed again. If it does not fit where it was, it goes to the end of the
    file, and the table leads there.
    """
    data, at = place.data, place.at
    table = read_table(data, at)
    if table is None:
        raise UsageError(f"expected {KIND} at 0x{at:x}")
    if table.signed:
        raise UnsupportedError(f"nothing is put back into {KIND} that is signed")
    budget = UnpackBudget(DEFAULT, len(data))
    made = bytearray(data)
    chunks = [each for each in _chunks(data, table) if each is not None]
    rooms = _rooms(data, table)
    for chunk in chunks:
        if chunk.name in edits:
            _check_alone(chunk, chunks)
            old = _pieces(data, table, chunk, budget)
            if old is None:
                raise UsageError(f"{chunk.name}: the chunk cannot be read")
            contents = b"".join(piece for _, piece in old)
            new = edits[chunk.name](contents, False)  # other chunks state its size
            for number, (block, piece) in enumerate(old):
                changed = new[number * table.block :][: block.size]
                if changed != piece:
                    _put_block(made, table, block, changed, rooms[block.start], free)
            hashed = table.hashes + chunk.number * table.hash_size
            if made[hashed : hashed + DIGEST] == sha1(contents).digest():
                made[hashed : hashed + DIGEST] = sha1(new).digest()
    return bytes(made[at:])


def _check_alone(chunk: ContainerChunk, chunks: list[ContainerChunk]) -> None:
    """Raise UsageError if another chunk has the same blocks."""
    for other in chunks:
        apart = other.blocks.stop <= chunk.blocks.start or chunk.blocks.stop <= other.blocks.start
        if other.number != chunk.number and not apart:
            raise UsageError(f"{chunk.name}: its blocks are those of {other.name}, too")


def _rooms(data: Any, table: ContainerTable) -> dict[int, int]:
    """Return the bytes that each block may take where it is, with what aligns the next one."""
    found = [_block(data, table, number) for number in range(table.blocks)]
    sizes = {each.start: each.packed for each in found if each is not None}
    starts = sorted(sizes)
    nexts = [*starts[1:], len(data)]
    return {
        start: min(after - start, -(-sizes[start] // ALIGNED) * ALIGNED)
        for start, after in zip(starts, nexts, strict=True)
    }


def _put_block(
    made: bytearray,
    table: ContainerTable,
    block: ContainerBlock,
    contents: bytes,
    room: int,
    free: bool,
) -> None:
    """Write a block with other contents in its place, or at the end of the file."""
    start, packed, plain = block.start, contents, not block.method
    if block.method:
        old = bytes(made[start : start + block.packed])
        least: bytes | None = None
        for each in packed_block(contents, old, block.method):
            if least is None or len(each) < len(least):
                least = each
            if len(each) <= room:
                break
        if least is not None and len(least) < len(contents):
            packed = least
        else:
            plain = True
    if len(packed) > room:
        if not free:
            problem = f"expected at most {room:,} bytes when packed, got {len(packed):,}"
            raise UsageError(f"a block at 0x{start:x}: {problem}")
        made += bytes(-(len(made) - table.end) % ALIGNED)
        start = len(made)
        made += packed
    else:
        made[start : start + len(packed)] = packed
        made[start + len(packed) : start + room] = bytes(room - len(packed))
    made[block.row : block.row + 5] = (start - table.end).to_bytes(5, "little")
    made[block.row + 5 : block.row + 8] = len(packed).to_bytes(3, "little")
    if plain:
        made[block.row + 11] = 0
