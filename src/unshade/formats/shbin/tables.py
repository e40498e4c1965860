"""What a DVLB and a DVOJ have in common: one record with everything, and code that is a program.

    record ── tables                           wire: read, written, shown by one declaration
       └──── code, descriptors ◄──► Program    decoded when asked for, written back by `to_bytes`

The program is made once. What is edited there counts, unless somebody gives the record another
code table; entries and labels that move with the code move in the record too.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, ClassVar, Self

from ...errors import Diagnostic, FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...programs.pica import Entry, Program
from ...programs.pica.program import Stage
from ...programs.pica.program_data import (
    descriptors_from_data,
    descriptors_to_data,
    instructions_from_data,
    instructions_to_data,
)
from ...shader import Part, PartTuple, Shader
from ...wire import Record, Span, Trace, trace
from ...wire.code import Arguments
from ...wire.data import Plain, from_data, hex_from_data, to_data
from ...wire.keeping import fields_or_bytes, layout_to_data, write_like, write_placed
from ...wire.spans import gaps, spans_of
from .records import Label, Output, ShaderType
from .section import Section, extents
from .spelling import letters

LOW = 0xFFFF_FFFF
WIDTH = 4  # bytes, to a multiple of which picasso fills up
KEYS = ("header", "padded", "layout", "trailing")  # of plain data, beside the record's own


class TableFile(Shader):
    """A file that is one record.

    `record` is all that it says; `padded` tells whether the file is filled up to a multiple of
    four, None that it is as its version has it: picasso's are, aemstro's and nihstro's are not.
    """

    RECORD: ClassVar[type[Record]]
    record: Any

    def __init__(self, record: Any, *, limits: Limits = DEFAULT) -> None:
        self.record = record
        self.padded: bool | None = None
        self.limits = limits
        self.trailing = b""
        self.findings: list[Diagnostic] = []  # of whoever made the record: an assembler's warnings
        self._like: bytes | None = None  # what the record was read from, without what trails
        self._program: Program | None = None
        self._tied: tuple[Any, ...] = ()
        self._trace: tuple[bytes, Trace] | None = None

    # -- what the formats say ------------------------------------------------------------------

    @property
    @abstractmethod
    def executables(self) -> Sequence[Any]:
        """The records that say how a shader of the program is run."""

    @property
    @abstractmethod
    def code_holder(self) -> Any:
        """The record that has the code."""

    @property
    def arguments(self) -> Arguments:
        """The parameters of the record."""
        return (("short", False),)

    @classmethod
    def arguments_of(cls, data: bytes) -> Arguments:
        """The parameters of the record that these bytes are."""
        return (("short", False),)

    def adopt(self, arguments: Arguments) -> None:
        """Keep what `arguments_of` told."""

    @abstractmethod
    def called(self, path: str) -> str:
        """A field's path as it is told outside."""

    @abstractmethod
    def prefix(self, executable: int) -> str:
        """What the paths of an executable's fields begin with: `dvles[0].`"""

    @property
    @abstractmethod
    def code_prefix(self) -> str:
        """What those of the code's record begin with: `dvlp.`"""

    @property
    @abstractmethod
    def sections(self) -> list[tuple[str, str, Any]]:
        """The parts: path outside, name, record."""

    def bounds(self, executable: Any) -> tuple[int, int]:
        """The first word of an executable and the word behind its last, 0 if that is not told."""
        return 0, len(self.code_holder.code)

    def moved(self, executable: Any, main: int, end: int) -> None:
        """Write down where the code of an executable is now, where the format says so at all."""

    def distinct(self) -> Iterator[tuple[int, Any]]:
        """The executables with their numbers; several offsets may lead to one."""
        seen: set[int] = set()
        for index, each in enumerate(self.executables):
            if id(each) not in seen:
                seen.add(id(each))
                yield index, each

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a file; what stands behind the last table is kept in `trailing`."""
        data = bytes(data)
        if len(data) > limits.file_size:
            raise LimitError("file_size", limits.file_size, len(data))
        arguments = cls.arguments_of(data)
        try:
            found = trace(cls.RECORD, data, arguments, limits)
        except FormatError as error:
            path = cls.called_in(data, error.path)
            raise FormatError(error.problem, offset=error.offset, path=path) from None
        self = cls(found.record, limits=limits)
        self.adopt(arguments)
        words = len(self.code_holder.code)
        if words > limits.instructions:
            raise LimitError("instructions", limits.instructions, words)
        end = max(stop for _, stop, *_ in found.spans)
        filler = data[end : end + -end % WIDTH]
        if self.fills and filler == bytes(-end % WIDTH):
            end += len(filler)
        elif self.fills:
            self.padded = False
        self.trailing = data[end:]
        self._like = data[:end]
        self._trace = (self._like, found)
        return self

    @classmethod
    @abstractmethod
    def called_in(cls, data: bytes, path: str) -> str:
        """`called` for a file that cannot be read."""

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """The size of the file at the start of `data`, up to the end of its last table."""
        for window in (1 << 12, 1 << 16, 1 << 20, DEFAULT.file_size):
            try:
                shader = cls.loads(bytes(data[:window]))
            except FormatError:
                if window >= min(len(data), DEFAULT.file_size):
                    raise
            else:
                return len(shader.to_bytes()) - len(shader.trailing)
        raise FormatError("no end in sight")

    @property
    def fills(self) -> bool:
        """Whether the file is filled up to a multiple of four."""
        return (
            any(each.version for each in self.executables) if self.padded is None else self.padded
        )

    @property
    def _end(self) -> int:
        return WIDTH if self.fills else 1

    def to_bytes(self) -> bytes:
        """The exact bytes of the file."""
        return self._own_bytes() + self.trailing

    def _own_bytes(self) -> bytes:
        self._write_program()
        like = self._like
        known = (("short", False),) if like is None else self.arguments_of(like)
        return write_like(self.record, self.arguments, like, known, end=self._end)

    def forget_layout(self) -> None:
        """Let the writer lay the file out anew, without what belonged to no table."""
        self._write_program()
        self._like = None

    def traced(self) -> tuple[bytes, Trace]:
        """The bytes of the file without what trails, and where everything is in them."""
        data = self._own_bytes()
        if self._trace is None or self._trace[0] != data:
            self._trace = data, trace(self.RECORD, data, self.arguments)
        return self._trace

    # -- the program ---------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        """The code, with an entry for each executable."""
        holder = self.code_holder
        tie = (holder.code, list(holder.code), list(holder.descriptors))
        if self._program is None or (self._tied[0] is not tie[0] or self._tied[1:3] != tie[1:]):
            pairs = [(word & LOW, word >> 32) for word in holder.descriptors]
            program = Program.of_words(holder.code, pairs, self._entries(), self.limits)
            program.marks = [label.offset for label in self._labels()]
            self._program = program
            self._tied = (*tie, program.entries, program.marks)
        else:
            self._write_program()
            self._program.entries = self._entries()
            self._tied = (*self._tied[:3], self._program.entries, self._program.marks)
        return self._program

    @property
    def programs(self) -> list[Program]:
        """The one program."""
        return [self.program]

    def _entries(self) -> list[Entry]:
        found: list[Entry] = []
        taken: set[str] = set()
        for index, each in enumerate(self.executables):
            name = _unlike(self._entry_name(each) or "main", index, taken)
            main, end = self.bounds(each)
            stage: Stage = "geometry" if each.type == ShaderType.GEOMETRY else "vertex"
            found.append(Entry(name, stage, main, end, outputs_of(each.outputs)))
        return found

    def _entry_name(self, executable: Any) -> str:
        """The label at its first word; of several the last, since ends are told before starts."""
        main, _ = self.bounds(executable)
        names = [str(each.symbol) for each in executable.labels if each.offset == main]
        return names[-1] if names else ""

    def _labels(self) -> list[Label]:
        return [label for each in self.executables for label in each.labels]

    def _write_program(self) -> None:
        """What was edited in the program goes into the record."""
        program, holder = self._program, self.code_holder
        if program is None or self._tied[0] is not holder.code or self._tied[1] != holder.code:
            return  # nobody asked for one, or the record has another code by now
        for executable, entry, old in zip(
            self.executables, program.entries, self._tied[3], strict=False
        ):
            if (entry.main, entry.end) != (old.main, old.end):
                self.moved(executable, entry.main, entry.end)
        for label, place in zip(self._labels(), program.marks, strict=False):
            label.offset = place
        code, descriptors = program.words(), [d.high << 32 | d.word for d in program.descriptors]
        if code != holder.code or descriptors != holder.descriptors:
            holder.code, holder.descriptors = code, descriptors
        self._tied = (holder.code, list(code), descriptors, program.entries, program.marks)

    # -- views ---------------------------------------------------------------------------------

    @property
    def parts(self) -> PartTuple:
        """The records of the file, in file order."""
        data, found = self.traced()
        spans = [span._replace(path=self.called(span.path)) for span in spans_of(found)]
        runs = extents(spans)
        parts: list[Part] = [
            Section(name, record, runs.get(path, []), data) for path, name, record in self.sections
        ]
        return PartTuple(sorted(parts, key=lambda part: part.offset))

    def spans(self) -> list[Span]:
        """Every named field of the file in file order."""
        data, found = self.traced()
        spans = spans_of(found)
        places = dict(found.pointers)
        lead = self.code_prefix
        code, table = places.get(f".{lead}code", 0), places.get(f".{lead}descriptors", 0)
        words = (f"{lead}code[", f"{lead}descriptors[")
        named = [
            span._replace(path=self.called(span.path))
            for span in spans
            if not span.path.startswith(words)
        ]
        of_code, of_descriptors = self.program.spans()
        for each in of_code:
            path = self.called(lead + each.path.replace("instructions[", "code[", 1))
            named.append(each._replace(offset=each.offset + code, path=path))
        for each in of_descriptors:
            path = self.called(lead + each.path)
            named.append(each._replace(offset=each.offset + table, path=path))
        for start, end in gaps(named, len(data)):
            raw = data[start:end]
            path = self.called("unread")
            if any(raw) or end - start >= WIDTH:
                named.append(Span(start, end - start, path, raw, "in no table", None, "raw"))
            else:
                doc = f"fills up to a multiple of {WIDTH}"
                path = self.called("padding")
                named.append(Span(start, end - start, path, raw, doc, None, "padding"))
        if self.trailing:
            doc = "behind the last table"
            size = len(self.trailing)
            named.append(Span(len(data), size, "trailing", self.trailing, doc, None, "raw"))
        named.sort(key=lambda span: (span.offset, span.length if span.bits is None else 0))
        return named

    def extract(self) -> dict[str, bytes]:
        """The code and the descriptors as they are sent to the hardware."""
        code, _ = self.program.encode()
        low = b"".join(each.word.to_bytes(4, "little") for each in self.program.descriptors)
        return {"code": code, "descriptors": low}

    # -- plain data ----------------------------------------------------------------------------

    def record_to_data(self) -> dict[str, Plain]:
        """The record as plain data, its code as instructions."""
        self._write_program()
        found = to_data(self.record, self.limits)
        holder = found if self.code_holder is self.record else found["dvlp"]
        for name, made in (
            ("code", instructions_to_data(self.program.instructions)),
            ("descriptors", descriptors_to_data(self.program.descriptors)),
        ):
            holder[name] = made
        return found

    def layout(self) -> Plain | None:
        """Where the tables stand, as plain data; None where it is as known writers put them.

        FormatError where one byte belongs to two values.
        """
        known = (("short", False),) if self._like is None else self.arguments_of(self._like)
        try:
            return layout_to_data(self.record, self.arguments, self._like, known, end=self._end)
        except FormatError as error:
            raise self._shared_bytes() or error from None

    def _shared_bytes(self) -> FormatError | None:
        """Which two values the same bytes belong to; texts may share theirs."""
        spans = sorted(spans_of(self.traced()[1]), key=lambda span: span.offset)
        before: Span | None = None  # the one that reaches furthest
        for span in spans:
            if before is not None and span.offset < before.offset + before.length:
                texts = isinstance(span.value, str) and isinstance(before.value, str)
                same = (span.offset, span.length) == (before.offset, before.length)
                if not texts and not same:
                    path, other = self.called(span.path), self.called(before.path)
                    problem = f"these bytes also belong to {other}: there is no layout to tell"
                    return FormatError(problem, offset=span.offset, path=path)
            if before is None or span.offset + span.length > before.offset + before.length:
                before = span
        return None

    def to_data(self) -> dict[str, Any]:
        """The tables and all around them, or the bytes where those have no layout to tell."""
        return {"format": self.format, **fields_or_bytes(self._fields, self.to_bytes)}

    def _fields(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.padded is not None:
            found["padded"] = self.padded
        found |= self.record_to_data()
        layout = self.layout()
        if layout is not None:
            found["layout"] = layout
        if self.trailing:
            found["trailing"] = self.trailing.hex()
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        left = dict(data)
        left.pop("format", None)
        if "data" in left:
            if len(left) > 1:
                raise FormatError("data and fields, where one is enough", path="data")
            return cls.loads(hex_from_data(left["data"], "data"))
        rest = {key: left.pop(key) for key in KEYS if key in left}
        header = rest.get("header", "long")
        if header not in ("long", "short"):
            raise FormatError(f"long or short expected, not {header!r:.40}", path="header")
        arguments: Arguments = (("short", header == "short"),)
        holder = left.get("dvlp") if "dvlp" in {f.name for f in cls.RECORD.layout.fields} else left
        if isinstance(holder, dict):
            where = "dvlp." if holder is not left else ""
            holder = dict(holder)
            holder["code"] = [
                each.word for each in instructions_from_data(holder.get("code", []), f"{where}code")
            ]
            holder["descriptors"] = [
                each.high << 32 | each.word
                for each in descriptors_from_data(
                    holder.get("descriptors", []), f"{where}descriptors"
                )
            ]
            left = {**left, "dvlp": holder} if where else holder
        self = cls(from_data(cls.RECORD, left, arguments))
        self.adopt(arguments)
        padded = rest.get("padded")
        if padded is not None and not isinstance(padded, bool):
            raise FormatError(f"true or false expected, not {padded!r:.40}", path="padded")
        self.padded = padded
        self.trailing = hex_from_data(rest.get("trailing", ""), "trailing")
        self._like = write_placed(
            self.record, arguments, rest.get("layout"), "layout", end=self._end
        )
        return self


def _unlike(name: str, number: int, taken: set[str]) -> str:
    """The name, with a number if another entry has it: names are what one chooses by."""
    if name in taken:
        name = next(new for n in count(number) if (new := f"{name}{n}") not in taken)
    taken.add(name)
    return name


def outputs_of(rows: Sequence[Output]) -> dict[int, str]:
    """The components of each output register that mean something."""
    masks: dict[int, int] = {}
    for row in rows:
        masks[row.register] = masks.get(row.register, 0) | row.mask
    return {register: letters(mask) for register, mask in masks.items()}
