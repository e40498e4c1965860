"""Blocks of BC7 and ETC2, by texture2ddecoder (extra `[scene]`): both are exact in 8 bits.

Its other decoders are not used. BC1 to BC5 and EAC have more than 8 bits, BC6H and ASTC
are of half precision; and its decoder of ASTC reads outside its memory if blocks are malformed
(version 1.0.6: random blocks of 6 x 6 texels end the process).
"""

from typing import Any

import numpy as np

from ...errors import not_installed
from ...vm.launch import Array


def bc7(blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks (n, 16) as uint8."""
    return _decoded("decode_bc7", blocks)


def etc2(decoder: str, blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks as uint8; `decoder` is a function of the library."""
    return _decoded(decoder, blocks)


def _decoded(decoder: str, blocks: Array) -> Array:
    """Decode blocks below one another, so that the texels of each are consecutive."""
    data = getattr(_library(), decoder)(blocks.tobytes(), 4, 4 * len(blocks))
    bgra = np.frombuffer(data, np.uint8).reshape(-1, 16, 4)
    return np.ascontiguousarray(bgra[..., [2, 1, 0, 3]])


def _library() -> Any:
    try:
        import texture2ddecoder
    except ImportError:
        raise not_installed("a texture of BC7 or ETC2", "texture2ddecoder", "scene") from None
    return texture2ddecoder
