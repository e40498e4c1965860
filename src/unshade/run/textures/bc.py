"""Blocks of BC1 to BC5: two end points, and a number of a point between them for each texel.

    BC1   r5g6b5 r5g6b5 16 × 2 bits      four colours; or, if the first is not greater, three and
                                         black, which is transparent
    BC2   16 × 4 bits of alpha, BC1      always four colours
    BC3   BC4, BC1                       the same
    BC4   u8 u8 16 × 3 bits              eight numbers; or, if the first is not greater, six, 0
                                         and 1 (SNORM: -1 and 1)
    BC5   BC4, BC4

End points are normalised and interpolated as real numbers, rounded once, to 32 bits: eight bits
would lose what filters and normal maps need.

Source: Khronos Data Format Specification 1.4, sections 18 (S3TC) and 19 (RGTC); Direct3D 11.3
functional specification, section 19.5.
"""

import numpy as np

from ...vm.launch import Array

# Weights of the end points for each number, and their sum.
COLOURS = np.array([[3, 0], [0, 3], [2, 1], [1, 2]])
NUMBERS = np.array([[7, 0], [0, 7], [6, 1], [5, 2], [4, 3], [3, 4], [2, 5], [1, 6]])
FEWER = np.array([[5, 0], [0, 5], [4, 1], [3, 2], [2, 3], [1, 4]])


def bc1(blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks (n, 8), whose black may be transparent."""
    return _colours(blocks, punch=True)


def bc1_opaque(blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks (n, 8) without alpha, Vulkan's BC1_RGB."""
    made = _colours(blocks, punch=True)
    made[..., 3] = 1
    return made


def bc2(blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks (n, 16)."""
    made = _colours(blocks[:, 8:], punch=False)
    nibbles = np.stack([blocks[:, :8] & 15, blocks[:, :8] >> 4], axis=-1)
    made[..., 3] = nibbles.reshape(-1, 16) / np.float32(15)
    return made


def bc3(blocks: Array) -> Array:
    """Return the texels (n, 16, 4) of blocks (n, 16)."""
    made = _colours(blocks[:, 8:], punch=False)
    made[..., 3] = _numbers(blocks[:, :8], False)
    return made


def bc4(blocks: Array, signed: bool = False) -> Array:
    """Return the texels (n, 16, 1) of blocks (n, 8)."""
    return _numbers(blocks, signed)[..., np.newaxis]


def bc5(blocks: Array, signed: bool = False) -> Array:
    """Return the texels (n, 16, 2) of blocks (n, 16)."""
    return np.stack([_numbers(blocks[:, :8], signed), _numbers(blocks[:, 8:], signed)], axis=-1)


def _colours(blocks: Array, *, punch: bool) -> Array:
    """Return the texels (n, 16, 4); with `punch`, blocks may have three colours and black."""
    ends = np.ascontiguousarray(blocks[:, :4]).view("<u2").astype(np.int64)
    parts = np.stack([ends >> 11, ends >> 5 & 63, ends & 31], axis=-1)  # (n, ends, channels)
    most = np.array([31, 63, 31])
    palette = np.ones((len(blocks), 4, 4), np.float32)
    palette[..., :3] = np.einsum("pe,nec->npc", COLOURS, parts) / (3 * most)
    if punch:
        three = ends[:, 0] <= ends[:, 1]
        palette[three, 2, :3] = parts[three].sum(axis=1) / (2 * most)
        palette[three, 3] = 0
    return _chosen(palette, _fields(blocks[:, 4:], 2))


def _numbers(blocks: Array, signed: bool) -> Array:
    """Return the numbers (n, 16) of blocks (n, 8)."""
    ends = blocks[:, :2].view(np.int8) if signed else blocks[:, :2]
    six = ends[:, 0] <= ends[:, 1]  # of -127 and -128, the specification leaves it open
    low, most = (-127, 127) if signed else (0, 255)
    ends = np.maximum(ends.astype(np.int64), low)  # -128 is -1, too
    palette = (ends @ NUMBERS.T / (7 * most)).astype(np.float32)
    palette[six, :6] = ends[six] @ FEWER.T / (5 * most)
    palette[six, 6] = -1 if signed else 0
    palette[six, 7] = 1
    return _chosen(palette, _fields(blocks[:, 2:], 3))


def _fields(data: Array, bits: int) -> Array:
    """Return 16 numbers (n, 16) of `bits` bits each, the lowest first."""
    single = np.unpackbits(data, axis=1, bitorder="little").reshape(len(data), 16, bits)
    found: Array = (single << np.arange(bits, dtype=np.uint8)).sum(axis=-1)
    return found


def _chosen(palette: Array, fields: Array) -> Array:
    return palette[np.arange(len(palette))[:, np.newaxis], fields]
