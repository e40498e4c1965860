"""Texture files, put together byte by byte."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

CUBE, FACES, VOLUME = 0x200, 0xFC00, 0x200000
FOURCC, RGB, ALPHA_PIXELS, LUMINANCE, ALPHA, BUMP = 4, 0x40, 1, 0x20000, 2, 0x80000
IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"


def dds(
    texels: bytes,
    size: tuple[int, int],
    form: str | int | tuple[int, int, int, int, int, int],
    *,
    levels: int = 1,
    depth: int = 0,
    caps2: int = 0,
    dx10: tuple[int, int, int, int] | None = None,
) -> bytes:
    """Return a DDS file.

    Args:
        texels: What follows the headers.
        size: Width and height.
        form: A FourCC, a number of D3DFORMAT, or flags, bits and four masks.
        levels: The number of mip levels.
        depth: The slices of a volume.
        caps2: DDSCAPS2.
        dx10: DXGI format, dimension, flags and array size.
    """
    width, height = size
    if isinstance(form, tuple):
        flags, bits, *masks = form
        pixels = pack("<8I", 32, flags, 0, bits, *masks)
    else:
        code = form if isinstance(form, int) else int.from_bytes(form.encode(), "little")
        pixels = pack("<8I", 32, FOURCC, code, 0, 0, 0, 0, 0)
    header = pack("<7I", 124, 0x1007, height, width, 0, depth, levels) + bytes(44)
    header += pixels + pack("<2I", 0x1000, caps2) + bytes(12)
    if dx10 is not None:
        header += pack("<5I", *dx10, 0)
    return b"DDS " + header + texels


def dx10(
    texels: bytes, size: tuple[int, int], form: int, *, dimension: int = 3, flags: int = 0,
    layers: int = 1, levels: int = 1, depth: int = 0,
) -> bytes:  # fmt: skip
    """Return a DDS file with the DX10 header."""
    more = (form, dimension, flags, layers)
    return dds(texels, size, "DX10", levels=levels, depth=depth, dx10=more)


def ktx2(
    levels: Sequence[bytes],
    form: int,
    size: tuple[int, int, int],
    *,
    layers: int = 0,
    faces: int = 1,
    declared: int | None = None,
    scheme: int = 0,
    inflated: Sequence[int] = (),
    values: bytes = b"",
    descriptor: bytes = b"",
) -> bytes:
    """Return a KTX 2.0 file: the levels from the largest, stored from the smallest."""
    count = len(levels) if declared is None else declared
    start = 80 + 24 * len(levels)
    values_at = start + len(descriptor)
    at = values_at + len(values)
    places = {}
    body = b""
    for number in reversed(range(len(levels))):
        places[number] = at + len(body)
        body += levels[number]
    header = pack("<9I", form, 1, *size, layers, faces, count, scheme)
    header += pack("<4I2Q", start, len(descriptor), values_at, len(values), 0, 0)
    for number, data in enumerate(levels):
        whole = inflated[number] if inflated else len(data)
        header += pack("<3Q", places[number], len(data), whole)
    return IDENTIFIER + header + descriptor + values + body
