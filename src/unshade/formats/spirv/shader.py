"""SPIR-V modules as files: a module is the whole file, and its code is one program."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...dialect import only_options
from ...errors import Diagnostics, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import RawBytes
from ...program import Program as BaseProgram
from ...programs.spirv import Program
from ...programs.spirv.extent import measure
from ...programs.spirv.module import Module
from ...shader import Shader, source_files
from ...stripping import Loss, program_losses, without

if TYPE_CHECKING:
    from ...isa.source import Source
    from ...model import Reflection
    from ...rule import Rule
    from ...wire import Span

__all__ = ["Program", "SpirvModule"]

ASSEMBLER = ("preserve_numeric_ids", "target")


class AfterModule(RawBytes):
    """The bytes after the last whole instruction, which the module keeps."""

    def __get__(self, holder: Any, _: type) -> bytes:
        found: bytes = holder.program.module.trailing
        return found

    def __set__(self, holder: Any, value: bytes) -> None:
        super().__set__(holder, value)
        holder.program.module.trailing = super().__get__(holder, type(holder))


class SpirvModule(Shader):
    """A SPIR-V module.

    `program` is its code, which may be edited; `program.module` holds the words of the header and
    the instructions.
    """

    format: ClassVar[str] = "spirv"
    comment: ClassVar[str] = ";"
    trailing = AfterModule("Bytes after the last whole instruction.")

    def __init__(self, program: Program | None = None, *, limits: Limits = DEFAULT) -> None:
        self.program = program if program is not None else Program(Module())
        self.limits = limits

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a module; it ends before the first instruction that exceeds the data."""
        data = bytes(data)
        check_file_size(len(data), limits)
        return cls(Program(Module.loads(data, limits)), limits=limits)

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the first instruction that cannot be decoded."""
        return measure(data)

    @property
    def programs(self) -> Sequence[Program]:
        return (self.program,)

    def frame(self) -> dict[str, Any]:
        """Return the words of the header that do not follow from the instructions."""
        module = self.program.module
        found: dict[str, Any] = {
            "version": self.program.version,
            "generator": self.program.generator,
        }
        return found | ({"order": module.order} if module.order != "little" else {})

    def to_bytes(self) -> bytes:
        return self.program.encode()

    def spans(self) -> "list[Span]":
        return [*self.iter_spans()]

    def iter_spans(self) -> "Iterator[Span]":
        return self.program.iter_spans()

    def to_data(self) -> dict[str, Any]:
        found: Any = self.program.to_data()
        return {"format": self.format, **found}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        left = {key: value for key, value in data.items() if key != "format"}
        return cls(Program.from_data(left))

    def put_program(self, number: int, program: BaseProgram, entry: str = "") -> None:
        self.programs[number].take(program, entry)

    # -- text ----------------------------------------------------------------------------------

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the text of the module, as spirv-dis prints it.

        Args:
            dialect: `native` or `exact`.
            strict: Without effect, since every module can be printed.
            options: raw_id, header, indent, offsets, comment, nested_indent and reorder_blocks, as
                in spirv-dis.
        """
        return self.program.disassemble(dialect, **options)

    def line_paths(self) -> list[tuple[str, ...]]:
        return self.program.line_paths()

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        return {".spvasm": self.disassemble(dialect, **options)}

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Assemble a module, as spirv-as does.

        Args:
            sources: One text.
            donor: Not used.
            options: preserve_numeric_ids, and target, the name of an environment.
        """
        if len(sources) != 1:
            raise UsageError(f"expected one text, got {len(sources)}: a module is not joined")
        only_options("SPIR-V text", options, ASSEMBLER)
        (source,) = sources
        return cls(Program.assemble(source.text, file=source.name, **options))

    # -- information ---------------------------------------------------------------------------

    def identity(self) -> "Reflection":
        from .reflect import identity

        return identity(self)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    @property
    def diagnostics(self) -> Diagnostics:
        """The findings made while reading."""
        return Diagnostics(self.program.reading())

    def verify(self, target: str | None = None, **options: Any) -> Diagnostics:
        """Return the findings of the validator.

        Args:
            target: The environment that the module is for: spv1.6 (the default), vulkan1.3,
                opencl2.1, …
            options: Options of spirv-val, such as `relax_block_layout=True`, as `Format.verifier`
                lists them.

        Raises:
            UsageError: The target is unknown, or there is no such option.
        """
        return Diagnostics(self.program.verify(target, **options))

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        return {"SPIR-V modules": Program.rules()}

    def extract(self) -> dict[str, bytes]:
        """Return the sources that the module contains, by name."""
        return self.sources()

    def sources(self) -> dict[str, bytes]:
        return source_files(self.program.sources)

    # -- edits ---------------------------------------------------------------------------------

    def _losses(self) -> list[Loss]:
        return program_losses("", self.program)

    def _strip(self, lost: Sequence[Loss]) -> None:
        self.program = without(self.program, "", lost)

    def rename(self, path: str, name: str) -> None:
        """Rename an id, a member of a structure or an entry point.

        Args:
            path: Its present name, `Block.member` for a member, or a number such as `%12`.
            name: The new name.

        Raises:
            UsageError: Nothing is called so, or several things are.
        """
        self.program.rename(path, name)

    def write_back(self, changed: "Reflection") -> None:
        """Change the module according to an edited reflection.

        Sets, bindings, locations, names and the defaults of specialisation constants can be
        changed; everything else follows from the code.

        Args:
            changed: The result of `reflect`, edited.

        Raises:
            UsageError: A difference cannot be written back.
        """
        from .writing_back import write_back

        write_back(self, changed)

    def __repr__(self) -> str:
        names = (f"{stage} {name}" for name, stage in self.program.entry_points)
        return f"<SpirvModule {', '.join(names)}>"
