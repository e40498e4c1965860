"""Arrays as the bytes of image files: by Pillow, except colour PNG of 16 bits.

Source: Portable Network Graphics Specification, third edition.
"""

import zlib
from io import BytesIO
from struct import pack
from typing import Any

import numpy as np

from ...errors import UsageError, not_installed
from .texels import quantised


def pillow() -> Any:
    """Return Pillow's module Image; UnsupportedError if Pillow is not installed."""
    try:
        from PIL import Image
    except ImportError:
        raise not_installed("an image", "Pillow", "run") from None
    return Image


def check_image(array: Any) -> None:
    """Raise UsageError if an array is not an image."""
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] > 4):
        raise UsageError(f"expected an image (height, width[, 1 to 4]), got {array.shape}")
    if array.dtype.names:
        members = ", ".join(array.dtype.names)
        raise UsageError(f"expected an image of numbers, got structures of {members}")


def picture(array: Any, suffix: str, bits: int = 8) -> bytes:
    """Return an image file of (height, width[, components]); floats go from 0 to 1.

    A .png has 16 bits for a component if `bits` is 16, or the array holds uint16.
    """
    check_image(array)
    deep = suffix == ".png" and (bits == 16 or array.dtype == np.uint16)
    kind = np.dtype("u2" if deep else "u1")
    if array.dtype.kind == "f":
        array = quantised(array.astype("<f4"), kind)
    elif array.dtype != kind:
        array = np.clip(array, 0, np.iinfo(kind).max).astype(kind)
    if array.ndim == 3 and array.shape[2] in (1, 2):
        padding = np.zeros((*array.shape[:2], 3 - array.shape[2]), kind)
        array = array[..., 0] if array.shape[2] == 1 else np.concatenate([array, padding], 2)
    if deep:
        return _png_of_16_bits(array)
    into = BytesIO()
    image = pillow().fromarray(array)
    if suffix in (".jpg", ".jpeg", ".bmp") and image.mode == "RGBA":
        image = image.convert("RGB")
    image.save(into, {".jpg": "JPEG", ".tif": "TIFF"}.get(suffix, suffix[1:].upper()))
    return into.getvalue()


def _png_of_16_bits(array: Any) -> bytes:
    """Return a PNG file of (height, width) or (height, width, 3 or 4) of uint16."""
    height, width = array.shape[:2]
    colours = {2: 0, 3: {3: 2, 4: 6}.get(array.shape[-1])}[array.ndim]  # the colour type
    rows = array.astype(">u2").reshape(height, -1).view(np.uint8)
    # Filter 2 of each row: the difference from the row above.
    up = np.diff(rows, axis=0, prepend=np.zeros((1, rows.shape[1]), np.uint8))
    lines = np.concatenate([np.full((height, 1), 2, np.uint8), up], axis=1)
    header = pack(">2I5B", width, height, 16, colours, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
