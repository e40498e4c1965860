"""Direct3D 9 programs: text, plain data, rules, edits of `Code`.

The other modules work on `Code` (code.py) and do not import this one.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, UsageError
from ...program import EntryPoint
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from .code import Code
from .instruction import Instruction

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.flow import ProgramFlow
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from ...wire.data import Plain

__all__ = ["Instruction", "Program"]

ENTRY = "main"  # the name of the only entry point, which the tokens do not contain


class Program(Code, Base[Instruction]):
    """A program of Shader Model 1 to 3."""

    __slots__ = ()
    language = "d3d9"
    dialects = ("native", "exact")
    takes = frozenset[str]()

    def __repr__(self) -> str:
        return f"<Program {self.version.profile}, {len(self.instructions)} instructions>"

    @property
    def entry_points(self) -> list[EntryPoint]:
        """The only entry point, `main`."""
        return [EntryPoint(ENTRY, "pixel" if self.version.is_pixel else "vertex")]

    def disassemble(self, dialect: str | None = None) -> str:
        """Return the text from the profile to the last instruction, as fxc prints it.

        `dialect` is `native` (the default) or `exact`, which determines every bit of the program.
        """
        from .exact import EXACT, exact_lines
        from .text import linked_lines

        if self.checked_dialect(dialect) == "native":
            return "\n".join([*linked_lines(self), ""])
        return "\n".join([EXACT.line("//"), *exact_lines(self), ""])

    @classmethod
    def assemble(cls, text: str, *, donor: Code | None = None, file: str = "") -> Self:
        """Assemble a text of either dialect.

        Args:
            text: The text, from the profile on.
            donor: A program that supplies what native text does not contain: tokens of equal
                lines, and comments.
            file: The name of the text in messages.

        Raises:
            AssembleError: With all errors that were found.
            UsageError: `text` is not a string.
        """
        from ...dialect import checked_heading
        from ...isa.source import ErrorList, Source
        from .assembler import assemble
        from .exact import EXACT

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"expected a text, got an object of type {type(given).__name__}")
        source = Source(text, file)
        exact = checked_heading(source, "//", EXACT) is not None
        errors = ErrorList()
        found = assemble(source, errors, None if exact else donor, exact=exact)
        errors.check()
        return cls(found.version, found.instructions, found.comments)

    def explain(self, operation: str) -> "list[tuple[str, str]]":
        from .explanation import explain

        return explain(operation)

    def control_flow(self) -> "ProgramFlow":
        from .control import control_flow

        return control_flow(self)

    def line_paths(self) -> list[tuple[str, ...]]:
        from ...isa.linked import paths_of
        from .text import linked_lines

        return paths_of(linked_lines(self))

    def lexer(self) -> "Lexer":
        """Return the lexer of the texts, for syntax highlighting."""
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Split a line of a text into operation, results and operands."""
        from ...isa.steps import step_of
        from .lexer import LEXER, result_count

        return step_of(LEXER, line, result_count)

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Translate the program to `ir`; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        self.checked_entry(entry)
        return lower(self, specialisation or Specialisation())

    def stripped(self, category: str) -> Self | None:
        """Return the program without comments of a category: `debug`, or `reflection` (CTAB)."""
        kept = [each for each in self.comments if each.category != category]
        if len(kept) == len(self.comments):
            return None
        return type(self)(self.version, self.instructions, kept)

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the registers that the code declares and reads."""
        from .facts import facts_of

        self.checked_entry(entry)
        return facts_of(self)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by code."""
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        """Return diagnostics of the code alone; offsets are relative to `encode()`."""
        from .verify import verify

        return verify(self)

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Replace instructions by others, given as objects or text; return the new instructions.

        Comments between instructions keep their places; debug information is dropped, since it
        contains offsets of instructions.

        Raises:
            UsageError: An item is neither an instruction nor a text, or the slice has a step.
            AssembleError: A text is no instruction.
        """
        from .editing import replace

        return replace(self, *self.places(where), instructions)

    def to_data(self) -> "Plain":
        """Return the program as plain data, without loss."""
        from .data import program_to_data

        return program_to_data(self)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        """Return the program described by plain data; FormatError if a value does not fit."""
        from .data import program_from_data

        return cls(*program_from_data(data, path))

    def spans(self) -> list[Span]:
        """Return a span for each field; offsets are relative to the version."""
        from .spans import program_spans

        return list(program_spans(self))
