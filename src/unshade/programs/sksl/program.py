"""SkSL programs with all their operations: text, plain data, reflection, verification.

The other modules of this package only need the code (code.py).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from ...errors import Diagnostic, UnsupportedError
from ...program import Instruction
from ...program import Program as Base
from ...wire import Span
from ...wire.data import Plain
from .code import Code
from .tree import FunctionDefinition, ProgramUnit

if TYPE_CHECKING:
    from ...isa.lexer import Lexer
    from ...model import ComponentType, Stage
    from ...model.facts import ProgramFacts
    from ...rule import Rule

__all__ = ["Program"]

MAIN = "main"


class Program(Code, Base[Instruction]):
    """A program or a module, whose tree is `unit`."""

    __slots__ = ()
    language = "sksl"
    dialects = ("native", "upstream", "exact")

    def __eq__(self, other: object) -> bool:
        """Return True if the programs are equal as `comparison` says; their bytes may differ."""
        from .comparison import structure

        if not isinstance(other, Program):
            return NotImplemented
        return structure(self.unit) == structure(other.unit)

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        kind = self.unit.kind.name.lower() if isinstance(self.unit, ProgramUnit) else "module"
        return f"<Program {kind}, {len(self.unit.elements)} elements>"

    @property
    def entry_points(self) -> list[tuple[str, str]]:
        """(name, stage) of main; empty for a module, and for a program without main."""
        from .facts import stage_of

        if not isinstance(self.unit, ProgramUnit):
            return []
        names = (
            each.declaration.name
            for each in self.unit.elements
            if isinstance(each, FunctionDefinition)
        )
        return [(MAIN, stage_of(self.unit.kind))] if MAIN in names else []

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

    def lexer(self) -> "Lexer":
        """Return the lexer of the texts, for syntax highlighting."""
        from .lexer import LEXER

        return LEXER

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return inputs, outputs, uniforms and children of the program."""
        self.checked_entry(entry)
        return self.interface()

    def interface(self) -> "ProgramFacts":
        """Return the facts of a program, also of one without main."""
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

    def to_data(self) -> Plain:
        """Return the program as plain data; see data/."""
        from .data import code_to_data

        return code_to_data(self)

    @classmethod
    def from_data(cls, data: Plain, path: str = "") -> Self:
        """Return the program that plain data describes; FormatError if a value is invalid."""
        from .data import code_from_data

        found = code_from_data(data, path)
        return cls(found.unit, found.version, found.odd, found.strings, found.limits)
