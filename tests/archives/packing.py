"""What packs bytes in each way that is read, by the libraries of the formats and not by ours."""

import bz2
import gzip
import io
import lzma
import random
import zipfile
import zlib
from collections.abc import Callable

import pytest

from unshade.search import Found

lz4_frame = pytest.importorskip("lz4.frame")
zstandard = pytest.importorskip("zstandard")

NOISE = random.Random(35)
Pack = Callable[[bytes], bytes]


def zipped(data: bytes, method: int = zipfile.ZIP_DEFLATED, name: str = "shaders/sky.bin") -> bytes:
    """Return a zip archive with an entry between two others."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("readme.txt", b"text " * 20)
        archive.writestr(name, data)
        archive.writestr("noise", NOISE.randbytes(40))
    return out.getvalue()


def _raw(data: bytes) -> bytes:
    return data


PACKS: dict[str, Pack] = {
    "raw": _raw,
    "zlib": zlib.compress,
    "zlib stored": lambda data: zlib.compress(data, 0),
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
    "zstd of unknown size": lambda data: zstandard.ZstdCompressor(
        write_content_size=False
    ).compress(data),
    "lz4": lz4_frame.compress,
    "lz4 with checksums": lambda data: lz4_frame.compress(
        data, content_checksum=True, block_checksum=True, block_linked=False
    ),
    "zip": zipped,
    "zip stored": lambda data: zipped(data, zipfile.ZIP_STORED),
    "zip bzip2": lambda data: zipped(data, zipfile.ZIP_BZIP2),
    "zip lzma": lambda data: zipped(data, zipfile.ZIP_LZMA),
}


def around(data: bytes) -> bytes:
    """Return data between bytes that are none."""
    return NOISE.randbytes(29) + data + NOISE.randbytes(31)


def contents(found: list[Found]) -> list[bytes]:
    """Return the bytes of what was found."""
    assert all(each.damage is None for each in found)
    return [each.data for each in found]
