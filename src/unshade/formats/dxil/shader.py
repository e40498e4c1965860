"""DXIL programs as files: bitcode, bitcode in a wrapper, or the data of a part.

The file is the program, followed by trailing bytes. Bitcode does not include a program header, so
the header in memory is derived from metadata, and is never written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostics, FormatError, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...program import Program as BaseProgram
from ...programs.dxil import Program
from ...programs.dxil.bare import end_of_bitcode, end_of_part, read_bitcode, versions
from ...programs.dxil.code import HEADER_SIZE, MAGIC
from ...shader import Shader, source_files
from ...stripping import Loss, program_losses, without

if TYPE_CHECKING:
    from ...isa.source import Source
    from ...model import Reflection
    from ...rule import Rule
    from ...wire import Span

__all__ = ["DxilFile"]

BITCODE, PART = "bitcode", "part"
FORMS = (BITCODE, PART)


class DxilFile(Shader):
    """A DXIL program without a container.

    `program` is its code, which may be edited. `form` is "bitcode", or "part" if the header of a
    part precedes the bitcode.
    """

    format: ClassVar[str] = "dxil"
    comment: ClassVar[str] = ";"

    def __init__(self, program: Program, form: str = PART, *, limits: Limits = DEFAULT) -> None:
        if form not in FORMS:
            raise UsageError(f"form: expected bitcode or part, got {form!r:.40}")
        self.program = program
        self.form = form
        self.limits = limits

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a program.

        Raises:
            FormatError: The header or the bitcode is malformed.
            LimitError: The file exceeds `limits`.
            UnsupportedError: The bitcode is not a Direct3D shader.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        if data[8:12] == MAGIC:
            end = end_of_part(data)
            program = Program.decode(data[:end], limits)
            if program.problem is not None:
                raise program.problem
            made = cls(program, limits=limits)
            made.trailing = data[end:]
            return made
        made = cls(read_bitcode(Program, data, limits), BITCODE, limits=limits)
        stream = made.program.bitcode
        assert not isinstance(stream, bytes)
        name = "outside" if stream.wrapper else "trailing"
        made.trailing = getattr(stream, name)
        setattr(stream, name, b"")
        return made

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size: as the header or wrapper specifies, or up to the end of the module."""
        if bytes(data[8:12]) == MAGIC:
            return end_of_part(data)
        end = end_of_bitcode(data)
        return end - len(cls.loads(bytes(data[:end])).trailing)

    @property
    def programs(self) -> Sequence[Program]:
        return (self.program,)

    def put_program(self, number: int, program: BaseProgram, entry: str = "") -> None:
        if not isinstance(program, Program):
            raise UsageError(f"expected a program of DXIL, got a program of {program.language}")
        self.program = program

    def frame(self) -> dict[str, Any]:
        """Return the form, and the header's fields other than versions."""
        return {"form": self.form}

    def _start(self) -> int:
        """Return the bytes before the bitcode in a file of the program."""
        return HEADER_SIZE + len(self.program.gap) if self.form == BITCODE else 0

    def to_bytes(self) -> bytes:
        program = self.program
        whole = program.bitcode_bytes() if self.form == BITCODE else program.encode()
        return whole + self.trailing

    def spans(self) -> "list[Span]":
        return [*self.iter_spans()]

    def iter_spans(self) -> "Iterator[Span]":
        from ...programs.dxil.spans import bitcode_spans
        from ...wire import Span

        bare = self.form == BITCODE
        yield from bitcode_spans(self.program) if bare else self.program.iter_spans()
        if self.trailing:
            at = len(self.to_bytes()) - len(self.trailing)
            doc = "bytes after the end"
            yield Span(at, len(self.trailing), "trailing", self.trailing, doc, None, "raw")

    def to_data(self) -> dict[str, Any]:
        from ...programs.dxil.data import bitcode_to_data, code_to_data

        found: dict[str, Any] = {"format": self.format, "form": self.form}
        if self.form == PART:
            found |= code_to_data(self.program, self.limits)
        else:
            found[BITCODE] = bitcode_to_data(self.program, self.limits)
        return found | ({"after": self.trailing.hex()} if self.trailing else {})

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        from ...isa.data import nothing_left
        from ...programs.dxil.data import bitcode_from_data
        from ...wire.data import hex_from_data

        left = {key: value for key, value in data.items() if key != "format"}
        form = left.pop("form", None)
        if form not in FORMS:
            raise FormatError(f"expected {' or '.join(FORMS)}, got {form!r:.40}", path="form")
        after = hex_from_data(left.pop("after", ""), "after")
        if form == PART:
            made = cls(Program.from_data(left))
        else:
            program = Program(0, 0, bitcode_from_data(left.pop(BITCODE, {}), BITCODE))
            nothing_left(left, "")
            program.version, program.dxil_version = versions(program.read_module())
            made = cls(program, BITCODE)
        made.trailing = after
        return made

    # -- text ----------------------------------------------------------------------------------

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the module as LLVM assembly, as dxc prints it, without dxc's tables.

        Args:
            dialect: `native` or `exact`.
            strict: Without effect.
            options: No options are accepted.
        """
        from ...dialect import no_options

        no_options("DXIL", options)
        return self.program.disassemble(dialect)

    def line_paths(self) -> list[tuple[str, ...]]:
        return self.program.line_paths()

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        return {".ll": self.disassemble(dialect, **options)}

    @classmethod
    def assemble(
        cls,
        sources: "Sequence[Source]",
        *,
        donor: Self | None = None,
        strict: bool = False,
        **options: Any,
    ) -> Self:
        """Assemble a program.

        Args:
            sources: One text.
            donor: A file whose program is replaced; without one, the file is bitcode.
            strict: Refuse values whose numbers are not consecutive, instead of renumbering them.
            options: No options are accepted.
        """
        from ...dialect import checked_heading, no_options, only_source
        from ...programs.dxil.exact import EXACT, read_code
        from ...programs.dxil.reassembly import reassembled

        no_options("DXIL", options)
        source = only_source(sources)
        exact = checked_heading(source, ";", EXACT) is not None
        if donor is None:
            return cls(Program.decode(read_code(source, strict=strict).encode()), BITCODE)
        code = reassembled(donor.program, source, exact=exact, strict=strict)
        made = donor.loads(donor.to_bytes(), donor.limits)
        if code is not None:
            made.program = Program.decode(code.encode(), donor.limits)
        return made

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
        if self.form == BITCODE:
            with suppress(FormatError):  # a finding
                program = self.program
                program.version, program.dxil_version = versions(program.read_module())
        found = self.program.verify()
        for each in found:
            if each.offset is not None:
                each.offset -= self._start()
        return Diagnostics(found)

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        return {"DXIL programs": Program.rules()}

    def extract(self) -> dict[str, bytes]:
        """Return the sources in the metadata, by name."""
        return self.sources()

    def sources(self) -> dict[str, bytes]:
        return source_files(self.program.sources)

    # -- edits ---------------------------------------------------------------------------------

    def _losses(self) -> list[Loss]:
        return program_losses("", self.program)

    def _strip(self, lost: Sequence[Loss]) -> None:
        self.program = without(self.program, "", lost)

    def __repr__(self) -> str:
        return f"<DxilFile {self.program.profile}, {self.form}>"
