"""Base of SHBIN files and objects: one record for the whole file, and a program of its code.

    record ── tables                           wire: read, written, shown by one declaration
       └──── code, descriptors ◄──► Program    decoded on demand, written back by `to_bytes`

The program is decoded once. Edits of the program take effect unless the record is given another
code table; entries and labels that move with the code are adjusted in the record too.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostic, Diagnostics, FormatError, LimitError
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import Part, PartTuple
from ...program import Program as BaseProgram
from ...shader import Shader
from ...wire import ReadTrace, Record, Span, trace
from ...wire.codegen import Arguments
from ...wire.data import Plain, hex_from_data
from ...wire.roundtrip import fields_or_bytes, layout_to_data, write_like, write_placed
from ...wire.spans import spans_of
from .data import fields, from_fields
from .parts import Section, extents
from .program import Entry, Program, descriptor_numbers, entry_of, program_of
from .records import Label, Output, ShaderType
from .spans import WIDTH, code_path, named_spans, shared_bytes
from .spelling import letters

if TYPE_CHECKING:
    from ...model import Reflection


class TableFile(Shader):
    """A file that is one record.

    `record` has all its tables. `padded` is True if the file is padded to a multiple of four bytes;
    None means as usual for its version: picasso's files are padded, aemstro's and nihstro's not.
    """

    RECORD: ClassVar[type[Record]]
    record: Any

    def __init__(self, record: Any, *, limits: Limits = DEFAULT) -> None:
        self.record = record
        self.padded: bool | None = None
        self.limits = limits
        self.trailing = b""
        self.findings: list[Diagnostic] = []  # warnings of the assembler
        self._like: bytes | None = None  # the bytes read, without trailing ones
        self._program: Program | None = None
        self._tied: tuple[Any, ...] = ()
        self._trace: tuple[bytes, ReadTrace] | None = None

    # -- to be defined by formats ---------------------------------------------------------------

    @property
    @abstractmethod
    def executables(self) -> Sequence[Any]:
        """The records of the shaders in the program."""

    @property
    @abstractmethod
    def code_holder(self) -> Any:
        """The record with the code."""

    @property
    def arguments(self) -> Arguments:
        """The parameters of the record's declaration."""
        return (("short", False),)

    @classmethod
    def arguments_of(cls, data: bytes) -> Arguments:
        """Return the parameters of the record's declaration for a file."""
        return (("short", False),)

    def adopt(self, arguments: Arguments) -> None:
        """Keep the parameters that `arguments_of` returned."""

    @abstractmethod
    def called(self, path: str) -> str:
        """Return the public path of a field."""

    @abstractmethod
    def prefix(self, executable: int) -> str:
        """Return the prefix of the paths of an executable's fields, such as `dvles[0].`"""

    @property
    @abstractmethod
    def code_prefix(self) -> str:
        """The prefix of the paths of the code's record, such as `dvlp.`"""

    @property
    @abstractmethod
    def sections(self) -> list[tuple[str, str, Any]]:
        """The parts: public path, name, record."""

    def bounds(self, executable: Any) -> tuple[int, int]:
        """Return the first word of an executable and the word after its last; 0 if unknown."""
        return 0, len(self.code_holder.code)

    def moved(self, executable: Any, main: int, end: int) -> None:
        """Record the new place of an executable's code, if the format stores it."""

    def distinct(self) -> Iterator[tuple[int, Any]]:
        """Yield each executable once, with its number; several offsets may lead to the same one."""
        seen: set[int] = set()
        for index, each in enumerate(self.executables):
            if id(each) not in seen:
                seen.add(id(each))
                yield index, each

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a file; bytes after the last table are kept in `trailing`."""
        data = bytes(data)
        check_file_size(len(data), limits)
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
        """Return the public path of a field in a file that cannot be read."""

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size of the file at the start of `data`, up to the end of its last table."""
        for window in (1 << 12, 1 << 16, 1 << 20, DEFAULT.file_size):
            try:
                shader = cls.loads(bytes(data[:window]))
            except FormatError:
                if window >= min(len(data), DEFAULT.file_size):
                    raise
            else:
                return len(shader.to_bytes()) - len(shader.trailing)
        raise FormatError(f"expected a file of at most {DEFAULT.file_size} bytes")

    @property
    def fills(self) -> bool:
        """True if the file is padded to a multiple of four bytes."""
        return (
            any(each.version for each in self.executables) if self.padded is None else self.padded
        )

    @property
    def _end(self) -> int:
        return WIDTH if self.fills else 1

    def to_bytes(self) -> bytes:
        """Return the exact bytes of the file."""
        return self._own_bytes() + self.trailing

    def _own_bytes(self) -> bytes:
        self._write_program()
        like = self._like
        known = (("short", False),) if like is None else self.arguments_of(like)
        return write_like(self.record, self.arguments, like, known, end=self._end)

    def forget_layout(self) -> None:
        """Discard the layout: the writer makes a new one, without bytes outside of tables."""
        self._write_program()
        self._like = None

    def traced(self) -> tuple[bytes, ReadTrace]:
        """Return the bytes of the file without trailing ones, and the trace of its fields."""
        data = self._own_bytes()
        if self._trace is None or self._trace[0] != data:
            self._trace = data, trace(self.RECORD, data, self.arguments)
        return self._trace

    # -- the program ---------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        """The program, with an entry for each executable."""
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
        """Return an entry for each executable, from the current tables."""
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
        """Return the name of the last label at the first word; ends are listed before starts."""
        main, _ = self.bounds(executable)
        names = [str(each.symbol) for each in executable.labels if each.offset == main]
        return names[-1] if names else ""

    def _labels(self) -> list[Label]:
        return [label for each in self.executables for label in each.labels]

    def _write_program(self) -> None:
        """Write edits of the program to the record."""
        program, holder = self._program, self.code_holder
        if program is None or self._tied[0] is not holder.code or self._tied[1] != holder.code:
            return  # not decoded yet, or the record was given other code
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

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    def verify(self, **options: Any) -> Diagnostics:
        from ...dialect import no_options
        from .verify import verify

        no_options(self.format, options, "verify")
        return Diagnostics(verify(self))

    @property
    def diagnostics(self) -> Diagnostics:
        """The findings made while reading or assembling."""
        from .verify import reading

        return Diagnostics([*self.findings, *reading(self)])

    def field_path(self, program: BaseProgram[Any], path: str) -> str:
        return code_path(self, path)

    def spans(self) -> list[Span]:
        """Return every named field of the file, in file order."""
        return named_spans(self)

    def extract(self) -> dict[str, bytes]:
        """Return the code and the descriptors as uploaded to the hardware."""
        program = self.program
        low = b"".join(each.word.to_bytes(4, "little") for each in program.descriptors)
        return {"code": program.encode()[: program.code_size], "descriptors": low}

    # -- plain data ----------------------------------------------------------------------------

    def layout(self) -> Plain | None:
        """Return the layout of the tables as plain data; None if it matches a known writer.

        Raises:
            FormatError: A byte belongs to two values.
        """
        known = (("short", False),) if self._like is None else self.arguments_of(self._like)
        try:
            return layout_to_data(self.record, self.arguments, self._like, known, end=self._end)
        except FormatError as error:
            raise shared_bytes(self) or error from None

    def to_data(self) -> dict[str, Any]:
        """Return the file as plain data, or as its bytes if no layout can describe it."""
        return {"format": self.format, **fields_or_bytes(self._fields, self.to_bytes)}

    def _fields(self) -> dict[str, Any]:
        self._write_program()
        return fields(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Return the file that plain data describes."""
        if "data" not in data:
            return from_fields(cls, {key: data[key] for key in data if key != "format"})
        if data.keys() - {"format", "data"}:
            raise FormatError("expected either data or fields, got both", path="data")
        return cls.loads(hex_from_data(data["data"], "data"))

    def lay_out(self, layout: object) -> None:
        """Lay out the tables as in plain data, or, for None, as known writers do."""
        self._like = write_placed(self.record, self.arguments, layout, "layout", end=self._end)


def _unlike(name: str, number: int, taken: set[str]) -> str:
    """Return the name, with a number if another entry has it: entries are chosen by name."""
    if name in taken:
        name = next(new for n in count(number) if (new := f"{name}{n}") not in taken)
    taken.add(name)
    return name


def outputs_of(rows: Sequence[Output]) -> dict[int, str]:
    """Return the mapped components of each output register."""
    masks: dict[int, int] = {}
    for row in rows:
        masks[row.register] = masks.get(row.register, 0) | row.mask
    return {register: letters(mask) for register, mask in masks.items()}
