"""Mutated shaders on both engines: the same bits, the same error, and nothing but ours.

fuzz/execution.py is the same without end; recorded runs of it stand in fuzz/README.md.
"""

from __future__ import annotations

import random
from functools import cache
from importlib.util import find_spec

import pytest

from tests.hostile.engines import compared, difference
from tests.hostile.seeds import mutant, own_shaders
from tests.sampling import fewer
from unshade.errors import EncodeError

files = cache(own_shaders)


@pytest.mark.skipif(find_spec("llvmlite") is None, reason="needs llvmlite")
@pytest.mark.parametrize("first", range(0, 40 * fewer(10), 40))
def test_mutants(first: int) -> None:
    ran = 0
    for seed in range(first, first + 40):
        try:
            data = mutant(seed, files())
        except EncodeError:
            continue
        try:
            ran += compared(data, random.Random(seed)) in ("ran", "budget", "races")
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
    assert ran > 15


def test_outcomes_of_different_lengths() -> None:
    """Lanes that race for the number of vertices of a mesh leave arrays of two lengths."""
    assert (
        difference({"result v": bytes(8)}, {"result v": bytes(4)}) == "result v: 8 against 4 bytes"
    )
    assert difference({"result v": bytes(8)}, {"result v": bytes(8)}) == ""
