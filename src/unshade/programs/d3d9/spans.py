"""Spans of a program: the fields of every token.

0xfffe0300   version.kind    version.major   version.minor
0x02000001   instructions[7].opcode   …      0x800f0000   instructions[7].operands[0].number   …
0x001cfffe   comments[0].opcode   comments[0].length      comments[0].tag and its fields
"""

from collections.abc import Iterator

from ...errors import FormatError, LimitError
from ...isa.spans import word_spans
from ...wire import Record, Span, trace
from ...wire.spans import spans_of, with_padding
from .code import Code, Comment
from .constants import TAG as CONSTANTS
from .constants import ConstantTable
from .debug import TAG as DEBUG
from .debug import DebugComment
from .instruction import Instruction, LiteralOperand, Operand
from .tables.tokens import (
    END,
    CommentToken,
    DeclarationToken,
    DestinationParameter,
    InstructionToken,
    SourceParameter,
    Version,
)

__all__ = ["program_spans"]

RECORDS: dict[str, type[Record]] = {CONSTANTS: ConstantTable, DEBUG: DebugComment}
PADDING = 0xAB  # fxc fills with this byte


def program_spans(code: Code) -> Iterator[Span]:
    """Yield the spans of a program; offsets are in bytes from its version."""
    yield from word_spans(Version, code.version.word, 0, "version")
    at = 4
    number = remarks = 0
    for each in code.items():
        if isinstance(each, Comment):
            yield from _comment(each, at, f"comments[{remarks}]")
            remarks += 1
            at += 4 + len(each.data)
        else:
            yield from _instruction(each, at, f"instructions[{number}]")
            number += 1
            at += 4 * len(each.words)
    yield Span(at, 4, "end", END, "the end token")


def _comment(comment: Comment, at: int, path: str) -> Iterator[Span]:
    word = 0xFFFE | len(comment.data) // 4 << 16
    yield from word_spans(CommentToken, word, at, path)
    data, start = comment.data, at + 4
    record = RECORDS.get(comment.tag)
    if record is not None:
        size = len(comment.tag)
        try:
            fields = with_padding(spans_of(trace(record, data[size:])), data[size:], PADDING)
        except (FormatError, LimitError):
            pass
        else:
            yield Span(start, size, f"{path}.tag", comment.tag, "kind of the comment")
            for each in fields:
                yield each.shifted(start + size, path)
            return
    if data:
        doc = f"contents, {comment.tag or 'of no known kind'}"
        yield Span(start, len(data), f"{path}.data", data, doc, None, "raw")


def _instruction(instruction: Instruction, at: int, path: str) -> Iterator[Span]:
    op = instruction.op
    for span in word_spans(InstructionToken, instruction.words[0], at, path):
        if op is not None and span.path.endswith(".opcode"):
            yield span._replace(value=op.name, doc=op.doc)
        else:
            yield span
    if instruction.declaration is not None:
        word = instruction.words[1]
        yield from word_spans(DeclarationToken, word, at + 4, f"{path}.declaration")
    for number, each in enumerate(instruction.all_operands()):
        yield from _operand(each, at, f"{path}.operands[{number}]")


def _operand(operand: Operand | LiteralOperand, at: int, path: str) -> Iterator[Span]:
    place = at + 4 * operand.at
    if isinstance(operand, LiteralOperand):
        kind = {"f": "float", "i": "integer", "b": "boolean"}.get(operand.letter)
        text = str(operand) if kind else operand.bits
        doc = f"the value of a {kind} constant" if kind else "token of no known operand"
        yield Span(place, 4, path, text, doc, None, "field" if kind else "raw")
        return
    kinds = DestinationParameter if operand.is_destination else SourceParameter
    yield from word_spans(kinds, operand.token.word, place, path)
    index = operand.index
    if index is not None:
        yield from _operand(index, at, f"{path}.index")
