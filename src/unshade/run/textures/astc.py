"""Blocks of ASTC: a grid of weights between two colours, for up to four partitions of the texels.

    bit 0    block mode (11): size of the grid, quantisation of its weights, one or two planes
    bit 11   partitions - 1 (2)
    bit 13   endpoint mode (4), values of the colours      … or, of several partitions,
    bit 13   partition (10), endpoint modes (6), values
    from bit 127 down                                      the weights

Malformed blocks are magenta, or NaN where the format has high dynamic range. Texels of UNORM and
SFLOAT formats are of half precision, as specified; sRGB formats have 8 bits.

Source: Khronos Data Format Specification 1.4, section 23.
"""

from functools import cache

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from .astc_endpoints import HDR, HDR_ALPHA, endpoints
from .astc_integers import QUANTISATIONS, Quantisation, colours, integers, weights

MOST_WEIGHTS, LEAST_BITS, MOST_BITS = 64, 24, 96
MOST_VALUES = 18
VOID = 0x1FC
WEIGHT_VALUES = {False: (2, 3, 4, 5, 6, 8), True: (10, 12, 16, 20, 24, 32)}
BY_VALUES = {each.values: each for each in QUANTISATIONS}
MAGENTA = (1.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class BlockMode:
    """A block mode: columns and rows of the grid, planes, the quantisation of weights."""

    width: int
    height: int
    planes: int
    how: Quantisation

    @property
    def count(self) -> int:
        """The number of weights."""
        return self.width * self.height * self.planes

    @property
    def bits(self) -> int:
        """The bits of the weights."""
        return self.how.size(self.count)


@cache
def block_mode(number: int) -> BlockMode | None:
    """Return a block mode by its 11 bits; None for the reserved and impossible ones."""
    a, b = number >> 5 & 3, number >> 7 & 3
    high, dual = bool(number >> 9 & 1), number >> 10 & 1
    if number & 3:
        r = (number & 3) << 1 | number >> 4 & 1
        width, height = (
            (b + 4, a + 2), (b + 8, a + 2), (a + 2, b + 8),
            (a + 2, (b & 1) + 6) if b < 2 else ((b & 1) + 2, a + 2),
        )[number >> 2 & 3]  # fmt: skip
    else:
        r = (number >> 2 & 3) << 1 | number >> 4 & 1
        if b == 3 and a > 1:
            return None
        width, height = (
            (12, a + 2), (a + 2, 12), (a + 6, (number >> 9 & 3) + 6), ((6, 10), (10, 6))[a & 1],
        )[b]  # fmt: skip
        if b == 2:
            high, dual = False, 0
    if r < 2:
        return None
    found = BlockMode(width, height, dual + 1, BY_VALUES[WEIGHT_VALUES[high][r - 2]])
    possible = found.count <= MOST_WEIGHTS and LEAST_BITS <= found.bits <= MOST_BITS
    return found if possible else None


def astc(blocks: Array, width: int, height: int, kind: str) -> Array:
    """Return the texels (n, width x height, 4) of blocks (n, 16).

    `kind` is UNORM, SRGB or SFLOAT: float16, uint8, and float16 with high dynamic range.
    """
    single = np.unpackbits(blocks, axis=1, bitorder="little")
    number = _field(single, 0, 11)
    parts = _field(single, 11, 2) + 1
    work = _Work(single, width, height, kind)
    modes = {each: block_mode(each) for each in np.unique(number).tolist()}
    for which, found in modes.items():
        rows = np.flatnonzero(number == which)
        if which & 0x1FF == VOID:
            work.void(rows)
        elif found is not None and found.width <= width and found.height <= height:
            if found.planes == 2:
                rows = rows[parts[rows] < 4]
            work.grid(rows, found)
    for several in range(1, 5):
        rows = np.flatnonzero(work.has_weights & (parts == several))
        work.colours(rows, several)
    return work.texels


def _field(single: Array, at: int, bits: int) -> Array:
    """Return the numbers in bits of each block."""
    found: Array = (single[:, at : at + bits].astype(np.int64) << np.arange(bits)).sum(axis=1)
    return found


class _Work:
    """The texels of blocks, and their weights until the colours are known."""

    def __init__(self, single: Array, width: int, height: int, kind: str) -> None:
        count = len(single)
        self.single = single
        self.width, self.height, self.kind = width, height, kind
        self.is_hdr = kind == "SFLOAT"
        error = np.full(4, 0xFFFF, "<u2").view("<f2") if self.is_hdr else np.array(MAGENTA, "<f2")
        self.error = (255 * error).astype(np.uint8) if kind == "SRGB" else error
        self.texels = np.broadcast_to(self.error, (count, width * height, 4)).copy()
        self.has_weights = np.zeros(count, bool)
        self.weights = np.zeros((count, 2, width * height), np.uint8)  # of both planes
        self.weight_bits = np.zeros(count, np.int64)
        self.is_dual = np.zeros(count, bool)

    def void(self, rows: Array) -> None:
        """Decode blocks of one colour."""
        single = self.single[rows]
        left, right, top, bottom = (_field(single, 12 + 13 * at, 13) for at in range(4))
        ignored = (left & right & top & bottom) == (1 << 13) - 1
        good = (ignored | ((left < right) & (top < bottom))) & (_field(single, 10, 2) == 3)
        hdr = single[:, 9] == 1
        if not self.is_hdr:
            good &= ~hdr
        colour = np.stack([_field(single, 64 + 16 * at, 16) for at in range(4)], axis=-1)
        made = _result(colour, self.kind)
        if self.is_hdr:
            made = np.where(hdr[:, np.newaxis], colour.astype("<u2").view("<f2"), made)
        self.texels[rows[good]] = made[good][:, np.newaxis]

    def grid(self, rows: Array, mode: BlockMode) -> None:
        """Decode the weights of blocks of a mode, and interpolate them for each texel."""
        if not len(rows):
            return
        found = integers(self.single[rows][:, ::-1], mode.count, mode.how)
        found = weights(mode.how)[found].reshape(len(rows), -1, mode.planes)
        shares = _shares(self.width, self.height, mode.width, mode.height)
        for plane in range(2):
            grid = found[:, :, min(plane, mode.planes - 1)]
            self.weights[rows, plane] = grid @ shares.T + 8 >> 4
        self.has_weights[rows] = True
        self.weight_bits[rows] = mode.bits
        self.is_dual[rows] = mode.planes == 2

    def colours(self, rows: Array, several: int) -> None:
        """Decode the colours of blocks with weights and a number of partitions."""
        if not len(rows):
            return
        single = self.single[rows]
        left = 128 - self.weight_bits[rows]  # bits below the weights
        modes = np.zeros((len(rows), several), np.int64)
        start = 17
        if several == 1:
            modes[:, 0] = _field(single, 13, 4)
        else:
            start = 29
            selector = _field(single, 23, 6)
            shared = selector & 3 == 0
            extra = np.where(shared, 0, 3 * several - 4)
            left = left - extra
            more = _gathered(single, left, 3 * several - 4)
            whole = selector >> 2 | np.where(shared, 0, more) << 4
            for part in range(several):
                own = whole >> several + 2 * part & 3
                group = (selector & 3) - 1 + (whole >> part & 1)
                modes[:, part] = np.where(shared, selector >> 2, group << 2 | own)
        dual = self.is_dual[rows]
        left = left - 2 * dual
        channel = np.where(dual, _gathered(single, left, 2), 4)
        sizes = 2 * ((modes >> 2) + 1)
        total = sizes.sum(axis=1)
        enough = (total <= MOST_VALUES) & (left - start >= -(-13 * total // 5))
        place = np.cumsum(sizes, axis=1) - sizes
        ends = np.zeros((len(rows), several, 2, 4), np.int64)
        room = left - start
        for count in np.unique(total[enough]).tolist():
            for bits in np.unique(room[enough & (total == count)]).tolist():
                which = np.flatnonzero(enough & (total == count) & (room == bits))
                how = _finest(count, bits)
                found = colours(how)[integers(single[which, start : start + bits], count, how)]
                self._ends(ends, which, found, modes[which], place[which])
        kept = np.flatnonzero(enough)
        self._interpolate(rows[kept], several, ends[kept], modes[kept], channel[kept])

    def _ends(self, ends: Array, which: Array, values: Array, modes: Array, place: Array) -> None:
        """Fill in the two colours of each partition."""
        for part in range(modes.shape[1]):
            for mode in np.unique(modes[:, part]).tolist():
                here = np.flatnonzero(modes[:, part] == mode)
                columns = place[here, part][:, np.newaxis] + np.arange(2 * ((mode >> 2) + 1))
                own = np.take_along_axis(values[here], columns, axis=1)
                ends[which[here], part, 0], ends[which[here], part, 1] = endpoints(mode, own)

    def _interpolate(
        self, rows: Array, several: int, ends: Array, modes: Array, channel: Array
    ) -> None:
        """Mix the colours of the partition of each texel by its weights."""
        if not len(rows):
            return
        part = np.zeros((len(rows), self.width * self.height), np.int64)
        if several > 1:
            part = _partitions(_field(self.single[rows], 13, 10), several, self.width, self.height)
        at = np.arange(len(rows))[:, np.newaxis]
        mode = modes[at, part]
        low, high = ends[at, part, 0], ends[at, part, 1]
        hdr = np.isin(mode, [*HDR])[..., np.newaxis]
        logarithmic = np.concatenate(
            [hdr, hdr, hdr, np.isin(mode, [*HDR_ALPHA])[..., np.newaxis]], axis=-1
        )
        second = channel[:, np.newaxis, np.newaxis] == np.arange(4)
        first = self.weights[rows].astype(np.int64)
        weight = np.where(second, first[:, 1, :, np.newaxis], first[:, 0, :, np.newaxis])
        fill = 0x80 if self.kind == "SRGB" else None
        low, high = (
            np.where(logarithmic, each << 4, each << 8 | (each if fill is None else fill))
            for each in (low, high)
        )
        mixed = low * (64 - weight) + high * weight + 32 >> 6
        made = _result(mixed, self.kind)
        if self.is_hdr:
            made = np.where(logarithmic, _exponential(mixed), made)
        else:
            made = np.where(hdr, self.error, made)
        self.texels[rows] = made


def _result(numbers: Array, kind: str) -> Array:
    """Return numbers of 16 bits in the type of the texels: rounded to zero in half precision."""
    if kind == "SRGB":
        return (numbers >> 8).astype(np.uint8)
    exact = (numbers / 65536).astype(np.float32)
    made = exact.astype(np.float16)
    above = made.astype(np.float32) > exact
    made = np.where(above, np.nextafter(made, np.float16(0)), made)
    return np.where(numbers == 0xFFFF, np.float16(1), made)


def _exponential(numbers: Array) -> Array:
    """Return logarithmic numbers of 16 bits as floats of half precision."""
    low = numbers & 0x7FF
    bent = np.where(low < 512, 3 * low, np.where(low >= 1536, 5 * low - 2048, 4 * low - 512))
    found = (numbers >> 11 << 10) + (bent >> 3)
    made: Array = np.minimum(found, 0x7BFF).astype("<u2").view("<f2")
    return made


def _gathered(single: Array, start: Array, bits: int) -> Array:
    """Return numbers of `bits` bits, each from a different bit on."""
    columns = np.clip(start[:, np.newaxis] + np.arange(bits), 0, 127)
    found = np.take_along_axis(single, columns, axis=1).astype(np.int64)
    number: Array = (found << np.arange(bits)).sum(axis=1)
    return number


@cache
def _finest(count: int, bits: int) -> Quantisation:
    """Return the finest quantisation with which a number of values fits in a number of bits."""
    return [each for each in QUANTISATIONS if each.size(count) <= bits][-1]


@cache
def _shares(width: int, height: int, columns: int, rows: int) -> Array:
    """Return how much of each weight of the grid a texel has, in 16ths: (texels, weights)."""
    made = np.zeros((width * height, columns * rows), np.int64)
    across, down = ((1024 + size // 2) // (size - 1) for size in (width, height))
    for y in range(height):
        for x in range(width):
            gx, gy = (across * x * (columns - 1) + 32 >> 6), (down * y * (rows - 1) + 32 >> 6)
            fx, fy = gx & 15, gy & 15
            both = fx * fy + 8 >> 4
            first = (gx >> 4) + (gy >> 4) * columns
            for step, share in (
                (0, 16 - fx - fy + both), (1, fx - both), (columns, fy - both), (columns + 1, both),
            ):  # fmt: skip
                if share:
                    made[y * width + x, first + step] += share
    return made


def _partitions(seeds: Array, several: int, width: int, height: int) -> Array:
    """Return the partition of each texel, (n, texels), of blocks with these 10 bits."""
    y, x = (each.reshape(-1) for each in np.mgrid[:height, :width])
    if width * height < 31:
        x, y = x << 1, y << 1
    seed = seeds + (several - 1) * 1024
    hashed = _hash52(seed.astype(np.uint32))
    steps = [(hashed >> np.uint32(4 * at) & np.uint32(15)).astype(np.int64) ** 2 for at in range(8)]
    odd = seed & 1 == 1
    one = np.where(seed & 2, 4, 5)
    other = np.full_like(seed, 6 if several == 3 else 5)
    shifts = np.where(odd, one, other), np.where(odd, other, one)
    steps = [each >> shifts[at & 1] for at, each in enumerate(steps)]
    every = []
    for which, offset in enumerate((14, 10, 6, 2)):
        sum_ = (
            steps[2 * which][:, np.newaxis] * x + steps[2 * which + 1][:, np.newaxis] * y
            + (hashed >> np.uint32(offset)).astype(np.int64)[:, np.newaxis]
        ) & 63  # fmt: skip
        every.append(sum_ if which < several else np.zeros_like(sum_))
    found: Array = np.argmax(np.stack(every), axis=0)  # the first of equal ones
    return found


def _hash52(p: Array) -> Array:
    """Return the hash of 32-bit numbers, whose arithmetic wraps."""
    p = p ^ p >> np.uint32(15)
    p = p - (p << np.uint32(17))
    p = p + (p << np.uint32(7))
    p = p + (p << np.uint32(4))
    p = p ^ p >> np.uint32(5)
    p = p + (p << np.uint32(16))
    p = p ^ p >> np.uint32(7)
    p = p ^ p >> np.uint32(3)
    p = p ^ p << np.uint32(6)
    made: Array = p ^ p >> np.uint32(17)
    return made
