"""Recovery of damaged SHBIN files: the program and each executable are read separately.

    DVLB  count, offsets ──► DVLE     DVLE     ✗         errors: an offset that leads to no DVLE,
          DVLP                                           a record that cannot be read

The DVLP is expected after the stated number of offsets; if it is not there, after any other number.
For a record that cannot be read, the fields up to the damage are shown. An object (DVOJ) is a
single record.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...damaged import Damage, Remains
from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...parts import Part
from ...tuples import NamedTuple
from ...wire import Span, write
from ...wire.salvage import ReadResult, SalvageReader
from ...wire.spans import spans_of
from .parts import Section, called, extents
from .records import Dvlb, Dvle, Dvlp, ShaderType
from .spans import instructions_named
from .tables import TableFile

if TYPE_CHECKING:
    from .dvoj import DvojShader
    from .shader import Shbin

__all__ = ["SalvagedExecutables", "SalvagedObject", "claimed_size", "claimed_size_of_object"]

OFFSETS = 8  # file offset of the offsets of the DVLEs
STAGE, CODE, HEADER = 6, 0x20, 0x58  # of an object: two fields, and its size
WINDOW = 1 << 16  # bytes that `find` reads of a damaged file


class SalvagedRecord(NamedTuple):
    """A record: its path, name and offset, and the result of reading it."""

    path: str
    name: str
    offset: int
    found: ReadResult


class SalvagedExecutables(Remains):
    """The DVLP and the DVLEs of a damaged SHBIN."""

    def __init__(self, cls: "type[Shbin]", data: bytes, limits: Limits) -> None:
        self._data = data
        place, count = _program_place(data, limits)
        self._count = count
        short = cls.arguments_of(data[:4] + count.to_bytes(4, "little") + data[OFFSETS:])
        errors: list[Damage] = []
        pieces: list[SalvagedRecord] = []
        reading = SalvageReader(data, limits)
        if place is None:
            end = min(OFFSETS + 4 * count, len(data))
            errors.append(
                FormatError(f"expected DVLP after {count} offsets", offset=end, path="DVLP")
            )
        else:
            found = reading.read(Dvlp, place, short, "dvlp")
            if found.error is None and len(found.record.code) > limits.instructions:
                error = LimitError("instructions", limits.instructions, len(found.record.code))
                found = found._replace(record=None, error=error)
            pieces.append(SalvagedRecord("dvlp", "DVLP", place, found))
        known: dict[int, ReadResult] = {}  # several offsets may lead to one executable
        for index in range(count):
            slot, path = OFFSETS + 4 * index, f"dvles[{index}]"
            offset = _word(data, slot)
            if data[offset : offset + 4] != b"DVLE":
                where = f", got the end at 0x{len(data):x}" if offset + 4 > len(data) else ""
                problem = f"expected DVLE at 0x{offset:x}{where}"
                errors.append(FormatError(problem, offset=slot, path=self._called(path)))
                continue
            if offset not in known:
                known[offset] = reading.read(Dvle, offset, short, path)
            elif known[offset].error is not None:
                continue
            pieces.append(SalvagedRecord(path, "DVLE", offset, known[offset]))
        self.errors = errors
        self._pieces = pieces
        self._short = short
        self.parts = self._sections()
        program = next((p.found.record for p in pieces if p.path == "dvlp"), None)
        whole = [p.found.record for p in pieces if p.name == "DVLE" and p.found.error is None]
        self._has_program = program is not None
        self._intact = cls(
            Dvlb(dvlp=program or Dvlp(), dvles=whole),
            short_header=dict(short)["short"] is True,
            limits=limits,
        )

    def _called(self, path: str) -> str:
        return called(path, self._count)

    def _sections(self) -> list[Part]:
        """Return the records as parts; a damaged one extends up to the next record."""
        starts = sorted([len(self._data), *(each.offset for each in self._pieces)])
        parts: list[Part] = []
        for each in self._pieces:
            value, error = each.found.record, each.found.error
            spans = [span._replace(path="") for span in spans_of(each.found.trace)]
            runs = extents(spans).get("", [])
            if error is not None:
                end = starts[bisect_right(starts, each.offset)]
                value, runs = self._data[each.offset : end], [(each.offset, end)]
            section = Section(each.name, value, runs, self._data)
            section.error = _renamed(error, self._called)
            parts.append(section)
        return sorted(parts, key=lambda part: part.offset)

    def intact(self) -> "Shbin":
        return self._intact

    def extract(self) -> dict[str, bytes]:
        return super().extract() if self._has_program else {}

    def disassemble(self, **options: Any) -> str:
        for part in self.parts:
            if part.name == "DVLP" and part.error is not None:
                raise part.error
        if not self._has_program:
            raise self.errors[0]
        return super().disassemble(**options)

    def fingerprint(self, part: Part) -> object:
        return write(part.value, self._short)

    def settle(self) -> None:
        _ = self._intact.programs

    def spans(self) -> list[Span]:
        end = OFFSETS + 4 * self._count
        head = self._data[:4] + self._count.to_bytes(4, "little") + self._data[OFFSETS:end]
        reading = SalvageReader(head[: len(self._data)])
        stated = _word(self._data, 4)
        found = [
            span._replace(value=stated) if span.path == "dvle_count" else span
            for span in spans_of(reading.read(Dvlb, arguments=self._short).trace)
        ]
        pointers: list[tuple[str, int]] = []
        for each in self._pieces:
            found += spans_of(each.found.trace)
            pointers += each.found.trace.pointers
        shader = self._intact
        if not self._has_program:  # use the words up to the damage
            code, table = (
                [s.value for s in found if s.path.startswith(f"dvlp.{name}[")]
                for name in ("code", "descriptors")
            )
            shader = type(shader)(Dvlb(dvlp=Dvlp(code=code, descriptors=table)))
        return instructions_named(shader, found, pointers, self._called)


class SalvagedObject(Remains):
    """The fields of a damaged DVOJ, up to the damage."""

    def __init__(self, cls: type[TableFile], data: bytes, limits: Limits) -> None:
        found = SalvageReader(data, limits).read(cls.RECORD, 0, cls.arguments_of(data))
        self._trace = found.trace
        self._data = data
        self._cls = cls
        section = Section("DVOJ", data, [(0, len(data))], data)
        section.error = _renamed(found.error, self._called)
        self.parts = [section]

    def _called(self, path: str) -> str:
        return self._cls.called_in(self._data, path)

    def spans(self) -> list[Span]:
        return [s._replace(path=self._called(s.path)) for s in spans_of(self._trace)]


def _program_place(data: bytes, limits: Limits) -> tuple[int | None, int]:
    """Return the offset of the DVLP, None if it is missing, and the number of DVLEs."""
    most = min(max(len(data) - OFFSETS, 0) // 4, limits.parts)
    count = _word(data, 4)
    at = OFFSETS + 4 * count
    if data[at : at + 4] != b"DVLP":
        at = data.find(b"DVLP", OFFSETS, OFFSETS + 4 * most + 4)
    if at < 0 or at % 4:
        return None, min(count, most)
    return at, min((at - OFFSETS) // 4, most)


def _renamed(error: Damage | None, name: Callable[[str], str]) -> Damage | None:
    """Return the error with the public path of its field."""
    if not isinstance(error, FormatError):
        return error
    return FormatError(error.problem, offset=error.offset, path=name(error.path))


def _word(data: bytes | memoryview, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def claimed_size(cls: "type[Shbin]", data: bytes | memoryview) -> int:
    """Return the end of the last readable field; 0 if the DVLP is missing."""
    count = _word(data, 4)
    at = OFFSETS + 4 * count
    if count > DEFAULT.parts or bytes(data[at : at + 4]) != b"DVLP":
        return 0
    return _last_end(SalvagedExecutables(cls, bytes(data[:WINDOW]), DEFAULT))


def claimed_size_of_object(cls: "type[DvojShader]", data: bytes | memoryview) -> int:
    """Return the end of the last readable field; 0 if the header does not lead to code."""
    place, words = _word(data, CODE), _word(data, CODE + 4)
    stage = data[STAGE] if len(data) >= HEADER else None
    if stage is None or stage >= len(ShaderType) or place < HEADER or place % 4:
        return 0
    if not 0 < words <= DEFAULT.instructions:
        return 0
    return _last_end(SalvagedObject(cls, bytes(data[:WINDOW]), DEFAULT))


def _last_end(remains: Remains) -> int:
    return max(span.offset + span.length for span in remains.spans())
