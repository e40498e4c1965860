"""Blocks of EAC with one or two channels of 11 bits.

    base (8), multiplier (4), table (4), 16 × 3 bits       big-endian; texels run down, then right

Source: Khronos Data Format Specification 1.4, section 21 (ETC2), "Format Unsigned R11 EAC" and
those after it.
"""

import numpy as np

from ...vm.launch import Array

MODIFIERS = np.array([
    [-3, -6,  -9, -15, 2, 5, 8, 14], [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5,  -8, -13, 1, 4, 7, 12], [-2, -4,  -6, -13, 1, 3, 5, 12],
    [-3, -6,  -8, -12, 2, 5, 7, 11], [-3, -7,  -9, -11, 2, 6, 8, 10],
    [-4, -7,  -8, -11, 3, 6, 7, 10], [-3, -5,  -8, -11, 2, 4, 7, 10],
    [-2, -6,  -8, -10, 1, 5, 7,  9], [-2, -5,  -8, -10, 1, 4, 7,  9],
    [-2, -4,  -8, -10, 1, 3, 7,  9], [-2, -5,  -7, -10, 1, 4, 6,  9],
    [-3, -4,  -7, -10, 2, 3, 6,  9], [-1, -2,  -3, -10, 0, 1, 2,  9],
    [-4, -6,  -8,  -9, 3, 5, 7,  8], [-3, -5,  -7,  -9, 2, 4, 6,  8],
])  # fmt: skip


def r11(blocks: Array, signed: bool = False) -> Array:
    """Return the texels (n, 16, 1) of blocks (n, 8)."""
    return _numbers(blocks, signed)[..., np.newaxis]


def rg11(blocks: Array, signed: bool = False) -> Array:
    """Return the texels (n, 16, 2) of blocks (n, 16)."""
    return np.stack([_numbers(blocks[:, :8], signed), _numbers(blocks[:, 8:], signed)], axis=-1)


def _numbers(blocks: Array, signed: bool) -> Array:
    base = (blocks[:, 0].view(np.int8) if signed else blocks[:, 0]).astype(np.int64)
    multiplier, table = blocks[:, 1].astype(np.int64) >> 4, blocks[:, 1] & 15
    single = np.unpackbits(blocks[:, 2:], axis=1).reshape(len(blocks), 16, 3)
    which = (single << np.array([2, 1, 0], np.uint8)).sum(axis=-1)
    modifier = MODIFIERS[table[:, np.newaxis], which]
    step = np.where(multiplier == 0, 1, 8 * multiplier)[:, np.newaxis]  # 0 is an eighth
    if signed:
        base = 8 * np.maximum(base, -127)
        found = np.clip(base[:, np.newaxis] + modifier * step, -1023, 1023) / 1023
    else:
        found = np.clip(8 * base[:, np.newaxis] + 4 + modifier * step, 0, 2047) / 2047
    # from columns to rows
    made = found.reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1, 16)
    texels: Array = made.astype(np.float32)
    return texels
