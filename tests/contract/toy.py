"""The smallest format that supports everything that formats can do.

    TOY!   u8 stage   u8 bytes of the note   u16 numbers   u32 each number   the note

Its text is

    .toy vertex          the stage
    .number 7            each number
    .note made by hand   debug information

This is the cost of a format: a description, a record, a part, a program, a shader. Nothing
else in the library or its tests knows of it.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, ClassVar, Self

from unshade.dialect import Heading, no_dialect
from unshade.errors import Diagnostic, Diagnostics, FormatError, LimitError, Severity, UsageError
from unshade.format import Format, Option
from unshade.isa.lexer import Kind, Lexer
from unshade.isa.source import ErrorList, Source
from unshade.limits import DEFAULT, Limits
from unshade.model import Reflection, Stage
from unshade.parts import Category, PartTuple
from unshade.program import EntryPoint, Program
from unshade.rule import Rule, table
from unshade.shader import Shader
from unshade.stripping import Loss
from unshade.wire import (
    U32,
    Record,
    Span,
    array,
    blob,
    derived,
    field,
    magic,
    read_prefix,
    trace,
    u8,
    u16,
    write,
)
from unshade.wire.data import from_data, hex_from_data, to_data
from unshade.wire.spans import spans_of

TOY = Format(
    "toy",
    b"TOY!",
    f"{__name__}:Toy",
    suffix=".toy",
    says=r"\.toy\b",
    example=".toy vertex",
    texts=(".toytext",),
    tool="toyc",
    text="a toy's text",
    listing=(Option("hexadecimal", "Numbers in base 16."),),
    assembler=(Option("note", "Leave the note out.", value=False),),
    strips=(("debug", "the note"),),
)
EXACT = Heading("toy", "exact", 1)
RULES = table((
    Rule("toy.zero", Severity.WARNING, "a number is zero", "Nobody has a use for it."),
))  # fmt: skip


class ToyStage(IntEnum):
    """The stage of a shader."""

    VERTEX = 0
    PIXEL = 1


class ToyRecord(Record, source="this file"):
    """All of a file."""

    magic: bytes = magic("TOY!", b"TOY!")
    stage: u8 = field("who runs it", enum=ToyStage)
    note_size: u8 | None = derived("bytes of the note", "len(note)")
    count: u16 | None = derived("how many numbers", "len(numbers)")
    numbers: list[int] = array("the program", U32, count="count")
    note: bytes = blob("who made it", "note_size")


class Number:
    """An instruction: one number."""

    name = "number"
    results = ()

    def __init__(self, value: int) -> None:
        self.operands = (value,)

    def __str__(self) -> str:
        return f".number {self.operands[0]}"


class ToyProgram(Program[Number]):
    """The numbers of a file."""

    def __init__(self, stage: str, numbers: Sequence[int]) -> None:
        self.stage = stage
        self.numbers = numbers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToyProgram) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it can change

    @property
    def entry_points(self) -> list[EntryPoint]:
        return [EntryPoint("main", self.stage)]

    @property
    def instructions(self) -> list[Number]:
        return [Number(each) for each in self.numbers]

    def disassemble(self, dialect: str | None = None) -> str:
        return "".join(f"{each}\n" for each in [f".toy {self.stage}", *self.instructions])

    def lexer(self) -> Lexer:
        return Lexer((Kind.COMMENT, r";.*"), (Kind.DECLARATION, r"\.[a-z]+"))

    def verify(self) -> list[Diagnostic]:
        return [
            RULES["toy.zero"].found("", offset=8 + 4 * at, path=f"numbers[{at}]")
            for at, each in enumerate(self.numbers)
            if not each
        ]


class ToyPart:
    """The whole file as its only part."""

    name = "TOYS"
    title = "numbers and a note"
    category = Category.CODE
    offset = 0
    error: FormatError | LimitError | None = None

    def __init__(self, record: ToyRecord) -> None:
        self.value = record

    @property
    def data(self) -> bytes:
        return write(self.value)

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def extents(self) -> list[tuple[int, int]]:
        return [(0, self.size)]

    def category_of(self, field: str) -> Category:
        return Category.DEBUG if field.startswith("note") else Category.CODE

    def in_program(self, field: str) -> bool:
        return field.startswith("numbers")

    def described(self, field: str, value: Any) -> str | None:
        return None


class Toy(Shader):
    """A toy's file."""

    format: ClassVar[str] = "toy"
    comment: ClassVar[str] = ";"

    def __init__(self, record: ToyRecord, trailing: bytes = b"") -> None:
        self.record = record
        self.trailing = trailing

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        record, end = read_prefix(ToyRecord, bytes(data), limits=limits)
        return cls(record, bytes(data[end:]))

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        return read_prefix(ToyRecord, bytes(data))[1]

    def to_bytes(self) -> bytes:
        return write(self.record) + self.trailing

    @property
    def parts(self) -> PartTuple:
        return PartTuple([ToyPart(self.record)])

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        return {"TOYS": ToyRecord}

    @property
    def stage(self) -> str:
        return ToyStage(self.record.stage).name.lower() if self.record.stage < 2 else "unknown"

    @property
    def programs(self) -> list[ToyProgram]:
        return [ToyProgram(self.stage, self.record.numbers)]

    def to_data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"format": self.format, **to_data(self.record)}
        return found | ({"trailing": self.trailing.hex()} if self.trailing else {})

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        left = {key: value for key, value in data.items() if key != "format"}
        trailing = hex_from_data(left.pop("trailing", ""), "trailing")
        return cls(from_data(ToyRecord, left), trailing)

    def spans(self) -> list[Span]:
        data = self.to_bytes()
        end = len(data) - len(self.trailing)
        found = spans_of(trace(ToyRecord, data))
        if self.trailing:
            found.append(Span(end, len(self.trailing), "trailing", self.trailing, "", None, "raw"))
        return found

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        base = options.pop("hexadecimal", False)
        if options:
            raise UsageError(f"a toy's text has no option {next(iter(options))}")
        if dialect not in (None, "native", "exact"):
            raise no_dialect(self.format, dialect, "native", "exact")
        lines = [EXACT.line(";")] if dialect == "exact" else []
        lines.append(f".toy {self.stage}")
        lines += [
            f".number {each:#x}" if base else f".number {each}" for each in self.record.numbers
        ]
        if self.record.note:
            lines.append(f".note {self.record.note.decode('latin-1')!r}")
        return "\n".join([*lines, ""])

    @classmethod
    def assemble(
        cls, sources: Sequence[Source], *, donor: Self | None = None, **options: Any
    ) -> Self:
        (source,) = sources
        keeps_note = options.pop("note", True)
        mistakes = ErrorList()
        record = ToyRecord(stage=0)
        for number, line in enumerate(source.lines, 1):
            word, _, rest = line.partition(" ")
            with mistakes:
                match word:
                    case ".toy":
                        record.stage = ToyStage[rest.upper()]
                    case ".number":
                        record.numbers.append(int(rest, 0))
                    case ".note":
                        record.note = rest[1:-1].encode("latin-1") if keeps_note else b""
                    case "" | ";":
                        pass
                    case _:
                        raise source.error(f"no word of a toy: {word}", number)
        mistakes.check()
        return cls(record)

    def identity(self) -> Reflection:
        known = self.record.stage < 2
        return Reflection(format=self.format, stage=Stage(self.stage) if known else self.stage)

    def reflect(self) -> Reflection:
        return self.identity()

    def verify(self, **options: Any) -> Diagnostics:
        return Diagnostics(self.programs[0].verify())

    @classmethod
    def rule_tables(cls) -> Mapping[str, Mapping[str, Rule]]:
        return {"Toys": RULES}

    def _losses(self) -> list[Loss]:
        size = len(self.record.note)
        return [Loss("TOYS", size, "debug", "nobody knows who made it")] if size else []

    def _strip(self, lost: Sequence[Loss]) -> None:
        if lost:
            self.record.note = b""

    def extract(self) -> dict[str, bytes]:
        return {"TOYS": write(self.record)}


def one_of_each() -> dict[str, bytes]:
    """Return toy files of every kind."""
    return {
        "vertex": write(ToyRecord(stage=0, numbers=[1, 2, 0xFFFF_FFFF], note=b"by hand")),
        "pixel": write(ToyRecord(stage=1, numbers=[0])),
        "trailing": write(ToyRecord(stage=1, numbers=[3])) + b"more",
    }
