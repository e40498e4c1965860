"""PICA200 programs with all their operations: text, plain data, verification, edits.

The other modules of this package only need the code (code.py).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from ...errors import Diagnostic, UsageError
from ...program import EntryPoint
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from .code import Code, Entry, Stage
from .descriptors import OperandDescriptor
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

__all__ = ["Entry", "Instruction", "OperandDescriptor", "Program", "Stage"]


class Program(Code, Base[Instruction]):
    """The code, descriptors and entries of one container, with their operations."""

    __slots__ = ()
    language = "pica"
    dialects = ("native", "exact")
    takes: ClassVar[frozenset[str] | None] = frozenset({"precision"})

    def __repr__(self) -> str:
        names = ", ".join(f"{stage} {name}" for name, stage in self.entry_points)
        counts = f"{len(self.instructions)} instructions, {len(self.descriptors)} descriptors"
        return f"<Program {names or 'without entries'}, {counts}>"

    @property
    def entry_points(self) -> list[EntryPoint]:
        """Name and stage of each shader."""
        return [EntryPoint(entry.name, entry.stage) for entry in self.entries]

    def disassemble(self, dialect: str | None = None) -> str:
        """Return the code as picasso source, without the declarations of the container.

        `dialect` is `native` (the default) or `exact`, which determines every bit of the code.
        """
        from .text import disassemble

        if self.checked_dialect(dialect) == "native":
            return disassemble(self)
        from .exact import ExactAnnotations

        return disassemble(self, ExactAnnotations(self))

    @classmethod
    def assemble(cls, text: str, *, nops: bool = False, file: str = "") -> Self:
        """Assemble picasso source of either dialect.

        Args:
            text: The source. Its entry point is the procedure that `.entry` names, or `main`; if
                there is no such procedure, the program has no entry.
            nops: Insert the `nop`s that the hardware needs at ends of blocks.
            file: The name of the source in error messages.

        Raises:
            AssembleError: The source is invalid; the error lists every mistake.
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
        exact = checked_heading(source, ";", EXACT) is not None
        mistakes = ErrorList()
        made = assemble([source], mistakes, nops=nops, exact=exact, entries=False)
        mistakes.check()
        pairs = ((each.word, each.high) for each in made.descriptors)
        return cls.of_words(made.words, pairs, made.entries())

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
        """Lower one shader to `ir`; UnsupportedError if it cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        name, _ = self.checked_entry(entry)
        chosen = next(each for each in self.entries if each.name == name)
        return lower(self, chosen, specialisation or Specialisation())

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the registers that the code of an entry reads and writes."""
        from .facts import facts_of

        chosen = self.checked_entry(entry)
        number = self.entry_points.index(chosen)
        return facts_of(self, [self.entries[number]])[0]

    def all_facts(self) -> "list[ProgramFacts]":
        """Return the facts of every entry; the structure of the code is recovered once."""
        from .facts import facts_of

        return facts_of(self, self.entries)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by their codes."""
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        """Check the code and its descriptors; return the violations of `rules()`."""
        from .verify import verify

        return verify(self)

    def to_data(self) -> "Plain":
        """Return the program as plain data; see data.py."""
        from .data import program_to_data

        return program_to_data(self)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        """Return the program that plain data describes; FormatError if a value is invalid."""
        from .data import program_from_data

        return cls(*program_from_data(data, path))

    def spans(self) -> list[Span]:
        """Return every field with its bits: of the code table, then of the descriptor table."""
        from .spans import descriptor_spans, instruction_spans

        table = descriptor_spans(self.descriptors, self.code_size)
        return [*instruction_spans(self.instructions), *table]

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Replace instructions by others, given as instructions or text.

        Return the new instructions.

        Targets, lengths and entries after them are adjusted. A target at the first replaced word
        then leads to the first new one, a target inside the replaced words to the word after them.
        Descriptors that a text needs are reused if they fit, or appended to the table.
        """
        from .editing import replace

        return replace(self, *self.places(where), instructions)
