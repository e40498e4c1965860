"""What a DVLB and a DVOJ have in common: one record with everything, and code that is a program.

    record ── tables                           wire: read, written, shown by one declaration
       └──── code, descriptors ◄──► Program    decoded when asked for, written back by `to_bytes`

The program is made once. What is edited there counts, unless somebody gives the record another
code table; entries and labels that move with the code move in the record too.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostic, FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...parts import Part, PartTuple
from ...shader import Shader
from ...wire import Record, Span, Trace, trace
from ...wire.code import Arguments
from ...wire.data import Plain, hex_from_data
from ...wire.keeping import fields_or_bytes, layout_to_data, write_like, write_placed
from ...wire.spans import spans_of
from .data import fields, from_fields
from .parts import Section, extents
from .program import Entry, Program, descriptor_numbers, entry_of, program_of
from .records import Label, Output, ShaderType
from .spans import WIDTH, named_spans, shared_bytes
from .spelling import letters

if TYPE_CHECKING:
    from ...model import Reflection


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
            program = program_of(holder.code, holder.descriptors, self.entries(), self.limits)
            program.marks = [label.offset for label in self._labels()]
            program.mark_names = [str(label.symbol) for label in self._labels()]
            self._program = program
            self._tied = (*tie, program.entries, program.marks)
        else:
            self._write_program()
            self._program.entries = self.entries()
            self._tied = (*self._tied[:3], self._program.entries, self._program.marks)
        return self._program

    @property
    def programs(self) -> list[Program]:
        """The one program."""
        return [self.program]

    def entries(self) -> list[Entry]:
        """An entry of the program for each executable, as the tables are now."""
        found: list[Entry] = []
        taken: set[str] = set()
        for index, each in enumerate(self.executables):
            name = _unlike(self._entry_name(each) or "main", index, taken)
            main, end = self.bounds(each)
            geometry = each.type == ShaderType.GEOMETRY
            outputs = outputs_of(each.outputs)
            found.append(entry_of(name, geometry=geometry, main=main, end=end, outputs=outputs))
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
        code, descriptors = program.words(), descriptor_numbers(program)
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

    def identity(self) -> "Reflection":
        from .reflect import identity

        return identity(self)

    def spans(self) -> list[Span]:
        """Every named field of the file in file order."""
        return named_spans(self)

    def extract(self) -> dict[str, bytes]:
        """The code and the descriptors as they are sent to the hardware."""
        program = self.program
        low = b"".join(each.word.to_bytes(4, "little") for each in program.descriptors)
        return {"code": program.encode()[: program.code_size], "descriptors": low}

    # -- plain data ----------------------------------------------------------------------------

    def layout(self) -> Plain | None:
        """Where the tables stand, as plain data; None where it is as known writers put them.

        FormatError where one byte belongs to two values.
        """
        known = (("short", False),) if self._like is None else self.arguments_of(self._like)
        try:
            return layout_to_data(self.record, self.arguments, self._like, known, end=self._end)
        except FormatError as error:
            raise shared_bytes(self) or error from None

    def to_data(self) -> dict[str, Any]:
        """The tables and all around them, or the bytes where those have no layout to tell."""
        return {"format": self.format, **fields_or_bytes(self._fields, self.to_bytes)}

    def _fields(self) -> dict[str, Any]:
        self._write_program()
        return fields(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The file that plain data describes."""
        if "data" not in data:
            return from_fields(cls, {key: data[key] for key in data if key != "format"})
        if data.keys() - {"format", "data"}:
            raise FormatError("data and fields, where one is enough", path="data")
        return cls.loads(hex_from_data(data["data"], "data"))

    def lay_out(self, layout: object) -> None:
        """Put the tables where plain data says, or where known writers put them."""
        self._like = write_placed(self.record, self.arguments, layout, "layout", end=self._end)


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
