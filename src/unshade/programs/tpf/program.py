"""Tokenized programs: text, plain data, rules, edits and lowering of `Code`.

The other modules work on `Code` (code.py) and do not import this one.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, UsageError
from ...program import Instruction as Given
from ...program import Program as Base
from ...wire import Span
from .code import Code
from .instruction import Instruction
from .tables.enumerations import CustomClass

if TYPE_CHECKING:
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.flow import ProgramFlow
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model import Statistics
    from ...model.facts import ConstantReads, ProgramFacts
    from ...rule import Rule
    from ...wire.data import Plain
    from .text.style import Style

__all__ = ["Instruction", "Program"]

# Custom data that the runtime does not need; a message is for the debug layer.
DEBUG_DATA = (CustomClass.COMMENT, CustomClass.DEBUGINFO, CustomClass.SHADER_MESSAGE)
CUSTOM_DATA = "customdata"


# What takes longer to import than most programs to read is imported on first use. It is kept, since
# a relative import in a function takes a microsecond each time.


@cache
def _facts() -> "Callable[[Code], ProgramFacts]":
    from .facts import facts_of

    return facts_of


@cache
def _statistics() -> "Callable[..., Statistics]":
    from .facts.statistics import statistics

    return statistics


@cache
def _verify() -> "Callable[[Code], list[Diagnostic]]":
    from .verify import verify

    return verify


class Program(Code, Base[Instruction]):
    """The data of a SHDR or SHEX part."""

    __slots__ = ()
    language = "tpf"
    dialects = ("native", "exact")
    takes = frozenset({"bounds", "interfaces", "instances", "lengths", "samples"})

    def __repr__(self) -> str:
        return f"<Program {self.profile}, {len(self.listed)} instructions>"

    def disassemble(self, dialect: str | None = None, *, style: "Style | None" = None) -> str:
        """Return the text from the profile to the last instruction.

        Args:
            dialect: `native`, as fxc prints it, or `exact`, without loss (exact.py).
            style: The version of the listing; by default the newest fxc.
        """
        from .text import disassemble
        from .text.style import Style

        if self.checked_dialect(dialect) == "native":
            return "\n".join([*disassemble(self, style or Style()), ""])
        from .exact import EXACT, exact_lines

        return "\n".join([EXACT.line("//"), *exact_lines(self, style or Style()), ""])

    def explain(self, operation: str) -> "list[tuple[str, str]]":
        from .explanation import explain

        return explain(operation)

    def operations(self) -> Iterator[str]:
        """Yield the operation of each instruction, without those of debug information."""
        return self._operations_of(self.listed)  # `instructions` are copies, to be edited

    def control_flow(self) -> "ProgramFlow":
        from .control import control_flow

        return control_flow(self.listed)

    def line_paths(self) -> list[tuple[str, ...]]:
        from .lines import is_constant_table, line_numbers

        first = line_numbers(self.listed)
        found: list[tuple[str, ...]] = [("version",)]
        for index, last in enumerate([*(each - 1 for each in first[1:]), None][: len(first)]):
            path = self.instruction_path(index)
            rows = 1 if last is None else last - first[index] + 1
            if is_constant_table(self.listed[index]) and self.listed[index].payload:
                found.append((path, f"{path}.rows[0]"))
                found += [(f"{path}.rows[{row}]",) for row in range(1, rows)]
            else:
                found += [(path,)] * rows
        found += [found[-1]] * (self.disassemble().count("\n") - len(found))
        return found

    def lexer(self) -> "Lexer":
        """Return the lexer of its texts, for syntax highlighting."""
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Split a line of its texts into operation, results and operands."""
        from ...isa.steps import step_of
        from .lexer import LEXER, result_count

        return step_of(LEXER, line, result_count)

    @classmethod
    def assemble(cls, text: str, *, donor: Code | None = None, file: str = "") -> Self:
        """Assemble a text, in either dialect or written by hand.

        Args:
            text: The text, from the profile on.
            donor: A program that supplies what native text does not contain: text equal to its
                listing keeps its bits.
            file: The name of the text in messages.

        Raises:
            AssembleError: With all errors that were found.
        """
        from ...isa.source import ErrorList, Source
        from .assembler import assemble

        given: object = text
        if not isinstance(given, str):
            raise UsageError(f"expected a text, got an object of type {type(given).__name__}")
        errors = ErrorList()
        found = assemble(Source(text, file), errors, donor=donor)
        errors.check()
        return cls.of(found)

    @classmethod
    def of(cls, code: Code) -> Self:
        """Return the program with these contents."""
        if code._shared is not None:
            return cls.of_shared(code.version, code._shared, code.trailing)
        return cls(code.version, code.instructions, code.trailing)

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Translate the program to `ir`; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower
        from .text import disassemble

        name, _ = self.checked_entry(entry)
        return lower(self, name, specialisation or Specialisation(), disassemble(self))

    def stripped(self, category: str) -> Self | None:
        """Return the program without comments, debug information and debug messages (`debug`)."""
        if category != "debug":
            return None
        kept = [
            at
            for at, each in enumerate(self.listed)
            if each.name != CUSTOM_DATA or each.custom_class not in DEBUG_DATA
        ]
        if len(kept) == len(self.listed):
            return None
        return type(self)(self.version, [self.instructions[at] for at in kept], self.trailing)

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the declarations of the program in the terms of `model`."""
        if entry is not None:  # there is only one
            self.checked_entry(entry)
        return _facts()(self)

    def constant_reads(self, entry: str | None = None) -> "dict[str, ConstantReads]":
        from .facts.constants import constant_reads

        if entry is not None:
            self.checked_entry(entry)
        return constant_reads(self)

    def statistics(
        self, entry: str | None = None, *, version: tuple[int, int] | None = None
    ) -> "Statistics":
        """Return the counters as fxc of that version would count them; by default fxc 10."""
        if entry is not None:
            self.checked_entry(entry)
        return _statistics()(self) if version is None else _statistics()(self, version)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by code."""
        from .verify import RULES

        return RULES

    def offset(self, path: str) -> int | None:
        """Return the offset of an instruction or operand from the start of the part's data."""
        from .verify.offsets import InstructionOffsets

        return InstructionOffsets(self).offset(path)

    def verify(self) -> list[Diagnostic]:
        """Return diagnostics of the code alone; offsets are relative to the part's data."""
        return _verify()(self)

    def replace(self, where: int | slice, *instructions: Given | str) -> list[Instruction]:
        """Replace instructions by others, given as objects or text; return the new instructions.

        To edit without the check, change the list `instructions`.

        Raises:
            UsageError: The edit would break the structure (editing.py); nothing is changed.
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

        return program_from_data(cls, data, path)

    def spans(self) -> list[Span]:
        """Return a span for each field; offsets are relative to the part's data."""
        return [*self.iter_spans()]

    def iter_spans(self) -> Iterator[Span]:
        from .spans import program_spans

        return program_spans(self)
