"""Streams packed again, with the settings of the original: level, checksums, header.

A stream that may not change its size is filled up. If several streams are read as one file, only
streams that change are packed again.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping

from ..errors import not_installed
from .archive import ArchivePlace, Edit
from .fitting import Fill, fitted, skippable, words_of_zeros, zeros

Pack = Callable[[bytes, bytes], Iterator[bytes]]  # contents and the original stream

FEXTRA, FNAME, FCOMMENT, FHCRC = 4, 8, 16, 2  # flags of gzip


def stream(place: ArchivePlace, edits: Mapping[str, Edit], free: bool) -> bytes:
    """Return the new bytes of streams in the format of one of the `PACKERS`."""
    how, opened, data, at = place
    pack, fill = PACKERS[how]
    (edit,) = edits.values()
    entry = next(opened.entries)
    pieces = entry.pieces or ((0, at),)
    changed = edit(entry.data, free)
    if len(changed) != len(entry.data):
        return next(pack(changed, bytes(data[at : at + opened.size])))
    starts = [start for start, _ in pieces] + [len(changed)]
    ends = [place for _, place in pieces[1:]] + [at + opened.size]
    made = []
    for number, (start, begin) in enumerate(pieces):
        old = bytes(data[begin : ends[number]])
        new = changed[start : starts[number + 1]]
        if new == entry.data[start : starts[number + 1]]:
            made.append(old)
            continue
        room = None if free else len(old)
        made.append(fitted(pack(new, old), room, fill, f"{how}@0x{begin:x}"))
    return b"".join(made)


def _zlib(data: bytes, old: bytes) -> Iterator[bytes]:
    window = (old[0] >> 4) + 8
    yield from deflated(data, window, (1, 5, 6, 9)[old[1] >> 6])


def deflated(data: bytes, window: int = -15, first: int = 6) -> Iterator[bytes]:
    """Yield Deflate streams of data: first with the usual settings, then with all others.

    The size of the tables (`memory`) decides where blocks end, and a flush adds some bits, so
    streams of many sizes are possible.
    """
    for level in dict.fromkeys((first, 9, 8, 7, 6, 5, 4, 3, 2, 1)):
        for memory in (8, 9, 7, 5):
            for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED):
                packer = zlib.compressobj(level, zlib.DEFLATED, window, memory, strategy)
                yield packer.compress(data) + packer.flush()
    for part in range(2, 10):
        packer = zlib.compressobj(9, zlib.DEFLATED, window, 9)
        at = len(data) // part
        start = packer.compress(data[:at]) + packer.flush(zlib.Z_PARTIAL_FLUSH)
        yield start + packer.compress(data[at:]) + packer.flush()


def _gzip(data: bytes, old: bytes) -> Iterator[bytes]:
    end = _gzip_fields(old)[-1]
    tail = zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    for body in deflated(data):
        yield old[:end] + body + tail


def _gzip_fields(packed: bytes) -> tuple[int, int, int]:
    """Return the start and the end of the comment, and the end of the header."""
    flags, at = packed[3], 10
    if flags & FEXTRA:
        at += 2 + int.from_bytes(packed[at : at + 2], "little")
    if flags & FNAME:
        at = packed.index(0, at) + 1
    start = at
    if flags & FCOMMENT:
        at = packed.index(0, at) + 1
    return start, at, at + (2 if flags & FHCRC else 0)


def _with_comment(packed: bytes, room: int) -> bytes | None:
    """Fill a member of gzip with a longer comment in its header."""
    start, end, header = _gzip_fields(packed)
    left = room - len(packed)
    if left <= 0:
        return packed if not left else None
    flags = packed[3] | FCOMMENT
    old = packed[start : end - 1] if end > start else b""
    more = left if end > start else left - 1
    head = packed[:3] + bytes([flags]) + packed[4:start] + old + b" " * more + b"\0"
    if flags & FHCRC:
        head += (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")
    return head + packed[header:]


def _bzip2(data: bytes, old: bytes) -> Iterator[bytes]:
    from bz2 import compress

    level = old[3] - ord("0")
    for each in dict.fromkeys((level, 9, 1)):
        yield compress(data, each)


def _xz(data: bytes, old: bytes) -> Iterator[bytes]:
    from lzma import FORMAT_XZ, PRESET_EXTREME, compress

    check = old[7] & 0x0F
    for preset in (6, 9 | PRESET_EXTREME, 9, 3, 0):
        yield compress(data, FORMAT_XZ, check, preset)


def _zstd(data: bytes, old: bytes) -> Iterator[bytes]:
    try:
        from zstandard import ZstdCompressor
    except ImportError:
        raise not_installed("a frame of Zstandard", "zstandard", "find") from None

    flags = old[4]
    checksum, sized = bool(flags & 4), bool(flags >> 5)
    for level in (3, *range(22, 3, -1), 2, 1, -1, -5):
        packer = ZstdCompressor(level=level, write_checksum=checksum, write_content_size=sized)
        yield packer.compress(data)


def _lz4(data: bytes, old: bytes) -> Iterator[bytes]:
    try:
        from lz4.frame import compress
    except ImportError:
        raise not_installed("an LZ4 frame", "lz4", "find") from None

    flags = old[4]
    for level in (0, 12, 9, 6, 3, -1, -10):
        yield compress(
            data,
            compression_level=level,
            block_size=old[5] >> 4 & 7,
            block_linked=not flags & 32,
            content_checksum=bool(flags & 4),
            block_checksum=bool(flags & 16),
            store_size=bool(flags & 8),
        )


PACKERS: dict[str, tuple[Pack, Fill]] = {
    "zlib": (_zlib, zeros),
    "gzip": (_gzip, _with_comment),
    "bzip2": (_bzip2, zeros),
    "xz": (_xz, words_of_zeros),
    "zstd": (_zstd, skippable),
    "lz4": (_lz4, skippable),
}
