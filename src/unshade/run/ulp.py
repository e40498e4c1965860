"""Distances of floats: the number of representable values between two.

float32 bits as integers that rise with the numbers:   -0 and +0 are 0, the next float is 1
distance of a and b = |a' - b'|                         1.0 and 1.0000001192 are 1 apart
"""

from typing import Any

import numpy as np

from ..vm.launch import Array

SIGNED = {2: np.int16, 4: np.int32, 8: np.int64}


def _ordered(values: Array) -> Array:
    """Return integers in the order of the numbers."""
    narrow: Any = SIGNED[values.itemsize]
    bits = np.array(values).view(narrow).astype(np.int64)
    made: Array = np.where(bits < 0, np.int64(np.iinfo(narrow).min) - bits, bits)
    return made


def ulp_distance(a: Any, b: Any) -> Array:
    """Return the number of floats of the type of `a` between the numbers; infinite for a NaN
    against a number, 0 for two NaNs.
    """
    a = np.asarray(a)
    if a.dtype.kind != "f":
        a = a.astype(np.float32)
    with np.errstate(all="ignore"):
        b = np.asarray(b).astype(a.dtype)
        one, other = _ordered(a), _ordered(b)
    across = np.abs(one).astype(np.float64) + np.abs(other)  # by way of 0
    with np.errstate(over="ignore"):
        distance = np.where((one < 0) == (other < 0), np.abs(one - other), across)
    nans = np.isnan(a).astype(int) + np.isnan(b)
    return np.where(nans == 2, 0.0, np.where(nans == 1, np.inf, distance))
