"""Spans of a module: header, opcodes, word counts and operands."""

from typing import TYPE_CHECKING

from ...wire import Span
from ...wire.spans import Spelled
from .context import string_of
from .header import generator_text
from .module import HEADER, MAGIC

if TYPE_CHECKING:
    from .program import Program

__all__ = ["spans"]


def spans(program: "Program") -> list[Span]:
    """Return a span for each field of a module; offsets are relative to its start."""
    module = program.module
    found = [
        Span(0, 4, "magic", MAGIC, f"0x07230203, in {module.order}-endian words"),
        Span(4, 4, "version", Spelled(program.version), "version of SPIR-V"),
        Span(8, 4, "generator", module.generator, generator_text(module.generator)),
        Span(12, 4, "bound", module.bound, "all ids are less"),
        Span(16, 4, "schema", module.schema, "0"),
    ]
    for number, line in enumerate(program.lines):
        path = f"instructions[{number}]"
        words = line.instruction.words
        name = Spelled(line.decoded.op.name) if line.decoded.op is not None else words[0] & 0xFFFF
        found.append(Span(line.offset, 4, f"{path}.opcode", name, "the operation", (0, 16)))
        found.append(
            Span(line.offset, 4, f"{path}.words", len(words), "words, this included", (16, 16))
        )
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
                offset = line.offset + 4 * piece.at
                found.append(Span(offset, 4 * len(piece.words), where, value, piece.kind))
                end = piece.at + len(piece.words)
        if end < len(words):
            start = line.offset + 4 * end
            raw = b"".join(word.to_bytes(4, "little") for word in words[end:])
            doc = line.decoded.problem or "not explained by the grammar"
            found.append(Span(start, len(raw), f"{path}.rest", raw, doc, None, "raw"))
    size = 4 * HEADER + 4 * sum(len(each.words) for each in module.instructions)
    if module.trailing:
        raw = module.trailing
        found.append(Span(size, len(raw), "trailing", raw, "not an instruction", None, "raw"))
    return found
