"""Reads records one by one from damaged bytes: one that is malformed spoils no other.

    ┌────────┬─────────┬── ✗ ──┬─────────┐
    │ record │ record  │       │ record  │      each is read by itself; of the one that cannot be
    └────────┴─────────┴───────┴─────────┘      read, the spans of its fields up to the damage stay

All of them share one `Source`, so that the limits hold for the whole file.
"""

from typing import Any, NamedTuple

from ..errors import FormatError, LimitError
from ..limits import DEFAULT, Limits
from .code import NO_ARGUMENTS, Arguments
from .reading import reader
from .record import Record
from .region import Trace
from .source import Source

__all__ = ["Intact", "Intacts"]


class Intact(NamedTuple):
    """One record, None where it cannot be read, and the trace of what was read of it."""

    record: Any
    trace: Trace
    error: FormatError | LimitError | None


class Intacts:
    """The records of a region that is damaged somewhere."""

    def __init__(self, data: bytes, limits: Limits = DEFAULT) -> None:
        self.source = Source(data, limits)
        self.source.partial = True

    def read(
        self,
        cls: type[Record],
        at: int = 0,
        arguments: Arguments = NO_ARGUMENTS,
        path: str = "",
    ) -> Intact:
        """Read the record at `at`; `path` is what the paths of its fields begin with."""
        source = self.source
        source.spans, source.pointers, source.depth = [], [], 0
        record: Any = None
        error: FormatError | LimitError | None = None
        end = at
        try:
            lead = f".{path}" if path else ""
            record, end = reader(cls.layout, arguments, traced=True)(source, at, lead)
        except FormatError as problem:
            path = problem.path.lstrip(".")
            error = FormatError(problem.problem, offset=problem.offset, path=path)
        except LimitError as problem:
            error = problem
        if error is not None:
            source.cache = {}  # it says that what was being read when this ended still is
        return Intact(record, Trace(record, end, source.spans, source.pointers), error)
