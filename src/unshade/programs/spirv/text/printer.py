"""Disassembly of a module, as spirv-dis prints it.

    ; SPIR-V
    ; Version: 1.0
    ; Generator: Khronos Glslang Reference Front End; 8
    ; Bound: 24
    ; Schema: 0
                   OpCapability Shader
              %1 = OpExtInstImport "GLSL.std.450"

An instruction that does not fit the grammar is printed as `OpUnknown(opcode, words) …`, with a
comment that gives the reason.

Source: output of spirv-dis.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

from ....tuples import NamedTuple
from ....unchanged import once
from ..context import string_of
from ..header import generator_text, version_text
from ..module import HEADER, Instruction, Module
from ..operands import STRING, Decoded
from ..reading import OperandsOnDemand, read_operands
from ..tables.grammar import grammar
from .layout import Layout, Options
from .names import FriendlyNames
from .shapes import LineStyle
from .writers import ExplainedInstruction, LineWriter

__all__ = [
    "Options",
    "PrintedLine",
    "disassemble",
    "line_numbers",
    "line_writer",
    "names_of",
    "numbered",
    "plain_lines",
    "printed_lines",
    "texts_at",
]

MANY = 1 << 17  # ids, from which their texts are not kept
SPARSE = 4  # ids for each instruction that have a text before they are met


class PrintedLine(NamedTuple):
    """A printed instruction; its text has neither indentation nor comments."""

    instruction: Instruction
    offset: int
    decoded: Decoded
    result: str
    body: str
    operands: tuple[str, ...]  # without the result

    def __str__(self) -> str:
        return f"{self.result} = {self.body}" if self.result else self.body


def disassemble(module: Module, options: Options = Options()) -> str:  # noqa: B008
    """Return the text of a module."""
    pieces = [*_header(module, options)]
    if not options.changes_lines:
        # Lines take more memory than the text, so that few of them are there at a time.
        writer = _writer(module, options)
        pieces += ("\n".join(each) for each in writer.batches(module.words()))
        if not writer.unexplained:
            return "\n".join([*pieces, ""])
        pieces = [*_header(module, options)]
    return "\n".join([*pieces, *_lines(module, options), ""])


def numbered(module: Module) -> tuple[list[str], list[int]]:
    """Return the lines of a module's text, and the number of each instruction's line, from 1."""
    lines = [*_header(module, Options())]
    numbers = []
    for each in _lines(module, Options()):
        numbers.append(len(lines) + 1)
        if "\n" in each:  # of a string
            lines += each.split("\n")
        else:
            lines.append(each)
    return lines, numbers


class LazyLines(Sequence[str]):
    """The lines of a module's text, which are made when they are asked for.

    They are those of the module at first, even if it has been edited since.
    """

    def __init__(self, module: Module) -> None:
        self._words = [*module.words()]
        self._header = module.version, module.generator, module.bound, module.schema

    @cached_property
    def _made(self) -> list[str]:
        version, generator, bound, schema = self._header
        instructions = map(Instruction, self._words)
        module = Module(
            instructions, version=version, generator=generator, bound=bound, schema=schema
        )
        return numbered(module)[0]

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self._made[at]


def line_numbers(module: Module) -> tuple[Sequence[str], Sequence[int]]:
    """Return what `numbered` does, the lines made later if each instruction of it has one."""
    decoded = read_operands(module)[0]
    if isinstance(decoded, OperandsOnDemand) or _breaks_lines(decoded):
        return numbered(module)
    first = 1 + len([*_header(module, Options())])
    return LazyLines(module), range(first, first + len(decoded))


def _breaks_lines(decoded: Iterable[Decoded]) -> bool:
    """Return True if the text of an instruction may have several lines."""
    for each in decoded:
        if each.problem:
            return True
        for operand in each.operands:
            if operand.kind == STRING and "\n" in string_of(operand.words)[0]:
                return True
    return False


def _lines(module: Module, options: Options) -> list[str]:
    """Return the texts of the instructions, with the lines that options add between them."""
    code = module.words()
    writer = _writer(module, options)
    lines = writer.lines(code)
    if options.changes_lines or writer.unexplained:
        return list(Layout(options, code, lines, writer).lines())
    return lines


def _writer(module: Module, options: Options) -> LineWriter:
    return line_writer(module, options.raw_id, LineStyle(options.indent, options.nested_indent))


def printed_lines(module: Module, raw_id: bool = False) -> list[PrintedLine]:
    """Return the instructions with their texts, in the order of the module."""
    found, offset = [], 4 * HEADER
    for each, known in zip(module.instructions, explained_lines(module, raw_id), strict=True):
        found.append(
            PrintedLine(each, offset, known.decoded, known.result, known.body, known.operands)
        )
        offset += 4 * len(each.words)
    return found


def explained_lines(module: Module, raw_id: bool = False) -> Iterator[ExplainedInstruction]:
    """Iterate over the instructions with the texts of `printed_lines`, one at a time."""
    writer = line_writer(module, raw_id, LineStyle(indent=False))
    return map(writer.explained, module.words(), read_operands(module)[0])


def texts_at(module: Module, positions: Iterable[int]) -> dict[int, str]:
    """Return the texts of some instructions, as `plain_lines` has them, by position."""
    ids = UnnamedIds((number, f"%{name}") for number, name in names_of(module).items())
    writer = LineWriter(grammar(), ids, LineStyle(indent=False))
    decoded = read_operands(module)[0]
    found = {}
    for at in positions:
        words = module.instructions[at].words
        known = writer.explained(words, decoded[at])
        found[at] = f"{known.result} = {known.body}" if known.result else known.body
    return found


@once
def plain_lines(module: Module) -> list[PrintedLine]:
    """Return the instructions as `printed_lines` does, with the names of ids."""
    return printed_lines(module)


@once
def names_of(module: Module) -> dict[int, str]:
    """Return the listing's names of ids, without ids that are called by their number."""
    names = FriendlyNames(grammar())
    names.read(module.words())
    return names.by_id


class UnnamedIds(dict[int, str]):
    """The texts of ids that have a name; the others are made whenever they are asked for."""

    def __missing__(self, number: int) -> str:
        return f"%{number}"


def line_writer(module: Module, raw_id: bool, style: LineStyle) -> LineWriter:
    """Return a writer of the lines of a module."""
    code = module.words()
    ids: dict[int, str] = UnnamedIds()
    if module.bound < MANY:
        ids = {number: f"%{number}" for number in range(min(module.bound, SPARSE * len(code)))}
    if not raw_id:
        ids.update((number, f"%{name}") for number, name in names_of(module).items())
    return LineWriter(grammar(), ids, style)


def _header(module: Module, options: Options) -> Iterator[str]:
    if options.header:
        yield "; SPIR-V"
        yield f"; Version: {version_text(module.version)}"
        yield f"; Generator: {generator_text(module.generator)}"
        yield f"; Bound: {module.bound}"
        yield f"; Schema: {module.schema}"
