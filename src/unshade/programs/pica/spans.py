"""Spans of a program: the fields of every word and of every descriptor.

    0x2227f107  mul     instructions[7].dst  bits 21, 5    instructions[7].src1  bits 12, 7    …
    0x0006d54f          descriptors[7].mask  bits 0, 4     descriptors[7].swz1   bits 5, 8     …

Fields that the operation does not use are raw if they are set, as are unnamed bits and words with
an unknown opcode.
"""

from collections.abc import Iterable, Iterator

from ...isa import Bits
from ...isa.spans import word_spans
from ...wire import Span
from .descriptors import OperandDescriptor
from .instruction import Instruction
from .tables.ops import Op

# The fields of operands with more or other fields than their name in the table.
OPERAND_FIELDS = {
    "a0": (),
    "cond": ("condop", "refx", "refy"),
    "bool": ("bool_id",),
    "test": ("bool_id", "invert"),
    "int": ("int_id",),
    "else": ("target", "num", "num_high"),
    "call": ("target", "num", "num_high"),
    "last": ("target",),
    "jump": ("target",),
    "vertex": ("vertex", "primitive", "winding"),
}


def used_fields(op: Op) -> list[str]:
    """Return the fields that an operation uses, in the order of its text, without the opcode."""
    found = [name for each in op.operands for name in OPERAND_FIELDS.get(each, (each,))]
    if op.wide:
        found.append("idx")
    if op.reads:
        found.append("desc")
    return found


def idle_bits(instruction: Instruction, op: Op) -> int:
    """Return the bits that are set although the operation does not use them."""
    mask = 0
    for name in ("opcode", *used_fields(op)):
        field: Bits = getattr(op.format, name)
        mask |= field.mask << field.low
    return instruction.word & 0xFFFF_FFFF & ~mask


def instruction_spans(instructions: Iterable[Instruction]) -> Iterator[Span]:
    """Yield the fields of a code table; offsets are in bytes from its start."""
    for i, instruction in enumerate(instructions):
        path = f"instructions[{i}]"
        op = instruction.op
        if op is None:
            doc = f"unknown opcode 0x{instruction.opcode:02x}"
            yield Span(4 * i, 4, path, instruction.word, doc, None, "raw")
            continue
        used = {"opcode", *used_fields(op)}
        unused = sum(f.mask << f.low for f in op.format.FIELDS if f.name not in used)
        for span in word_spans(op.format, instruction.word, 4 * i, path, unused):
            named = span.path.endswith(".opcode")
            yield span._replace(value=op.name, doc=op.doc) if named else span


def descriptor_spans(descriptors: Iterable[OperandDescriptor], start: int = 0) -> Iterator[Span]:
    """Yield the fields of a descriptor table that begins at the byte `start`."""
    for i, descriptor in enumerate(descriptors):
        path, at = f"descriptors[{i}]", start + 8 * i
        yield from word_spans(OperandDescriptor, descriptor.word, at, path)
        yield Span(at + 4, 4, f"{path}.high", descriptor.high, "second word, not used")
