"""Arrays that are compared by the number of floats between them, with an explanation."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dataclass import dataclass
from ..errors import UsageError
from ..run.ulp import ulp_distance
from ..vm.launch import Array
from .closeness import ClosenessRules


@dataclass(slots=True)
class Failure:
    """The last failed comparison: the arrays, and the place of the first difference."""

    actual: Array
    index: tuple[int, ...]
    lines: list[str]


class _Last:
    """The last failure, which the plugin reads when a test has failed."""

    failure: Failure | None = None


class approx_ulp:
    """An object that equals arrays within `ulp` floats of `expected`, or within `absolute` of it.

    Integers have to be equal. The shape must equal the shape of `expected`, or broadcast to it.
    `nan` and `infinity` are as for `assert_close`.
    """

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # so that array == approx_ulp asks here

    def __init__(
        self,
        expected: Any,
        ulp: float = 4,
        absolute: float = 0.0,
        *,
        nan: str = "same",
        infinity: str = "next",
    ) -> None:
        self.expected = np.asarray(expected)
        self.rules = ClosenessRules(ulp, absolute, nan, infinity).checked()
        self.lines: list[str] = []
        self.what = ""  # what was compared last

    def __repr__(self) -> str:
        one = self.expected.ndim == 0
        return f"{self.expected if one else _kind(self.expected)} ± {self.rules}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            names = ", ".join(map(str, other))
            raise UsageError(f"expected an array, got a mapping of {names}; select one by its name")
        actual = np.asarray(other)
        self.lines = []
        self.what = _kind(actual)
        _Last.failure = None
        try:
            expected = np.broadcast_to(self.expected, actual.shape)
        except ValueError:
            self.lines = [f"the shape is {actual.shape}, not {self.expected.shape}"]
            return False
        bad = self.rules.different(actual, expected)
        if not bad.any():
            return True
        index = tuple(int(at) for at in np.argwhere(bad)[0])
        self.lines = self._described(actual, expected, bad, index)
        _Last.failure = Failure(actual, index, self.lines)
        return False

    def _described(
        self, actual: Array, expected: Array, bad: Array, index: tuple[int, ...]
    ) -> list[str]:
        """Return the places that differ, then a line of each array, abbreviated."""
        more = f" by more than {self.rules.ulp:g} ulp" if actual.dtype.kind == "f" else ""
        lines = [f"{int(bad.sum()):,} of {bad.size:,} differ{more}"]
        for place in np.argwhere(bad)[:PLACES]:
            at = tuple(int(each) for each in place)
            got, want = actual[at], expected[at]
            line = f"[{', '.join(map(str, at))}] is {got!s}, expected {want!s}"
            if actual.dtype.kind == "f":
                line += f": {float(ulp_distance(got, want)):g} ulp"
            lines.append(line)
        if actual.size > PLACES:
            lines += [f"is       {_line(actual)}", f"expected {_line(expected)}"]
        return lines


def assert_close(
    actual: Any,
    expected: Any,
    *,
    ulp: float = 4,
    absolute: float = 0.0,
    nan: str = "same",
    infinity: str = "same",
) -> None:
    """Assert that arrays are equal within `ulp` floats, or within `absolute`.

    Args:
        actual: The result of a shader, whose type decides the distance of floats.
        expected: What it should be, in that type or a wider one; broadcast to the result.
        ulp: The number of floats that may be between two numbers.
        absolute: The difference that is close enough in any case.
        nan: `same`: a NaN where one is expected and only there; `ignored`: places where either is a
            NaN are not compared; `none`: the result contains no NaN.
        infinity: `same`: an infinity where one of that sign is expected and only there; `next`: an
            infinity is 1 ulp from the largest number; `ignored`: not compared.

    Raises:
        AssertionError: They differ; the message lists how many, the first places and distances.
    """
    __tracebackhide__ = True
    wanted = approx_ulp(expected, ulp, absolute, nan=nan, infinity=infinity)
    if not wanted == actual:
        raise AssertionError("\n".join([f"{wanted.what} is not {wanted!r}", *wanted.lines]))


PLACES = 4  # that are listed; pytest shows eight lines


def _kind(array: Array) -> str:
    """`float32 (64,)`."""
    return f"{array.dtype} {array.shape}" if array.ndim else str(array.dtype)


def _line(array: Array) -> str:
    """Return an array's first and last numbers in a line."""
    return np.array2string(array.reshape(-1), threshold=6, edgeitems=3, max_line_width=1 << 16)


def last_failure() -> Failure | None:
    """Return the last comparison if it failed."""
    return _Last.failure


def forget() -> None:
    """Discard the last failure, before a test."""
    _Last.failure = None
