"""Blocks of BC6H: one or two pairs of colours of half precision, in 14 modes.

    mode    the lowest 2 or 5 bits
    w, x    the colours of the first region; in most modes x, y and z are differences from w
    y, z    endpoints of the second region
    d       the number of the partition, where there are two regions
    then    a number of 3 or 4 bits for each texel; the highest bit of the first of a region is 0
            and not stored

Source: Direct3D 11.3 functional specification, section 19.5.13; Khronos Data Format Specification
1.4, section 20.2. `MODES` has the notation of their tables: of `rw[9:0]`, the lowest bit is first.
"""

import re
from functools import cache

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array

FIELD = re.compile(r"([rgb])([wxyz])\[(\d+)(?::(\d+))?\]")
CHANNELS, COLOURS = "rgb", "wxyz"

# mode: bits of w, bits of the others for red, green, blue; fields
MODES = {
    0b00000: ((10, 5, 5, 5), "gy[4] by[4] bz[4] rw[9:0] gw[9:0] bw[9:0] rx[4:0] gz[4] gy[3:0]"
              " gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"),
    0b00001: ((7, 6, 6, 6), "gy[5] gz[4] gz[5] rw[6:0] bz[0] bz[1] by[4] gw[6:0] by[5] bz[2] gy[4]"
              " bw[6:0] bz[3] bz[5] bz[4] rx[5:0] gy[3:0] gx[5:0] gz[3:0] bx[5:0] by[3:0] ry[5:0]"
              " rz[5:0]"),
    0b00010: ((11, 5, 4, 4), "rw[9:0] gw[9:0] bw[9:0] rx[4:0] rw[10] gy[3:0] gx[3:0] gw[10] bz[0]"
              " gz[3:0] bx[3:0] bw[10] bz[1] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"),
    0b00110: ((11, 4, 5, 4), "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] gz[4] gy[3:0] gx[4:0] gw[10]"
              " gz[3:0] bx[3:0] bw[10] bz[1] by[3:0] ry[3:0] bz[0] bz[2] rz[3:0] gy[4] bz[3]"),
    0b01010: ((11, 4, 4, 5), "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] by[4] gy[3:0] gx[3:0] gw[10]"
              " bz[0] gz[3:0] bx[4:0] bw[10] by[3:0] ry[3:0] bz[1] bz[2] rz[3:0] bz[4] bz[3]"),
    0b01110: ((9, 5, 5, 5), "rw[8:0] by[4] gw[8:0] gy[4] bw[8:0] bz[4] rx[4:0] gz[4] gy[3:0]"
              " gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"),
    0b10010: ((8, 6, 5, 5), "rw[7:0] gz[4] by[4] gw[7:0] bz[2] gy[4] bw[7:0] bz[3] bz[4] rx[5:0]"
              " gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] by[3:0] ry[5:0] rz[5:0]"),
    0b10110: ((8, 5, 6, 5), "rw[7:0] bz[0] by[4] gw[7:0] gy[5] gy[4] bw[7:0] gz[5] bz[4] rx[4:0]"
              " gz[4] gy[3:0] gx[5:0] gz[3:0] bx[4:0] bz[1] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"),
    0b11010: ((8, 5, 5, 6), "rw[7:0] bz[1] by[4] gw[7:0] by[5] gy[4] bw[7:0] bz[5] bz[4] rx[4:0]"
              " gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[5:0] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"),
    0b11110: ((6, 6, 6, 6), "rw[5:0] gz[4] bz[0] bz[1] by[4] gw[5:0] gy[5] by[5] bz[2] gy[4]"
              " bw[5:0] gz[5] bz[3] bz[5] bz[4] rx[5:0] gy[3:0] gx[5:0] gz[3:0] bx[5:0] by[3:0]"
              " ry[5:0] rz[5:0]"),
    0b00011: ((10, 10, 10, 10), "rw[9:0] gw[9:0] bw[9:0] rx[9:0] gx[9:0] bx[9:0]"),
    0b00111: ((11, 9, 9, 9), "rw[9:0] gw[9:0] bw[9:0] rx[8:0] rw[10] gx[8:0] gw[10] bx[8:0]"
              " bw[10]"),
    0b01011: ((12, 8, 8, 8), "rw[9:0] gw[9:0] bw[9:0] rx[7:0] rw[10:11] gx[7:0] gw[10:11] bx[7:0]"
              " bw[10:11]"),
    0b01111: ((16, 4, 4, 4), "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10:15] gx[3:0] gw[10:15] bx[3:0]"
              " bw[10:15]"),
}  # fmt: skip
ABSOLUTE = (0b11110, 0b00011)  # modes whose colours are no differences

# The region of each texel by partition, the first texel lowest; where the second region begins.
PARTITIONS = np.array([
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80,
    0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000,
    0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE,
    0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C,
])  # fmt: skip
SECOND = np.array([
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15,  2,  8,  2,  2,  8,  8, 15,  2,  8,  2,  2,  8,  8,  2,  2,
])  # fmt: skip
WEIGHTS = {
    3: np.array([0, 9, 18, 27, 37, 46, 55, 64]),
    4: np.array([0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64]),
}
TEXELS = np.arange(16)


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode: the numbers of bits of w and, by channel, of the others; where each bit is stored.

    `bits` are (place in the block, channel, colour, place in the number).
    """

    width: int
    widths: tuple[int, int, int]
    bits: tuple[tuple[int, int, int, int], ...]
    regions: int
    is_absolute: bool


@cache
def mode(number: int) -> Mode | None:
    """Return a mode by its lowest five bits; None for the reserved ones."""
    if number & 3 < 2:
        number &= 3
    if number not in MODES:
        return None
    (width, red, green, blue), text = MODES[number]
    at = 2 if number < 2 else 5
    bits = []
    for channel, colour, last, first in FIELD.findall(text):
        step = 1 if int(first or last) <= int(last) else -1
        for place in range(int(first or last), int(last) + step, step):
            bits.append((at, CHANNELS.index(channel), COLOURS.index(colour), place))
            at += 1
    regions = 2 if "rz" in text else 1
    return Mode(width, (red, green, blue), tuple(bits), regions, number in ABSOLUTE)


def bc6h(blocks: Array, signed: bool = False) -> Array:
    """Return the texels (n, 16, 3) of blocks (n, 16) as float16; a reserved mode is black."""
    made = np.zeros((len(blocks), 16, 3), np.float16)
    modes = blocks[:, 0] & 31
    modes = np.where(modes & 3 < 2, modes & 3, modes)
    for number in np.unique(modes).tolist():
        found = mode(number)
        if found is not None:
            which = modes == number
            made[which] = _decoded(blocks[which], found, signed)
    return made


def _decoded(blocks: Array, mode: Mode, signed: bool) -> Array:
    single = np.unpackbits(blocks, axis=1, bitorder="little")
    ends = np.zeros((len(blocks), 3, 4), np.int64)
    for at, channel, colour, place in mode.bits:
        ends[:, channel, colour] |= single[:, at].astype(np.int64) << place
    used = 2 * mode.regions
    widths = np.array(mode.widths)[:, np.newaxis]
    if signed:
        ends[..., 0] = _extended(ends[..., 0], mode.width)
    if signed or not mode.is_absolute:
        ends[..., 1:] = _extended(ends[..., 1:], widths)
    if not mode.is_absolute:
        ends[..., 1:] = ends[..., 1:] + ends[..., :1] & (1 << mode.width) - 1
        if signed:
            ends[..., 1:] = _extended(ends[..., 1:], mode.width)
    ends = _unquantised(ends[..., :used], mode.width, signed)

    region = np.zeros((len(blocks), 16), np.int64)
    anchor = np.zeros(len(blocks), np.int64)
    if mode.regions == 2:
        partition = (single[:, 77:82].astype(np.int64) << np.arange(5)).sum(axis=1)
        region = PARTITIONS[partition][:, np.newaxis] >> TEXELS & 1
        anchor = SECOND[partition]
    first, bits = (82, 3) if mode.regions == 2 else (65, 4)
    # Each of the texels before has a whole number, but for those whose highest bit is not stored.
    start = first + bits * TEXELS - (TEXELS > 0)
    start = start - ((anchor[:, np.newaxis] > 0) & (anchor[:, np.newaxis] < TEXELS))
    short = (TEXELS == 0) | (anchor[:, np.newaxis] == TEXELS)
    number = np.zeros((len(blocks), 16), np.int64)
    rows = np.arange(len(blocks))[:, np.newaxis]
    for bit in range(bits):
        there = single[rows, np.minimum(start + bit, 127)].astype(np.int64)
        number |= np.where((bit == bits - 1) & short, 0, there) << bit
    weight = WEIGHTS[bits][number][..., np.newaxis]
    low, high = (
        np.take_along_axis(ends, 2 * region[:, np.newaxis, :] + end, axis=2).transpose(0, 2, 1)
        for end in (0, 1)
    )
    return _finished((low * (64 - weight) + high * weight + 32) >> 6, signed)


def _extended(numbers: Array, bits: Array | int) -> Array:
    """Return numbers of `bits` bits, sign-extended."""
    half = np.left_shift(1, np.asarray(bits) - 1)
    found: Array = (numbers ^ half) - half
    return found


def _unquantised(numbers: Array, bits: int, signed: bool) -> Array:
    """Return end points expanded to 16 bits."""
    if bits >= (16 if signed else 15):
        return numbers
    if not signed:
        made = ((numbers << 16) + 0x8000) >> bits
        made = np.where(numbers == (1 << bits) - 1, 0xFFFF, made)
        return np.where(numbers == 0, 0, made)
    size = np.abs(numbers)
    made = ((size << 15) + 0x4000) >> (bits - 1)
    made = np.where(size >= (1 << (bits - 1)) - 1, 0x7FFF, made)
    return np.where(size == 0, 0, np.sign(numbers) * made)


def _finished(numbers: Array, signed: bool) -> Array:
    """Return the floats whose bits are the numbers, scaled so that none is infinite."""
    if signed:
        size = np.abs(numbers) * 31 >> 5
        found = np.where((numbers < 0) & (size > 0), size | 0x8000, size)
    else:
        found = numbers * 31 >> 6
    return found.astype("<u2").view("<f2")
