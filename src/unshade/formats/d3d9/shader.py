"""Direct3D 9 programs as files: the tokens of a program are the whole file."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostics, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...program import Program as BaseProgram
from ...programs.d3d9 import Program
from ...shader import Shader
from ...stripping import Loss, program_losses, without

if TYPE_CHECKING:
    from ...isa.source import Source
    from ...model import Reflection
    from ...rule import Rule
    from ...wire import Span

__all__ = ["Direct3D9Shader"]


class Direct3D9Shader(Shader):
    """A program of Shader Model 1 to 3; `program` is its code, which may be edited."""

    format: ClassVar[str] = "d3d9"
    comment: ClassVar[str] = "//"

    def __init__(self, program: Program, *, limits: Limits = DEFAULT) -> None:
        self.program = program
        self.limits = limits

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a program; what follows its end token is kept as `trailing`.

        Raises:
            FormatError: A token is malformed, or the end token is missing.
            LimitError: The file exceeds `limits`.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        program, size = Program.decode_prefix(data, limits)
        made = cls(program, limits=limits)
        made.trailing = data[size:]
        return made

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the end token."""
        return Program.decode_prefix(bytes(data))[1]

    @property
    def programs(self) -> Sequence[Program]:
        return (self.program,)

    def put_program(self, number: int, program: BaseProgram, entry: str = "") -> None:
        if not isinstance(program, Program):
            raise UsageError(f"expected a program of d3d9, got a program of {program.language}")
        self.program = program

    def to_bytes(self) -> bytes:
        return self.program.encode() + self.trailing

    def spans(self) -> "list[Span]":
        from ...wire import Span

        found = self.program.spans()
        if self.trailing:
            at = len(self.to_bytes()) - len(self.trailing)
            doc = "bytes after the end"
            found.append(Span(at, len(self.trailing), "trailing", self.trailing, doc, None, "raw"))
        return found

    def to_data(self) -> dict[str, Any]:
        found: Any = self.program.to_data()
        after = {"after": self.trailing.hex()} if self.trailing else {}
        return {"format": self.format, **found, **after}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        from ...wire.data import hex_from_data

        left = {key: value for key, value in data.items() if key != "format"}
        after = hex_from_data(left.pop("after", ""), "after")
        made = cls(Program.from_data(left))
        made.trailing = after
        return made

    # -- text ----------------------------------------------------------------------------------

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the listing, as fxc prints it: constants, registers, code.

        Args:
            dialect: `native`, or `exact`: the code with all its bits, without the tables.
            strict: Without effect.
            options: No options are accepted.
        """
        from ...dialect import no_options
        from .listing import listing_lines

        no_options("Direct3D 9", options)
        if self.program.checked_dialect(dialect) != "native":
            return self.program.disassemble(dialect)
        return "\n".join([*listing_lines(self.program), ""])

    def line_paths(self) -> list[tuple[str, ...]]:
        from ...isa.linked import paths_of
        from .listing import listing_lines

        return paths_of(listing_lines(self.program))

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        return {".asm": self.disassemble(dialect, **options)}

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Assemble a program.

        Args:
            sources: One text; its tables, which are comments, are not read.
            donor: A file whose comments are kept, and the tokens of lines that are the same.
            options: No options are accepted.
        """
        from ...dialect import no_options, only_source

        no_options("Direct3D 9", options)
        source = only_source(sources)
        code = None if donor is None else donor.program
        return cls(Program.assemble(source.text, donor=code, file=source.name))

    # -- information ---------------------------------------------------------------------------

    def identity(self) -> "Reflection":
        from .reflect import identity

        return identity(self.program, self.format)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self.program, self.format)

    def verify(self, **options: Any) -> Diagnostics:
        from ...dialect import no_options

        no_options(self.format, options, "verify")
        return Diagnostics(self.program.verify())

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        return {"Direct3D 9 programs": Program.rules()}

    # -- edits ---------------------------------------------------------------------------------

    def _losses(self) -> list[Loss]:
        return program_losses("", self.program)

    def _strip(self, lost: Sequence[Loss]) -> None:
        self.program = without(self.program, "", lost)

    def __repr__(self) -> str:
        return f"<Direct3D9Shader {self.program.version.profile}>"
