"""Spans of a program: the fields of every token, with their bits.

    0x07000038  mul    instructions[0].opcode   bits 0, 11    instructions[0].saturate  bits 13, 1
                       instructions[0].length   bits 24, 7    …
    0x00100072  r0.xyz instructions[0].operands[0].mask  bits 4, 4   …

Set bits without a name, dwords that the table does not name, and custom data with an unknown layout
are raw.
"""

from collections.abc import Iterator

from ...isa import Word
from ...isa.spans import word_spans
from ...wire import Span
from .code import Code
from .customdata import HEADER, ShaderMessage, comment, text_to_words
from .data import DWORDS, FLOATS
from .data.words import UNTYPED, number
from .instruction import Instruction
from .operands import IMMEDIATE_DWORDS, Operand
from .tables.enumerations import CustomClass, ExtendedOperand
from .tables.selection import LETTERS
from .tables.tokens import (
    EXTENDED_OPCODES,
    ExtendedToken,
    OpcodeToken,
    OperandModifier,
    VersionToken,
    operand_word,
)


def program_spans(program: Code) -> Iterator[Span]:
    """Iterate over the fields of a program in file order."""
    spans = Spans()
    spans.word(VersionToken, program.version.word, "version")
    total = (len(program.encode()) - len(program.trailing)) // 4
    spans.dword(total, "length", "dwords of the program, version and length included")
    for i, instruction in enumerate(program.listed):
        yield from spans.found
        spans.found.clear()
        spans.instruction(instruction, instruction.encode(), f"instructions[{i}]")
    if program.trailing:
        spans.raw(len(program.trailing), program.trailing, "trailing", "after the declared length")
    yield from spans.found


class Spans:
    """The spans found and not yet handed out, and the offset of the next dword."""

    def __init__(self) -> None:
        self.found: list[Span] = []
        self.offset = 0

    def dword(self, value: int | float | str, path: str, doc: str = "", size: int = 4) -> None:
        """Add a field that is a whole dword, or `size` bytes."""
        self.found.append(Span(self.offset, size, path, value, doc))
        self.offset += size

    def raw(self, size: int, value: object, path: str, doc: str) -> None:
        """Add bytes that are not decoded."""
        self.found.append(Span(self.offset, size, path, value, doc, None, "raw"))
        self.offset += size

    def word(self, cls: type[Word], word: int, path: str, unused: int = 0) -> None:
        """Add the fields of a token; `unused` are bits of named fields without a meaning here."""
        self.found += word_spans(cls, word, self.offset, path, unused)
        self.offset += 4

    def operand(self, operand: Operand, path: str, kind: str = "") -> None:
        """Add the fields of an operand."""
        words = operand.words()
        count = len(operand.indices)
        self.word(
            operand_word(words[0]), words[0], path, unused=0x7FC0_0000 << 3 * count & 0x7FC0_0000
        )
        for i, word in enumerate(words[1 : 1 + len(operand.extended)]):
            if word & 63 == ExtendedOperand.MODIFIER:
                self.word(OperandModifier, word, f"{path}.extended[{i}]")
            else:
                self.raw(4, word, f"{path}.extended[{i}]", "token of unknown kind")
        for i, word in enumerate(operand.literal):
            self.dword(number(word, kind), f"{path}.literal[{i}]")
        for i, index in enumerate(operand.indices):
            size = 4 * IMMEDIATE_DWORDS[index.representation]
            if size:
                self.dword(index.immediate, f"{path}.indices[{i}]", size=size)
            if index.relative is not None:
                self.operand(index.relative, f"{path}.indices[{i}].relative")

    def instruction(self, instruction: Instruction, words: list[int], path: str) -> None:
        """Add the fields of an instruction; `words` is its encoding."""
        row = instruction.op
        first = len(self.found)
        self.word(row.controls if row else OpcodeToken, words[0], path)
        if row:
            self.found[first] = self.found[first]._replace(value=row.name)
        if instruction.payload is not None:
            self.dword(
                words[1], f"{path}.length", "dwords of the custom data, both tokens included"
            )
            self.payload(instruction, path)
            return
        for i in range(len(instruction.extended)):
            where = f"{path}.extended[{i}]"
            if instruction.long:
                self.dword(words[1 + i], where, "dwords of the instruction, if more than 127")
                continue
            cls = EXTENDED_OPCODES.get(words[1 + i] & 63, ExtendedToken)
            self.word(cls, words[1 + i], where)
        leading = row.leading if row else 0
        self.words(instruction, 0, leading, path)
        for i, operand in enumerate(instruction.operands):
            self.operand(operand, f"{path}.operands[{i}]", row.operands[i : i + 1] if row else "")
        self.words(instruction, leading, len(instruction.words), path)

    def words(self, instruction: Instruction, start: int, stop: int, path: str) -> None:
        """Add the dwords before or after the operands, by their names in the table."""
        row = instruction.op
        for i in range(start, min(stop, len(instruction.words))):
            word = instruction.words[i]
            name = row.dword_name(i) if row else ""
            if name in DWORDS:
                self.word(DWORDS[name], word, f"{path}.{name}")
            elif name:
                self.dword(number(word, "f" if name in FLOATS else ""), f"{path}.{name}")
            else:
                self.raw(4, word, f"{path}.words[{i}]", "dword without a name")

    def payload(self, instruction: Instruction, path: str) -> None:
        """Add the fields of custom data."""
        payload = instruction.payload or ()
        kind = instruction.custom_class
        if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
            for i, word in enumerate(payload):
                self.dword(number(word, UNTYPED), f"{path}.rows[{i // 4}].{LETTERS[i % 4]}")
        elif kind == CustomClass.SHADER_MESSAGE and (message := ShaderMessage.decode(payload)):
            for name, value in zip(HEADER, message.header(), strict=True):
                self.dword(value, f"{path}.{name}")
            for i, operand in enumerate(message.operands):
                self.operand(operand, f"{path}.operands[{i}]")
            self.text(message.text, f"{path}.text")
        elif kind == CustomClass.COMMENT and (text := comment(payload)) is not None:
            self.text(text, f"{path}.text")
        elif payload:
            self.raw(4 * len(payload), payload, f"{path}.payload", "custom data")

    def text(self, text: bytes, path: str) -> None:
        """Add a text with its NUL and padding."""
        shown = text.decode("utf-8", "backslashreplace")
        self.dword(shown, path, "NUL-terminated, padded to 4", 4 * len(text_to_words(text)))
