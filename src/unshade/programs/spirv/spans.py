"""Spans of a module: header, opcodes, word counts and operands."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...wire import Span
from ...wire.spans import Spelled
from .context import string_of
from .header import generator_text
from .module import HEADER, MAGIC
from .text.printer import explained_lines

if TYPE_CHECKING:
    from .program import Program

__all__ = ["spans"]


def spans(program: "Program") -> Iterator[Span]:
    """Iterate over the fields of a module; offsets are relative to its start."""
    module = program.module
    yield Span(0, 4, "magic", MAGIC, f"0x07230203, in {module.order}-endian words")
    yield Span(4, 4, "version", Spelled(program.version), "version of SPIR-V")
    yield Span(8, 4, "generator", module.generator, generator_text(module.generator))
    yield Span(12, 4, "bound", module.bound, "all ids are less")
    yield Span(16, 4, "schema", module.schema, "0")
    offset = 4 * HEADER
    for number, (words, line) in enumerate(
        zip(module.words(), explained_lines(module), strict=True)
    ):
        path = f"instructions[{number}]"
        name = Spelled(line.decoded.op.name) if line.decoded.op is not None else words[0] & 0xFFFF
        yield Span(offset, 4, f"{path}.opcode", name, "the operation", (0, 16))
        yield Span(offset, 4, f"{path}.words", len(words), "words, this included", (16, 16))
        end = 1
        texts = iter(line.operands)
        if not line.decoded.problem:
            for place, piece in enumerate(line.decoded.operands):
                text = line.result if piece.kind == "IdResult" else next(texts, "")
                value = (
                    string_of(piece.words)[0] if piece.kind == "LiteralString" else Spelled(text)
                )
                label = (piece.name or piece.kind).replace(" ", "_").replace(".", "").lower()
                label = "".join(c for c in label if c.isalnum() or c == "_") or "operand"
                where = f"{path}.operands[{place}].{label}"
                yield Span(offset + 4 * piece.at, 4 * len(piece.words), where, value, piece.kind)
                end = piece.at + len(piece.words)
        if end < len(words):
            start = offset + 4 * end
            raw = b"".join(word.to_bytes(4, "little") for word in words[end:])
            doc = line.decoded.problem or "not explained by the grammar"
            yield Span(start, len(raw), f"{path}.rest", raw, doc, None, "raw")
        offset += 4 * len(words)
    if module.trailing:
        raw = module.trailing
        yield Span(offset, len(raw), "trailing", raw, "not an instruction", None, "raw")
