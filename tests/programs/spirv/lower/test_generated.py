"""Random shaders: both engines compute what a program in Python does."""

import pytest

from .generated import Generated
from .modules import run

WORDS = [0, 1, 2, 3, 5, 8, 0xFFFF_FFFF, 0x8000_0001]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_generated(seed: int) -> None:
    made = Generated(seed)
    assert run(made.module(), WORDS) == made.expected(WORDS)
