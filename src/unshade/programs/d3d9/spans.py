"""Spans of a program: the fields of every token.

0xfffe0300   version.kind    version.major   version.minor
0x02000001   instructions[7].opcode   …      0x800f0000   instructions[7].operands[0].number   …
0x001cfffe   comments[0].opcode   comments[0].length      comments[0].data, or its fields
"""

from collections.abc import Iterator

from ...isa.spans import word_spans
from ...wire import Span
from .code import Code, Comment
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
    if comment.data:
        doc = f"contents, {comment.tag or 'of no known kind'}"
        yield Span(at + 4, len(comment.data), f"{path}.data", comment.data, doc, None, "raw")


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
        yield Span(place, 4, path, text, doc, None, "" if kind else "raw")
        return
    kinds = DestinationParameter if operand.is_destination else SourceParameter
    yield from word_spans(kinds, operand.token.word, place, path)
    index = operand.index
    if index is not None:
        yield from _operand(index, at, f"{path}.index")
