"""Arrays as the bytes of image files, by Pillow."""

from io import BytesIO
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


def picture(array: Any, suffix: str) -> bytes:
    """Return an image file of (height, width[, components]); floats go from 0 to 1."""
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] > 4):
        raise UsageError(f"expected an image (height, width[, 1 to 4]), got {array.shape}")
    if array.dtype.names:
        members = ", ".join(array.dtype.names)
        raise UsageError(f"expected an image of numbers, got structures of {members}")
    if array.dtype.kind == "f":
        array = quantised(array.astype("<f4"), np.dtype("u1"))
    elif array.dtype != np.uint8:
        array = np.clip(array, 0, 255).astype("u1")
    if array.ndim == 3 and array.shape[2] in (1, 2):
        padding = np.zeros((*array.shape[:2], 3 - array.shape[2]), "u1")
        array = array[..., 0] if array.shape[2] == 1 else np.concatenate([array, padding], 2)
    into = BytesIO()
    image = pillow().fromarray(array)
    if suffix in (".jpg", ".jpeg", ".bmp") and image.mode == "RGBA":
        image = image.convert("RGB")
    kind = {".jpg": "JPEG", ".tif": "TIFF"}.get(suffix, suffix[1:].upper())
    image.save(into, kind)
    return into.getvalue()
