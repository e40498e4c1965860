"""Rules for comparing numbers: how far apart, and what counts for NaN and infinities.

    nan        same       a NaN is expected, and only where there is one
               ignored    places where either is a NaN are not compared
               none       no result is a NaN, whatever is expected
    infinity   same       an infinity is expected, with its sign
               next       an infinity is the float after the largest: 1 ulp from it
               ignored    places where either is infinite are not compared

`ulp` is the number of floats of the result's type between the numbers. Integers and truth values
have to be equal.
"""

import numpy as np

from ..errors import UsageError
from ..run.ulp import ulp_distance
from ..tuples import NamedTuple
from ..vm.launch import Array

__all__ = ["ClosenessRules"]

NAN = ("same", "ignored", "none")
INFINITY = ("same", "next", "ignored")


class ClosenessRules(NamedTuple):
    """The distances of numbers that are near enough, and the rules of the module."""

    ulp: float = 4
    absolute: float = 0.0
    nan: str = "same"
    infinity: str = "same"

    def checked(self) -> "ClosenessRules":
        """Return the rules; UsageError for an unknown rule."""
        for name, known in (("nan", NAN), ("infinity", INFINITY)):
            if getattr(self, name) not in known:
                listed = ", ".join(known)
                raise UsageError(f"{name}: expected one of {listed}, got {getattr(self, name)!r}")
        return self

    def different(self, actual: Array, expected: Array) -> Array:
        """Return where numbers differ by more than the rules allow."""
        if actual.dtype.kind != "f":
            return np.asarray(actual != expected)
        distance = ulp_distance(actual, expected)
        with np.errstate(all="ignore"):
            wanted = np.asarray(expected).astype(actual.dtype)
            close = np.abs(actual.astype(np.float64) - expected) <= self.absolute
        found = (distance > self.ulp) & ~close
        infinite = np.isinf(actual) | np.isinf(wanted)
        if self.infinity == "same":
            found |= infinite & (actual != wanted)
        elif self.infinity == "ignored":
            found &= ~infinite
        if self.nan == "none":
            found |= np.isnan(actual)
        elif self.nan == "same":
            found |= np.isnan(actual) != np.isnan(wanted)
        else:
            found &= ~(np.isnan(actual) | np.isnan(wanted))
        return np.asarray(found)

    def __str__(self) -> str:
        near = f"{self.ulp:g} ulp"
        return f"{near} or {self.absolute:g}" if self.absolute else near
