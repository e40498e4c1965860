"""Generated kernels: interpreter, lockstep and jit produce the same bits.

fuzz/engines.py does the same without end; fuzz/README.md records its runs.
"""

import pytest

from tests.sampling import fewer
from tests.vm.compare import compared
from unshade.vm.jit import engine
from unshade.vm.jit.codegen import emitter

pytestmark = pytest.mark.heavy

FAST = 60


@pytest.mark.parametrize("seed", range(FAST))
def test_generated(seed: int) -> None:
    assert not compared(seed)


@pytest.mark.parametrize("seed", range(0, FAST, 2))
def test_generated_compiled_like_large_kernels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few blocks, and without optimisation, as for large kernels."""
    monkeypatch.setattr(emitter, "MANY_ACCESSES", 0)
    monkeypatch.setattr(engine, "level_of", lambda *_: seed // 2 % 2 * 2)
    assert not compared(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FAST, FAST + 20 * fewer(25), 20))
def test_more_generated(first: int) -> None:
    assert not [difference for seed in range(first, first + 20) if (difference := compared(seed))]
