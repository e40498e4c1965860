"""The 16 modes in which blocks of ASTC store two colours.

    0 1 4 5 6 8 9 10 12 13     numbers of 8 bits
    2 3 7 11 14 15             high dynamic range: logarithmic numbers of 12 bits; alpha of 14 has 8

Source: Khronos Data Format Specification 1.4, section 23.15 and after.
"""

from collections.abc import Callable

import numpy as np

from ...vm.launch import Array

HDR = frozenset({2, 3, 7, 11, 14, 15})
HDR_ALPHA = frozenset({2, 3, 7, 11, 15})
ONE = 0x780  # 1.0 as a logarithmic number
MOST = 0xFFF

Values = list[Array]  # v0, v1, …
Colours = tuple[Array, Array]  # (n, 4) each


def endpoints(mode: int, values: Array) -> Colours:
    """Return the two colours (n, 4) of values (n, 2 to 8)."""
    v = [values[:, at].astype(np.int64) for at in range(values.shape[1])]
    return MODES[mode](v)


def _colour(r: Array, g: Array, b: Array, a: Array | int) -> Array:
    return np.stack(np.broadcast_arrays(r, g, b, a), axis=-1)


def _bytes(colour: Array) -> Array:
    return np.clip(colour, 0, 255)


def _transfer(offset: Array, base: Array) -> tuple[Array, Array]:
    """Return an offset of 6 bits with its sign, and the base with the offset's highest bit."""
    base = base >> 1 | offset & 0x80
    offset = offset >> 1 & 0x3F
    return (offset ^ 0x20) - 0x20, base


def _contracted(colour: Array) -> Array:
    """Return a colour whose red and green are means with blue."""
    made = colour.copy()
    made[:, 0] = colour[:, 0] + colour[:, 2] >> 1
    made[:, 1] = colour[:, 1] + colour[:, 2] >> 1
    return made


def _luminance(v: Values) -> Colours:
    return _colour(v[0], v[0], v[0], 255), _colour(v[1], v[1], v[1], 255)


def _luminance_offset(v: Values) -> Colours:
    low = v[0] >> 2 | v[1] & 0xC0
    high = np.minimum(low + (v[1] & 0x3F), 255)
    return _colour(low, low, low, 255), _colour(high, high, high, 255)


def _luminance_alpha(v: Values) -> Colours:
    return _colour(v[0], v[0], v[0], v[2]), _colour(v[1], v[1], v[1], v[3])


def _luminance_alpha_offset(v: Values) -> Colours:
    d, base = _transfer(v[1], v[0])
    da, alpha = _transfer(v[3], v[2])
    first = _colour(base, base, base, alpha)
    return _bytes(first), _bytes(first + _colour(d, d, d, da))


def _scale(v: Values) -> Colours:
    high = _colour(v[0], v[1], v[2], 255)
    red, green, blue = (each * v[3] >> 8 for each in v[:3])
    low = _colour(red, green, blue, 255)
    return low, high


def _scale_alpha(v: Values) -> Colours:
    low, high = _scale(v)
    low[:, 3], high[:, 3] = v[4], v[5]
    return low, high


def _direct(v: Values) -> Colours:
    alphas = (v[6], v[7]) if len(v) > 6 else (255, 255)
    low, high = (_colour(v[at], v[2 + at], v[4 + at], alphas[at]) for at in (0, 1))
    swapped = (high[:, :3].sum(axis=1) < low[:, :3].sum(axis=1))[:, np.newaxis]
    return np.where(swapped, _contracted(high), low), np.where(swapped, _contracted(low), high)


def _offset(v: Values) -> Colours:
    pairs = [_transfer(v[at + 1], v[at]) for at in range(0, len(v), 2)]
    if len(pairs) < 4:
        pairs.append((np.zeros_like(v[0]), np.full_like(v[0], 255)))
    first = np.stack([base for _, base in pairs], axis=-1)
    step = np.stack([d for d, _ in pairs], axis=-1)
    second = first + step
    swapped = (step[:, :3].sum(axis=1) < 0)[:, np.newaxis]
    return (
        _bytes(np.where(swapped, _contracted(second), first)),
        _bytes(np.where(swapped, _contracted(first), second)),
    )


# ---------------------------------------------------------------- high dynamic range


def _hdr_luminance(v: Values) -> Colours:
    rising = v[1] >= v[0]
    low = np.where(rising, v[0] << 4, (v[1] << 4) + 8)
    high = np.where(rising, v[1] << 4, (v[0] << 4) - 8)
    return _colour(low, low, low, ONE), _colour(high, high, high, ONE)


def _hdr_luminance_offset(v: Values) -> Colours:
    wide = v[0] & 0x80 != 0
    low = np.where(
        wide, (v[1] & 0xE0) << 4 | (v[0] & 0x7F) << 2, (v[1] & 0xF0) << 4 | (v[0] & 0x7F) << 1
    )
    d = np.where(wide, (v[1] & 0x1F) << 2, (v[1] & 0x0F) << 1)
    high = np.minimum(low + d, MOST)
    return _colour(low, low, low, ONE), _colour(high, high, high, ONE)


def _placed(mode: Array, rules: tuple[tuple[int, Array, int], ...]) -> Array:
    """Return the bits that the modes of a mask place: (mask, bit, place)."""
    made = np.zeros_like(mode)
    for mask, bit, place in rules:
        made |= np.where(mask >> mode & 1, bit << place, 0)
    return made


def _turned(colour: Array, major: Array) -> Array:
    """Return colours whose major component is red in the order of the picture."""
    made = colour.copy()
    for which in (1, 2):
        rows = major == which
        made[rows, 0], made[rows, which] = colour[rows, which], colour[rows, 0]
    return made


def _hdr_scale(v: Values) -> Colours:
    value = (v[0] & 0xC0) >> 6 | (v[1] & 0x80) >> 5 | (v[2] & 0x80) >> 4
    fifth = value & 0xC == 0xC
    mode = np.where(~fifth, value & 3, np.where(value == 0xF, 5, 4))
    major = np.where(~fifth, value >> 2, np.where(value == 0xF, 0, value & 3))
    x0, x1, x2, x3 = v[1] >> 6 & 1, v[1] >> 5 & 1, v[2] >> 6 & 1, v[2] >> 5 & 1
    x4, x5, x6 = v[3] >> 7 & 1, v[3] >> 6 & 1, v[3] >> 5 & 1
    green = v[1] & 0x1F | _placed(mode, ((0x30, x0, 6), (0x3A, x1, 5)))
    blue = v[2] & 0x1F | _placed(mode, ((0x30, x2, 6), (0x3A, x3, 5)))
    scale = v[3] & 0x1F | _placed(mode, ((0x3D, x6, 5), (0x2D, x5, 6), (0x04, x4, 7)))
    red = v[0] & 0x3F | _placed(mode, (
        (0x3B, x4, 6), (0x04, x3, 6), (0x10, x5, 7), (0x0F, x2, 7), (0x05, x1, 8), (0x0A, x0, 8),
        (0x05, x0, 9), (0x02, x6, 9), (0x01, x3, 10), (0x02, x5, 10),
    ))  # fmt: skip
    shift = np.array([1, 1, 2, 3, 4, 5])[mode]
    red, green, blue, scale = (each << shift for each in (red, green, blue, scale))
    green = np.where(mode != 5, red - green, green)
    blue = np.where(mode != 5, red - blue, blue)
    high = _turned(_colour(red, green, blue, ONE), major)
    low = high - _colour(scale, scale, scale, 0)
    return np.clip(low, 0, MOST), np.clip(high, 0, MOST)


def _hdr_direct(v: Values) -> Colours:
    major = v[4] >> 7 | v[5] >> 7 << 1
    mode = v[1] >> 7 | v[2] >> 7 << 1 | v[3] >> 7 << 2
    x0, x1, x2, x3 = (v[at] >> 6 & 1 for at in (2, 3, 4, 5))
    x4, x5 = v[4] >> 5 & 1, v[5] >> 5 & 1
    a = v[0] | (v[1] & 0x40) << 2 | _placed(mode, (
        (0xA4, x0, 9), (0x08, x2, 9), (0x50, x4, 9), (0x50, x5, 10), (0xA0, x1, 10), (0xC0, x2, 11),
    ))  # fmt: skip
    c = v[1] & 0x3F | _placed(mode, ((0x04, x1, 6), (0xE8, x3, 6), (0x20, x2, 7)))
    b0 = v[2] & 0x3F | _placed(mode, ((0x5B, x0, 6), (0x12, x2, 7)))
    b1 = v[3] & 0x3F | _placed(mode, ((0x5B, x1, 6), (0x12, x3, 7)))
    half = 1 << np.array([7, 6, 7, 6, 5, 6, 5, 6])[mode] - 1  # the sign bit
    d0, d1 = (((each & 2 * half - 1) ^ half) - half for each in (v[4] & 0x7F, v[5] & 0x7F))
    shift = mode >> 1 ^ 3
    a, b0, b1, c, d0, d1 = (each << shift for each in (a, b0, b1, c, d0, d1))
    high = np.clip(_colour(a, a - b0, a - b1, ONE), 0, MOST)
    low = np.clip(_colour(a - c, a - b0 - c - d0, a - b1 - c - d1, ONE), 0, MOST)
    plain = (major == 3)[:, np.newaxis]
    whole = [
        _colour(v[at] << 4, v[2 + at] << 4, (v[4 + at] & 0x7F) << 5, ONE) for at in (0, 1)
    ]  # fmt: skip
    return (
        np.where(plain, whole[0], _turned(low, major)),
        np.where(plain, whole[1], _turned(high, major)),
    )


def _hdr_direct_alpha(v: Values) -> Colours:
    low, high = _hdr_direct(v)
    low[:, 3], high[:, 3] = v[6], v[7]
    return low, high


def _hdr_both(v: Values) -> Colours:
    low, high = _hdr_direct(v)
    mode = v[6] >> 7 | v[7] >> 7 << 1
    first, second = v[6] & 0x7F, v[7] & 0x7F
    base = first | second << mode + 1 & 0x780
    step = (second & 0x3F >> mode) ^ 0x20 >> mode
    step = step - (0x20 >> mode) << 4 - mode
    base = base << 4 - mode
    top = np.clip(base + step, 0, MOST)
    plain = mode == 3
    low[:, 3] = np.where(plain, first << 5, base)
    high[:, 3] = np.where(plain, second << 5, top)
    return low, high


MODES: dict[int, Callable[[Values], Colours]] = {
    0: _luminance, 1: _luminance_offset, 2: _hdr_luminance, 3: _hdr_luminance_offset,
    4: _luminance_alpha, 5: _luminance_alpha_offset, 6: _scale, 7: _hdr_scale,
    8: _direct, 9: _offset, 10: _scale_alpha, 11: _hdr_direct,
    12: _direct, 13: _offset, 14: _hdr_direct_alpha, 15: _hdr_both,
}  # fmt: skip
