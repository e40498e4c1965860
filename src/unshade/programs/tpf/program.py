"""A tokenized program and what can be done with it: text, plain data, rules, edits, `ir`.

The modules below know the tokens alone (code.py).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, UsageError
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from ...wire.data import Plain
from .code import Code
from .data import program_from_data, program_to_data
from .instruction import Instruction
from .spans import program_spans

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model import Statistics
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from .text.style import Style

__all__ = ["Instruction", "Program"]


class Program(Code, Base[Instruction]):
    """The data of a SHDR or SHEX part."""

    __slots__ = ()
    language = "tpf"
    dialects = ("native", "exact")
    takes = frozenset({"bounds", "interfaces", "instances", "lengths", "samples"})

    def __repr__(self) -> str:
        return f"<Program {self.profile}, {len(self.instructions)} instructions>"

    def disassemble(self, dialect: str | None = None, *, style: "Style | None" = None) -> str:
        """The text from the profile to the last instruction; `style` is its generation.

        `native` is what fxc prints, `exact` that and just what it loses: see exact.py.
        """
        from .text import disassemble
        from .text.style import Style

        if self.checked_dialect(dialect) == "native":
            return "\n".join([*disassemble(self, style or Style()), ""])
        from .exact import EXACT, exact_lines

        return "\n".join([EXACT.line("//"), *exact_lines(self, style or Style()), ""])

    def lexer(self) -> "Lexer":
        """What tells the words of its texts apart, to show them in colours."""
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Return a line of its texts taken apart: operation, results, operands."""
        from ...isa.steps import step_of
        from .lexer import LEXER, result_count

        return step_of(LEXER, line, result_count)

    @classmethod
    def assemble(cls, text: str, *, donor: Code | None = None, file: str = "") -> Self:
        """The program that a text describes, in either dialect or written by hand.

        A `donor` supplies what native text does not say: what prints the same is the same.
        AssembleError names every mistake that was found; `file` is what it calls the text.
        """
        from ...isa.source import ErrorList, Source
        from .assembler import assemble

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"a text is assembled, not an object of type {type(given).__name__}")
        with_mistakes = ErrorList()
        found = assemble(Source(text, file), with_mistakes, donor=donor)
        with_mistakes.check()
        return cls.of(found)

    @classmethod
    def of(cls, code: Code) -> Self:
        """The program of these tokens."""
        return cls(code.version, code.instructions, code.trailing)

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Return the program as `ir`, to run it; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        name, _ = self.checked_entry(entry)
        return lower(self, name, specialisation or Specialisation())

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return what the program declares, in the words of the model."""
        from .facts import facts_of

        self.checked_entry(entry)
        return facts_of(self)

    def statistics(
        self, entry: str | None = None, *, version: tuple[int, int] | None = None
    ) -> "Statistics":
        """Return the program's counters as fxc of that version makes them, by default fxc 10."""
        from .facts.statistics import FXC, statistics

        self.checked_entry(entry)
        return statistics(self, version or FXC)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by their codes."""
        from .verify import RULES

        return RULES

    def offset(self, path: str) -> int | None:
        """Return where an instruction or operand stands, from the start of the part's data."""
        from .verify.offsets import InstructionOffsets

        return InstructionOffsets(self).offset(path)

    def verify(self) -> list[Diagnostic]:
        """Findings about the code alone; offsets count from the start of the part's data."""
        from .verify import verify

        return verify(self)

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Put instructions, or their text, in the place of others; return the new ones.

        UsageError if that would break the program's structure, which then stays as it was: see
        editing.py. `instructions` is a list, for who wants no such check.
        """
        from .editing import replace

        return replace(self, *self.places(where), instructions)

    def to_data(self) -> Plain:
        """Plain data: see data/."""
        return program_to_data(self)

    @classmethod
    def from_data(cls, data: Plain, path: str = "") -> Self:
        """The program that plain data describes; FormatError names the entry that does not fit."""
        return cls(*program_from_data(data, path))

    def spans(self) -> list[Span]:
        """Every field with its bits; offsets count from the start of the part's data."""
        return program_spans(self)
