"""Conversion of numbers from the caller to arrays of a required type.

    [1, 2.5]  3  array(float64)     ->  float32, int32, uint32, …
    0.5 for an integer, 1e39 for a float32, None, "abc", [[1, 2], [3]]      are refused

Nothing is cut off, rounded to an integer or made infinite on the way.
"""

from typing import Any

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array

PLAIN = {
    "f": "<f4",
    "i": "<i4",
    "u": "<u4",
    "b": "<u4",
}  # types of numbers for memory without a declared type


def shown(value: Any) -> str:
    """Return a short description of a value for an error."""
    if isinstance(value, np.ndarray) and value.size > 1:
        return f"{value.shape} {value.dtype}"
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(value):,} bytes"
    return f"{value!r:.60}"


def as_array(value: Any, wanted: str) -> Array:
    """Return a value as an array of numbers or structures; `wanted` begins the error."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{wanted}: {error!s:.160}") from None
    if array.dtype.kind not in "biufV":
        raise UsageError(f"{wanted}, got {shown(value)}")
    return array


def converted(array: Array, to: np.dtype[Any] | str, where: str) -> Array:
    """Convert numbers to another type; UsageError if a number does not fit."""
    wanted = np.dtype(to)
    if array.dtype == wanted or not array.size:
        return array.astype(wanted, copy=False)
    if array.dtype.kind not in "biuf":
        raise UsageError(f"{where}: expected numbers, got {shown(array)}")
    if wanted.kind in "iu":
        return _integers(array, wanted, where)
    with np.errstate(over="ignore"):
        made = array.astype(wanted)
    lost = np.isinf(made) & np.isfinite(array)
    if lost.any():
        raise UsageError(f"{where}: {array[lost].flat[0]} does not fit in a {wanted}")
    return made


def _integers(array: Array, wanted: np.dtype[Any], where: str) -> Array:
    """Convert to integers of a width; signed and unsigned wrap into each other."""
    if array.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            broken = ~np.isfinite(array) | (array != np.floor(array))
        if broken.any():
            raise UsageError(f"{where}: expected integers, got {array[broken].flat[0]}")
    bits = 8 * wanted.itemsize
    low, high = int(array.min()), int(array.max())
    if low < -(1 << (bits - 1)) or high >= 1 << bits:
        beyond = high if high >= 1 << bits else low
        raise UsageError(f"{where}: {beyond} does not fit in {bits} bits")
    if array.dtype.kind == "f":
        array = array.astype(np.uint64 if high >= 1 << 63 else np.int64)
    return array.astype(wanted)


def plain(array: Array, where: str) -> Array:
    """Convert numbers to 32 bits, floats to floats, for memory without a declared type."""
    return converted(array, PLAIN[array.dtype.kind], where)
