"""The code of a SPIR-V module as a program."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Self

from ...errors import Diagnostic, UsageError
from ...isa.representation import described
from ...program import EntryPoint, InstructionTuple
from ...program import Program as BaseProgram
from ...tuples import NamedTuple
from ...unchanged import once
from ...vocab.numbers import word
from .context import Context, string_of
from .header import generator_text, version_text
from .module import Instruction, Module, first_of, positions_of
from .operands import decode
from .reading import read_operands
from .tables.grammar import grammar
from .tables.numbers import Opcode
from .tables.opcode_groups import is_non_semantic_set
from .tables.sections import DEBUG_INFORMATION
from .tables.stages import STAGES
from .text.operands import operand_text
from .text.printer import Options, PrintedLine, disassemble, plain_lines

if TYPE_CHECKING:
    from ...ir.locations import SourceLocation
    from ...ir.lowered import Lowered
    from ...ir.specialisation import Specialisation
    from ...isa.flow import ProgramFlow
    from ...isa.lexer import Lexer
    from ...isa.line_edits import LineEdit
    from ...isa.steps import Step
    from ...model.facts import ProgramFacts
    from ...program import Instruction as ProgramInstruction
    from ...rule import Rule
    from ...wire import Span
    from ...wire.data import Plain
    from .index import ModuleIndex

__all__ = ["CodeInstruction", "Program"]


ID = re.compile(r"%\d+")  # that has no name


class OperandText(str):
    """The text of an operand."""

    __slots__ = ()


class CodeInstruction(NamedTuple):
    """An instruction as text: `operands` include the result."""

    name: str
    operands: tuple[OperandText, ...]
    results: tuple[OperandText, ...]
    line: str

    def __str__(self) -> str:
        return self.line

    def __repr__(self) -> str:
        return described(self, self.line)


SET = 2  # place of the set in OpExtInst: after the type, the result
EXTENDED = 3  # place of the instruction in OpExtInst: after the type, the result and the set
SET_OPERANDS = 2  # of OpExtInst before the instruction: the type, the set


class Program(BaseProgram[CodeInstruction]):
    """The instructions of a module; `module` may be edited."""

    language = "spirv"
    dialects = ("native", "exact")
    source_language = "glsl"  # which has bindings and locations of Vulkan
    takes = frozenset({"bounds", "constants", "flush", "lengths", "wave_size"})
    debug_operations = frozenset(
        f"Op{name}"
        for name, number in vars(Opcode).items()
        if number in {*DEBUG_INFORMATION, Opcode.String}
    )
    single_assignment = True

    def __init__(self, module: Module) -> None:
        self.module = module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and other.encode() == self.encode()

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __repr__(self) -> str:
        names = ", ".join(f"{stage} {name}" for name, stage in self.entry_points)
        return f"<Program {names or 'without entries'}, {len(self.instructions)} instructions>"

    # -- text ------------------------------------------------------------------------------------

    def disassemble(self, dialect: str | None = None, **options: Any) -> str:
        """Return the text of the module; options are as in `text.layout.Options`."""
        options_ = Options.of(options)
        if self.checked_dialect(dialect) == "exact":
            from .exact import write_exact

            return write_exact(self.module)
        return disassemble(self.module, options_)

    def explained(self, step: "Step") -> str:
        calls = step.operation.startswith("OpExtInst") and len(step.operands) > SET_OPERANDS
        return step.operands[SET_OPERANDS].text if calls else step.operation

    def operations(self) -> Iterator[str]:
        """Yield the names, without the texts of other operands."""
        decoded, context = read_operands(self.module)
        if any(each.problem for each in decoded):
            yield from super().operations()
            return
        for each in decoded:
            assert each.op is not None
            if each.op.code == Opcode.ExtInst:
                if not is_non_semantic_set(context.imports.get(each.operands[SET].words[0], "")):
                    yield operand_text(each.operands[EXTENDED], {})
            elif each.op.name not in self.debug_operations:
                yield each.op.name

    def explain(self, operation: str) -> "list[tuple[str, str]]":
        from .explanation import explain

        return explain(operation)

    def explained_words(self, step: "Step") -> "Iterator[tuple[str, list[tuple[str, str]]]]":
        from .explanation import enumerants

        return enumerants(step)

    def control_flow(self) -> "ProgramFlow":
        from .control import control_flow

        return control_flow(self.module)

    def line_paths(self) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = [(), ("version",), ("generator",), ("bound",), ("schema",)]
        for at, line in enumerate(self.lines):
            found += [(self.instruction_path(at),)] * (1 + str(line).count("\n"))  # in a string
        return found

    def line_locations(self) -> "Mapping[int, SourceLocation | None]":
        from .index import ModuleIndex
        from .lower.listing import Listing

        listing = Listing(self.module, ModuleIndex(self.module))
        return listing.located()

    def comparable(self) -> Sequence[str]:
        """Return the instructions as in the listing, without header and debug information."""
        return [str(line) for line in self._lines(debug=False)]

    def debug_lines(self) -> Sequence[str]:
        """Return the instructions of `debug()` as text, without the numbers of ids."""
        return [ID.sub("%", str(line)) for line in self._lines(debug=True)]

    def differences(self, other: "Program") -> Sequence[str]:
        """Return `code`, `debug` or both; `container` if only the header differs."""
        mine, its = (
            [line.instruction.words for line in each._lines(debug=False)] for each in (self, other)
        )
        found = ["code"] if mine != its else []
        if Counter(self.debug_lines()) != Counter(other.debug_lines()):
            found.append("debug")
        return found or ("container",)

    def _lines(self, debug: bool) -> Iterator[PrintedLine]:
        """Iterate over the lines that are debug information, or over all others."""
        from .editing.debug import debug_places

        places = set(debug_places(self.module))
        return (line for at, line in enumerate(self.lines) if (at in places) is debug)

    @classmethod
    def assemble(
        cls,
        text: str,
        *,
        file: str = "",
        target: str | None = None,
        preserve_numeric_ids: bool = False,
    ) -> "Program":
        """Assemble a module; see `assembler.assemble`."""
        from ...isa.source import Source
        from .assembler import assemble
        from .exact import HEADING, read_exact

        source = Source(text, file)
        if text.startswith(HEADING.line(";")):
            return cls(read_exact(source))
        return cls(assemble(source, target=target, preserve_numeric_ids=preserve_numeric_ids))

    def lexer(self) -> "Lexer":
        from .lexer import LEXER

        return LEXER

    def step(self, line: str) -> "Step":
        """Split a line of the text into operation, result and operands."""
        from .lexer import step

        return step(line)

    def simpler(self, lines: Sequence[str], at: int) -> "Iterator[LineEdit]":
        """Yield edits that make an instruction simpler, or remove a block."""
        from .text.simpler import simpler

        return simpler(lines, at)

    @property
    def lines(self) -> list[PrintedLine]:
        """The instructions with their operands and text."""
        return plain_lines(self.module)

    @property
    def instructions(self) -> Sequence[CodeInstruction]:
        """The instructions, for an edit by `insert`, `replace` or `remove`.

        Each access builds a new list.
        """
        found = []
        for line in self.lines:
            name = line.decoded.op.name if line.decoded.op is not None else line.body.split()[0]
            words = tuple(map(OperandText, line.operands))
            result = (OperandText(line.result),) if line.result else ()
            found.append(CodeInstruction(name, (*result, *words), result, str(line)))
        return InstructionTuple(found)

    # -- information -----------------------------------------------------------------------------

    @property
    def version(self) -> str:
        """The version of SPIR-V: 1.5."""
        return version_text(self.module.version)

    @property
    def index(self) -> "ModuleIndex":
        """An index of the module's ids; later edits do not change it."""
        from .index import index_of

        return index_of(self.module)

    @property
    def generator(self) -> str:
        """The tool that made the module, with its version."""
        return generator_text(self.module.generator)

    @property
    def processing(self) -> list[str]:
        """Notes of tools about their processing of the module (OpModuleProcessed)."""
        code = self.module.words()
        places = positions_of(code, (Opcode.ModuleProcessed,))
        return [string_of(code[at][1:])[0] for at in places]

    @property
    def entry_points(self) -> list[EntryPoint]:
        return [*_entry_points(self.module)]

    @property
    def exports(self) -> list[str]:
        """Names of the functions that are not entry points, or ids of unnamed functions."""
        from .exported import exported_functions

        return [*exported_functions(self.index)]

    def exports_named(self, name: str) -> list[str]:
        """Return the exports with a name, as in the module or as in the source, or with an id."""
        from .exported import exported_functions, names_meant

        return names_meant(exported_functions(self.index), name)

    @property
    def export_names(self) -> list[str]:
        """The names of `exports` in the source, if they select one."""
        from .exported import short_names

        return short_names(self.exports)

    @property
    def callables(self) -> dict[str, list[str]]:
        """The functions that are not entry points, by name in the source."""
        from .exported import source_name

        found: dict[str, list[str]] = {}
        for each in self.exports:
            found.setdefault(source_name(each), []).append(each)
        return found

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        """Return the facts of an entry point; if several share a name, the first one counts."""
        from .facts import facts_of

        return facts_of(self.module).of(self.entry_points.index(self.checked_entry(entry)))

    def all_facts(self) -> "list[ProgramFacts]":
        """Return the facts of all entry points; the module is read once."""
        from .facts import facts_of

        return facts_of(self.module).all()

    def lower(
        self, entry: str | None = None, specialisation: "Specialisation | None" = None
    ) -> "Lowered":
        """Translate an entry point to `ir`; UnsupportedError names what cannot be run."""
        from ...ir.specialisation import Specialisation
        from .lower import lower

        chosen = specialisation or Specialisation()
        if entry is not None and entry not in [name for name, _ in self.entry_points]:
            names = self.exports_named(entry)
            if len(names) == 1:
                return lower(self.module, names[0], chosen)
        return lower(self.module, self.entry_points.index(self.checked_entry(entry)), chosen)

    @property
    def sources(self) -> Mapping[str, str]:
        """Sources of OpSource and of debug information, by the name of the file."""
        from .sources import sources

        return sources(self.module)

    # -- bytes and plain data --------------------------------------------------------------------

    def encode(self) -> bytes:
        return self.module.to_bytes()

    def spans(self) -> "Sequence[Span]":
        return [*self.iter_spans()]

    def iter_spans(self) -> "Iterator[Span]":
        from .spans import spans

        return spans(self)

    def to_data(self) -> "Plain":
        """Return header words, and a line of text for each instruction."""
        from .data import module_to_data

        return module_to_data(self.module)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        from .data import module_from_data

        return cls(module_from_data(data, path))

    def take(self, other: BaseProgram, entry: str = "") -> None:
        """Take the module of another program, with this name of its only entry point."""
        from .editing.names import rename

        if not isinstance(other, Program):
            raise UsageError(f"expected a module of SPIR-V, got a program of {other.language}")
        made = Module.loads(other.encode())
        if entry:
            ((old, _),) = other.entry_points
            rename(made, old, entry)
        made.order, made.trailing = self.module.order, self.module.trailing
        self.module = made

    # -- rules -----------------------------------------------------------------------------------

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        from .validate import RULES

        return RULES

    def verify(self, target: str | None = None, **options: bool) -> list[Diagnostic]:
        """Return the findings about the module.

        Args:
            target: The name of an environment.
            options: Rules to relax, by the names of `ValidatorOptions`.
        """
        from .validate import verify
        from .validate.environment import DEFAULT_ENVIRONMENT

        return verify(self.module, target or DEFAULT_ENVIRONMENT, **options)

    def reading(self) -> list[Diagnostic]:
        """Return diagnostics of reading: bytes that are not an instruction."""
        if not self.module.trailing:
            return []
        from .validate import reading

        return reading(self.module)

    # -- edits -----------------------------------------------------------------------------------

    def stripped(self, category: str) -> Self | None:
        """Return the program without names, lines and sources (`debug`), or without the semantics
        and types of the source (`reflection`)."""
        from .editing.debug import debug_places, reflection_places

        places = {"debug": debug_places, "reflection": reflection_places}
        gone = set(places[category](self.module)) if category in places else set()
        if not gone:
            return None
        made = copy(self.module)
        made.instructions = [
            each for at, each in enumerate(self.module.instructions) if at not in gone
        ]
        return type(self)(made)

    def replace(
        self, where: int | slice, *instructions: "ProgramInstruction | Instruction | str"
    ) -> Sequence[CodeInstruction]:
        """Replace instructions by others, given as objects or as text; return the new instructions.

        Ids in a text refer to ids of that name in the listing, or of that number; others are new.
        """
        from .editing.instructions import replace

        at, out = self.places(where)
        count = replace(self.module, at, out, instructions)
        return list(self.instructions[at : at + count])

    def rename(self, path: str, name: str) -> None:
        """Rename an id, a member of a structure or an entry point.

        Args:
            path: Its present name, `Block.member` for a member, or a number such as `%12`.
            name: The new name.
        """
        from .editing.names import rename

        rename(self.module, path, name)

    def remap(self, places: "Mapping[tuple[int, int], tuple[int, int]]") -> None:
        """Move variables from one (set, binding) to another, all at once."""
        from .editing.decorations import remap

        remap(self.module, dict(places))

    def freeze(self, id: int, value: bool | int | float | None = None) -> None:
        """Make a specialisation constant a plain one, of the given value or of its default."""
        from .editing.specialisation import freeze

        freeze(self.module, id, value)

    def remove_entry_point(self, name: str) -> None:
        """Remove an entry point, with everything that only it needs."""
        from .editing.entry_points import remove_entry_point

        found = [each for each, _ in self.entry_points]
        remove_entry_point(self.module, found.index(self.checked_entry(name)[0]))


@once
def _entry_points(module: Module) -> list[EntryPoint]:
    """Return name and stage of each entry point."""
    code, found = module.words(), []
    for at in positions_of(code, (Opcode.EntryPoint,), first_of(code, Opcode.Function)):
        words = code[at]
        if not decode(words, Context(), grammar()).problem:
            name = string_of(words[3:])[0]
            found.append(EntryPoint(name, str(word(STAGES, words[1]))))
    return found
