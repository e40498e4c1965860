"""`prove` sees faults of one token in shaders of every family, and none in equal ones.

A sample of `benchmarks/proving.py`, of the examples.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.run.proving.mutants import Rewritten
from unshade.run.proving import prove

MUTANTS, EQUALS = 4, 3
SEEN = {  # of skinning.dxbc, one mutant changes a component that nothing reads
    "skinning.dxbc": 3, "saxpy6.dxil": 4, "clay.frag.spv": 4, "lit.shbin": 4, "noise.skslb": 4,
}  # fmt: skip

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SEEN)
def test_mutants_are_seen_and_equal_shaders_are_equal(name: str) -> None:
    chance = random.Random(7)
    made = Rewritten.of(unshade.open(EXAMPLES / name), chance)
    first = made.kernel(made.shader)
    seen, missed = 0, []
    for words, mutant in islice(made.mutants(chance), MUTANTS):
        proof = prove(first, made.kernel(mutant), lanes=64)
        seen += proof.difference is not None
        missed += [words] if proof.difference is None else []
    assert seen == SEEN[name], missed
    others = list(islice(made.equals(chance), EQUALS))
    assert any(each.to_bytes() != made.shader.to_bytes() for each in others)
    for other in others:
        assert str(prove(first, made.kernel(other), rounds=6, lanes=64)).startswith("equal")
