"""What every program in a shader can do, whatever its instruction set."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, Self

from .errors import Diagnostic, UnsupportedError, UsageError

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with `default`: type checkers bring it with them

    from .ir.lowered import Lowered
    from .ir.specialisation import Specialisation
    from .isa.lexer import Lexer
    from .isa.steps import Step
    from .model import Statistics
    from .model.facts import ProgramFacts
    from .rule import Rule
    from .wire import Span
    from .wire.data import Plain
else:
    from typing import TypeVar

__all__ = ["Instruction", "Operand", "Program"]


class Operand(Protocol):
    """One operand; `str` of it is its text."""

    def __str__(self) -> str: ...


class Instruction(Protocol):
    """One instruction; `str` of it is its line of the listing, without indentation."""

    @property
    def name(self) -> str:
        """The mnemonic, without suffixes."""

    @property
    def operands(self) -> Sequence[Operand]:
        """The operands, in the order of the text, results among them."""

    @property
    def results(self) -> Sequence[Operand]:
        """The operands that it writes; memory is none."""

    def __str__(self) -> str: ...


if TYPE_CHECKING:
    I_co = TypeVar("I_co", bound=Instruction, covariant=True, default=Instruction)
else:
    I_co = TypeVar("I_co", bound=Instruction, covariant=True)


class Program(Generic[I_co]):
    """One piece of code in a shader. Subclasses are the instruction sets and languages."""

    __slots__ = ()

    language: ClassVar[str]  # what the code is, as `Reflection.code` says it: tpf, pica, …
    dialects: ClassVar[tuple[str, ...]] = ("native",)  # of its text; the first is the usual one

    # The fields of a Specialisation that `lower` honours; None where the code cannot be run yet.
    takes: ClassVar[frozenset[str] | None] = None

    @property
    def entry_points(self) -> Sequence[tuple[str, str]]:
        """(name, stage) of each function that can be started."""
        raise NotImplementedError

    @property
    def instructions(self) -> Sequence[I_co]:
        """The instructions; empty where the code is not made of such."""
        return ()

    def disassemble(self, dialect: str | None = None) -> str:
        """The code as text, without what only the container knows."""
        raise NotImplementedError

    def checked_dialect(self, dialect: str | None) -> str:
        """Return the name of a dialect, None for the usual one; an error lists those there are."""
        if dialect is None:
            return self.dialects[0]
        if dialect not in self.dialects:
            from .dialect import no_dialect

            raise no_dialect(self.language, dialect, *self.dialects)
        return dialect

    @classmethod
    def assemble(cls, text: str, *, file: str = "") -> "Program[I_co]":
        """Return the program that a text describes, in any of its dialects.

        AssembleError names every mistake that was found; `file` is what it calls the text.
        """
        raise UnsupportedError("the text of such a program cannot be assembled yet")

    def lexer(self) -> "Lexer":
        """What tells the words of its texts apart, to show them in colours."""
        from .isa.lexer import comments

        return comments("//")

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Return the program as `ir`, to run it; UnsupportedError names what cannot be run.

        `entry` is the name of the entry point that is run, None for the only one.
        `specialisation` holds what is settled beforehand; a program honours the fields in `takes`.
        """
        raise UnsupportedError("programs of this kind cannot be run yet")

    def checked_entry(self, entry: str | None) -> tuple[str, str]:
        """Return the (name, stage) of an entry point; UsageError lists those that there are."""
        found = self.entry_points
        names = [name for name, _ in found]
        if entry is None and len(found) == 1:
            return found[0]
        for each in found:
            if each[0] == entry:
                return each
        told = f"expected one of {', '.join(names)}" if names else "there is none"
        problem = "several entry points" if entry is None else f"no entry point {entry!r:.40}"
        raise UsageError(f"{problem}: {told}")

    def step(self, line: str) -> "Step":
        """Return a line of its texts taken apart: operation, results, operands."""
        from .isa.steps import step_of

        return step_of(self.lexer(), line)

    # -- what it says about itself ---------------------------------------------------------------

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return what the code says about an entry point, in the words of the model."""
        raise NotImplementedError

    def all_facts(self) -> "Sequence[ProgramFacts]":
        """Return the facts of every entry point, in their order."""
        return [self.facts(name) for name, _ in self.entry_points]

    def statistics(self, entry: str | None = None) -> "Statistics":
        """Return counts over the code of an entry point."""
        found = self.facts(entry).statistics
        if found is None:
            raise UnsupportedError("instructions of such a program are not counted yet")
        return found

    def encode(self) -> bytes:
        """Return the bytes of the code; several tables one after the other."""
        raise NotImplementedError

    def spans(self) -> "Sequence[Span]":
        """Return every named field; offsets count from the start of `encode()`."""
        raise NotImplementedError

    def to_data(self) -> "Plain":
        """Return the program as plain data, from which `from_data` makes the same."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        """Return the program that plain data describes; FormatError names what does not fit."""
        raise NotImplementedError

    @property
    def sources(self) -> Mapping[str, str]:
        """The sources that the code holds, by file name."""
        return {}

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by their codes."""
        raise NotImplementedError

    def verify(self) -> list[Diagnostic]:
        """Return findings about the code alone; offsets count from the start of `encode()`."""
        raise NotImplementedError

    def offset(self, path: str) -> int | None:
        """Return where a field of `spans`, or what holds such, begins; None if there is none."""
        inner = (f"{path}.", f"{path}[")
        found = (each for each in self.spans() if each.path == path or each.path.startswith(inner))
        return min((each.offset for each in found), default=None)

    # -- edits, each of which happens whole or not at all ---------------------------------------

    def insert(self, index: int, *instructions: Instruction | str) -> Sequence[I_co]:
        """Insert instructions, or their text, before the one at `index`; return the new ones."""
        total = len(self.instructions)
        place: object = index
        if not isinstance(place, int) or not -total <= place <= total:
            raise UsageError(f"instructions can stand at 0 to {total}, not at {index!r:.40}")
        at = place + total if place < 0 else place
        return self.replace(slice(at, at), *instructions)

    def remove(self, where: int | slice) -> Sequence[I_co]:
        """Remove one instruction, or a slice of them; return what was there."""
        before = list(self.instructions)
        self.replace(where)
        return before[where] if isinstance(where, slice) else [before[where]]

    def replace(self, where: int | slice, *instructions: Instruction | str) -> Sequence[I_co]:
        """Put instructions, or their text, in the place of others; return the new ones."""
        raise UnsupportedError("the code of such a program cannot be edited by instruction yet")

    def places(self, where: int | slice) -> tuple[int, list[int]]:
        """Where an index or slice begins, and the numbers of the instructions that it takes."""
        total = len(self.instructions)
        try:
            if isinstance(where, slice):
                numbers = sorted(range(total)[where])
                return (numbers[0] if numbers else where.indices(total)[0]), numbers
            return range(total)[where], [range(total)[where]]
        except IndexError:
            raise UsageError(f"there is no instruction {where}, only 0 to {total - 1}") from None
        except (TypeError, ValueError):
            problem = f"the number of an instruction, or a slice, expected, not {where!r:.40}"
            raise UsageError(problem) from None
