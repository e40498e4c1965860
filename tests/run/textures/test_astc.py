"""ASTC: every footprint in three kinds of formats against the reference decoder, and by hand."""

from __future__ import annotations

import hashlib
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.run.textures.files import ktx2
from unshade.run.textures.astc import astc, block_mode
from unshade.run.textures.astc_integers import (
    QUANTISATIONS,
    Quantisation,
    colours,
    integers,
    weights,
)
from unshade.run.textures.ktx2 import read_ktx2

# By footprint: SHA-256 of the texels that astcenc 5.6.0 (Arm's reference, compiled without SIMD)
# makes of `blocks(width, height)` as UNORM and SFLOAT in half precision and as sRGB in 8 bits; with
# magenta in place of its NaN for malformed blocks of UNORM, and 0xFFFF as its NaN of SFLOAT.
DIGESTS = [
    (4, 4, "f30429303d98276e", "51841d80ee6a6e22", "a3a985628b800fef"),
    (5, 4, "000fd8ee1805e440", "640db61513e185ab", "3ce65f132ea9ccae"),
    (5, 5, "5af6e10e92e127bc", "5b612dad828f2703", "e860924447c4d5fb"),
    (6, 5, "d7e57e9f733ec786", "7d22fa99128b4a08", "28803296829b48ec"),
    (6, 6, "25e5eed986795941", "fe1fe50626a7ecb0", "41948dfe3c07ebaa"),
    (8, 5, "105323f5b4ab6d52", "648366d636cb2c87", "91572460ae77d487"),
    (8, 6, "4ee63e39814d2915", "ae3432a84032bf40", "e3cbbb225cac5157"),
    (8, 8, "acb9ce718684c997", "e509d7a523ac63d8", "baea5dd6011d1ba7"),
    (10, 5, "399313752e3fadf7", "2fbe52c517fbb013", "e74d86f8ab7d820a"),
    (10, 6, "c9f989731496f1a7", "19e46c3c86e53661", "1d8ffa96d1a442de"),
    (10, 8, "852824781bf9a1a1", "b961d477ae232b83", "efe23a9639649f26"),
    (10, 10, "137c5f1f37897cd8", "0742ccbbb45e82ae", "564d46a5d1b4ee19"),
    (12, 10, "b01894c52f70391e", "9f00384dd4cec81a", "38b6cbb922e8fb06"),
    (12, 12, "7683e5256a7a2fbc", "3163a68f3730186c", "69537339c3787a94"),
]
KINDS = "UNORM", "SRGB", "SFLOAT"


def blocks(width: int, height: int, count: int = 512) -> Any:
    """Blocks of all modes that fit, one to four partitions, a half of them with one endpoint mode.

    The first eight are of one colour, four of them with a bit that is reserved.
    """
    random = np.random.default_rng(100 * width + height)
    legal = np.array([
        number for number in range(2048)
        if number & 0x1FF != 0x1FC and (found := block_mode(number)) is not None
        and found.width <= width and found.height <= height
    ])  # fmt: skip
    made = random.integers(0, 256, (count, 16), np.uint8)
    words = made[:, :4].copy().view("<u4")[:, 0]
    several = np.arange(count) % 4
    modes = legal[random.integers(0, len(legal), count)].astype(np.uint32)
    words = words & ~np.uint32(0x1FFF) | modes | (several << 11).astype(np.uint32)
    words[count // 2 :] &= ~np.uint32(3 << 23)
    made[:, :4] = words[:, np.newaxis].view(np.uint8)
    made[:8, 0] = 0xFC
    made[:8, 1] |= 0x0D
    made[4:8, 1] &= 0xFD
    return made


@pytest.mark.parametrize(("width", "height", "unorm", "srgb", "sfloat"), DIGESTS)
def test_texels_are_those_of_the_reference(
    width: int, height: int, unorm: str, srgb: str, sfloat: str
) -> None:
    for kind, wanted in zip(KINDS, (unorm, srgb, sfloat), strict=True):
        found = astc(blocks(width, height), width, height, kind)
        assert found.dtype == (np.uint8 if kind == "SRGB" else np.float16)
        assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == wanted


def test_most_of_these_blocks_are_well_formed() -> None:
    found = astc(blocks(8, 8), 8, 8, "SFLOAT")
    assert 0.5 < (~np.isnan(found).all((1, 2))).mean() < 0.9


def block(*fields: tuple[int, int, int]) -> Any:
    """A block of fields: place, bits, number."""
    word = 0
    for place, bits, number in fields:
        assert number < 1 << bits
        word |= number << place
    return np.frombuffer(word.to_bytes(16, "little"), np.uint8).reshape(1, 16)


def test_one_colour() -> None:
    """All coordinates are 1s: no extent."""
    extent = ((0, 9, 0x1FC), (10, 2, 3), (12, 52, (1 << 52) - 1))
    colour = ((64, 16, 0xFFFF), (80, 16, 0x8000), (96, 16, 0), (112, 16, 0x4000))
    given = block(*extent, *colour)
    assert astc(given, 4, 4, "UNORM").tolist() == [[[1, 0.5, 0, 0.25]] * 16]
    assert astc(given, 4, 4, "SRGB")[0, 5].tolist() == [255, 128, 0, 64]
    high = block(*extent, (9, 1, 1), (64, 16, 0x4900), (80, 16, 0), (96, 16, 0), (112, 16, 0x3C00))
    assert astc(high, 4, 4, "SFLOAT")[0, 0].tolist() == [10, 0, 0, 1]
    assert astc(high, 4, 4, "UNORM")[0, 0].tolist() == [1, 0, 1, 1]


def test_a_block_by_hand() -> None:
    """A grid of 4 x 4 weights of two bits; luminance from 0 to 255 in eight bits each.

    Block mode 0x42: columns b + 4 = 4, rows a + 2 = 4, four values of a weight: 0, 21, 43, 64. The
    weight of texel 0 is in bits 127 and 126, the lower first.
    """
    row = 0
    for texel in range(16):
        number = texel % 4
        row |= (number & 1) << 127 - 2 * texel | (number >> 1) << 126 - 2 * texel
    word = 0x42 | 0 << 11 | 0 << 13 | 0 << 17 | 255 << 25 | row
    given = np.frombuffer(word.to_bytes(16, "little"), np.uint8).reshape(1, 16)
    found = astc(given, 4, 4, "SRGB")[0].reshape(4, 4, 4)
    wanted = [(0x80 * (64 - i) + 0xFF80 * i + 32 >> 6) >> 8 for i in (0, 21, 43, 64)]
    assert found[:, :, 0].tolist() == [wanted] * 4
    assert (found[..., 3] == 255).all()


def test_packed_trits_and_quints_have_every_combination() -> None:
    """A byte holds each of 243 combinations of trits, seven bits each of 125 of quints."""
    for base, several, size in ((3, 5, 8), (5, 3, 7)):
        numbers = np.arange(1 << size)
        bits = numbers[:, np.newaxis] >> np.arange(size) & 1
        found = integers(bits.astype(np.uint8), several, Quantisation(base, 0))
        assert {tuple(row) for row in found.tolist()} == {*product(range(base), repeat=several)}


def test_numbers_of_integers() -> None:
    """Both ends are reached, and all values are different."""
    for how in QUANTISATIONS:
        if how.values >= 6:
            found = colours(how).tolist()
            assert (min(found), max(found), len({*found})) == (0, 255, how.values)
        if how.values <= 32:
            found = weights(how).tolist()
            assert (min(found), max(found), len({*found})) == (0, 64, how.values)
    assert sorted(colours(Quantisation(3, 1)).tolist()) == [0, 51, 102, 153, 204, 255]
    assert [each.values for each in QUANTISATIONS] == [
        2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256
    ]  # fmt: skip


def test_files_of_several_blocks() -> None:
    """7 x 9 texels in blocks of 6 x 5: two by two of them."""
    given = blocks(6, 5)[8:12]
    found, _ = read_ktx2(ktx2([given.tobytes()], 163, (7, 9, 0)))
    texels = astc(given, 6, 5, "UNORM").reshape(2, 2, 5, 6, 4)
    whole = texels.transpose(0, 2, 1, 3, 4).reshape(10, 12, 4)
    assert found.format == "ASTC_6x5_UNORM_BLOCK"
    assert np.array_equal(found.levels[0][0, 0], whole[:9, :7])
