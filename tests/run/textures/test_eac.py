"""EAC of 11 bits against its formula, and against texture2ddecoder in 8 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unshade.run.textures.eac import MODIFIERS, r11, rg11


def blocks(size: int) -> Any:
    made = np.random.default_rng(size).integers(0, 256, (400, size), np.uint8)
    made[:40, 1] &= 15  # multiplier 0
    made[40:44, 0] = 128  # -128
    return made


def by_hand(block: bytes, signed: bool) -> list[float]:
    base, multiplier, table = block[0], block[1] >> 4, block[1] & 15
    bits = int.from_bytes(block[2:], "big")
    made = []
    for y in range(4):
        for x in range(4):
            which = bits >> 45 - 3 * (4 * x + y) & 7
            step = int(MODIFIERS[table][which]) * (8 * multiplier or 1)
            if signed:
                number = max(base - 256 if base > 127 else base, -127) * 8 + step
                made.append(max(-1023, min(1023, number)) / 1023)
            else:
                made.append(max(0, min(2047, base * 8 + 4 + step)) / 2047)
    return made


@pytest.mark.parametrize("signed", [False, True])
def test_one_and_two_channels(signed: bool) -> None:
    given = blocks(8)
    wanted = np.array([by_hand(each.tobytes(), signed) for each in given], np.float32)
    assert np.array_equal(r11(given, signed)[..., 0], wanted)
    pairs = blocks(16)
    found = rg11(pairs, signed)
    for at in (0, 1):
        half = pairs[:, 8 * at : 8 * at + 8]
        wanted = np.array([by_hand(each.tobytes(), signed) for each in half], np.float32)
        assert np.array_equal(found[..., at], wanted)


@pytest.mark.parametrize(("name", "signed"), [("decode_eacr", False), ("decode_eacr_signed", True)])
def test_the_library_has_the_same_numbers_in_eight_bits(name: str, signed: bool) -> None:
    library = pytest.importorskip("texture2ddecoder")
    given = blocks(8)
    theirs = getattr(library, name)(given.tobytes(), 4, 4 * len(given))
    red = np.frombuffer(theirs, np.uint8).reshape(-1, 16, 4)[..., 2].astype(float)
    found = r11(given, signed)[..., 0].astype(float)
    assert np.abs((found / 2 + 0.5 if signed else found) * 255 - red).max() < 2
