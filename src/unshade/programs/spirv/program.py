"""The code of a SPIR-V module as a program."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ...errors import Diagnostic
from ...isa.source import Source
from ...program import Program as BaseProgram
from .assembler import DEFAULT_TARGET, assemble
from .context import string_of
from .data import module_from_data, module_to_data
from .exact import HEADING, read_exact, write_exact
from .header import version_text
from .lexer import LEXER, step
from .module import Instruction, Module
from .tables.grammar import grammar
from .tables.numbers import Opcode
from .text.printer import Options, PrintedLine, Printer, disassemble

if TYPE_CHECKING:
    from ...isa.lexer import Lexer
    from ...isa.steps import Step
    from ...model.facts import ProgramFacts
    from ...rule import Rule
    from ...wire import Span
    from ...wire.data import Plain

__all__ = ["STAGES", "CodeInstruction", "Program"]

# Words of `vocab.words.Stage` for the execution models; others keep their names.
STAGES = {
    "Vertex": "vertex",
    "TessellationControl": "hull",
    "TessellationEvaluation": "domain",
    "Geometry": "geometry",
    "Fragment": "pixel",
    "GLCompute": "compute",
    "TaskNV": "amplification",
    "TaskEXT": "amplification",
    "MeshNV": "mesh",
    "MeshEXT": "mesh",
    "RayGenerationKHR": "raygeneration",
    "IntersectionKHR": "intersection",
    "AnyHitKHR": "anyhit",
    "ClosestHitKHR": "closesthit",
    "MissKHR": "miss",
    "CallableKHR": "callable",
}


class OperandText(str):
    """An operand; it is its text."""

    __slots__ = ()


class CodeInstruction(NamedTuple):
    """An instruction as text: `operands` include the result."""

    name: str
    operands: tuple[OperandText, ...]
    results: tuple[OperandText, ...]
    line: str

    def __str__(self) -> str:
        return self.line


class Program(BaseProgram[CodeInstruction]):
    """The instructions of a module; `module` may be edited."""

    language = "spirv"
    dialects = ("native", "exact")

    def __init__(self, module: Module) -> None:
        self.module = module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and other.encode() == self.encode()

    __hash__ = None  # type: ignore[assignment]  # it can change

    # -- text ------------------------------------------------------------------------------------

    def disassemble(self, dialect: str | None = None, **options: Any) -> str:
        """Return the text of the module; options are those of `text.printer.Options`."""
        if self.checked_dialect(dialect) == "exact":
            return write_exact(self.module)
        return disassemble(self.module, Options(**options))

    @classmethod
    def assemble(
        cls,
        text: str,
        *,
        file: str = "",
        target: str = DEFAULT_TARGET,
        preserve_numeric_ids: bool = False,
    ) -> "Program":
        """Assemble a module; see `assembler.assemble`."""
        source = Source(text, file)
        if text.startswith(HEADING.line(";")):
            return cls(read_exact(source))
        return cls(assemble(source, target=target, preserve_numeric_ids=preserve_numeric_ids))

    def lexer(self) -> "Lexer":
        return LEXER

    def step(self, line: str) -> "Step":
        """Split a line of the text into operation, result and operands."""
        return step(line)

    @property
    def lines(self) -> list[PrintedLine]:
        """The instructions with their operands and text."""
        return Printer(self.module, Options(header=False, indent=False)).instructions()

    @property
    def instructions(self) -> Sequence[CodeInstruction]:
        found = []
        for line in self.lines:
            name = line.decoded.op.name if line.decoded.op is not None else line.body.split()[0]
            words = tuple(OperandText(each) for each in line.operands)
            result = (OperandText(line.result),) if line.result else ()
            text = f"{line.result} = {line.body}" if line.result else line.body
            found.append(CodeInstruction(name, (*result, *words), result, text))
        return found

    # -- information -----------------------------------------------------------------------------

    @property
    def version(self) -> str:
        """The version of SPIR-V: 1.5."""
        return version_text(self.module.version)

    @property
    def entry_points(self) -> list[tuple[str, str]]:
        models = grammar().kinds["ExecutionModel"].by_value
        found = []
        for each in self.module.instructions:
            if each.opcode == Opcode.EntryPoint and len(each.words) > 3:
                model = models.get(each.words[1])
                stage = model.name if model is not None else str(each.words[1])
                found.append((string_of(each.words[3:])[0], STAGES.get(stage, stage)))
        return found

    def facts(self, entry: str | None = None) -> "ProgramFacts":
        from .facts import facts

        return facts(self, entry)

    @property
    def sources(self) -> Mapping[str, str]:
        """Sources of OpSource and of debug information, by the name of the file."""
        from .sources import sources

        return sources(self.module)

    # -- bytes and plain data --------------------------------------------------------------------

    def encode(self) -> bytes:
        return self.module.to_bytes()

    def spans(self) -> "Sequence[Span]":
        from .spans import spans

        return spans(self)

    def to_data(self) -> "Plain":
        """Return header words, and a line of text for each instruction."""
        return module_to_data(self.module)

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        return cls(module_from_data(data, path))

    # -- rules -----------------------------------------------------------------------------------

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        from .verify import verify

        return verify(self.module)

    def reading(self) -> list[Diagnostic]:
        """Return diagnostics of reading: bytes that are not an instruction."""
        from .verify import reading

        return reading(self.module)

    # -- edits -----------------------------------------------------------------------------------

    def debug(self) -> list[Instruction]:
        """Return the instructions that only debuggers and people need: names, lines, sources."""
        from .editing.debug import debug_information

        return debug_information(self.module)

    def strip_debug(self) -> None:
        """Remove the instructions of `debug()`."""
        from .editing.debug import strip

        strip(self.module)
