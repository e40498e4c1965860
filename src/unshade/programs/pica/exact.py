"""Annotations of the `exact` dialect: everything that picasso source alone does not determine.

    mov  o0.xyzw, v0.xyzw {desc 3, bits 0x80}

The braces contain the number of the descriptor, and the bits that no operand fills, if they differ
from the assembler's choice. A descriptor table that the instructions alone would produce is not
written. Any other is written row by row, and an instruction names its row if it is not the first
that fits.

The annotations are computed from the words, without assembling the text; tests check that the two
agree.
"""

from collections.abc import Sequence

from ...dialect import Heading
from ...errors import EncodeError
from ...isa import Bits
from .assembler.pool import TEXT_BITS, DescriptorPool, claimed_bits, text_bits
from .code import Code
from .descriptors import OperandDescriptor, mask_letters, swizzle_letters
from .instruction import Instruction
from .spans import used_fields
from .tables.fields import ConditionOp
from .tables.ops import INVERTED, Op
from .tables.registers import NARROW

__all__ = ["EXACT", "ExactAnnotations", "descriptor_rows", "descriptor_text"]

EXACT = Heading("pica", "exact", 1)
SECOND_FORMS = frozenset(INVERTED.values())


class ExactAnnotations:
    """The annotations of one program."""

    __slots__ = ("_named", "pinned", "program")
    heading = EXACT.line(";")

    def __init__(self, program: Code) -> None:
        self.program = program
        self._named: dict[int, int] = {}
        self.pinned = not self._follows()
        if self.pinned:
            self._name()

    def rows(self) -> list[str]:
        """Return the lines of the descriptor table, if it must be written."""
        return descriptor_rows(self.program.descriptors) if self.pinned else []

    def beside(self, at: int) -> str:
        """Return the annotation of the instruction at a word, with a leading space, or ""."""
        instruction = self.program.instructions[at]
        op = instruction.op
        if op is None:
            return ""
        words = []
        if at in self._named:
            words.append(f"desc {self._named[at]}")
        if op.name in SECOND_FORMS and not _needs_second_form(instruction, op):
            words.append("inverted")
        words += _fields(instruction, op)
        return f" {{{', '.join(words)}}}" if words else ""

    def _used(self) -> list[tuple[int, Op, int]]:
        """Return the place, operation and descriptor word of each instruction with a descriptor."""
        descriptors = self.program.descriptors
        return [
            (at, instruction.op, text_bits(instruction.op, descriptors[instruction.desc].word))
            for at, instruction in enumerate(self.program.instructions)
            if instruction.op and instruction.op.sources and instruction.desc < len(descriptors)
        ]

    def _follows(self) -> bool:
        """Return True if the instructions alone determine the descriptor table."""
        numbers: list[int] = []
        pool = DescriptorPool(numbers)
        instructions = self.program.instructions
        used = self._used()
        try:
            for at, op, word in used:
                numbers += [0] * (at - len(numbers))
                numbers.append(pool.place(word, claimed_bits(op, word), mad=op.span == 8))
        except EncodeError:
            return False
        return pool.descriptors() == self.program.descriptors and all(
            numbers[at] == instructions[at].desc for at, _, _ in used
        )

    def _name(self) -> None:
        pool = DescriptorPool([])
        for each in self.program.descriptors:
            pool.pin(each.word, each.high, any_number=True)
        for at, op, word in self._used():
            number = self.program.instructions[at].desc
            if pool.first_fit(word, claimed_bits(op, word), mad=op.span == 8) != number:
                self._named[at] = number


def _fields(instruction: Instruction, op: Op) -> list[str]:
    """Return the fields and bits that no operand fills, if they are not the default."""
    filled = {"opcode", "desc", *used_fields(op)}
    words = []
    for bits, value in _items(instruction, op):
        if bits.name not in filled and value:
            words.append(f"{bits.name} {value}")
    if "cond" in op.operands and instruction.condop in (ConditionOp.X, ConditionOp.Y):
        other = "refy" if instruction.condop == ConditionOp.X else "refx"
        if not getattr(instruction, other):
            words.append(f"{other} 0")
    rest = instruction.word & ~op.format.named_mask()
    if rest:
        words.append(f"bits 0x{rest:x}")
    return words


def _items(instruction: Instruction, op: Op) -> list[tuple[Bits, int]]:
    return [(bits, bits.of(instruction.word)) for bits in op.format.FIELDS]


def _needs_second_form(instruction: Instruction, op: Op) -> bool:
    """Return True if the registers of an instruction can only be encoded in the second form."""
    return getattr(instruction, op.wide) >= NARROW or (op.span > 1 and instruction.idx > 0)


def descriptor_rows(descriptors: Sequence[OperandDescriptor]) -> list[str]:
    """Return the `.opdesc` lines of a table; equal neighbours share a line."""
    rows = []
    start = 0
    for at, each in enumerate(descriptors):
        if at + 1 < len(descriptors) and descriptors[at + 1] == each:
            continue
        number = str(start) if start == at else f"{start}..{at}"
        rows.append(f".opdesc {number} {descriptor_text(each)}")
        start = at + 1
    return rows


def descriptor_text(each: OperandDescriptor) -> str:
    """Return the mask and the sources of a descriptor: `xyz, xyzw, -wzyx, xxxx`."""
    words = [mask_letters(each.mask) or "_"]
    for negate, swizzle in zip(each.negates, each.swizzles, strict=True):
        words.append(f"{'-' * negate}{swizzle_letters(swizzle)}")
    rest = each.word & ~TEXT_BITS
    if rest:
        words.append(f"bits 0x{rest:x}")
    if each.high:
        words.append(f"high 0x{each.high:x}")
    return ", ".join(words)
