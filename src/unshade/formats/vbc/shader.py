"""VBC files: the reflection of a program, and a SPIR-V module for each stage."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostic, Diagnostics, FormatError, LimitError, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import PartTuple
from ...program import Program as BaseProgram
from ...shader import Shader
from ...stripping import Loss
from ...wire import Span, write
from .layout import arguments_of, read_file, read_start
from .older import OlderLayout, to_older
from .parts import HEAD, VbcPart, called
from .program import Program, program_of, split_modules
from .records import DescriptorTableSizes, SubpassForm, UniformBlock, VbcFile
from .spelling import NAMES

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...isa.source import Source
    from ...model import Reflection
    from ...rule import Rule

__all__ = ["Vbc"]

VERSION_AND_TYPE = b"\1\1"
WINDOWS = (1 << 12, 1 << 16, 1 << 20, 1 << 24, DEFAULT.file_size)  # bytes


class Vbc(Shader):
    """A VBC file.

    `record` is the whole file, with the modules as bytes; `modules()` has their programs, whose
    edits are written. `form` is the form of the records of subpass inputs; `older` is the layout of
    a file before c110b1b, whose numbers the record contains in today's form.
    """

    format: ClassVar[str] = "vbc"
    comment: ClassVar[str] = ";"

    def __init__(
        self,
        record: VbcFile | None = None,
        *,
        form: SubpassForm = SubpassForm.DOCUMENTED,
        older: OlderLayout | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        if record is None:
            record = VbcFile(tables=DescriptorTableSizes(), uniform=UniformBlock())
        self.record = record
        self.form = form
        self.older = older
        self.limits = limits
        self.remarks: list[Diagnostic] = []  # of `pack`
        self._decoded: dict[str, tuple[bytes, Program | FormatError | LimitError]] = {}

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a file, which ends where its last module does.

        Raises:
            FormatError: The structure breaks, there are bytes after the end, or it is big-endian.
            LimitError: The data exceeds a limit.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        try:
            found = read_file(data, limits)
        except FormatError as error:
            raise _renamed(error) from None
        return cls(found.record, form=found.form, older=found.older, limits=limits)

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size of the file at the start of `data`, up to the end of its last module."""
        known = bytes(data[3:5]) == VERSION_AND_TYPE  # others need no larger window
        for window in WINDOWS if known else WINDOWS[:1]:
            try:
                return read_start(bytes(data[:window])).end
            except FormatError as error:
                if not known or window >= min(len(data), DEFAULT.file_size):
                    raise _renamed(error) from None
        raise FormatError(f"expected a file of at most {DEFAULT.file_size} bytes")

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains":
        from .salvage import SalvagedFile

        return SalvagedFile(cls, data, limits)

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        from .salvage import claimed_size

        return claimed_size(cls, data)

    def to_bytes(self) -> bytes:
        """Return the exact bytes of the file."""
        self._write_modules()
        today = write(self.record, arguments_of(self.form))
        return today if self.older is None else to_older(today, self.older, split_modules).older

    # -- the modules ---------------------------------------------------------------------------

    def modules(self) -> dict[str, Program]:
        """Return the programs by VSL's names of the stages: vert, tesc, tese, geom, frag."""
        found = {name: self.module(name) for name in NAMES if getattr(self.record, name)}
        return {name: each for name, each in found.items() if isinstance(each, Program)}

    def module(self, stage: str) -> Program | FormatError | LimitError:
        """Return the program of a stage, or the error if its bytes are not SPIR-V."""
        data = getattr(self.record, stage)
        known = self._decoded.get(stage)
        if known is not None and known[0] is data:
            return known[1]
        made = program_of(data, self.limits)
        self._decoded[stage] = data, made
        return made

    def _write_modules(self) -> None:
        """Write edits of programs to the record, unless other bytes were assigned there."""
        for stage, (data, program) in self._decoded.items():
            if isinstance(program, Program) and getattr(self.record, stage) is data:
                code = program.encode()
                if code != data:
                    setattr(self.record, stage, code)
                    self._decoded[stage] = code, program

    @property
    def programs(self) -> Sequence[Program]:
        """The programs of the stages, in the order of the file."""
        return list(self.modules().values())

    def put_program(self, number: int, program: BaseProgram, entry: str = "") -> None:
        self.programs[number].take(program, entry)

    # -- views ---------------------------------------------------------------------------------

    @property
    def parts(self) -> PartTuple:
        """The reflection, and the module of each stage."""
        data = self.to_bytes()
        at = len(data) - sum(len(getattr(self.record, name)) for name in NAMES)
        found = [VbcPart(HEAD, 0, data[:at], self.record)]
        for name in NAMES:
            code = getattr(self.record, name)
            if code:
                module = self.module(name)
                if isinstance(module, Program):
                    found.append(VbcPart(name, at, code, module))
                else:
                    found.append(VbcPart(name, at, code, code, module))
                at += len(code)
        return PartTuple(found)

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        return {HEAD: VbcFile, **dict.fromkeys(NAMES, Program)}

    def line_paths(self) -> list[tuple[str, ...]]:
        from .listing import line_paths

        return line_paths(self)

    def spans(self) -> list[Span]:
        from .spans import fields, modules_named

        self._write_modules()
        return modules_named(fields(self.record, self.form, self.older), self.modules())

    def to_data(self) -> dict[str, Any]:
        from .data import fields

        self._write_modules()
        found = fields(self.record, self.form, self.modules(), self.older)
        return {"format": self.format, **found}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        from .data import from_fields

        record, form, older = from_fields({key: data[key] for key in data if key != "format"})
        made = cls(record, form=form, older=older)
        made.to_bytes()  # raises an error for values that do not fit
        return made

    def extract(self) -> dict[str, bytes]:
        """Return the modules as files, and the sources that they contain."""
        found = {f"{name}.spv": program.encode() for name, program in self.modules().items()}
        for name, program in self.modules().items():
            for source, text in program.sources.items():
                found[f"{name}.{source}"] = text.encode("utf-8", "surrogateescape")
        return found

    # -- text ----------------------------------------------------------------------------------

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the reflection as comments, then each module as spirv-dis prints it.

        Args:
            dialect: `native` or `exact`.
            strict: Without effect, since every file can be printed.
            options: Options of SPIR-V text, for every module; offsets count from the start of each
                module.
        """
        from .listing import listing

        self._write_modules()
        return listing(self, dialect, options)

    def listings(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> dict[str, str]:
        return {".vbcasm": self.disassemble(dialect, strict=strict, **options)}

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Assemble a file from the text of `disassemble`, of either dialect."""
        from ...dialect import no_options
        from .assemble import assemble

        no_options(cls.format, options)
        if len(sources) != 1:
            raise UsageError(f"expected one text, got {len(sources)}: VBC texts are not joined")
        record, form, older = assemble(sources[0])
        return cls(record, form=form, older=older)

    @classmethod
    def pack(
        cls,
        programs: Sequence[BaseProgram],
        reflection: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
    ) -> Self:
        from .packing import pack
        from .verify import contract

        made = cls(pack(programs, reflection, names))
        made.to_bytes()  # raises an error for modules that are too large
        made.remarks = contract(made)
        return made

    # -- information ---------------------------------------------------------------------------

    def identity(self) -> "Reflection":
        from .reflect import identity

        return identity(self)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    @property
    def diagnostics(self) -> Diagnostics:
        """The findings made while reading, or for a file that was just packed, the mismatches."""
        from .verify import reading

        return Diagnostics([*reading(self), *self.remarks])

    def verify(self, target: str | None = None, **options: Any) -> Diagnostics:
        """Return the findings about the file and its modules.

        Args:
            target: The environment that the modules are for; vulkan1.2, which vslc compiles for,
                by default.
            options: Options for the modules, as for a SPIR-V module.

        Raises:
            UsageError: The target is unknown, or there is no such option.
        """
        from .verify import ENVIRONMENT, verify

        return Diagnostics(verify(self, target or ENVIRONMENT, **options))

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        from .program import rules
        from .verify import RULES

        return {"VBC files": RULES, "SPIR-V modules": rules()}

    # -- edits ---------------------------------------------------------------------------------

    def _losses(self) -> list[Loss]:
        from .stripping import losses

        return losses(self)

    def _strip(self, lost: Sequence[Loss]) -> None:
        from .stripping import strip

        strip(self, lost)

    def __repr__(self) -> str:
        return f"<Vbc {', '.join(self.modules()) or 'without stages'}>"


def _renamed(error: FormatError) -> FormatError:
    """Return the error with the public path of its field."""
    return FormatError(error.problem, offset=error.offset, path=called(error.path))
