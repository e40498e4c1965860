"""Recovery of damaged VBC files: the fields up to the damage.

header, inputs, outputs, ✗        a field that cannot be read, and nothing after it
header, …, vert, frag ✗           a module that is cut off: all before it is intact
header, …, vert, frag, 4 bytes    bytes after the end: all is intact
"""

from typing import TYPE_CHECKING

from ...damaged import Damage, Remains
from ...errors import FormatError
from ...limits import DEFAULT, Limits
from ...parts import Part
from ...wire import Span, write
from ...wire.salvage import SalvageReader
from ...wire.spans import spans_of
from .layout import arguments_of
from .parts import HEAD, VbcPart, called
from .program import Program, program_of
from .records import SubpassForm, VbcFile
from .spans import modules_named
from .spelling import NAMES

if TYPE_CHECKING:
    from .shader import Vbc

__all__ = ["SalvagedFile", "claimed_size"]

DOCUMENTED = arguments_of(SubpassForm.DOCUMENTED)
HEAD_BYTES = b"VBC\x01\x01"  # magic, version, type
WINDOW = 1 << 16  # bytes that `find` reads of a damaged file
WORDS = 5  # offset of the sizes of the modules


class SalvagedFile(Remains):
    """The fields of a damaged VBC file, and its modules up to the damage."""

    def __init__(self, cls: "type[Vbc]", data: bytes, limits: Limits) -> None:
        found = SalvageReader(data, limits).read(VbcFile, 0, DOCUMENTED)
        self._trace = found.trace
        error = found.error
        record = found.record
        cut = error.path if isinstance(error, FormatError) and error.path in NAMES else ""
        if cut and isinstance(error, FormatError):
            whole = _without(data[: error.offset], cut)
            record = SalvageReader(whole, limits).read(VbcFile, 0, DOCUMENTED).record
        self._intact = cls(record, limits=limits) if record is not None else None
        self._programs = {} if self._intact is None else self._intact.modules()
        places = {span.path: span for span in spans_of(found.trace) if span.path in NAMES}
        starts = [each.offset for each in places.values()]
        if cut and isinstance(error, FormatError):
            starts.append(error.offset)
        start = min(starts, default=len(data))
        head = VbcPart(HEAD, 0, data[:start], record or data[:start])
        head.error = _renamed(error) if error is not None and not cut else None
        parts: list[Part] = [head]
        for name, span in places.items():
            module = self._programs.get(name) or program_of(span.value, limits)
            value = module if isinstance(module, Program) else span.value
            problem = None if isinstance(module, Program) else module
            parts.append(VbcPart(name, span.offset, span.value, value, problem))
        if cut and isinstance(error, FormatError):
            rest = data[error.offset :]
            parts.append(VbcPart(cut, error.offset, rest, rest, error))
        self.parts = parts

    def intact(self) -> "Vbc | None":
        return self._intact

    def fingerprint(self, part: Part) -> object:
        if isinstance(part.value, Program):
            return part.value.encode()
        return write(part.value, DOCUMENTED) if isinstance(part.value, VbcFile) else part.data

    def spans(self) -> list[Span]:
        return modules_named(spans_of(self._trace), self._programs)


def _without(data: bytes, stage: str) -> bytes:
    """Return the data with the header's words of a stage and later stages set to 0."""
    at = WORDS + 2 * NAMES.index(stage)
    return data[:at] + bytes(WORDS + 2 * len(NAMES) - at) + data[WORDS + 2 * len(NAMES) :]


def _renamed(error: Damage) -> Damage:
    """Return the error with the public path of its field."""
    if not isinstance(error, FormatError):
        return error
    return FormatError(error.problem, offset=error.offset, path=called(error.path))


def claimed_size(cls: "type[Vbc]", data: bytes | memoryview) -> int:
    """Return the end of the last readable field; 0 if the header is wrong."""
    if bytes(data[: len(HEAD_BYTES)]) != HEAD_BYTES:
        return 0
    spans = SalvagedFile(cls, bytes(data[:WINDOW]), DEFAULT).spans()
    return max(span.offset + span.length for span in spans)
