"""Ramps: integers that are a fixed step apart, such as the thread IDs of consecutive lanes.

    thread_id.x          ramp 64 1      64 65 66 67 …
    thread_id.x * 4      ramp 256 4     256 260 264 268 …      an address: a slice of the memory

A ramp is kept as two numbers. A ramp becomes an array when lanes are selected, or when an operation
that is not in `RAMPED` uses it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ir.ops import OPS, Op
from ..launch import Array

MASK = 0xFFFF_FFFF


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


def flat(lanes: Any) -> Any:
    """Return the array of a ramp; other values of lanes as they are."""
    return lanes.array() if type(lanes) is Ramp else lanes


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


# The operations whose result on ramps and numbers may be a ramp again; None if it is none.
RAMPED: dict[Op, Callable[[Any, Any], Ramp | None]] = {
    OPS.iadd: _add,
    OPS.isub: _subtract,
    OPS.imul: _multiply,
    OPS.ishl: _shift_left,
    OPS.ushr: _shift_right,
    OPS.and_: _mask,
}


def ramped(op: Op, pure: Callable[..., Any]) -> Callable[..., Any]:
    """Return a pure operation that takes ramps."""
    combine = RAMPED.get(op)
    if combine is None:
        return lambda *args: pure(*map(flat, args))

    def found(a: Any, b: Any) -> Any:
        if type(a) is Ramp or type(b) is Ramp:
            made = combine(a, b)
            if made is not None:
                return made
        return pure(flat(a), flat(b))

    return found
