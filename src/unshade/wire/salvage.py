"""Reading of records one by one from damaged data.

    ┌────────┬─────────┬── ✗ ──┬─────────┐
    │ record │ record  │       │ record  │      each is read separately; for a malformed record, the
    └────────┴─────────┴───────┴─────────┘      spans of its fields before the damage are kept

All records share one `ByteSource`, so that the limits hold for the whole file.
"""

from typing import Any

from ..errors import FormatError, LimitError
from ..limits import DEFAULT, Limits
from ..tuples import NamedTuple
from .codegen import NO_ARGUMENTS, Arguments
from .reading import reader
from .record import Record
from .region import ReadTrace
from .source import ByteSource

__all__ = ["ReadResult", "SalvageReader"]


class ReadResult(NamedTuple):
    """A record, or None if it is malformed, with the trace and the error from reading it."""

    record: Any
    trace: ReadTrace
    error: FormatError | LimitError | None


class SalvageReader:
    """A reader for the records of a damaged region."""

    def __init__(self, data: bytes, limits: Limits = DEFAULT) -> None:
        self.source = ByteSource(data, limits)
        self.source.partial = True

    def read(
        self,
        cls: type[Record],
        at: int = 0,
        arguments: Arguments = NO_ARGUMENTS,
        path: str = "",
    ) -> ReadResult:
        """Read the record at `at`; `path` is the prefix of the paths of its fields."""
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
            source.cache = {}  # it marks interrupted targets as still being read
        return ReadResult(record, ReadTrace(record, end, source.spans, source.pointers), error)
