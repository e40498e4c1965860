"""PNG files of 16 bits with colours, which Pillow reads as 8 bits.

    signature; chunks: size, name, bytes, CRC-32
    IHDR: width, height, bits, colour type, compression, filter, interlace
    IDAT: zlib; each row has a filter, then its bytes less a prediction from those before

A byte depends on those to the left, above and between. All bytes of a diagonal, of every row one
pixel further to the left than in the row above, depend only on the two diagonals before: they are
computed together.

Source: Portable Network Graphics Specification, third edition.
"""

import zlib
from struct import unpack_from

import numpy as np

from ...errors import LimitError, UsageError
from ...limits import Limits
from ...vm.launch import Array

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 4: 2, 6: 4}  # by colour type: RGB, grey and alpha, RGBA
OPAQUE = 0xFFFF


def is_deep(data: bytes) -> bool:
    """Return True for a PNG file of 16 bits with several channels, not interlaced."""
    return (
        data.startswith(SIGNATURE) and data[12:16] == b"IHDR" and data[24:25] == b"\x10"
        and len(data) > 28 and data[25] in CHANNELS and data[26:29] == bytes(3)
    )  # fmt: skip


def read_deep(data: bytes, limits: Limits) -> Array:
    """Return the array (height, width, 4) of uint16 of a file for which `is_deep` is true."""
    width, height = unpack_from(">2I", data, 16)
    if width * height > limits.texels:
        raise LimitError("texels", limits.texels, width * height)
    channels = CHANNELS[data[25]]
    size = height * (1 + 2 * channels * width)
    try:
        rows = zlib.decompressobj().decompress(_contents(data), size + 1)
    except zlib.error as error:
        raise UsageError(f"expected a PNG file: {error}") from None
    if not size or len(rows) != size:
        raise UsageError(f"expected a PNG file of {size:,} bytes of texels, got {len(rows):,}")
    lines = np.frombuffer(rows, np.uint8).reshape(height, -1)
    if lines[:, 0].max() > 4:
        raise UsageError(f"expected filters of a PNG file from 0 to 4, got {lines[:, 0].max()}")
    texels = _unfiltered(lines[:, 0], lines[:, 1:].reshape(height, width, 2 * channels))
    found = np.ascontiguousarray(texels).view(">u2").astype("<u2")
    made = np.full((height, width, 4), OPAQUE, "<u2")
    if channels == 2:
        made[..., :3], made[..., 3] = found[..., :1], found[..., 1]
    else:
        made[..., :channels] = found
    return made


def _contents(data: bytes) -> bytes:
    """Return the bytes of all IDAT chunks."""
    parts, at = [], len(SIGNATURE)
    while at + 12 <= len(data):
        size, name = unpack_from(">I4s", data, at)
        if name == b"IDAT":
            parts.append(data[at + 8 : at + 8 + size])
        at += 12 + size
    return b"".join(parts)


def _unfiltered(filters: Array, rows: Array) -> Array:
    """Return rows (height, width, bytes of a pixel) without their filters."""
    height, width, size = rows.shape
    made = np.zeros((height + 1, width + 1, size), np.int16)  # a border of zeros above and left
    number = np.arange(height)
    for diagonal in range(height + width - 1):
        y = number[max(0, diagonal - width + 1) : min(height, diagonal + 1)]
        x = diagonal - y
        left, above, between = made[y + 1, x], made[y, x + 1], made[y, x]
        kind = filters[y][:, np.newaxis]
        guess = left + above - between
        to = np.abs(guess - left), np.abs(guess - above), np.abs(guess - between)
        paeth = np.where(
            (to[0] <= to[1]) & (to[0] <= to[2]), left, np.where(to[1] <= to[2], above, between)
        )
        zero = np.zeros_like(left)
        prediction = np.choose(kind, [zero, left, above, left + above >> 1, paeth])
        made[y + 1, x + 1] = rows[y, x] + prediction & 0xFF
    return made[1:, 1:].astype(np.uint8)
