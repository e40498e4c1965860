"""Draws of any state, in machine code and with arrays; `fuzz/draws.py` has more seeds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.run.raster.compiled.draws import compared, random_draw, small_pieces

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("first", [0, 100, 200, 300])
def test_random_draws(first: int) -> None:
    found: Counter[bool | None] = Counter()
    for seed in range(first, first + 12):
        chance = np.random.default_rng(seed)
        with small_pieces(chance):
            found[compared(**random_draw(chance))[1]] += 1
    assert found[True] > 2
