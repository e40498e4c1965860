"""Memory of large arrays is taken again once no array has it, and not before."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.run.raster import spare as module
from unshade.run.raster.spare import LEAST, MOST, spare

COUNT = LEAST // 4


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", [])


def test_memory_is_taken_again() -> None:
    first = spare((COUNT // 4, 4), np.int64)
    assert first.shape == (COUNT // 4, 4)
    assert first.dtype == np.int64
    place = first.ctypes.data
    part = first[3:5, 1]
    del first
    other = spare((COUNT,), float)
    assert other.ctypes.data != place  # a part of it is still there
    del part
    assert spare((COUNT - 5,), float).ctypes.data == place
    assert len(module._KEPT) == 2


def test_arrays_that_are_there_never_share_memory() -> None:
    chance = np.random.default_rng(1)
    held: list[tuple[int, np.ndarray]] = []
    for number in range(200):
        array = spare((int(chance.integers(COUNT, 3 * COUNT)),), np.int64)
        array.fill(number)
        held.append((number, array))
        del array
        for _ in range(int(chance.integers(3))):
            if held:
                held.pop(int(chance.integers(len(held))))
    assert all((array == number).all() for number, array in held)


def test_little_is_kept() -> None:
    spare((LEAST - 1,), np.uint8)
    spare((MOST // 2 + 1,), np.uint8)
    assert not module._KEPT
    for size in range(8):
        spare((MOST // 4 - size,), np.uint8)
        assert sum(each.nbytes for each in module._KEPT) <= MOST
    assert len(module._KEPT) == 1  # each took the memory of the one before
    kept = [spare((MOST // 4,), np.uint8) for _ in range(6)]
    assert sum(each.nbytes for each in module._KEPT) <= MOST
    assert len({each.ctypes.data for each in kept}) == 6


def test_memory_much_larger_than_an_array_stays_for_others() -> None:
    large = spare((4 * COUNT,), np.int64)
    place = large.ctypes.data
    del large
    assert spare((COUNT,), np.int64).ctypes.data != place
