"""BC7 and ETC2 by the library: every mode against Pillow, or against the formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unshade.errors import UnsupportedError
from unshade.run.textures import library

pytest.importorskip("texture2ddecoder")

# Khronos Data Format Specification 1.4, section 21: tables of ETC1 and ETC2.
INTENSITY = [
    (2, 8), (5, 17), (9, 29), (13, 42), (18, 60), (24, 80), (33, 106), (47, 183),
]  # fmt: skip
DISTANCE = [3, 6, 11, 16, 23, 32, 41, 64]


def random_blocks(size: int, seed: int, count: int = 300) -> Any:
    return np.random.default_rng(seed).integers(0, 256, (count, size), np.uint8)


@pytest.mark.parametrize("mode", range(8))
def test_pillow_has_the_same_bc7(mode: int) -> None:
    image = pytest.importorskip("PIL.Image")
    given = random_blocks(16, mode)
    given[:, 0] = given[:, 0] >> mode + 1 << mode + 1 | 1 << mode
    made = image.frombytes("RGBA", (4, 4 * len(given)), given.tobytes(), "bcn", (7, "BC7"))
    assert np.array_equal(library.bc7(given), np.asarray(made).reshape(-1, 16, 4))


def clamp(number: int) -> int:
    return max(0, min(255, number))


def etc2(block: bytes) -> list[tuple[int, ...]]:
    """Decode a block of ETC2 RGB, texel by texel, rows first."""
    word = int.from_bytes(block, "big")

    def get(high: int, low: int) -> int:
        return word >> low & (1 << high - low + 1) - 1

    def wide(number: int, bits: int) -> int:
        return number << 8 - bits | number >> 2 * bits - 8

    def index(x: int, y: int) -> int:
        at = 4 * x + y
        return word >> 16 + at << 1 & 2 | word >> at & 1

    places = [(x, y) for y in range(4) for x in range(4)]
    if not get(33, 33):
        ends = [
            [wide(get(at + 3, at), 4) for at in (60, 52, 44)],
            [wide(get(at + 3, at), 4) for at in (56, 48, 40)],
        ]
        return _halves(ends, get, index, places)
    first = [get(at + 4, at) for at in (59, 51, 43)]
    steps = [(get(at + 2, at) ^ 4) - 4 for at in (56, 48, 40)]
    second = [a + b for a, b in zip(first, steps, strict=True)]
    if not 0 <= second[0] <= 31:  # T
        one = (get(60, 59) << 2 | get(57, 56), get(55, 52), get(51, 48))
        two = (get(47, 44), get(43, 40), get(39, 36))
        low, high = ([wide(each, 4) for each in colour] for colour in (one, two))
        step = DISTANCE[get(35, 34) << 1 | get(32, 32)]
        paint = [low, [each + step for each in high], high, [each - step for each in high]]
        return [tuple(map(clamp, paint[index(x, y)])) for x, y in places]
    if not 0 <= second[1] <= 31:  # H
        one = (get(62, 59), get(58, 56) << 1 | get(52, 52), get(51, 51) << 3 | get(49, 47))
        two = (get(46, 43), get(42, 39), get(38, 35))
        low, high = ([wide(each, 4) for each in colour] for colour in (one, two))
        order = int.from_bytes(bytes(low), "big") >= int.from_bytes(bytes(high), "big")
        step = DISTANCE[get(34, 34) << 2 | get(32, 32) << 1 | order]
        paint = [
            [each + sign * step for each in colour] for colour in (low, high) for sign in (1, -1)
        ]
        return [tuple(map(clamp, paint[index(x, y)])) for x, y in places]
    if not 0 <= second[2] <= 31:  # planar
        origin = (wide(get(62, 57), 6), wide7(get(56, 56) << 6 | get(54, 49)),
                  wide(get(48, 48) << 5 | get(44, 43) << 3 | get(41, 39), 6))  # fmt: skip
        right = (wide(get(38, 34) << 1 | get(32, 32), 6), wide7(get(31, 25)), wide(get(24, 19), 6))
        below = (wide(get(18, 13), 6), wide7(get(12, 6)), wide(get(5, 0), 6))
        return [
            tuple(
                clamp(x * (h - o) + y * (v - o) + 4 * o + 2 >> 2)
                for o, h, v in zip(origin, right, below, strict=True)
            )
            for x, y in places
        ]
    ends = [[wide(each, 5) for each in colour] for colour in (first, second)]
    return _halves(ends, get, index, places)


def wide7(number: int) -> int:
    return number << 1 | number >> 6


def _halves(ends: Any, get: Any, index: Any, places: Any) -> list[tuple[int, ...]]:
    made = []
    for x, y in places:
        half = (y if get(32, 32) else x) >> 1
        small, large = INTENSITY[get(36, 34) if half else get(39, 37)]
        step = (small, large, -small, -large)[index(x, y)]
        made.append(tuple(clamp(each + step) for each in ends[half]))
    return made


def test_every_mode_of_etc2() -> None:
    given = random_blocks(8, 21, 1200)
    found = library.etc2("decode_etc2", given)
    wanted = np.array([etc2(each.tobytes()) for each in given])
    assert np.array_equal(found[..., :3], wanted)
    assert (found[..., 3] == 255).all()


def test_etc2_with_alpha() -> None:
    """Alpha of 8 bits is a block of EAC before the colours."""
    from unshade.run.textures.eac import MODIFIERS

    given = random_blocks(16, 22)
    found = library.etc2("decode_etc2a8", given)
    assert np.array_equal(found[..., :3], library.etc2("decode_etc2", given[:, 8:])[..., :3])
    for block, texels in zip(given[:50], found, strict=False):
        bits = int.from_bytes(block[2:8].tobytes(), "big")
        for texel in range(16):
            which = bits >> 45 - 3 * (4 * (texel % 4) + texel // 4) & 7
            step = int(MODIFIERS[block[1] & 15][which]) * (int(block[1]) >> 4)
            assert texels[texel, 3] == clamp(int(block[0]) + step)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "texture2ddecoder", None)
    with pytest.raises(UnsupportedError, match=r"BC7 or ETC2 needs texture2ddecoder: .*\[scene\]"):
        library.bc7(random_blocks(16, 0, 1))
