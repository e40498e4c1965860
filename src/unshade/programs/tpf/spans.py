"""What each bit of a tokenized program is: the fields of every token, with their bits.

    0x07000038  mul    instructions[0].opcode   bits 0, 11    instructions[0].saturate  bits 13, 1
                       instructions[0].length   bits 24, 7    …
    0x00100072  r0.xyz instructions[0].operands[0].mask  bits 4, 4   …

Bits that are set and have no name, dwords behind what the table knows, and custom data whose
layout is not known are raw.
"""

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


def program_spans(program: Code) -> list[Span]:
    """The fields of a program in file order."""
    spans = Spans()
    spans.word(VersionToken, program.version.word, "version")
    lengths = [instruction.encode() for instruction in program.instructions]
    total = 2 + sum(map(len, lengths))
    spans.dword(total, "length", "dwords of the program, version and length included")
    for i, instruction in enumerate(program.instructions):
        spans.instruction(instruction, lengths[i], f"instructions[{i}]")
    if program.trailing:
        spans.raw(len(program.trailing), program.trailing, "trailing", "behind the declared length")
    return spans.found


class Spans:
    """The spans found so far, and the offset of the next dword."""

    def __init__(self) -> None:
        self.found: list[Span] = []
        self.offset = 0

    def dword(self, value: int | float | str, path: str, doc: str = "", size: int = 4) -> None:
        """A dword that is one field."""
        self.found.append(Span(self.offset, size, path, value, doc))
        self.offset += size

    def raw(self, size: int, value: object, path: str, doc: str) -> None:
        """Bytes that are not taken apart."""
        self.found.append(Span(self.offset, size, path, value, doc, None, "raw"))
        self.offset += size

    def word(self, cls: type[Word], word: int, path: str, unused: int = 0) -> None:
        """A token; `unused` are bits of named fields that mean nothing here."""
        self.found += word_spans(cls, word, self.offset, path, unused)
        self.offset += 4

    def operand(self, operand: Operand, path: str, kind: str = "") -> None:
        """An operand with all that belongs to it."""
        words = operand.words()
        count = len(operand.indices)
        self.word(
            operand_word(words[0]), words[0], path, unused=0x7FC0_0000 << 3 * count & 0x7FC0_0000
        )
        for i, word in enumerate(words[1 : 1 + len(operand.extended)]):
            if word & 63 == ExtendedOperand.MODIFIER:
                self.word(OperandModifier, word, f"{path}.extended[{i}]")
            else:
                self.raw(4, word, f"{path}.extended[{i}]", "of an unknown kind")
        for i, word in enumerate(operand.literal):
            self.dword(number(word, kind), f"{path}.literal[{i}]")
        for i, index in enumerate(operand.indices):
            size = 4 * IMMEDIATE_DWORDS[index.representation]
            if size:
                self.dword(index.immediate, f"{path}.indices[{i}]", size=size)
            if index.relative is not None:
                self.operand(index.relative, f"{path}.indices[{i}].relative")

    def instruction(self, instruction: Instruction, words: list[int], path: str) -> None:
        """An instruction; `words` is what it encodes to."""
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
        """The dwords beside the operands, by the names that the table has for them."""
        row = instruction.op
        for i in range(start, min(stop, len(instruction.words))):
            word = instruction.words[i]
            name = row.dword_name(i) if row else ""
            if name in DWORDS:
                self.word(DWORDS[name], word, f"{path}.{name}")
            elif name:
                self.dword(number(word, "f" if name in FLOATS else ""), f"{path}.{name}")
            else:
                self.raw(4, word, f"{path}.words[{i}]", "behind all that the table names")

    def payload(self, instruction: Instruction, path: str) -> None:
        """Custom data."""
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
        """A text with the NUL and the padding behind it."""
        shown = text.decode("utf-8", "backslashreplace")
        self.dword(shown, path, "ends with NUL, padded to 4", 4 * len(text_to_words(text)))
