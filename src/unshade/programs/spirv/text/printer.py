"""Disassembly of a module, as spirv-dis prints it.

    ; SPIR-V
    ; Version: 1.0
    ; Generator: Khronos Glslang Reference Front End; 8
    ; Bound: 24
    ; Schema: 0
                   OpCapability Shader
              %1 = OpExtInstImport "GLSL.std.450"

An instruction that the grammar does not explain is printed as `OpUnknown(opcode, words) …`, with a
comment that says why.

Source: output of spirv-dis.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..blocks import blocks_of
from ..context import Context, string_of
from ..header import generator_text, version_text
from ..module import Instruction, Module
from ..operands import Decoded, DecodedOperand, decode
from ..tables.grammar import Grammar, OperandKind, grammar
from ..tables.numbers import Opcode
from .blocks import levels, reordered
from .literals import number_text, string_text
from .names import FriendlyNames

__all__ = ["Options", "Printer", "disassemble"]

INDENT = 15  # columns before an opcode; a result id ends three before
COLUMN, WIDEST = 50, 256  # where comments begin at the least; what the next one goes by at most

DECORATES = ("OpDecorate", "OpDecorateId", "OpDecorateString")

DEBUG, ANNOTATIONS, TYPES = "Debug Information", "Annotations", "Types, variables and constants"
ORDER = ("", DEBUG, ANNOTATIONS, TYPES, "function")
SECTIONS = {
    "Debug": DEBUG,
    "Annotation": ANNOTATIONS,
    "Type-Declaration": TYPES,
    "Constant-Creation": TYPES,
}
NOT_DEBUG = ("OpLine", "OpNoLine")
NAMING = (Opcode.Name, Opcode.Decorate)


class Options(NamedTuple):
    """Options of spirv-dis, with its defaults."""

    header: bool = True
    indent: bool = True
    friendly: bool = True  # names instead of numbers for ids
    offsets: bool = False
    comment: bool = False
    nested: bool = False
    reorder: bool = False


def disassemble(module: Module, options: Options = Options()) -> str:  # noqa: B008
    """Return the text of a module."""
    return Printer(module, options).text()


class PrintedLine(NamedTuple):
    """A printed instruction, before indentation and comments."""

    instruction: Instruction
    offset: int
    decoded: Decoded
    result: str
    body: str
    note: str
    operands: tuple[str, ...] = ()  # without the result


class Printer:
    """One disassembly of a module."""

    def __init__(self, module: Module, options: Options) -> None:
        self.module = module
        self.options = options
        self.grammar: Grammar = grammar()
        self.names = FriendlyNames(self.grammar)
        self.decoded: list[Decoded] = []
        self.decorations: dict[int, list[str]] = {}
        self.section = ""

    def text(self) -> str:
        """Return the whole text."""
        self._decode()
        lines = [*self._header(), *self._lines()]
        return "".join(f"{line}\n" for line in lines)

    def instructions(self) -> list[PrintedLine]:
        """Return the instructions with their text, in the order of the module."""
        self._decode()
        found, offset = [], 20
        for each, decoded in zip(self.module.instructions, self.decoded, strict=True):
            found.append(self._line(each, decoded, offset))
            offset += 4 * len(each.words)
        return found

    def _header(self) -> Iterator[str]:
        if not self.options.header:
            return
        module = self.module
        yield "; SPIR-V"
        yield f"; Version: {version_text(module.version)}"
        yield f"; Generator: {generator_text(module.generator)}"
        yield f"; Bound: {module.bound}"
        yield f"; Schema: {module.schema}"

    def _decode(self) -> None:
        """Decode all instructions and name ids: a name may come after its first use."""
        context = Context()
        friendly = self.options.friendly
        self.decoded = []
        for each in self.module.instructions:
            decoded = decode(each, context, self.grammar)
            self.decoded.append(decoded)
            if decoded.problem:
                continue
            context.add(each, decoded.result_type, decoded.result)
            if friendly and (decoded.result is not None or each.opcode in NAMING):
                last = next((p for p in decoded.operands if p.kind == "LiteralString"), None)
                text = string_of(last.words)[0] if last is not None else ""
                self.names.add(decoded, each.words, text)

    def _id(self, number: int) -> str:
        return f"%{self.names.of(number)}"

    def _lines(self) -> Iterator[str]:
        """Print the instructions; with `reorder`, the blocks of a function in reading order."""
        lines: list[PrintedLine] = []
        offset = 20
        for each, decoded in zip(self.module.instructions, self.decoded, strict=True):
            line = self._line(each, decoded, offset)
            offset += 4 * len(each.words)
            lines.append(line)
            if each.opcode == Opcode.FunctionEnd or (lines and not self._in_function(lines)):
                yield from self._printed(lines)
                lines = []
        yield from self._printed(lines)

    @staticmethod
    def _in_function(lines: list["PrintedLine"]) -> bool:
        return lines[0].instruction.opcode == Opcode.Function

    def _printed(self, lines: list["PrintedLine"]) -> Iterator[str]:
        nested = self.options.nested
        depths: dict[int, int] = {}
        if lines and self._in_function(lines) and (nested or self.options.reorder):
            code = [each.instruction for each in lines]
            found = list(blocks_of(code, [each.decoded for each in lines]))
            if found and self.options.reorder:
                head, tail = found[0].start, max(each.end for each in found)
                order = [at for each in reordered(found) for at in range(each.start, each.end)]
                lines = [*lines[:head], *(lines[at] for at in order), *lines[tail:]]
            depths = levels(found) if nested else {}
        depth, column, inside = 0, 0, False
        for line in lines:
            yield from self._heading(line)
            opcode = line.instruction.opcode
            if opcode == Opcode.Label:
                depth, inside = 2 * depths.get(line.instruction.words[1], 0), True
                if nested:
                    yield ""
                    column = 0
            elif opcode == Opcode.FunctionEnd:
                depth, inside = 0, False
            spaces = depth + (2 if inside and opcode != Opcode.Label else 0) if nested else 0
            text = self._laid_out(line, " " * spaces)
            note = self._note(line)
            if note:
                length = len(text.encode("utf-8", "surrogateescape"))
                column = max(length + 2, column, COLUMN) + 3 & ~3
                text = f"{text}{' ' * (column - length)}; {note}"
                column = min(column, WIDEST)
            else:
                column = 0
            yield text + line.note

    def _heading(self, line: PrintedLine) -> Iterator[str]:
        """Print the heading of a section that begins with an instruction."""
        if not self.options.comment:
            return
        lead = " " * INDENT if self.options.indent else ""
        op = line.decoded.op
        opcode = line.instruction.opcode
        section = self.section
        if opcode == Opcode.Function:
            if self.options.nested:
                yield ""
            yield ""
            yield f"{lead}; Function {self._id(line.decoded.result or 0)[1:]}"
            self.section = "function"
            return
        if op is None or section == "function":
            return
        found = SECTIONS.get(op.group, "") if op.name not in NOT_DEBUG else ""
        if op.name == "OpVariable":
            found = TYPES
        if found and ORDER.index(found) > ORDER.index(section):
            self.section = found
            yield ""
            yield f"{lead}; {found}"

    def _note(self, line: PrintedLine) -> str:
        """Return the comment after an instruction."""
        notes = []
        if self.options.comment:
            if line.decoded.op is not None and line.decoded.op.name == "OpName":
                notes.append(f"id %{line.instruction.words[1]}")
            if line.decoded.result is not None:
                known = self.decorations.get(line.decoded.result)
                if known:
                    notes.append(", ".join(known))
        if self.options.offsets:
            notes.insert(0, f"0x{line.offset:08x}")
        return ", ".join(notes)

    def _laid_out(self, line: PrintedLine, lead: str) -> str:
        text = lead + line.body
        if self.options.indent:
            return f"{line.result:>{INDENT - 3}} = {text}" if line.result else " " * INDENT + text
        return f"{line.result} = {text}" if line.result else text

    def _line(self, instruction: Instruction, decoded: Decoded, offset: int) -> PrintedLine:
        if decoded.problem:
            words = instruction.words
            shown = " ".join(map(str, words[1:]))
            body = f"OpUnknown({words[0] & 0xFFFF}, {words[0] >> 16}){' ' if shown else ''}{shown}"
            note = "  ; note: ID bound may be incorrect after reassembly"
            return PrintedLine(instruction, offset, decoded, "", body, note)
        assert decoded.op is not None
        self._decorate(decoded, instruction)
        words_ = [decoded.op.name]
        result = ""
        for piece in decoded.operands:
            if piece.kind == "IdResult":
                result = self._id(piece.words[0])
            else:
                words_.append(self._operand(piece, decoded))
        return PrintedLine(
            instruction, offset, decoded, result, " ".join(words_), "", tuple(words_[1:])
        )

    def _decorate(self, decoded: Decoded, instruction: Instruction) -> None:
        """Take note of a decoration, for the comment of what it decorates."""
        assert decoded.op is not None
        if self.options.comment and decoded.op.name in DECORATES and len(decoded.operands) > 1:
            shown = " ".join(self._operand(each, decoded) for each in decoded.operands[1:])
            self.decorations.setdefault(instruction.words[1], []).append(shown)

    def _operand(self, piece: DecodedOperand, decoded: Decoded) -> str:
        word = piece.words[0] if piece.words else 0
        if piece.is_id:
            return self._id(word)
        if piece.number is not None:
            return number_text(piece.number, piece.words, self.grammar.float_encodings)
        if piece.op is not None:
            name = piece.op.name
            return name[2:] if piece.kind == "LiteralSpecConstantOpInteger" else name
        if piece.kind == "LiteralString":
            return string_text(string_of(piece.words)[0])
        kind = self.grammar.kinds.get(piece.kind)
        if kind is None or not kind.is_enum:
            kind = piece.enum or kind
        if kind is not None and kind.is_mask:
            return _mask(kind, word)
        if kind is not None and kind.is_enum:
            return kind.by_value[word].name
        return str(word)


def _mask(kind: OperandKind, word: int) -> str:
    if not word:
        return kind.by_value[0].name if 0 in kind.by_value else "0"
    names = []
    while word:
        bit = word & -word
        names.append(kind.by_value[bit].name)
        word ^= bit
    return "|".join(names)
