"""Decoding of instructions: operands by the layout of the record, and the type of the result.

`READERS` has a function for each kind of operand that `model/instructions/base.py` lists.
"""

from collections.abc import Callable
from functools import cache

from ....errors import FormatError
from ..bitstream import BitRecord
from ..model.instructions import BY_CODE, Instruction
from ..model.types import DxilType, PrimitiveType
from ..model.values import AttributeList, BasicBlock, DxilValue, Function, MetadataAsValue
from .common import DecodingContext, RecordError, alignment_of, rotated
from .references import attributes_of

__all__ = ["InstructionReader"]

MASK = 0xFFFF_FFFF


class InstructionReader:
    """A reader of the instructions of one function.

    `next` is the number that the next result has.
    """

    def __init__(self, function: Function, context: DecodingContext, first: int) -> None:
        self.function = function
        self.context = context
        self.next = first
        self.values = context.values
        self.types = context.module.types
        self.made = Instruction.blank()
        self.operands: list[int] = []
        self.at = 0

    def read(self, made: Instruction, record: BitRecord) -> None:
        """Set the attributes of an instruction from its record."""
        self.made = made
        self.operands = record.operands
        self.at = 0
        layout, absent = _layout(record.code)
        try:
            for name, read in layout:
                setattr(made, name, read(self))
            for name in absent:
                setattr(made, name, None)
            if not made.STATES_TYPE:
                made.type = made.result(self.types, self.type_of)
        except RecordError:
            raise
        except FormatError as error:
            self.context.fail(error.problem)
        if self.at != len(self.operands):
            self.context.fail(f"expected {self.at} operands, got {len(self.operands)}")
        if not made.type.is_void:
            if self.next >= len(self.values) or self.values[self.next] is not made:
                self.context.fail(
                    f"expected an instruction without result, got a {made.type!s:.40}"
                )
            self.next += 1
        elif self.next < len(self.values) and self.values[self.next] is made:
            self.context.fail("expected an instruction with a result, got none")

    def type_of(self, value: DxilValue) -> DxilType:
        """Return the type of an operand, which may be defined later."""
        found: DxilType | None = getattr(value, "type", None) or self.context.stated.get(value)
        if found is None:
            self.context.fail("expected the type of a later value")
        return found

    # -- operands --------------------------------------------------------------------------------

    def number(self) -> int:
        """Take an operand."""
        if self.at >= len(self.operands):
            self.context.fail(f"expected more than {self.at} operands")
        self.at += 1
        return self.operands[self.at - 1]

    def is_at_end(self) -> bool:
        return self.at >= len(self.operands)

    def same(self) -> DxilValue:
        """Take a value by its distance, without type."""
        return self.context.value(self.next - self.number() & MASK)

    def pair(self) -> DxilValue:
        """Take a value by its distance; a type follows if the value is defined later."""
        number = self.next - self.number() & MASK
        value = self.context.value(number)
        if number >= self.next:
            self.context.expect_type(value, self.type())
        return value

    def stated(self) -> DxilValue:
        """Take the type of a value, and its distance."""
        type = self.type()
        value = self.same()
        self.context.expect_type(value, type)
        return value

    def absolute(self) -> DxilValue:
        """Take the type of a value, and its number."""
        type = self.type()
        value = self.context.value(self.number())
        self.context.expect_type(value, type)
        return value

    def type(self) -> DxilType:
        return self.context.type(self.number())

    def function_type(self) -> DxilType:
        return self.context.function_type(self.number())

    def attributes(self) -> AttributeList | None:
        return attributes_of(self.number(), self.context)

    def align(self) -> int:
        return alignment_of(self.number(), self.context)

    def block(self) -> BasicBlock:
        number = self.number()
        blocks = self.function.blocks
        if number >= len(blocks):
            self.context.fail(f"expected a block below {len(blocks)}, got {number}")
        return blocks[number]

    def numbers(self) -> list[int]:
        """Take all operands that are left."""
        found = self.operands[self.at :]
        self.at = len(self.operands)
        return found

    def pairs(self) -> list[DxilValue]:
        found = []
        while self.at < len(self.operands):
            found.append(self.pair())
        return found

    def blocks(self) -> list[BasicBlock]:
        found = []
        while self.at < len(self.operands):
            found.append(self.block())
        return found

    # -- operands of single instructions ---------------------------------------------------------

    def condition(self) -> DxilValue | None:
        """Take the condition of a branch to two blocks."""
        return None if self.made.false_target is None else self.same()  # type: ignore[attr-defined]

    def cases(self) -> list[tuple[DxilValue, BasicBlock]]:
        found = []
        while self.at < len(self.operands):
            value = self.context.value(self.number())
            found.append((value, self.block()))
        return found

    def incoming(self) -> list[tuple[DxilValue, BasicBlock]]:
        found = []
        while self.at < len(self.operands):
            value = self.context.value(self.next - rotated(self.number()) & MASK)
            found.append((value, self.block()))
        return found

    def arguments(self) -> list[DxilValue]:
        """Take the arguments of a call by the type of its function."""
        type = self.made.function_type  # type: ignore[attr-defined]
        found = [self.argument(each) for each in type.parameters]
        return found + self.pairs() if type.vararg else found

    def argument(self, type: DxilType) -> DxilValue:
        """Take an argument of a call, which may be metadata or a block."""
        if isinstance(type, PrimitiveType):
            if type.name == "metadata":
                number = self.next - self.number() & MASK
                return MetadataAsValue(type, self.context.node(number))
            if type.name == "label":
                return self.block()
        return self.same()

    def clauses(self) -> list[DxilValue]:
        """Take the clauses of a landing pad, and set their kinds."""
        kinds: list[int] = []
        found = []
        for _ in range(min(self.number(), len(self.operands))):
            kinds.append(self.number())
            found.append(self.pair())
        self.made.kinds = kinds  # type: ignore[attr-defined]
        return found


R = InstructionReader
READERS: dict[str, Callable[[R], object]] = {
    "absolute": R.absolute,
    "align": R.align,
    "arguments": R.arguments,
    "attributes": R.attributes,
    "block": R.block,
    "blocks": R.blocks,
    "cases": R.cases,
    "clauses": R.clauses,
    "condition": R.condition,
    "function_type": R.function_type,
    "incoming": R.incoming,
    "maybe": lambda reader: None if reader.is_at_end() else reader.pair(),
    "more": lambda reader: None if reader.is_at_end() else reader.number(),
    "number": R.number,
    "numbers": R.numbers,
    "otherwise": lambda reader: None if reader.is_at_end() else reader.block(),
    "pair": R.pair,
    "pairs": R.pairs,
    "same": R.same,
    "stated": R.stated,
    "type": R.type,
}


@cache
def _layout(code: int) -> tuple[list[tuple[str, Callable[[R], object]]], tuple[str, ...]]:
    """Return the attributes that a record has, with their readers, and those that it lacks."""
    layout = BY_CODE[code]
    readers = [(name, READERS[kind]) for name, kind in layout.operands]
    return readers, layout.absent
