"""Memory of large arrays, which draws take again and again.

    spare((1080, 1920), np.int64)      an array of any numbers, in memory that nothing else uses

Memory that a process gets from the system is cleared page by page, which takes longer than what
many draws do with it. Up to `MOST` bytes are kept here for the next draw, and taken when no array
is left that has them.
"""

import sys
from collections.abc import Sequence
from math import prod
from threading import Lock
from typing import Any

import numpy as np

from ...vm.launch import Array

__all__ = ["spare"]

LEAST = 1 << 18  # bytes of arrays that are worth keeping
MOST = 96 << 20  # bytes that are kept
_LOCK = Lock()
_KEPT: list[Array] = []  # what is kept, that used last at the end


def _references(arrays: list[Array], at: int) -> int:
    return sys.getrefcount(arrays[at])


_UNUSED = _references([np.empty(1, np.uint8)], 0)  # references to an array that only a list has


def spare(shape: Sequence[int], dtype: Any) -> Array:
    """Return an array whose numbers may be any."""
    kind = np.dtype(dtype)
    size = prod(shape) * kind.itemsize
    if not LEAST <= size <= MOST // 2:
        return np.empty(shape, kind)
    with _LOCK:
        best = -1
        for at in range(len(_KEPT)):
            room = _KEPT[at].nbytes
            if size <= room <= 2 * size and _references(_KEPT, at) == _UNUSED:
                best = at if best < 0 or room < _KEPT[best].nbytes else best
        memory = _KEPT.pop(best) if best >= 0 else np.empty(size, np.uint8)
        _KEPT.append(memory)
        while sum(each.nbytes for each in _KEPT) > MOST:
            del _KEPT[0]
        found: Array = memory[:size].view(kind).reshape(shape)
        return found
