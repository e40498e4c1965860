"""New contents for entries of a zip archive: sizes, checksums and offsets are updated.

All other entries are copied byte for byte, with their headers and whatever lies between them. If
the size of the archive may not change, a smaller entry gets a longer extra field in its local
header, as tools do that align entries.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import UnsupportedError, UsageError, not_installed
from ..limits import DEFAULT
from .archive import ArchivePlace, Edit
from .budget import UnpackBudget
from .fitting import fitted
from .repacking import deflated
from .zip import (
    BZIP2,
    CENTRAL_SIZE,
    DEFLATED,
    END64,
    END64_SIZE,
    FULL,
    LOCAL_SIZE,
    LOCATOR_SIZE,
    LZMA,
    LZMA_END,
    STORED,
    UNKNOWN_SIZE,
    ZSTD,
    ZipMember,
    contents,
    directory,
    local_member,
)

DESCRIPTOR = b"PK\7\x08"
PADDING = 0xD935  # id of the extra field that aligns entries in Android's packages
EXTRA_HEADER, MOST_EXTRA = 4, 0xFFFF  # bytes of the header of an extra field, and of all


class _Values:
    """Numbers of a header that are patched, also in its extra field of Zip64."""

    def __init__(self, head: bytearray, extra: int, size: int) -> None:
        self.head = head
        self.extra = extra  # offset of the extra field
        self.end = extra + size

    def put(self, places: list[tuple[int, int]]) -> None:
        """Put values at offsets; values that are FULL go to the extra field of Zip64, in order."""
        large = self._large()
        for at, value in places:
            full = int.from_bytes(self.head[at : at + 4], "little") == FULL
            if full and large is not None and large + 8 <= self.end:
                self.head[large : large + 8] = value.to_bytes(8, "little")
                large += 8
            elif value >= FULL:
                raise UnsupportedError("zip: an entry of 4 GiB cannot be put back")
            else:
                self.head[at : at + 4] = value.to_bytes(4, "little")

    def _large(self) -> int | None:
        at = self.extra
        while at + EXTRA_HEADER <= self.end:
            size = int.from_bytes(self.head[at + 2 : at + 4], "little")
            if int.from_bytes(self.head[at : at + 2], "little") == 1:
                return at + EXTRA_HEADER
            at += EXTRA_HEADER + size
        return None


def put(place: ArchivePlace, edits: Mapping[str, Edit], free: bool) -> bytes:
    """Return the archive with new contents for some entries."""
    data, at = place.data, place.at
    budget = UnpackBudget(DEFAULT, len(data))
    found = directory(data, at, budget)
    if found is None:
        raise UnsupportedError(f"zip@0x{at:x}: nothing is put back without a central directory")
    central = found.places[0]
    starts = sorted({each.start for each in found.members})
    ends = dict(zip(starts, [*starts[1:], central], strict=True))
    named = {each.start: each for each in found.members if each.name in edits}
    made = bytearray()
    moved: dict[int, int] = {}
    changed: dict[int, tuple[int, int, int]] = {}
    for start in starts:
        moved[start] = at + len(made)
        member = named.get(start)
        piece = bytes(data[start : ends[start]])
        if member is not None:
            piece, values = _changed(data, member, piece, edits[member.name], free, budget)
            if values is not None:
                changed[start] = values
        made += piece
    shift = at + len(made) - central
    for member, header in zip(found.members, found.places, strict=True):
        name, extra, more = (
            int.from_bytes(data[header + each : header + each + 2], "little")
            for each in (28, 30, 32)
        )
        head = bytearray(data[header : header + CENTRAL_SIZE + name + extra + more])
        crc, packed, size = changed.get(member.start, (member.crc, member.packed, member.size))
        head[16:20] = crc.to_bytes(4, "little")
        offset = moved[member.start] - found.start
        _Values(head, CENTRAL_SIZE + name, extra).put([(24, size), (20, packed), (42, offset)])
        made += head
    rest = at + len(made) - shift
    end = bytearray(data[rest : found.end])
    _move_end(end, found.tail - rest, rest - found.start, central - found.start, shift)
    return bytes(made + end)


def _move_end(end: bytearray, tail: int, start: int, directory: int, shift: int) -> None:
    """Move the offsets in the data after the directory, as far as they are right.

    Args:
        end: The data.
        tail: The place of the end record in it.
        start: Its offset in the archive, before the move.
        directory: That of the directory.
        shift: The bytes by which both move.
    """
    record = tail - LOCATOR_SIZE - END64_SIZE
    values = [(tail + 16, 4, directory)]
    if record >= 0 and end[record : record + 4] == END64:
        values += [(record + 48, 8, directory), (record + END64_SIZE + 8, 8, start + record)]
    for at, size, offset in values:
        if int.from_bytes(end[at : at + size], "little") == offset:
            if offset + shift >= 1 << (8 * size):
                raise UnsupportedError("zip: an archive of 4 GiB cannot be put back")
            end[at : at + size] = (offset + shift).to_bytes(size, "little")


def _changed(
    data: Any, member: ZipMember, piece: bytes, edit: Edit, free: bool, budget: UnpackBudget
) -> tuple[bytes, tuple[int, int, int] | None]:
    """Return the bytes of an entry with other contents; and its checksum and sizes."""
    local = local_member(data, member.start)
    old = None if local is None else contents(data, local[1], member, budget)
    if local is None or old is None:
        raise UsageError(f"zip: {member.name!r:.60} cannot be read")
    new = edit(old[0], True)  # the directory has its size
    if new == old[0]:
        return piece, None
    begin = local[1] - member.start
    after = piece[begin + member.packed :]
    head = bytearray(piece[:begin])
    what = f"zip: {member.name!r:.60}"
    extra = int.from_bytes(head[28:30], "little")

    def fill(packed: bytes, size: int) -> bytes | None:
        left = size - len(packed)
        return packed + bytes(left) if EXTRA_HEADER <= left <= MOST_EXTRA - extra else None

    room = None if free else member.packed
    forms = list(_packed(new, member))
    filled = fitted(forms, room, fill, what)
    body = next(each for each in forms if filled.startswith(each) and len(each) <= len(filled))
    left = len(filled) - len(body)
    if left:
        head += PADDING.to_bytes(2, "little") + (left - EXTRA_HEADER).to_bytes(2, "little")
        head += bytes(left - EXTRA_HEADER)
        head[28:30] = (extra + left).to_bytes(2, "little")
    values = zlib.crc32(new), len(body), len(new)
    name, extra = (int.from_bytes(head[each : each + 2], "little") for each in (26, 28))
    if member.flags & UNKNOWN_SIZE:
        after = _descriptor(after, values)
    if not member.flags & UNKNOWN_SIZE or any(head[14:26]):
        head[14:18] = values[0].to_bytes(4, "little")
        _Values(head, LOCAL_SIZE + name, extra).put([(22, values[2]), (18, values[1])])
    return bytes(head) + body + after, values


def _descriptor(after: bytes, values: tuple[int, int, int]) -> bytes:
    """Return the descriptor after the data of an entry, with its checksum and sizes."""
    start = 4 if after[:4] == DESCRIPTOR else 0
    crc, packed, size = (each.to_bytes(4, "little") for each in values)
    return after[:start] + crc + packed + size + after[start + 12 :]


def _packed(data: bytes, member: ZipMember) -> Iterator[bytes]:
    """Yield data packed by the method of an entry."""
    if member.method == STORED:
        yield data
    elif member.method == DEFLATED:
        yield from deflated(data)
    elif member.method == BZIP2:
        from bz2 import compress as bzip2

        yield from (bzip2(data, level) for level in (9, 1))
    elif member.method == LZMA:
        from lzma import FORMAT_ALONE
        from lzma import compress as lzma

        alone = lzma(data, FORMAT_ALONE)  # its size is unknown, and it has an end
        if member.flags & LZMA_END:
            yield b"\x09\x04\x05\x00" + alone[:5] + alone[13:]
        else:
            raise UnsupportedError("zip: LZMA without an end mark cannot be put back")
    elif member.method == ZSTD:
        try:
            from zstandard import ZstdCompressor
        except ImportError:
            raise not_installed("a frame of Zstandard", "zstandard", "find") from None
        yield from (ZstdCompressor(level=level).compress(data) for level in (3, 19, 9))
    else:
        from lzma import compress as xz

        yield xz(data)
