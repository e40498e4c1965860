"""The base class of programs, for all instruction sets and languages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, Protocol, Self

from .errors import Diagnostic, UnsupportedError, UsageError
from .notebook import Shown
from .tuples import NamedTuple

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with `default`: type checkers bring it with them

    from .ir.locations import SourceLocation
    from .ir.lowered import Lowered
    from .ir.specialisation import Specialisation
    from .isa.flow import ProgramFlow
    from .isa.lexer import Lexer
    from .isa.line_edits import LineEdit
    from .isa.steps import Step
    from .model import Statistics
    from .model.facts import ConstantReads, ProgramFacts
    from .rule import Rule
    from .wire import Span
    from .wire.data import Plain
else:
    from typing import TypeVar

__all__ = [
    "EntryPoint",
    "Instruction",
    "InstructionTuple",
    "Operand",
    "Program",
    "program_at",
    "several_entries",
]

CALLS = frozenset({"call", "OpExtInst"})  # operations that name another one


class EntryPoint(NamedTuple):
    """An entry point of a program."""

    name: str  # name in the file; main if the format has none
    stage: str  # a word of `model.Stage`


class Operand(Protocol):
    """An operand; `str()` returns its text."""

    def __str__(self) -> str: ...


class Instruction(Protocol):
    """An instruction; `str()` returns its line of the listing, without indentation."""

    @property
    def name(self) -> str:
        """Mnemonic without suffixes."""

    @property
    def operands(self) -> Sequence[Operand]:
        """Operands in the order of the text, results included."""

    @property
    def results(self) -> Sequence[Operand]:
        """Operands that the instruction writes, memory excluded."""

    def __str__(self) -> str: ...


if TYPE_CHECKING:
    I_co = TypeVar("I_co", bound=Instruction, covariant=True, default=Instruction)
else:
    I_co = TypeVar("I_co", bound=Instruction, covariant=True)


class InstructionTuple(tuple[I_co, ...]):
    """The instructions of a program that builds a new list for each access.

    Methods and assignments of lists, which would be lost, raise UsageError.
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise UsageError(
            "expected an edit by the program's insert, replace or remove, got a change of its list"
            " of instructions, which is a copy"
        )

    if not TYPE_CHECKING:
        __setitem__ = __delitem__ = __iadd__ = _refuse
        append = insert = extend = remove = pop = clear = sort = reverse = _refuse


def program_at(programs: "Sequence[Program]", number: object) -> "Program":
    """Return a program of a shader by its number, from 0; UsageError if there is none."""
    if not isinstance(number, int):
        raise UsageError(f"program: expected a number, got {number!r:.40}")
    if not 0 <= number < len(programs):
        raise UsageError(f"no such program: {number}; there are {len(programs)}, counted from 0")
    return programs[number]


def several_entries(what: str, listed: "Iterable[str]") -> UsageError:
    """Return the error for a program that has several functions if none is selected."""
    return UsageError(f"several {what}; select one with entry (--entry): {', '.join(listed)}")


class Program(Shown, Generic[I_co]):
    """A piece of code in a shader; each instruction set or language has a subclass."""

    __slots__ = ()

    drawn_in = ".screens.execution"
    drawn_by = "program"

    language: ClassVar[str]  # name of the language, as in `Reflection.code`: tpf, pica, …
    dialects: ClassVar[tuple[str, ...]] = ("native",)  # of its text; the first is the default

    # The language of sources whose compilers make such programs; None if there are none.
    source_language: ClassVar[str | None] = "hlsl"

    # True if each register is the result of one line: `diff` tells renumbered ones apart.
    single_assignment: ClassVar[bool] = False

    # Names of instructions that are debug information: `diff` does not count them as operations.
    debug_operations: ClassVar[frozenset[str]] = frozenset()

    # Fields of a Specialisation that `lower` honours; None if the code cannot be run yet.
    takes: ClassVar[frozenset[str] | None] = None

    @property
    def entry_points(self) -> Sequence[EntryPoint]:
        """Name and stage of each entry point."""
        raise NotImplementedError

    @property
    def exports(self) -> Sequence[str]:
        """Names of the functions that can be run on their own, besides the entry points."""
        return ()

    def exports_named(self, name: str) -> Sequence[str]:
        """Return the exports that a name may mean: the name itself, or one in the source."""
        return [each for each in self.exports if each == name]

    def source_name(self, name: str) -> str:
        """Return the name in the source of an entry point or export, if the name contains it."""
        return name

    @property
    def export_names(self) -> Sequence[str]:
        """The names of `exports` in the source, if they select one."""
        return self.exports

    @property
    def callables(self) -> Mapping[str, Sequence[str]]:
        """The functions that can be called directly, by name in the source; several if overloaded.

        They include functions that `exports` does not list, since they are internal.
        """
        return {each: [each] for each in self.exports}

    @property
    def instructions(self) -> Sequence[I_co]:
        """The instructions; empty if the code does not consist of instructions."""
        return ()

    def instruction_path(self, index: int) -> str:
        """Return the path of an instruction, in the form that `spans` uses."""
        return f"instructions[{index}]"

    def disassemble(self, dialect: str | None = None) -> str:
        """Return the code as text, without information that only the container has."""
        raise NotImplementedError

    def line_paths(self) -> Sequence[tuple[str, ...]]:
        """Return the paths in `spans` that each line of the native text shows.

        They are as in `Shader.line_paths`, relative to the program: `instructions[3]`.
        """
        return ()

    def control_flow(self) -> "ProgramFlow":
        """Return the instructions with the instructions that each one leads to.

        The result has no steps if the code does not consist of instructions, or is malformed.
        """
        from .isa.flow import ProgramFlow

        return ProgramFlow((), ())

    def line_locations(self) -> "Mapping[int, SourceLocation | None]":
        """Return where the lines of the native text come from, by debug information.

        The result contains each line with an operation, by its number from 1; None for operations
        that come from no line of a source.
        """
        return {}

    def explained(self, step: "Step") -> str:
        """Return the operation that explains a line; for a call, the called operation."""
        return step.operation

    def operations(self) -> Iterator[str]:
        """Yield the operation of each instruction; of a call, the called operation.

        Instructions of debug information are left out.
        """
        yield from self._operations_of(self.instructions)

    def _operations_of(self, instructions: Iterable[Instruction]) -> Iterator[str]:
        for each in instructions:
            name = each.name
            if name in CALLS:
                yield self.explained(self.step(str(each)))
            elif name not in self.debug_operations:
                yield name

    def explain(self, operation: str) -> Sequence[tuple[str, str]]:
        """Return what the table of operations contains about an operation of the native text.

        Each pair is a label and a text: `("opcode", "0")`. The pair with the empty label is the
        summary; operands are one a line. The result is empty for an unknown operation.

        Args:
            operation: The operation of a line, as `step` returns it: `sample_indexable`.
        """
        return ()

    def explained_words(self, step: "Step") -> Iterable[tuple[str, Sequence[tuple[str, str]]]]:
        """Return the words of a line besides the operation that tables explain, as `explain` does.

        They are names of numbers: the storage class of a variable, a decoration.
        """
        return ()

    def comparable(self) -> Sequence[str]:
        """Return the lines that `diff` compares, if neither the exact nor the native text is apt.

        Two programs with the same lines are equivalent: they differ only in layout.
        """
        return ()

    def debug_lines(self) -> Sequence[str]:
        """Return the lines of debug information, which `comparable` leaves out, of code that is
        a whole file. Code in a part is compared by `differences` instead.
        """
        return ()

    def differences(self, other: Self) -> Sequence[str]:
        """Return the categories of `diff` in which two programs with different bytes differ."""
        return ("container" if self == other else "code",)

    def name_differences(self, other: Self) -> Iterable[tuple[str, str, str]]:
        """Yield the path of each name that differs in programs with the same code, and the names.

        A name that occurs in only one program is paired with an empty string.
        """
        return ()

    def checked_dialect(self, dialect: str | None) -> str:
        """Return a dialect, the default for None; raise an error that lists the known dialects."""
        if dialect is None:
            return self.dialects[0]
        if dialect not in self.dialects:
            from .dialect import no_dialect

            raise no_dialect(self.language, dialect, *self.dialects)
        return dialect

    @classmethod
    def assemble(cls, text: str, *, file: str = "") -> "Program[I_co]":
        """Assemble a program from text in any of its dialects.

        Args:
            text: The source text.
            file: Name of the text in error messages.

        Raises:
            AssembleError: With all errors that were found.
        """
        raise UnsupportedError(f"{cls.language} programs cannot be assembled yet")

    def lexer(self) -> "Lexer":
        """Return the lexer of the text, for syntax highlighting."""
        from .isa.lexer import comments

        return comments("//")

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Translate an entry point to `ir`, to run it.

        Args:
            entry: Name of the entry point; may be None if the program has a single entry point.
            specialisation: Values fixed before lowering; `takes` names the fields that matter.

        Raises:
            UnsupportedError: Names what cannot be run.
            UsageError: The entry point does not exist.
        """
        raise UnsupportedError(f"{self.language} programs cannot be run yet")

    def checked_entry(self, entry: str | None) -> EntryPoint:
        """Return an entry point by its name; the UsageError lists all entry points."""
        found = self.entry_points
        names = [each.name for each in found]
        if entry is None and len(found) == 1:
            return found[0]
        for each in found:
            if each.name == entry:
                return each
        if not names:
            raise UsageError("expected an entry point, the program has none")
        if entry is None:
            raise several_entries("entry points", (f"{name} ({stage})" for name, stage in found))
        raise UsageError(f"no entry point {entry!r:.40}: expected one of {', '.join(names)}")

    def step(self, line: str) -> "Step":
        """Split a line of the text into operation, results and operands."""
        from .isa.steps import step_of

        return step_of(self.lexer(), line)

    def simpler(self, lines: "Sequence[str]", at: int) -> "Iterator[LineEdit]":
        """Yield edits that make a line of the text simpler, or a block smaller that it opens.

        They need not be valid; `unshade.reduce` tries them.
        """
        from .isa.line_edits import block_edits

        return block_edits(lines, at)

    # -- information -----------------------------------------------------------------------------

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the information about an entry point that its code contains."""
        raise NotImplementedError

    def all_facts(self) -> "Sequence[ProgramFacts]":
        """Return the facts of all entry points, in order."""
        return [self.facts(name) for name, _ in self.entry_points]

    def statistics(self, entry: str | None = None) -> "Statistics":
        """Return counts over the code of an entry point."""
        found = self.facts(entry).statistics
        if found is None:
            raise UnsupportedError(f"instructions of {self.language} programs are not counted yet")
        return found

    def constant_reads(self, entry: str | None = None) -> "dict[str, ConstantReads]":
        """Return the bytes of constant buffers that an entry point reads.

        The keys are the labels of the buffers in the code: `cb0`. Buffers that are not read may be
        missing.
        """
        from .model import ResourceKind
        from .model.facts import ConstantReads

        return {
            each.label: ConstantReads(each.reads or [], each.reads is None)
            for each in self.facts(entry).resources
            if each.resource.kind == ResourceKind.CONSTANT_BUFFER
        }

    def encode(self) -> bytes:
        """Return the bytes of the code; several tables are concatenated."""
        raise NotImplementedError

    def spans(self) -> "Sequence[Span]":
        """Return a span for each field; offsets are relative to the start of `encode()`."""
        raise NotImplementedError

    def iter_spans(self) -> "Iterator[Span]":
        """Iterate over the spans of `spans()`, in large code without holding all of them."""
        return iter(self.spans())

    def to_data(self) -> "Plain":
        """Return the program as plain data, without loss; `from_data` is the inverse."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        """Return the program described by plain data of `to_data`.

        Args:
            data: The plain data.
            path: The dotted path of the program in a larger document, for error messages.

        Raises:
            FormatError: The data does not describe a program; its path names the invalid field.
        """
        raise NotImplementedError

    @property
    def sources(self) -> Mapping[str, str]:
        """Source files embedded in the code, by name."""
        return {}

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by code."""
        raise NotImplementedError

    def verify(self) -> list[Diagnostic]:
        """Return diagnostics of the code alone; offsets are relative to `encode()`."""
        raise NotImplementedError

    def offset(self, path: str) -> int | None:
        """Return the offset of a field, or of a group of fields, of `spans`; None if unknown."""
        from .wire.spans import is_below

        found = (each.offset for each in self.iter_spans() if is_below(each.path, path))
        return min(found, default=None)

    def stripped(self, category: str) -> Self | None:
        """Return the program without the data of a category of `Shader.strip`; None if it has none.

        The program itself is not changed.
        """
        return None

    # -- edits, each of which is applied as a whole or not at all -------------------------------

    def insert(self, index: int, *instructions: Instruction | str) -> Sequence[I_co]:
        """Insert instructions.

        Args:
            index: The index of the instruction to insert before, as in `list.insert`.
            instructions: Instructions, as objects or as text.

        Returns:
            The new instructions.
        """
        total = len(self.instructions)
        place: object = index
        if not isinstance(place, int) or not -total <= place <= total:
            raise UsageError(f"expected an index from 0 to {total}, got {index!r:.40}")
        at = place + total if place < 0 else place
        return self.replace(slice(at, at), *instructions)

    def remove(self, where: int | slice) -> Sequence[I_co]:
        """Remove an instruction or a slice of instructions; return the removed instructions."""
        before = list(self.instructions)
        self.replace(where)
        return before[where] if isinstance(where, slice) else [before[where]]

    def replace(self, where: int | slice, *instructions: Instruction | str) -> Sequence[I_co]:
        """Replace instructions.

        Args:
            where: The index of an instruction, or a slice.
            instructions: Any number of instructions, as objects or as text.

        Returns:
            The new instructions.
        """
        raise UnsupportedError(f"instructions of {self.language} programs cannot be edited yet")

    def places(self, where: int | slice) -> tuple[int, list[int]]:
        """Return the start of an index or slice, and the indices of the instructions in it."""
        total = len(self.instructions)
        try:
            if isinstance(where, slice):
                numbers = sorted(range(total)[where])
                return (numbers[0] if numbers else where.indices(total)[0]), numbers
            return range(total)[where], [range(total)[where]]
        except IndexError:
            raise UsageError(f"no instruction {where}: expected 0 to {total - 1}") from None
        except (TypeError, ValueError):
            problem = f"expected an index of an instruction or a slice, got {where!r:.40}"
            raise UsageError(problem) from None
