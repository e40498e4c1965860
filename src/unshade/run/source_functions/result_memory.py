"""Memory of large results, which is used again once the caller has dropped them.

    y = f(x)        4 MB, from the system: each page is cleared when it is first written
    y = f(x)        4 MB more, since the first result is still there
    y = f(x)        the memory of the first one

Clearing takes as long as a short function. Contents are arbitrary: code that takes memory has to
write all of it.
"""

from math import prod
from typing import Any

import numpy as np

from ...vm.launch import Array

__all__ = ["result_array"]

LEAST = 1 << 17  # bytes, from which the C library takes memory from the system for each array
KEPT = 1 << 26  # bytes that wait to be used again at most
ALIGNMENT = 64


class FreeMemory:
    """Unused blocks, by size, and the sum of their sizes."""

    def __init__(self) -> None:
        self.blocks: dict[int, list[Array]] = {}
        self.total = 0


FREE = FreeMemory()


class LentMemory:
    """A block that an array is a view of, returned once the array is collected."""

    def __init__(self, block: Array, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.block = block
        place: int = block.__array_interface__["data"][0]
        self.__array_interface__ = {
            "shape": shape,
            "typestr": dtype.str,
            "data": (place + -place % ALIGNMENT, False),
            "version": 3,
        }

    def __del__(self) -> None:
        size = self.block.nbytes
        if FREE.total + size <= KEPT:
            FREE.total += size
            FREE.blocks.setdefault(size, []).append(self.block)


def result_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return an array: of zeros if it is small or has fields, else of arbitrary numbers."""
    size = prod(shape) * dtype.itemsize
    if size < LEAST or dtype.names is not None:
        return np.zeros(shape, dtype)
    size += ALIGNMENT
    waiting = FREE.blocks.get(size)
    try:
        block = waiting.pop() if waiting else None
    except IndexError:  # another thread took it
        block = None
    if block is None:
        block = np.empty(size, np.uint8)
    else:
        FREE.total -= size
    return np.asarray(LentMemory(block, shape, dtype))
