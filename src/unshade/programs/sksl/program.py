"""SkSL programs with all their operations: text, plain data, reflection, verification.

The other modules of this package only need the code (code.py).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from ...errors import Diagnostic, EncodeError, UnsupportedError, UsageError, did_you_mean
from ...program import EntryPoint
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from .code import Code
from .tables.enumerations import SkslProgramKind
from .tree import FunctionDefinition, ProgramUnit

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.flow import ProgramFlow
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model import ComponentType, Stage
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from ...wire.data import Plain
    from .instruction import StatementText

    Listed = Base[StatementText]
else:
    Listed = Base  # a class in quotes would be compiled at each start

__all__ = ["Program"]

MAIN = "main"


class Program(Code, Listed):
    """A program or a module, whose tree is `unit`."""

    __slots__ = ()
    language = "sksl"
    source_language = None  # a file holds its source
    dialects = ("native", "exact", "upstream")
    takes: ClassVar[frozenset[str] | None] = frozenset({"color_space", "flush"})

    def __eq__(self, other: object) -> bool:
        """Return True if `comparison` finds the programs equal; their bytes may differ."""
        from .comparison import structure

        if not isinstance(other, Program):
            return NotImplemented
        return structure(self.unit) == structure(other.unit)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        kind = self.unit.kind.name.lower() if isinstance(self.unit, ProgramUnit) else "module"
        return f"<Program {kind}, {len(self.unit.elements)} elements>"

    @property
    def entry_points(self) -> list[EntryPoint]:
        """Name and stage of main; empty for a module, and for a program without main."""
        from .facts import stage_of

        if not isinstance(self.unit, ProgramUnit):
            return []
        names = (
            each.declaration.name
            for each in self.unit.elements
            if isinstance(each, FunctionDefinition)
        )
        return [EntryPoint(MAIN, str(stage_of(self.unit.kind)))] if MAIN in names else []

    def encoded(self) -> tuple[bytes, bytes]:
        """Return the string pool and the command stream.

        Raises:
            EncodeError: The version cannot hold the program; `mistake` is the place in the source.
        """
        try:
            return super().encoded()
        except EncodeError as error:
            from .places import mistake_at

            error.mistake = mistake_at(self.unit, error.path, error.problem)
            raise

    def stripped(self, category: str) -> Self | None:
        """Return the program with short names of functions and locals, and without unused strings
        (`debug`), or with short names of uniforms and children (`reflection`)."""
        from .shortening import renamed, shorten

        made = type(self).decode(self.encode(), self.encoded()[0], self.version, self.limits)
        unused = made.unused_strings() if category == "debug" else []
        new: dict[str, str] = {}
        if category in ("debug", "reflection") and isinstance(made.unit, ProgramUnit):
            new = renamed(made.unit, category)
            shorten(made.unit, new)
        if not new and not unused:
            return None
        made.drop_unused_strings()
        return made

    def disassemble(self, dialect: str | None = None) -> str:
        """Return the program as text.

        `dialect` is `native` (the default), source that compiles to the same program; `exact`,
        the same with a heading; or `upstream`, the text that Skia's own tools print.
        """
        from .text import native, upstream

        chosen = self.checked_dialect(dialect)
        if chosen == "upstream":
            return upstream.disassemble(self.unit)
        return native.disassemble(self, heading=chosen == "exact")

    @classmethod
    def assemble(
        cls, text: str, *, file: str = "", kind: str | None = None, optimize: bool = True
    ) -> Self:
        """Compile SkSL source, as upstream's compiler of milestone 104 does.

        Args:
            text: The source. Comments in it may change settings: `/*#pragma settings NoInline*/`.
            file: The name of the source in error messages; its extension determines the kind.
            kind: Purpose of the program, such as `runtime_blender`; by default taken from the first
                line of a disassembled program or the extension, else `runtime_shader`.
            optimize: Remove dead code.

        Raises:
            AssembleError: The source is invalid; the error lists every mistake.
            UsageError: `text` is not a string, or the kind does not exist.
        """
        from ...dialect import checked_heading
        from ...isa.source import Source
        from .assembler import compile, settings_of
        from .text.native import EXACT

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"expected a text, got an object of type {type(given).__name__}")
        chosen = None if kind is None else _kind_named(kind)
        source = Source(text, file)
        checked_heading(source, "//", EXACT)
        settings = settings_of(source, chosen)
        if not optimize:
            settings = settings._replace(optimize=False)
        return cls(compile(source, settings))

    @property
    def instructions(self) -> "Sequence[StatementText]":
        """The statements in the order of the text, nested statements after their parents."""
        from .instruction import statements_of

        return statements_of(self)

    def instruction_path(self, index: int) -> str:
        """Return the path of a statement in the tree."""
        return self.instructions[index].path

    def replace(self, where: int | slice, *instructions: Given | str) -> "Sequence[StatementText]":
        """Replace statements by others, given as statements or as text; return the new statements.

        A statement includes those in it. The program is compiled again, so everything that the new
        text refers to must be declared.

        Raises:
            AssembleError: The program is invalid with the new text.
        """
        from .editing import replace

        return replace(self, *self.places(where), instructions)

    def step(self, line: str) -> "Step":
        """Split a statement into operation, results and operands."""
        from .instruction import source_step

        return source_step(line)

    def control_flow(self) -> "ProgramFlow":
        from .control import control_flow

        return control_flow(self.unit)

    def explained(self, step: "Step") -> str:
        """Return the builtin function that a statement calls first, else its operation."""
        from .explanation import called

        texts = (step.operation, *(each.text for each in step.operands))
        return next(filter(None, map(called, texts)), step.operation)

    def explain(self, operation: str) -> list[tuple[str, str]]:
        from .explanation import explain

        return explain(operation)

    def line_paths(self) -> list[tuple[str, ...]]:
        from .places import line_paths

        return line_paths(self)

    def lexer(self) -> "Lexer":
        """Return the lexer of the texts, for syntax highlighting."""
        from .lexer import LEXER

        return LEXER

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Lower main to `ir`; UnsupportedError if it cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower
        from .places import line_at
        from .verify.rules import TYPED

        name, _ = self.checked_entry(entry)
        if isinstance(self.unit, ProgramUnit) and self.unit.source is None:
            for finding in self.verify():  # the compiler has checked others
                if finding.code in TYPED:
                    line = line_at(self, finding.path)
                    where = f"line {line}" if line else finding.path
                    raise UnsupportedError(f"{where}: {finding.message}")
        return lower(self, name, specialisation or Specialisation())

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return inputs, outputs, uniforms and children of the program."""
        self.checked_entry(entry)
        return self.interface()

    def interface(self) -> "ProgramFacts":
        """Return the facts of a program, which may lack a main function."""
        from .facts import facts_of

        if not isinstance(self.unit, ProgramUnit):
            raise UnsupportedError("a module has no entry point")
        return facts_of(self.unit)

    def component_types(self) -> "tuple[list[ComponentType], list[ComponentType]]":
        """Return the type of the components of each input and each output of `interface`."""
        from .facts import interface_of

        if not isinstance(self.unit, ProgramUnit):
            return [], []
        inputs, outputs = interface_of(self.unit)
        return [each.component_type for each in inputs], [each.component_type for each in outputs]

    def purpose(self) -> "tuple[Stage, str, str] | None":
        """Return the stage, the language and the kind of a program; None for a module."""
        from .facts import stage_of

        if not isinstance(self.unit, ProgramUnit):
            return None
        unit = self.unit
        return stage_of(unit.kind), unit.language.directive, unit.kind.name.lower()

    def functions(self) -> list[str]:
        """Return the signatures of the functions that are defined here."""
        from .facts import function_lines

        return function_lines(self.unit)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by code."""
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        """Check the tree; return the violations of `rules()`."""
        from .verify import verify

        return verify(self)

    def spans(self) -> list[Span]:
        """Return every field of the command stream."""
        from .spans import command_spans

        return command_spans(self)

    def to_data(self) -> "Plain":
        """Return the program as plain data; see data/."""
        from .data import code_to_data

        return code_to_data(self)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        """Return the program that plain data describes; FormatError if a value is invalid."""
        from .data import code_from_data

        found = code_from_data(data, path)
        return cls(found.unit, found.version, found.odd, found.strings, found.limits)


def _kind_named(name: str) -> SkslProgramKind:
    kinds = {each.name.lower(): each for each in SkslProgramKind}
    if name not in kinds:
        raise UsageError(f"unknown kind {name!r:.60}{did_you_mean(name, kinds)}")
    return kinds[name]
