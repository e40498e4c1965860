"""Comparing damaged shaders ends in a result or in one of our errors."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

import unshade
from tests.examples import CONTAINERS
from tests.hostile import big
from tests.sampling import fewer

SMALL = [path for path in CONTAINERS if path.stat().st_size < 4000]


def compared(before: bytes, after: bytes) -> unshade.Diff | None:
    try:
        found = unshade.diff(unshade.loads(before), unshade.loads(after))
        json.dumps(found.to_dict(), allow_nan=False)
    except unshade.UnshadeError:
        return None
    return found


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return the data with a few bytes of its parts changed."""
    made = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        made[rng.randrange(60, len(made))] = rng.choice(
            [0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)]
        )
    return bytes(made)


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_damaged_copies(path: Path) -> None:
    data = path.read_bytes()
    rng = random.Random(path.stem)
    compared_pairs = 0
    for _ in range(fewer(300)):
        one, two = damaged(data, rng), damaged(data, rng)
        for pair in ((data, one), (one, two)):
            found = compared(*pair)
            if found is not None:
                compared_pairs += 1
                assert bool(found) == (pair[0] != pair[1])
    assert compared_pairs > fewer(300)


@pytest.mark.parametrize("pair", list(pairwise(big.INPUTS)), ids="-".join)
def test_big_inputs(pair: tuple[str, str]) -> None:
    one, two = (big.INPUTS[name](20_000) for name in pair)
    compared(one, two)
    twin = bytearray(one)
    twin[len(twin) // 2] ^= 1
    compared(one, bytes(twin))
