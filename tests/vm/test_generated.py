"""Generated kernels: interpreter, lockstep and jit leave the same bits behind.

fuzz/engines.py is the same without end; recorded runs of it stand in fuzz/README.md.
"""

import pytest

from tests.vm.compare import compared

FAST = 60


@pytest.mark.parametrize("seed", range(FAST))
def test_generated(seed: int) -> None:
    assert not compared(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FAST, 560, 20))
def test_more_generated(first: int) -> None:
    assert not [told for seed in range(first, first + 20) if (told := compared(seed))]
