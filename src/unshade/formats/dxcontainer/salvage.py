"""Salvage of damaged containers: each entry of the part table is read on its own.

    table     52    180   7000  400              7000 is after the end: reported, and has no part
               │     │     ┌────┘
    file      [RDEF][ISGN……[SHEX…… ╳             a part ends at the next part or at the end of the
               ok    size   cut off              file; one that declares more is not intact

If two parts overlap, the size of the first is wrong, unless there is no part header at the offset
of the second, which is then wrong itself. Parts without an entry in the table are found between two
others, directly after the first.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...damaged import Damage, Remains
from ...errors import FormatError
from ...limits import DEFAULT, Limits
from ...tuples import NamedTuple
from ...wire import Span
from ...wire.salvage import SalvageReader
from ...wire.spans import spans_of
from .container import Header
from .part import PART_HEADER, DxPart, part_paths
from .parts import description_of
from .parts.program import NAMES as PROGRAMS
from .parts.program import decode_intact

if TYPE_CHECKING:
    from ...isa.lexer import Lexer
    from ...model import Reflection
    from .shader import DxContainer

__all__ = ["Salvaged", "claimed_size", "up_to_damage"]

TABLE = 32  # where the offsets of the parts begin


class TableEntry(NamedTuple):
    """An entry of the part table and its part header; `number` is -1 for a part without entry."""

    number: int
    offset: int
    name: str
    end: int  # as the header declares

    @property
    def path(self) -> str:
        return f"parts[{self.number}]"

    def likely(self, size: int) -> bool:
        """Return True if the entry probably refers to a part header."""
        return self.name.isascii() and self.name.isprintable() and self.end <= size


class PartTable(NamedTuple):
    """The entries of the part table that could be read; `end` is the end of the table."""

    end: int
    entries: list[TableEntry]
    errors: list[Damage]


def read_table(data: bytes, limits: Limits) -> PartTable:
    """Read the entries whose offsets are in the file; the others are errors."""
    size = len(data)
    found: list[TableEntry] = []
    errors: list[Damage] = []
    stated = _word(data, 28) if size >= TABLE else 0
    first = size  # the table ends where the first part begins, whatever the count is
    at = TABLE
    for number in range(min(stated, limits.parts)):
        if at + 4 > first:
            break
        offset = _word(data, at)
        if offset + PART_HEADER > size:
            problem = f"expected a part header at 0x{offset:x}, got the end at 0x{size:x}"
            errors.append(FormatError(problem, offset=at, path=f"parts[{number}]"))
        else:
            entry = _entry(data, number, offset)
            found.append(entry)
            if offset >= at + 4 and entry.likely(size):
                first = min(first, offset)
        at += 4
    inside = [each for each in found if each.offset < at]
    errors += [_overlap(each, at) for each in inside]
    return PartTable(at, [each for each in found if each.offset >= at], errors)


def placed(data: bytes, table: PartTable, errors: list[Damage]) -> Iterator[tuple[TableEntry, int]]:
    """Yield each part in file order with its latest possible end; also parts without an entry."""
    size = len(data)
    kept: list[TableEntry] = []
    for each in sorted(table.entries, key=lambda entry: (entry.offset, entry.number)):
        last = kept[-1] if kept else None
        if last is not None and last.end > each.offset:
            better = each.likely(size) and not last.likely(size)
            if each.offset < last.offset + PART_HEADER:  # the headers overlap: one is wrong
                errors.append(_overlap(last if better else each, each.offset + PART_HEADER))
                if not better:
                    continue
                kept.pop()
            elif last.likely(size) and not each.likely(size):
                errors.append(_overlap(each, last.end))
                continue
        kept.append(each)
    rooms = [each.offset for each in kept[1:]] + [size]
    if errors and (not kept or kept[0].offset > table.end):
        yield from _unlisted(data, table.end, kept[0].offset if kept else size)
    for each, room in zip(kept, rooms, strict=False):
        yield each, room
        if errors and each.end < room:
            yield from _unlisted(data, each.end, room)


def _unlisted(data: bytes, at: int, end: int) -> Iterator[tuple[TableEntry, int]]:
    """Yield the parts without an entry between two others."""
    while at + PART_HEADER <= end:
        each = _entry(data, -1, at)
        if description_of(each.name) is None or each.end > end:
            return
        yield each, end
        at = each.end


def _entry(data: bytes, number: int, offset: int) -> TableEntry:
    name = data[offset : offset + 4].decode("latin-1")
    return TableEntry(number, offset, name, offset + PART_HEADER + _word(data, offset + 4))


def _overlap(each: TableEntry, end: int) -> FormatError:
    problem = f"expected an offset from 0x{end:x} on, got 0x{each.offset:x}"
    return FormatError(problem, offset=TABLE + 4 * each.number, path=each.path)


def _word(data: bytes | memoryview, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


class Salvaged(Remains):
    """The parts of a damaged container."""

    def __init__(self, cls: "type[DxContainer]", data: bytes, limits: Limits) -> None:
        self._data = data
        self._table = table = read_table(data, limits)
        errors = list(table.errors)
        parts = [_part(data, *each, limits) for each in placed(data, table, errors)]
        self._raw = [part.data for part in parts]
        self.errors = errors
        self._whole = cls(parts, limits)  # all parts, damaged ones included
        self._whole.pad_parts()
        self.parts = self._whole.parts
        self._intact: DxContainer | None = None

    def intact(self) -> "DxContainer":
        if self._intact is None:
            whole = [part for part in self._whole.parts if not _is_damaged(part)]
            self._intact = type(self._whole)(whole, self._whole.limits)
        return self._intact

    def spans(self) -> list[Span]:
        found = self._header_spans()
        paths = part_paths(self._whole.parts)
        for part, raw, path in zip(self._whole.parts, self._raw, paths, strict=True):
            declared = _word(self._data, part.offset + 4)
            found += part.spans_at(part.offset, path, declared, raw)
        return found

    def _header_spans(self) -> list[Span]:
        data, end = self._data, self._table.end
        if len(data) < TABLE:
            return spans_of(SalvageReader(data).read(Header).trace)
        count = (end - TABLE) // 4
        head = data[:28] + count.to_bytes(4, "little") + data[TABLE:end]
        found = spans_of(SalvageReader(head).read(Header).trace)
        stated = _word(data, 28)
        return [s._replace(value=stated) if s.path == "part_count" else s for s in found]

    def reflect(self) -> "Reflection":
        return self._whole.reflect()

    def identity(self) -> "Reflection":
        return self._whole.identity()

    def lexer(self, dialect: str | None = None) -> "Lexer":
        return up_to_damage(self._whole)[0].lexer(dialect)

    def disassemble(self, **options: Any) -> str:
        return self._whole.disassemble(strict=False, **options)


def up_to_damage(shader: "DxContainer") -> "tuple[DxContainer, Damage | None]":
    """Return the container with a malformed program cut off at the damage, and the error there."""
    parts: list[DxPart] = []
    ends: Damage | None = None
    for part in shader.parts:
        shown = part
        if part.name in PROGRAMS and _is_damaged(part) and ends is None:
            program, problem = decode_intact(part.data, shader.limits)
            if program is not None:
                shown = DxPart(part.name, program)
                ends = part.error if problem is None else problem
            if isinstance(ends, FormatError) and ends is problem:
                ends = ends.within(part.offset + PART_HEADER, part.name)
        parts.append(shown)
    return type(shader)(parts, shader.limits), ends


def _is_damaged(part: DxPart) -> bool:
    _ = part.value  # sets `error` if it is malformed
    return part.error is not None


def _part(data: bytes, entry: TableEntry, room: int, limits: Limits) -> DxPart:
    """Return the part; with an error if it does not end before `room`."""
    start = entry.offset + PART_HEADER
    part = DxPart(
        entry.name, data[start : min(entry.end, room)], offset=entry.offset, limits=limits
    )
    if entry.end > room:
        where = "" if room == len(data) else f" before the part at 0x{room:x}"
        problem = f"expected {entry.end - start} bytes for {entry.name}{where}, got {room - start}"
        path = f"{entry.path}.size" if entry.number >= 0 else f"{entry.name}.size"
        part.error = FormatError(problem, offset=entry.offset + 4, path=path)
    return part


def claimed_size(data: bytes | memoryview) -> int:
    """Return the size in the header at the start of `data`, at most the size of `data`.

    Return 0 if the data is probably not a header: another version, no parts, or too little room.
    """
    if len(data) < TABLE or _word(data, 20) != 1:
        return 0
    size, count = _word(data, 24), _word(data, 28)
    if not 1 <= count <= DEFAULT.parts or not TABLE + 12 * count <= size <= DEFAULT.file_size:
        return 0
    return min(size, len(data))
