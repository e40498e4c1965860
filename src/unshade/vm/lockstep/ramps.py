"""Ramps and repeated numbers: integers of lanes that are kept as few numbers.

    thread_id.x          ramp 64 1      64 65 66 67 …
    thread_id.x * 4      ramp 256 4     256 260 264 268 …      an address: a slice of the memory

    thread_id_in_group.y        of groups of 16 x 16    0 … 0 1 … 1 2 …    16 numbers for 256 lanes
    thread_id_in_group.x + 16                           16 17 … 31 16 17 … likewise

A ramp is kept as two numbers, and numbers that repeat along axes of the groups as an array without
these axes: addresses are computed once for lanes that share them, and loaded once. Both become
arrays of all lanes when lanes are selected, or when an operation that is not in `RAMPED` uses them.
"""

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import numpy as np

from ...ir.ops import OPS, Op
from ..launch import Array

MASK = 0xFFFF_FFFF
LEAST_REPEATS = 4  # with fewer, a second copy of the numbers does not pay


class Ramp:
    """The unsigned numbers `base + step * lane` of all lanes of a batch; the step is positive.

    No element exceeds 2^32 - 1.
    """

    __slots__ = ("_array", "base", "count", "step")

    ndim = 1

    def __init__(self, base: int, step: int, count: int) -> None:
        self.base = base
        self.step = step
        self.count = count
        self._array: Array | None = None

    @property
    def last(self) -> int:
        """The number of the last lane."""
        return self.base + self.step * (self.count - 1)

    def array(self) -> Array:
        """Return the numbers as an array."""
        if self._array is None:
            self._array = np.arange(self.base, self.last + 1, self.step, dtype=np.uint32)
        return self._array


class Repeated:
    """Numbers of all lanes of a batch that repeat along some axes of the groups.

    few     an array with the axes group, z, y, x; the length is 1 where the numbers repeat
    shape   the length of each axis
    """

    __slots__ = ("_array", "few", "shape")

    ndim = 1

    def __init__(self, few: Array, shape: tuple[int, ...]) -> None:
        self.few = few
        self.shape = shape
        self._array: Array | None = None

    def array(self) -> Array:
        """Return the numbers of all lanes as an array."""
        if self._array is None:
            self._array = repeat(self.few, self.shape)
        return self._array


def repeat(few: Array, shape: tuple[int, ...]) -> Array:
    """Return the array of all lanes of numbers that repeat along some axes."""
    found = np.empty(shape, few.dtype)
    if few.shape[-1] == 1:
        found[...] = few
    else:
        row = _row(few.shape[-1] * few.itemsize)
        found.view(row)[...] = few.view(row)
    return found.reshape(-1)


@cache
def _row(size: int) -> np.dtype[Any]:
    """Return the type of rows of so many bytes, which NumPy copies three times as fast."""
    return np.dtype(f"V{size}")


def repeated(few: Array, shape: tuple[int, ...]) -> "Repeated | Array":
    """Return numbers that repeat along the axes where `few` has one element."""
    if few.size * LEAST_REPEATS <= prod(shape):
        return Repeated(few, shape)
    return repeat(few, shape)


def flat(lanes: Any) -> Any:
    """Return the array of a ramp or of repeated numbers; other values of lanes as they are."""
    return lanes.array() if type(lanes) is Ramp or type(lanes) is Repeated else lanes


def _ramp(base: int, step: int, count: int) -> Ramp | None:
    """Return a ramp; None if a number does not fit."""
    if step > 0 and base >= 0 and base + step * (count - 1) <= MASK:
        return Ramp(base, step, count)
    return None


def _add(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp:
        a, b = b, a
    if type(b) is Ramp:
        return _ramp(a.base + b.base, a.step + b.step, a.count)
    return None if b.ndim else _ramp(a.base + int(b), a.step, a.count)


def _subtract(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp or b.ndim:
        return None
    return _ramp(a.base - int(b), a.step, a.count)


def _multiply(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp:
        a, b = b, a
    return None if b.ndim else _ramp(a.base * int(b), a.step * int(b), a.count)


def _shift_left(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp or b.ndim:
        return None
    amount = int(b) & 31
    return _ramp(a.base << amount, a.step << amount, a.count)


def _shift_right(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp or b.ndim:
        return None
    amount = int(b) & 31
    if (a.base | a.step) & (1 << amount) - 1:
        return None
    return _ramp(a.base >> amount, a.step >> amount, a.count)


def _mask(a: Any, b: Any) -> Ramp | None:
    if type(a) is not Ramp:
        a, b = b, a
    if b.ndim or int(b) & int(b) + 1:
        return None
    return _ramp(a.base, a.step, a.count) if a.last <= int(b) else None


# The operations whose result on ramps and numbers may be a ramp again; None if it is none. Their
# result on repeated numbers and numbers is repeated as well.
RAMPED: dict[Op, Callable[[Any, Any], Ramp | None]] = {
    OPS.iadd: _add,
    OPS.isub: _subtract,
    OPS.imul: _multiply,
    OPS.ishl: _shift_left,
    OPS.ushr: _shift_right,
    OPS.and_: _mask,
}


def ramped(op: Op, pure: Callable[..., Any]) -> Callable[..., Any]:
    """Return a pure operation that takes ramps and repeated numbers."""
    combine = RAMPED.get(op)
    if combine is None:
        return lambda *args: pure(*map(flat, args))

    def found(a: Any, b: Any) -> Any:
        if type(a) is Ramp or type(b) is Ramp:
            made = combine(a, b)
            if made is not None:
                return made
        elif type(a) is Repeated:
            if not b.ndim:
                return Repeated(pure(a.few, b), a.shape)
            if type(b) is Repeated:
                return repeated(pure(a.few, b.few), a.shape)
        elif type(b) is Repeated and not a.ndim:
            return Repeated(pure(a, b.few), b.shape)
        return pure(flat(a), flat(b))

    return found
