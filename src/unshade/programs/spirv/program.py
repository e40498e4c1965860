"""The code of a SPIR-V module as a program."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ...errors import AssembleError, Diagnostic, FormatError
from ...isa.lexer import Kind, Lexer
from ...isa.source import Source
from ...program import Program as BaseProgram
from .assembler import DEFAULT_TARGET, assemble
from .context import string_of
from .exact import HEADING, code_lines, read_code, read_exact, write_exact
from .module import Instruction, Module
from .tables.grammar import grammar
from .tables.numbers import Opcode
from .tables.sections import DEBUG_INFORMATION
from .text.printer import Options, PrintedLine, Printer, disassemble

if TYPE_CHECKING:
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

    def lexer(self) -> Lexer:
        return LEXER

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
        """Sources of OpSource, with OpSourceContinued, by the name of the file."""
        strings: dict[int, str] = {}
        found: dict[str, str] = {}
        last = ""
        for each in self.module.instructions:
            words = each.words
            match each.opcode:
                case Opcode.String if len(words) > 2:
                    strings[words[1]] = string_of(words[2:])[0]
                case Opcode.Source if len(words) > 4:
                    last = strings.get(words[3], "") or f"source{len(found) or ''}"
                    found[last] = found.get(last, "") + string_of(words[4:])[0]
                case Opcode.SourceContinued if last:
                    found[last] += string_of(words[1:])[0]
                case Opcode.Source:
                    last = ""
        return found

    # -- bytes and plain data --------------------------------------------------------------------

    def encode(self) -> bytes:
        return self.module.to_bytes()

    def spans(self) -> "Sequence[Span]":
        from .spans import spans

        return spans(self)

    def to_data(self) -> "Plain":
        """Return header words, and a line of text for each instruction."""
        module = self.module
        found: dict[str, Plain] = {
            "version": f"0x{module.version:08x}",
            "generator": f"0x{module.generator:08x}",
            "bound": module.bound,
        }
        if module.schema:
            found["schema"] = module.schema
        if module.order != "little":
            found["order"] = module.order
        found["code"] = code_lines(module)
        if module.trailing:
            found["trailing"] = module.trailing.hex()
        return found

    @classmethod
    def from_data(cls, data: "Plain", path: str = "") -> Self:
        from ...isa.data import list_from_data, mapping_from_data, nothing_left, word_from_data
        from ...wire.data import hex_from_data

        def at(name: str) -> str:
            return f"{path}.{name}" if path else name

        left = mapping_from_data(data, path)
        words = {
            name: word_from_data(left.pop(name, default), at(name))
            for name, default in (
                ("version", 0x10000),
                ("generator", 0),
                ("bound", 1),
                ("schema", 0),
            )
        }
        order = left.pop("order", "little")
        if order not in ("little", "big"):
            raise FormatError(f"expected little or big, got {order!r:.40}", path=at("order"))
        lines = list_from_data(left.pop("code", []), at("code"))
        trailing = hex_from_data(left.pop("trailing", ""), at("trailing"))
        nothing_left(left, path)
        texts = [each for each in lines if isinstance(each, str)]
        if len(texts) != len(lines):
            raise FormatError("expected lines of text", path=at("code"))
        try:
            instructions = read_code(texts)
        except AssembleError as error:
            problem = f"line {error.line}, column {error.column}: {error.problem}"
            raise FormatError(problem, path=at("code")) from None
        return cls(Module(instructions, **words, order=order, trailing=trailing))

    # -- rules -----------------------------------------------------------------------------------

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        from .verify import RULES

        return RULES

    def verify(self) -> list[Diagnostic]:
        from .verify import verify

        return verify(self.module)

    # -- edits -----------------------------------------------------------------------------------

    def debug(self) -> list[Instruction]:
        """Return the instructions that only debuggers and people need: names, lines, sources.

        A string goes with them if no other instruction names it.
        """
        gone = [each for each in self.module.instructions if each.opcode in DEBUG_INFORMATION]
        used: set[int] = set()
        for line in self.lines:
            if (
                line.instruction.opcode in DEBUG_INFORMATION
                or line.instruction.opcode == Opcode.String
            ):
                continue
            if line.decoded.problem:
                used.update(line.instruction.words[1:])
            else:
                used.update(p.words[0] for p in line.decoded.operands if p.is_id)
        return [
            each
            for each in self.module.instructions
            if each.opcode in DEBUG_INFORMATION
            or (
                gone
                and each.opcode == Opcode.String
                and each.words[1:2]
                and each.words[1] not in used
            )
        ]


LEXER = Lexer(
    (Kind.COMMENT, r";.*"),
    (Kind.LITERAL, r'"(?:[^"\\]|\\.)*"'),
    (Kind.REGISTER, r"%\w+"),
    (
        Kind.DECLARATION,
        r"Op(?:Type|Constant|SpecConstant|Decorate|Member|Name|Source|String|Ext)\w*",
    ),
    (Kind.DECLARATION, r"Op(?:Capability|MemoryModel|EntryPoint|ExecutionMode|Variable|Undef)\w*"),
    (Kind.ACCESS, r"Op(?:Load|Store|Atomic|Image|CopyMemory|AccessChain)\w*"),
    (Kind.FLOW, r"Op(?:Branch|Switch|Return|Kill|Unreachable|LoopMerge|SelectionMerge|Label)\w*"),
    (Kind.FLOW, r"Op(?:Function|Terminate|Demote)\w*"),
    (Kind.OPERATION, r"Op[A-Z]\w*"),
    (Kind.LITERAL, r"!?-?(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\d[\d.]*(?:[eE][+-]?\d+)?)"),
    (Kind.WORD, r"[A-Za-z_]\w*"),
)
