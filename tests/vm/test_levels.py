"""The bits of results do not depend on the width of vector registers."""

import numpy as np
import pytest

from tests.vm.compare import compared
from tests.vm.engines import parsed
from unshade.vm.jit import Jit
from unshade.vm.jit.processor import ENVIRONMENT, LEVELS, processor
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

pytestmark = [pytest.mark.heavy, pytest.mark.slow]
NARROW = [bits for bits in LEVELS if bits < max(LEVELS)]
NANS = """
kernel main compute group 64 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = load:f32 %t0[%0, i32 0]
%2 = fmul %1, f32 1.5
%3 = fneg %2
%4 = asint %3
store %u0[%0, i32 0], %4
"""


@pytest.fixture(params=NARROW)
def limit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Limit the registers; skip where they are no wider."""
    own, bits = processor().bits, int(request.param)
    if own <= bits:
        pytest.skip(f"the processor has registers of {own} bits: the other tests have this width")
    monkeypatch.setenv(ENVIRONMENT, str(bits))
    return bits


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_generated(limit: int, first: int) -> None:
    assert not [difference for seed in range(first, first + 10) if (difference := compared(seed))]


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_nans_are_canonical(limit: int, width: int) -> None:
    special = [0x7F80_0001, 0xFFC0_1234, 0x7FFF_FFFF, 0x7FC0_0000, 0xFF80_0000, 0x7F80_0000, 1, 0]
    chance = np.random.default_rng(5)
    given = np.concatenate([np.array(special, "u4"), chance.integers(0, 1 << 32, 504, "u4")])
    found = []
    for engine in (Lockstep(), Jit(threads=1, width=width, quick=False)):
        out = np.zeros(len(given), "u4")
        launch = Launch({"t0": given.view("u1"), "u0": out.view("u1")}, (8, 1, 1))
        engine.run(parsed(NANS), launch)
        found.append(out)
    assert found[0].tobytes() == found[1].tobytes()
    assert list(found[0][:4]) == [0xFFC0_0000] * 4
