"""Packs of Unreal Engine (.pak), versions 1 to 11.

    files       a record, then the contents: plain, or blocks that are packed one by one
    index       the directory of the files: their names and records
    footer      key (from 7)  encrypted (from 4)  magic  version  place and size of the index
                SHA-1 of the index  frozen (9)  names of compressions (from 8)

The footer is the end of the file, so that a pack is only recognised there. From version 10, records
of the index are packed into bits, and names are in a directory of their own, which may be missing:
files are then called by the hash of their names.

Packs that are encrypted, and files that are packed by Oodle, are named and not read.

Source: facts from FPakInfo, FPakEntry and FPakFile of Unreal Engine, as repak describes them.
"""

import struct
from collections.abc import Iterator
from typing import Any

from ..errors import UnsupportedError
from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .unreal_blocks import unpacked_block

MAGIC = 0x5A6F12E1
FOOTER = struct.Struct("<IIQQ20s")
NAME = 32  # bytes of the name of a compression
# Names of compressions in the footer, and 1 for the byte that says that the index is frozen: the
# versions.
FOOTERS = {(0, 0): range(1, 8), (4, 0): (8,), (5, 0): (8, 10, 11), (5, 1): (9,)}
TIMES, BLOCKS, ENCRYPTED, RELATIVE, NAMED, HASHED = 1, 3, 4, 5, 8, 10  # versions
OLD = {1: "Zlib", 2: "Gzip", 4: "Oodle"}  # bits of the method before compressions had names
PACK = "a pack of Unreal (.pak)"
DELETED = -(1 << 31)  # in place of the record of a file that a patch removes
RECORD = struct.Struct("<QQQ")
DIGEST, TIME = 20, 8  # bytes in a record
PACKED_BLOCK = struct.Struct("<QQ")
EXPLICIT = 0x3F  # the size of a block follows
LONGEST = 4096  # units of a text; that of a folder is read once for each of its files


class PakFooter(NamedTuple):
    """The footer of a pack."""

    version: int
    narrow: bool  # the method of a file is one byte
    encrypted: bool
    frozen: bool
    start: int  # of the index
    size: int
    methods: tuple[str, ...]


class PakFile(NamedTuple):
    """A file in a pack; `blocks` are the places of its packed blocks, from start to end."""

    at: int  # of its record
    start: int  # of its contents
    packed: int
    size: int
    method: int
    blocks: tuple[tuple[int, int], ...]
    block: int  # unpacked bytes of each, except the last
    encrypted: bool


class PakIndexCursor:
    """Bytes of an index that are read one after the other; ValueError at their end."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, size: int) -> bytes:
        """Return so many bytes."""
        found = self.data[self.at : self.at + size]
        if len(found) != size:
            raise ValueError("expected more bytes")
        self.at += size
        return found

    def number(self, size: int = 4, signed: bool = False) -> int:
        """Return an integer of so many bytes."""
        return int.from_bytes(self.take(size), "little", signed=signed)

    def text(self) -> str:
        """Return a text: its length, negative if it is of UTF-16, its units and a zero."""
        count = self.number(signed=True)
        if abs(count) > LONGEST:
            raise ValueError(f"expected a text of at most {LONGEST} units")
        if count < 0:
            return self.take(-2 * count).decode("utf-16-le", "replace").rstrip("\0")
        return self.take(count).decode("utf-8", "surrogateescape").rstrip("\0")


def unreal_pak(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a pack that is all of the data."""
    footer = _footer(data)
    if footer is None:
        return None
    if footer.encrypted or footer.frozen:
        kind = "an encrypted" if footer.encrypted else "a frozen"
        raise UnsupportedError(f"{kind} pack of Unreal (.pak) is not read")
    budget.take(footer.size)
    index = PakIndexCursor(bytes(data[footer.start : footer.start + footer.size]))
    try:
        index.text()  # where the files are mounted
        count = index.number()
        if footer.version < HASHED:
            names = _plain_names(index, count, footer)
        else:
            names = _hashed_names(data, index, footer, budget)
    except ValueError:
        return None
    return Opened(len(data), _entries(data, names, footer, budget))


def _footer(data: Any) -> PakFooter | None:
    """Return the footer; None if the data does not end with one."""
    for (names, frozen), versions in FOOTERS.items():
        at = len(data) - FOOTER.size - frozen - names * NAME
        head = bytes(data[at : at + FOOTER.size]) if at >= 0 else b""
        if len(head) < FOOTER.size:
            continue
        magic, version, place, size, _ = FOOTER.unpack(head)
        if magic != MAGIC or version not in versions:
            continue
        if place + size > at or (version >= ENCRYPTED and at == 0):
            return None
        encrypted = version >= ENCRYPTED and bool(data[at - 1])
        is_frozen = bool(frozen) and bool(data[at + FOOTER.size])
        first = at + FOOTER.size + frozen
        raw = bytes(data[first : first + names * NAME])
        methods = tuple(
            raw[each : each + NAME].rstrip(b"\0").decode("ascii", "replace")
            for each in range(0, len(raw), NAME)
        )
        narrow = version == NAMED and names == 4
        return PakFooter(version, narrow, encrypted, is_frozen, place, size, methods)
    return None


# ---------------------------------------------------------------- the index


def _record(cursor: PakIndexCursor, footer: PakFooter) -> PakFile:
    """Read a record; a copy of it precedes the contents of each file."""
    first = cursor.at
    at, packed, size = RECORD.unpack(cursor.take(RECORD.size))
    method = cursor.number(1 if footer.narrow else 4)
    cursor.take((TIME if footer.version == TIMES else 0) + DIGEST)
    blocks: tuple[tuple[int, int], ...] = ()
    length = flags = 0
    if footer.version >= BLOCKS:
        if method:
            raw = cursor.take(cursor.number() * PACKED_BLOCK.size)
            blocks = tuple(PACKED_BLOCK.iter_unpack(raw))
        flags, length = cursor.number(1), cursor.number()
    start = at + cursor.at - first
    base = at if footer.version >= RELATIVE else 0
    if method and footer.version < BLOCKS:
        blocks = ((start, start + packed),)
    else:
        blocks = tuple((base + one, base + other) for one, other in blocks)
    return PakFile(at, start, packed, size, method, blocks, length, bool(flags & 1))


def _bits_record(cursor: PakIndexCursor, budget: UnpackBudget) -> PakFile:
    """Read a record of version 10 and later, whose first word says which fields follow."""
    word = cursor.number()
    length = word & EXPLICIT
    length = cursor.number() if length == EXPLICIT else length << 11
    count = word >> 6 & 0xFFFF
    encrypted, method = bool(word >> 22 & 1), word >> 23 & 0x3F
    at = cursor.number(4 if word >> 31 & 1 else 8)
    size = cursor.number(4 if word >> 30 & 1 else 8)
    packed = cursor.number(4 if word >> 29 & 1 else 8) if method else size
    start = at + RECORD.size + 4 + DIGEST + 1 + 4
    if method:
        start += 4 + PACKED_BLOCK.size * count
    if count == 1 and not encrypted:
        sizes = [packed]
    else:
        budget.take(4 * count)  # many names may lead to one record
        sizes = [each for (each,) in struct.iter_unpack("<I", cursor.take(4 * count))]
    blocks, place = [], start
    for each in sizes if method else ():
        blocks.append((place, place + each))
        place += -(-each // 16) * 16 if encrypted else each
    return PakFile(at, start, packed, size, method, tuple(blocks), length, encrypted)


def _plain_names(
    index: PakIndexCursor, count: int, footer: PakFooter
) -> Iterator[tuple[str, PakFile]]:
    """Yield the names and records of an index in which they follow each other."""
    for _ in range(count):
        try:
            name = index.text()
            found = _record(index, footer)
        except ValueError:  # the end of the index
            return
        yield name, found


def _hashed_names(
    data: Any, index: PakIndexCursor, footer: PakFooter, budget: UnpackBudget
) -> Iterator[tuple[str, PakFile]]:
    """Return the names and records of an index with directories; ValueError if it is malformed."""
    index.take(8)  # the seed of the hashes

    def part() -> PakIndexCursor | None:
        if not index.number():
            return None
        place, size = index.number(8), index.number(8)
        index.take(DIGEST)
        if place + size > len(data):
            raise ValueError("expected a directory in the file")
        budget.take(size)
        return PakIndexCursor(bytes(data[place : place + size]))

    hashes, folders = part(), part()
    packed = index.take(index.number())
    others = [_record(index, footer) for _ in range(min(index.number(), len(index.data)))]
    names = _folders(folders) if folders is not None else _hashes(hashes)
    return _placed(names, packed, others, budget)


def _placed(
    names: Iterator[tuple[str, int]], packed: bytes, others: list[PakFile], budget: UnpackBudget
) -> Iterator[tuple[str, PakFile]]:
    """Yield each name with the record at its place, or with one of those that need more bits."""
    for name, place in names:
        if place == DELETED:
            continue
        try:
            if place < 0:
                found = others[-place - 1]
            else:
                found = _bits_record(PakIndexCursor(packed, place), budget)
        except (ValueError, IndexError):
            continue
        yield name, found


def _folders(cursor: PakIndexCursor) -> Iterator[tuple[str, int]]:
    """Yield the path of each file, and the place of its record."""
    try:
        for _ in range(cursor.number()):
            folder = cursor.text().removeprefix("/")
            for _ in range(cursor.number()):
                yield folder + cursor.text(), cursor.number(signed=True)
    except ValueError:
        return


def _hashes(cursor: PakIndexCursor | None) -> Iterator[tuple[str, int]]:
    """Yield the hash of the name of each file, and the place of its record."""
    try:
        for _ in range(0 if cursor is None else cursor.number()):
            assert cursor is not None
            yield f"{cursor.number(8):016x}", cursor.number(signed=True)
    except ValueError:
        return


# ---------------------------------------------------------------- contents


def _entries(
    data: Any,
    names: Iterator[tuple[str, PakFile]],
    footer: PakFooter,
    budget: UnpackBudget,
) -> Iterator[ArchiveEntry]:
    missing: UnsupportedError | None = None
    for name, file in names:
        try:
            contents = _contents(data, file, _method(file, footer), budget)
        except UnsupportedError as error:
            missing = missing or error
            continue
        if contents is not None:
            yield ArchiveEntry(name, contents)
    if missing is not None:
        raise missing


def _method(file: PakFile, footer: PakFooter) -> str:
    """Return the name of the compression of a file; empty for none."""
    if not file.method:
        return ""
    if footer.version < NAMED:
        return next((name for bit, name in OLD.items() if file.method & bit), "an unknown method")
    methods = footer.methods
    return methods[file.method - 1] if file.method <= len(methods) else "an unknown method"


def _contents(data: Any, file: PakFile, method: str, budget: UnpackBudget) -> bytes | None:
    """Return the contents of a file; None if they are malformed."""
    if file.encrypted:
        raise UnsupportedError(f"an encrypted file in {PACK} is not read")
    if file.start + file.packed > len(data):
        return None
    if not method:
        if file.size != file.packed:
            return None
        budget.take(file.size)
        return bytes(data[file.start : file.start + file.size])
    pieces: list[bytes] = []
    left = file.size
    for start, end in file.blocks:
        if not file.start <= start <= end <= len(data):
            return None
        size = min(file.block or left, left)
        piece = unpacked_block(data, start, end, size, method, budget, PACK)
        if piece is None or len(piece) > left:
            return None
        pieces.append(piece)
        left -= len(piece)
    return None if left else b"".join(pieces)
