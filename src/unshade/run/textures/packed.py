"""Pixels whose components share bits: a common exponent, a bias, a colour for two texels.

Sources: Direct3D 11.3 functional specification, sections 3.1.5 (R9G9B9E5) and 19.1; Vulkan
specification, Format Definition (4:2:2 formats).
"""

import numpy as np

from ...vm.launch import Array
from ..binding.shared_exponent import of_words

HIGH = "h"  # the green of the second texel


def shared_exponent(pixels: Array) -> Array:
    """Return the texels (n, 1, 3): three significands of 9 bits, an exponent in the highest 5."""
    words = np.ascontiguousarray(pixels).view("<u4").reshape(-1)
    return of_words(words)[:, np.newaxis]


def xr_bias(pixels: Array) -> Array:
    """Return the texels (n, 1, 4): colours of 10 bits from -0.75 to 1.25, two bits of alpha."""
    words = np.ascontiguousarray(pixels).view("<u4").reshape(-1).astype(np.int64)
    made = np.empty((len(words), 1, 4), np.float32)
    for channel in range(3):
        made[:, 0, channel] = ((words >> 10 * channel & 1023) - 0x180) / 510
    made[:, 0, 3] = (words >> 30) / 3
    return made


def shared_colour(pixels: Array, order: str) -> Array:
    """Return two texels (n, 2, 3) with their own green and a common red and blue.

    `order` names the four bytes: r, b, g of the first texel, h of the second.
    """
    part = {letter: pixels[:, at] for at, letter in enumerate(order)}
    made = np.stack([
        np.stack([part["r"], part[green], part["b"]], axis=-1) for green in ("g", HIGH)
    ], axis=1)  # fmt: skip
    return made.astype(np.float32) / np.float32(255)
