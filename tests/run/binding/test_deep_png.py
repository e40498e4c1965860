"""PNG of 16 bits: every filter, against the texels they were made of."""

from __future__ import annotations

import zlib
from io import BytesIO
from struct import pack
from typing import Any

import numpy as np
import pytest

from unshade.errors import LimitError, UsageError
from unshade.limits import Limits
from unshade.run import open_texture
from unshade.run.binding.deep_png import is_deep, read_deep
from unshade.run.binding.pictures import picture


def chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))


def png(
    texels: Any, filters: list[int], colours: int, *, pieces: int = 1, size: Any = None
) -> bytes:
    """A file whose rows have these filters, byte by byte as the specification defines them."""
    height, width, channels = texels.shape
    step = 2 * channels
    rows = [bytes(row) for row in texels.astype(">u2").reshape(height, -1).view(np.uint8)]
    stream = bytearray()
    above = bytes(len(rows[0]))
    for kind, row in zip(filters, rows, strict=True):
        stream.append(kind)
        for at, byte in enumerate(row):
            a = row[at - step] if at >= step else 0
            b, c = above[at], above[at - step] if at >= step else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            stream.append((byte - (0, a, b, (a + b) // 2, nearest)[kind]) % 256)
        above = row
    data = zlib.compress(bytes(stream))
    header = pack(">2I5B", *(size or (width, height)), 16, colours, 0, 0, 0)
    cut = -(-len(data) // pieces)
    body = b"".join(chunk(b"IDAT", data[at : at + cut]) for at in range(0, len(data), cut))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + body + chunk(b"IEND", b"")


@pytest.mark.parametrize(("channels", "colours"), [(3, 2), (2, 4), (4, 6)])
def test_every_filter(channels: int, colours: int) -> None:
    rng = np.random.default_rng(channels)
    texels = rng.integers(0, 1 << 16, (11, 7, channels), np.uint16)
    texels[5:] = np.arange(6 * 7 * channels).reshape(6, 7, channels) * 300  # smooth
    filters = [0, 1, 2, 3, 4, 4, 3, 1, 2, 0, 4]
    data = png(texels, filters, colours, pieces=3)
    assert is_deep(data)
    found = read_deep(data, Limits())
    wanted = np.full((11, 7, 4), 0xFFFF, np.uint16)
    if channels == 2:
        wanted[..., :3], wanted[..., 3] = texels[..., :1], texels[..., 1]
    else:
        wanted[..., :channels] = texels
    assert np.array_equal(found, wanted)
    assert np.array_equal(open_texture(BytesIO(data)).data, wanted)
    image = pytest.importorskip("PIL.Image").open(BytesIO(data)).convert("RGBA")
    assert np.array_equal(np.asarray(image), wanted >> 8)


def test_what_is_written_is_read() -> None:
    array = np.random.default_rng(9).integers(0, 1 << 16, (5, 6, 4), np.uint16)
    assert np.array_equal(open_texture(BytesIO(picture(array, ".png"))).data, array)


def test_other_files_are_pillows() -> None:
    for array in (np.zeros((2, 2, 3), np.uint8), np.zeros((2, 2), np.uint16)):
        assert not is_deep(picture(array, ".png"))


def test_damaged_and_large_files() -> None:
    texels = np.zeros((4, 4, 3), np.uint16)
    data = png(np.random.default_rng(1).integers(0, 999, (4, 4, 3), np.uint16), [0] * 4, 2)
    for broken, words in (
        (png(texels, [0] * 4, 2, size=(5, 4)), "of 124 bytes of texels, got 100"),
        (png(texels, [0] * 4, 2, size=(3, 4)), "of 76 bytes of texels, got 77"),
        (data[:90], "expected a PNG file of 100 bytes of texels, got "),
        (data.replace(b"IDAT", b"IDOT"), "expected a PNG file"),
    ):
        with pytest.raises(UsageError, match=words):
            open_texture(BytesIO(broken))
    with pytest.raises(LimitError, match="texels"):
        open_texture(BytesIO(png(texels, [0] * 4, 2, size=(1 << 20, 1 << 20))))
