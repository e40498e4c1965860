"""Zip archives (APPNOTE.TXT 6.3.10), also behind other bytes.

    local header, name, extra, data      for each entry
    central header, name, extra          for each entry: PK 1 2
    end of central directory             PK 5 6

The directory is authoritative for the entries. It is found by its end record, which follows the
first local header; all offsets count from the start of the archive, which follows from the place of
the directory. If there is none, as in a file that was cut, the local header alone is read.
"""

import zlib
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from ..errors import UnsupportedError
from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget
from .streams import XZ_MEMORY, unpacked

LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
END64 = b"PK\6\6"
LOCAL_SIZE, CENTRAL_SIZE, END_SIZE, END64_SIZE, LOCATOR_SIZE = 30, 46, 22, 56, 20
STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ = 0, 8, 12, 14, 93, 95
METHODS = frozenset((STORED, DEFLATED, BZIP2, LZMA, ZSTD, XZ))
VERSION = 63  # needed to extract, at most
ENCRYPTED, LZMA_END, UNKNOWN_SIZE, UTF_8 = 1, 2, 8, 1 << 11  # flags
LZMA_HEADER = 9  # bytes before a stream of method 14: version, size of properties, properties
FULL64 = (1 << 64) - 1
FULL = 0xFFFFFFFF  # the value is in the extra field of Zip64


class ZipMember(NamedTuple):
    """An entry, as its headers describe it."""

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    start: int  # of the local header, in the data


class ZipDirectory(NamedTuple):
    """The central directory: where the archive begins and ends in the data, and its entries."""

    start: int
    end: int
    members: list[ZipMember]
    places: list[int]  # of the central headers
    tail: int  # of the end record


def _number(data: Any, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _name(raw: bytes, flags: int) -> str:
    return raw.decode("utf-8" if flags & UTF_8 else "cp437", "surrogateescape")


def _large(extra: bytes, values: list[int]) -> list[int]:
    """Return the values of a header; values that are FULL come from the extra field of Zip64."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = _number(extra, at, 2), _number(extra, at + 2, 2)
        if kind == 1:
            place = at + 4
            for number, value in enumerate(values):
                if value == FULL and place + 8 <= at + 4 + size:
                    values[number] = _number(extra, place, 8)
                    place += 8
        at += 4 + size
    return values


def directory(data: Any, at: int, budget: UnpackBudget) -> ZipDirectory | None:
    """Return the directory of the archive whose first local header is at an offset."""
    tails = budget.places(data, END)
    for number in range(bisect_left(tails, at), len(tails)):
        found = _directory_at(data, at, tails[number], budget)
        if found is not None:
            return found
        budget.entry()
    return None


def _directory_at(data: Any, at: int, tail: int, budget: UnpackBudget) -> ZipDirectory | None:
    """Return the directory before an end record if its first entry is at an offset."""
    if tail + END_SIZE > len(data):
        return None
    count, size = _number(data, tail + 10, 2), _number(data, tail + 12, 4)
    offset, comment = _number(data, tail + 16, 4), _number(data, tail + 20, 2)
    stop = tail
    record = tail - LOCATOR_SIZE - END64_SIZE
    if record >= at and data[record : record + 4] == END64:  # also of values that fit here, too
        count, size = _number(data, record + 32, 8), _number(data, record + 40, 8)
        offset, stop = _number(data, record + 48, 8), record
    elif FULL in (size, offset) or count == 0xFFFF:
        return None
    first = stop - size
    start = first - offset  # of the archive
    if not 0 <= start <= at <= first or tail + END_SIZE + comment > len(data):
        return None
    members, places, place = [], [], first
    for _ in range(count):
        if place + CENTRAL_SIZE > stop or data[place : place + 4] != CENTRAL:
            return None
        flags, method = _number(data, place + 8, 2), _number(data, place + 10, 2)
        crc, packed, whole = (_number(data, place + each, 4) for each in (16, 20, 24))
        name, extra, more = (_number(data, place + each, 2) for each in (28, 30, 32))
        begin = place + CENTRAL_SIZE
        local = _number(data, place + 42, 4)
        whole, packed, local = _large(
            bytes(data[begin + name : begin + name + extra]), [whole, packed, local]
        )
        words = _name(bytes(data[begin : begin + name]), flags)
        members.append(ZipMember(words, flags, method, crc, packed, whole, start + local))
        places.append(place)
        place = begin + name + extra + more
        budget.entry()
    more = place < stop and data[place : place + 4] == CENTRAL  # than the record counts
    if place > stop or more or not members or min(each.start for each in members) != at:
        return None
    return ZipDirectory(start, tail + END_SIZE + comment, members, places, tail)


def local_member(data: Any, at: int) -> tuple[ZipMember, int] | None:
    """Return the entry of a local header, and the offset of its data; None without a header."""
    if data[at : at + 4] != LOCAL or at + LOCAL_SIZE > len(data):
        return None
    flags, method = _number(data, at + 6, 2), _number(data, at + 8, 2)
    crc, packed, size = (_number(data, at + each, 4) for each in (14, 18, 22))
    name, extra = _number(data, at + 26, 2), _number(data, at + 28, 2)
    begin = at + LOCAL_SIZE
    size, packed = _large(bytes(data[begin + name : begin + name + extra]), [size, packed])
    words = _name(bytes(data[begin : begin + name]), flags)
    start = begin + name + extra
    plausible = method in METHODS and name and _number(data, at + 4, 1) <= VERSION
    if start > len(data) or not plausible:
        return None
    return ZipMember(words, flags, method, crc, packed, size, at), start


def zip_archive(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a zip archive, or the entry of one local header."""
    first = local_member(data, at)
    if first is None:
        return None
    found = directory(data, at, budget)
    if found is not None:
        return Opened(found.end - at, _entries(data, found.members, budget))
    member, start = first
    alone = contents(data, start, member, budget)
    if alone is None:
        return None
    return Opened(start + alone[1] - at, iter([ArchiveEntry(member.name, alone[0])]))


def _entries(data: Any, members: list[ZipMember], budget: UnpackBudget) -> Iterator[ArchiveEntry]:
    missing: UnsupportedError | None = None
    for member in members:
        local = local_member(data, member.start)
        if local is None:
            continue
        try:
            made = contents(data, local[1], member, budget)
        except UnsupportedError as error:
            missing = missing or error
            continue
        if made is not None:
            yield ArchiveEntry(member.name, made[0])
    if missing is not None:
        raise missing


def contents(
    data: Any, start: int, member: ZipMember, budget: UnpackBudget
) -> tuple[bytes, int] | None:
    """Return the contents of an entry and the bytes that they take; None if they are damaged.

    Without a size in the header, the entry ends where its stream ends.
    """
    if member.flags & ENCRYPTED:
        return None
    known = member.packed or not member.flags & UNKNOWN_SIZE
    packed = data[start : start + member.packed] if known else None
    if packed is not None and len(packed) != member.packed:
        return None
    found = _unpacked(data if packed is None else packed, start if packed is None else 0,
                      member, budget)  # fmt: skip
    if found is None:
        budget.waste(0 if packed is None else len(packed))
        return None
    if known and (zlib.crc32(found[0]) != member.crc or len(found[0]) != member.size):
        return None
    return found[0], member.packed if known else found[1]


def _unpacked(
    data: Any, at: int, member: ZipMember, budget: UnpackBudget
) -> tuple[bytes, int] | None:
    if member.method == STORED:
        if at:
            return None  # nothing tells where it ends
        budget.take(len(data))
        return bytes(data), len(data)
    if member.method == DEFLATED:
        return unpacked(data, at, zlib.decompressobj(-15), budget, (zlib.error,))
    if member.method == BZIP2:
        from bz2 import BZ2Decompressor

        return unpacked(data, at, BZ2Decompressor(), budget, (OSError, ValueError))
    if member.method in (LZMA, XZ):
        from lzma import FORMAT_ALONE, FORMAT_XZ, LZMADecompressor, LZMAError

        if member.method == XZ:
            decoder = LZMADecompressor(FORMAT_XZ, XZ_MEMORY)
            return unpacked(data, at, decoder, budget, (LZMAError,))
        if at or len(data) < LZMA_HEADER:
            return None
        ended = member.flags & LZMA_END
        size = (FULL64 if ended else member.size).to_bytes(8, "little")
        alone = bytes(data[4:LZMA_HEADER]) + size + bytes(data[LZMA_HEADER:])
        decoder = LZMADecompressor(FORMAT_ALONE, XZ_MEMORY)
        return unpacked(alone, 0, decoder, budget, (LZMAError,))
    if member.method == ZSTD and not at:
        from .zstd import zstd

        opened = zstd(data, 0, budget)
        found = next(opened.entries) if opened is not None else None
        return None if found is None else (found.data, len(data))
    return None
