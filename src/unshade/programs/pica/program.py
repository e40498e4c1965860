"""A PICA200 program and what can be done with it: text, plain data, rules, edits.

The modules below know the code alone (code.py).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from ...errors import Diagnostic, UsageError
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from ...wire.data import Plain
from .code import Code, Entry, Stage
from .data import program_from_data, program_to_data
from .descriptors import OperandDescriptor
from .instruction import Instruction
from .spans import descriptor_spans, instruction_spans

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model.facts import ProgramFacts
    from ...rule import Rule

__all__ = ["Entry", "Instruction", "OperandDescriptor", "Program", "Stage"]


class Program(Code, Base[Instruction]):
    """The code, the descriptors and the entries that one container holds."""

    __slots__ = ()
    language = "pica"
    dialects = ("native", "exact")
    takes: ClassVar[frozenset[str] | None] = frozenset({"precision"})

    def __repr__(self) -> str:
        names = ", ".join(f"{stage} {name}" for name, stage in self.entry_points)
        counts = f"{len(self.instructions)} instructions, {len(self.descriptors)} descriptors"
        return f"<Program {names or 'without entries'}, {counts}>"

    @property
    def entry_points(self) -> list[tuple[str, str]]:
        """(name, stage) of each shader."""
        return [(entry.name, entry.stage) for entry in self.entries]

    def disassemble(self, dialect: str | None = None) -> str:
        """picasso source of the code alone: what only the container knows is not there."""
        from .text import disassemble

        if self.checked_dialect(dialect) == "native":
            return disassemble(self)
        from .exact import ExactAnnotations

        return disassemble(self, ExactAnnotations(self))

    @classmethod
    def assemble(cls, text: str, *, nops: bool = False, file: str = "") -> Self:
        """Return the program of a picasso source, in either dialect or written by hand.

        Its entry is the procedure that `.entry` names, or `main`; without such it has none. `nops`
        inserts what the hardware needs at ends of blocks. AssembleError names every mistake that
        was found; `file` is what it calls the text.
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

    def lexer(self) -> "Lexer":
        """What tells the words of its texts apart, to show them in colours."""
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Return a line of its texts taken apart: operation, results, operands."""
        from ...isa.steps import step_of
        from .lexer import LEXER, result_count

        return step_of(LEXER, line, result_count)

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Return one shader as `ir`, to run it; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        name, _ = self.checked_entry(entry)
        chosen = next(each for each in self.entries if each.name == name)
        return lower(self, chosen, specialisation or Specialisation())

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return what the code of an entry reads and writes, in the words of the model."""
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
        """Return findings about the code and its descriptors."""
        from .verify import verify

        return verify(self)

    def to_data(self) -> Plain:
        """Plain data: see data.py."""
        return program_to_data(self)

    @classmethod
    def from_data(cls, data: Plain, path: str = "") -> Self:
        """The program that plain data describes; FormatError names the entry that does not fit."""
        return cls(*program_from_data(data, path))

    def spans(self) -> list[Span]:
        """Every field with its bits: of the code table, then of the descriptor table."""
        table = descriptor_spans(self.descriptors, self.code_size)
        return [*instruction_spans(self.instructions), *table]

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Put instructions, or their text, in the place of others; return the new ones.

        Targets, lengths and entries behind them follow. A target inside of what is replaced then
        leads to the word behind it, one to its first word to what is new. A text needs descriptors:
        those that fit are used again, others are appended to the table.
        """
        from .editing import replace

        return replace(self, *self.places(where), instructions)
