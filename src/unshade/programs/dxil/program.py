"""DXIL programs: text, plain data, rules, edits and lowering of `Code`.

The other modules work on `Code` (code.py) and its module, and do not import this one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, FormatError, LimitError, UsageError
from ...program import EntryPoint, InstructionTuple
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from .code import Code
from .model.instructions import Instruction

if TYPE_CHECKING:
    from ...ir.locations import SourceLocation
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.flow import ProgramFlow
    from ...isa.lexer import Lexer
    from ...isa.line_edits import LineEdit
    from ...isa.steps import Step
    from ...model import Statistics
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from ...wire.data import Plain
    from .listed_instructions import ListedInstruction

    Listed = Base[ListedInstruction]
else:
    Listed = Base  # a class in quotes would be compiled at each start

__all__ = ["Program"]


class Program(Code, Listed):
    """The program of a DXIL, ILDB or STAT part; `module` may be edited."""

    __slots__ = ()
    language = "dxil"
    dialects = ("native", "exact")
    single_assignment = True
    takes = frozenset({"bounds", "lengths", "wave_size"})

    def __repr__(self) -> str:
        return f"<Program {self.profile}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and other.encode() == self.encode()

    __hash__ = None  # type: ignore[assignment]  # it can change

    @property
    def is_readable(self) -> bool:
        """True if the bitcode is a module of LLVM 3.7, within the limits."""
        try:
            return bool(self.read_module())
        except (FormatError, LimitError):
            return False

    # -- text ------------------------------------------------------------------------------------

    def disassemble(self, dialect: str | None = None) -> str:
        """Return the module as text.

        Args:
            dialect: `native`, as dxc prints it, or `exact`, without loss (exact.py).

        Raises:
            FormatError: The bitcode is not a module of LLVM 3.7.
            LimitError: The text is longer than the limits allow.
        """
        if self.checked_dialect(dialect) == "exact":
            from .exact import EXACT, exact_lines

            return "\n".join([EXACT.line(";"), *exact_lines(self), ""])
        from .text import disassemble

        return disassemble(self.read_module(), self.limits)

    def explain(self, operation: str) -> list[tuple[str, str]]:
        from .explanation import explain

        return explain(operation)

    def control_flow(self) -> "ProgramFlow":
        from .control import control_flow

        return control_flow(self)

    def line_paths(self) -> list[tuple[str, ...]]:
        from .lines import line_paths

        return line_paths(self)

    def line_locations(self) -> "Mapping[int, SourceLocation | None]":
        from .lower.listing import ModuleListing

        listing = ModuleListing(self.read_module())
        found: dict[int, SourceLocation | None] = {}
        for function in listing.module.functions:
            for each in (one for block in function.blocks for one in block.instructions):
                location = listing.location(each.location, None)
                is_known = location is not None and location.file and location.line
                found[listing.line(each)] = location if is_known else None
        return found

    def comparable(self) -> Sequence[str]:
        """Return the lines without debug information, names and numbers of metadata."""
        from .comparison import comparable_lines

        try:
            return comparable_lines(self)
        except (FormatError, LimitError):
            return ()

    def debug_lines(self) -> Sequence[str]:
        """Return the lines of the text that only debug information has."""
        from .comparison import debug_lines

        try:
            return debug_lines(self)
        except (FormatError, LimitError):
            return ()

    def differences(self, other: "Program") -> Sequence[str]:
        """Return `code`, or `reflection` if only names differ, `debug`, or `container`."""
        from .comparison import differences

        return differences(self, other)

    def name_differences(self, other: "Program") -> Iterable[tuple[str, str, str]]:
        from .comparison import name_differences

        return name_differences(self.read_module(), other.read_module())

    def stripped(self, category: str) -> Self | None:
        """Return the program without debug information (`debug`) or names (`reflection`)."""
        from .editing import strip_debug, strip_reflection
        from .editing.stripping import strip_type_names

        if category not in ("debug", "reflection") or not self.is_readable:
            return None
        made = type(self).decode(self.encode(), self.limits)
        before = made.disassemble()
        try:
            if category == "debug":
                strip_debug(made.module)
            else:
                strip_reflection(made.module)
                strip_type_names(made.module)
        except FormatError:  # its metadata does not describe a shader
            return None
        if made.disassemble() == before:
            return None
        made.rewrite()
        return made

    @classmethod
    def assemble(cls, text: str, *, file: str = "", strict: bool = False) -> Self:
        """Assemble a text in either dialect, or written by hand.

        Args:
            text: LLVM assembly of version 3.7, with the metadata of a shader.
            file: The name of the text in messages.
            strict: Refuse values whose numbers are not consecutive, instead of renumbering them.

        Raises:
            AssembleError: The text is malformed.
        """
        from ...dialect import checked_heading
        from ...isa.source import Source
        from .exact import EXACT, read_code

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"expected a text, got an object of type {type(given).__name__}")
        source = Source(text, file)
        checked_heading(source, ";", EXACT)
        code = read_code(source, strict=strict)
        return cls.decode(code.encode())

    def lexer(self) -> "Lexer":
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Split a line of the text into operation, result and operands."""
        from .lexer import step

        return step(line)

    def simpler(self, lines: "Sequence[str]", at: int) -> "Iterator[LineEdit]":
        """Yield edits that make a line simpler, or remove a function."""
        from .text.simpler import simpler

        return simpler(lines, at)

    @property
    def instructions(self) -> "Sequence[ListedInstruction]":
        """The instructions of all functions, for an edit by `insert`, `replace` or `remove`.

        Each access builds a new list.
        """
        from .listed_instructions import listed_instructions

        return InstructionTuple(listed_instructions(self.module, self.limits))

    # -- information -----------------------------------------------------------------------------

    @property
    def entry_points(self) -> list[EntryPoint]:
        from .facts import entry_points

        try:
            return entry_points(self)
        except (FormatError, LimitError):
            return []

    @property
    def exports(self) -> list[str]:
        """Names of the functions of a library that are not entry points, as in the module."""
        from .exported import exported_functions
        from .shaderinfo import read_shader

        try:
            return [*exported_functions(self.read_module(), read_shader(self.read_module()))]
        except (FormatError, LimitError):
            return []

    @property
    def callables(self) -> dict[str, list[str]]:
        """The functions that are not entry points, also internal ones, by name in the source."""
        from .exported import callable_functions, source_name
        from .shaderinfo import read_shader

        found: dict[str, list[str]] = {}
        try:
            names = callable_functions(self.read_module(), read_shader(self.read_module()))
        except (FormatError, LimitError):
            return {}
        for name in names:
            found.setdefault(source_name(name), []).append(name)
        return found

    def source_name(self, name: str) -> str:
        from .exported import source_name

        return source_name(name)

    def exports_named(self, name: str) -> list[str]:
        """Return the functions with a name, as in the module or as in the source."""
        from .exported import names_meant

        return names_meant(self.exports, name) or names_meant(
            [one for each in self.callables.values() for one in each], name
        )

    @property
    def export_names(self) -> list[str]:
        """The names of `exports` in the source, if they select one."""
        from .exported import names_meant, source_name

        exports = self.exports
        short = {each: source_name(each) for each in exports}
        return [
            name if names_meant(exports, name) == [each] else each for each, name in short.items()
        ]

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the facts of an entry point from metadata and code, in the terms of `model`."""
        from .facts import facts_of

        return facts_of(self, self.checked_entry(entry)[0])

    def statistics(self, entry: str | None = None) -> "Statistics":
        """Return counts over the instructions of an entry point and its callees."""
        from .facts import statistics

        return statistics(self, self.checked_entry(entry)[0])

    @property
    def sources(self) -> Mapping[str, str]:
        """Source files in the metadata, by name."""
        from .shaderinfo import read_shader

        try:
            return {each.name: each.text for each in read_shader(self.read_module()).sources}
        except (FormatError, LimitError):
            return {}

    @property
    def arguments(self) -> list[str]:
        """Options of the compiler in the metadata, each with its value: `-E main`, `/T ps_6_0`."""
        from .shaderinfo import read_shader

        found: list[str] = []
        try:
            words = read_shader(self.read_module()).arguments
        except (FormatError, LimitError):
            return []
        for each in words:
            option = each.startswith("-") or (each.startswith("/") and "/" not in each[1:])
            if found and not option:
                found[-1] += f" {each}"
            else:
                found.append(each)
        return found

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Translate an entry point to `ir`; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        names = [] if entry is None else self.exports_named(entry)
        if len(names) != 1 or entry in [name for name, _ in self.entry_points]:
            names = [self.checked_entry(entry)[0]]
        return lower(self, names[0], specialisation or Specialisation())

    # -- bytes and plain data --------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """Return a span for each field; offsets are relative to the part's data."""
        return [*self.iter_spans()]

    def iter_spans(self) -> Iterator[Span]:
        from .spans import program_spans

        return program_spans(self)

    def offset(self, path: str) -> int | None:
        """Return the offset of a field, an instruction or a node of metadata; None if unknown."""
        from .offsets import offset_of

        found = offset_of(self, path) if self.is_readable else None
        return super().offset(path) if found is None else found

    def to_data(self) -> "Plain":
        """Return header, and blocks and records of the bitcode, as plain data without loss."""
        from .data import code_to_data

        return code_to_data(self, self.limits)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        from .data import code_from_data

        return code_from_data(cls, data, path)

    # -- rules and edits -------------------------------------------------------------------------

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        """Return diagnostics of the code alone; offsets are relative to the part's data."""
        from .verify import verify

        return verify(self)

    def replace(
        self, where: int | slice, *instructions: Given | Instruction | str
    ) -> "list[ListedInstruction]":
        """Replace instructions by others, given as objects or as text; return the new instructions.

        Indices count the instructions of all functions. Values in a text are named as in the
        listing; a result with the name of a replaced instruction takes its place
        (editing/instructions.py).

        Raises:
            UsageError: The edit would break the structure of the module; nothing is changed.
            AssembleError: A text is invalid.
        """
        from .editing.instructions import replace

        at, out = self.places(where)
        count = replace(self.module, at, out, instructions, self.limits)
        return list(self.instructions[at : at + count])
