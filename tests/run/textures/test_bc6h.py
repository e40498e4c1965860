"""BC6H: every mode, unsigned and signed, against two other decoders."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from unshade.run.textures.bc6h import MODES, bc6h

# By mode: SHA-256 of the halves that bcdec 0.98 (its public header, compiled with gcc 12) makes of
# `blocks(mode)`, unsigned and signed.
DIGESTS = [
    (0b00000, "75721368e5b69db2", "e9253c8673610ced"),
    (0b00001, "10d415f7cf2c0a04", "5a99dad22b984702"),
    (0b00010, "61d6461501b8030b", "f5450bef02d1ab67"),
    (0b00011, "29ea190d4cba1094", "06d93713fb0db01c"),
    (0b00110, "19a41f281370259a", "de518620110aee85"),
    (0b00111, "58a30d14b20d5e9d", "a898515b85e1560f"),
    (0b01010, "c4d29373ebc0da86", "ca08f6c249fe4380"),
    (0b01011, "14ed202157166a82", "72e302c2ce1deaf2"),
    (0b01110, "1bb7a8f0f7398a64", "a4bdd9d873efffc5"),
    (0b01111, "6f90c7ae2aa59153", "305282ac1ad5fef0"),
    (0b10010, "51ad2a270e90b8b4", "cf8bf120a91d737f"),
    (0b10110, "919fc87051da32df", "2adcf4a0ce4355f1"),
    (0b11010, "f2108a0caa59bd0e", "7ffe00c549357d53"),
    (0b11110, "84d8f0e5d2a326ba", "1e6165e4b2dcea52"),
]


def blocks(mode: int, count: int = 500) -> Any:
    made = np.random.default_rng(mode).integers(0, 256, (count, 16), np.uint8)
    made[:, 0] = made[:, 0] & (0xFC if mode < 2 else 0xE0) | mode
    return made


@pytest.mark.parametrize(("mode", "unsigned", "signed"), DIGESTS)
def test_halves_are_those_of_another_decoder(mode: int, unsigned: str, signed: str) -> None:
    for is_signed, wanted in ((False, unsigned), (True, signed)):
        found = bc6h(blocks(mode), is_signed)
        assert found.dtype == np.float16
        assert np.isfinite(found).all()
        assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == wanted


@pytest.mark.parametrize("mode", sorted(MODES))
def test_pillow_has_the_same_colours_in_eight_bits(mode: int) -> None:
    image = pytest.importorskip("PIL.Image")
    given = blocks(mode)
    made = image.frombytes("RGB", (4, 4 * len(given)), given.tobytes(), "bcn", (6, "BC6H"))
    theirs = np.asarray(made).reshape(-1, 16, 3).astype(float)
    ours = np.clip(bc6h(given).astype(float), 0, 1) * 255
    assert np.abs(ours - theirs).max() < 1.25  # it cuts off, and its floats have fewer bits


def test_reserved_modes_are_black() -> None:
    for mode in (0b10011, 0b10111, 0b11011, 0b11111):
        assert not bc6h(blocks(mode, 4)).any()


def test_a_block_by_hand() -> None:
    """Mode 0b00011: two colours of 10 bits; number 0 is the first, 15 the second."""
    word = 0b00011 | 0x3FF << 5 | 0x3FF << 35  # red of w, red of x
    word |= 15 << 65 + 4 * 1 - 1  # the second texel
    found = bc6h(np.frombuffer(word.to_bytes(16, "little"), np.uint8).reshape(1, 16))
    greatest = np.uint16(0xFFFF * 31 >> 6).view(np.float16)
    assert found[0, 0].tolist() == [greatest, 0, 0]
    assert found[0, 1].tolist() == [greatest, 0, 0]
    word &= ~(0x3FF << 35)
    found = bc6h(np.frombuffer(word.to_bytes(16, "little"), np.uint8).reshape(1, 16))
    assert found[0, :3, 0].tolist() == [greatest, 0, greatest]
