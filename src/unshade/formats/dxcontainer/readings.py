"""Parts read once for equal bytes, and results that follow from their bytes alone.

    ISGN, bytes  ->  ProgramSignature                         part.reading.value
                     its violations, rows of a reflection     part.reading.result(make, …)

Stages share their signatures, and variants of a shader their resources. `reflect` and `verify` only
read, so all equal parts share a record for them. Once the `value` of a part is requested, which may
then be edited, the part has a separate record. The number of kept readings is bounded.
"""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["PartReading", "keep_reading", "kept_reading"]

MOST = 1 << 19  # bytes of the parts that are kept
LONGEST = 1 << 12  # bytes of a part that is kept
RESULTS = 16  # of one part: there are few combinations of other arguments

P = ParamSpec("P")
T = TypeVar("T")


class PartReading:
    """The typed part, which must not be changed, and results derived from it."""

    __slots__ = ("results", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.results: dict[tuple[object, ...], Any] = {}

    def result(
        self, make: Callable[Concatenate[Any, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        """Return `make(value, *arguments)`, which must depend on nothing else."""
        assert not named
        key = (make, *arguments)
        found: T
        try:
            found = self.results[key]
        except KeyError:
            found = make(self.value, *arguments, **named)
            if len(self.results) >= RESULTS:
                self.results.clear()
            self.results[key] = found
        return found


_KNOWN: dict[tuple[str, bytes], PartReading] = {}
_LEFT = [MOST]  # bytes until all are forgotten


def kept_reading(name: str, data: bytes) -> PartReading | None:
    """Return the reading of an equal part, or None if none is kept."""
    return _KNOWN.get((name, data))


def keep_reading(name: str, data: bytes, found: PartReading) -> None:
    """Keep the reading of a part, unless the part is too long."""
    if len(data) <= LONGEST:
        _LEFT[0] -= len(data)
        if _LEFT[0] < 0:
            _KNOWN.clear()
            _LEFT[0] = MOST - len(data)
        _KNOWN[name, data] = found
