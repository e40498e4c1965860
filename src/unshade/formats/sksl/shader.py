"""SkSL binary files: a program or module with its string pool."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...dialect import only_options
from ...errors import Diagnostics, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...rule import Rule
from ...shader import Shader
from ...stripping import Loss, program_losses, without
from ...wire import Span, read, write
from .program import Program, commands_start, decode, unit_key
from .records import SkslFile

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...isa.source import Source
    from ...model import Reflection
    from ...program import Program as BaseProgram

__all__ = ["SkslShader"]

ASSEMBLER = ("kind", "optimize")


class SkslShader(Shader):
    """An SkSL binary file; `program` is its program."""

    format: ClassVar[str] = "sksl"

    def __init__(self, program: Program, *, limits: Limits = DEFAULT) -> None:
        self.program = program
        self.limits = limits

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a file; bytes after the last command are kept in `trailing`.

        Raises:
            FormatError: The header, the pool or a command is malformed.
            LimitError: The file exceeds `limits`.
            UnsupportedError: The version is not known.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        record = read(SkslFile, data, limits=limits)
        program, size = decode(record, limits)
        found = cls(program, limits=limits)
        found.trailing = record.commands[size:]
        return found

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the last command; FormatError if a command is malformed."""
        record = read(SkslFile, bytes(data))
        return commands_start(record) + decode(record, DEFAULT)[1]

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains":
        from .salvage import SalvagedCommands

        return SalvagedCommands(data, limits)

    @property
    def programs(self) -> Sequence[Program]:
        return (self.program,)

    @property
    def record(self) -> SkslFile:
        """The header, the pool and the commands, as they are written now."""
        pool, commands = self.program.encoded()
        return SkslFile(version=self.program.version, pool=pool, commands=commands)

    def to_bytes(self) -> bytes:
        return write(self.record) + self.trailing

    def to_data(self) -> dict[str, Any]:
        found: Any = self.program.to_data()
        trailing = {"trailing": self.trailing.hex()} if self.trailing else {}
        return {"format": self.format, **found, **trailing}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        from ...wire.data import hex_from_data

        left = {key: value for key, value in data.items() if key != "format"}
        trailing = hex_from_data(left.pop("trailing", ""), "trailing")
        found = cls(Program.from_data(left))
        found.trailing = trailing
        return found

    def spans(self) -> list[Span]:
        from .spans import spans_of_file

        return spans_of_file(self)

    # -- text ----------------------------------------------------------------------------------

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return SkSL source; the dialect `upstream` is the text that Skia's tools print."""
        from ...dialect import no_options

        no_options(self.format, options)
        return self.program.disassemble(dialect)

    def line_paths(self) -> list[tuple[str, ...]]:
        key = unit_key(self.program)
        inner = self.program.line_paths()
        return [tuple(f"{key}.{path}" for path in paths) for paths in inner]

    def field_path(self, program: "BaseProgram[Any]", path: str) -> str:
        return f"{unit_key(self.program)}.{path}"

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        return {".sksl": self.disassemble(dialect, **options)}

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Compile SkSL source.

        Args:
            sources: One text.
            donor: Not used.
            options: `kind`, the purpose of the program, and `optimize`.
        """
        only_options("SkSL source", options, ASSEMBLER)
        if len(sources) != 1:
            raise UsageError(f"expected one text, got {len(sources)}: a program is one text")
        (source,) = sources
        return cls(Program.assemble(source.text, file=source.name, **options))

    # -- information ---------------------------------------------------------------------------

    def identity(self) -> "Reflection":
        from .reflect import identity

        return identity(self)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    def verify(self, **options: Any) -> Diagnostics:
        from ...dialect import no_options

        no_options(self.format, options, "verify")
        start = commands_start(self.record)
        key = unit_key(self.program)
        found = Diagnostics()
        for each in self.program.verify():
            if each.offset is not None:
                each.offset += start
            each.path = f"{key}.{each.path}" if each.path else key
            found.append(each)
        return found

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        return {"SkSL programs": Program.rules()}

    # -- edits ---------------------------------------------------------------------------------

    def _losses(self) -> list[Loss]:
        return program_losses("", self.program, lambda each: sum(map(len, each.encoded())))

    def _strip(self, lost: Sequence[Loss]) -> None:
        self.program = without(self.program, "", lost)

    def __repr__(self) -> str:
        return f"<SkslShader version {self.program.version}, {self.program!r}>"
