"""Encoding of instructions, the inverse of `decode/instructions.py`.

`WRITERS` has a function for each kind of operand that `model/instructions/base.py` lists.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from ..model.instructions import BY_CODE, Instruction
from ..model.types import DxilType
from ..model.values import AttributeList, BasicBlock, DxilValue, MetadataAsValue
from .common import Numbers, exponent, rotate

__all__ = ["InstructionWriter"]

MASK = 0xFFFF_FFFF


class InstructionWriter:
    """A writer of the instructions of one function; `next` is the number of the next result."""

    def __init__(self, numbers: Numbers, first: int) -> None:
        self.numbers = numbers
        self.next = first
        self.made = Instruction.blank()
        self.out: list[int] = []

    def operands(self, made: Instruction) -> tuple[int, list[int]]:
        """Return code and operands of the record of an instruction."""
        self.made = made
        self.out = []
        for layout in made.LAYOUTS:
            if not layout.absent or getattr(made, layout.absent[0]) is None:
                break
        for name, write in _writers(layout.code):
            write(self, getattr(made, name))
        if not made.type.is_void:
            self.next += 1
        return layout.code, self.out

    # -- operands --------------------------------------------------------------------------------

    def number(self, number: int | None) -> None:
        """Write a number, if there is one."""
        if number is not None:
            self.out.append(number)

    def same(self, value: DxilValue) -> None:
        self.out.append(self.next - self.numbers.value(value) & MASK)

    def pair(self, value: DxilValue) -> None:
        number = self.numbers.value(value)
        self.out.append(self.next - number & MASK)
        if number >= self.next:
            self.out.append(self.numbers.type(value.type))

    def pair_or_none(self, value: DxilValue | None) -> None:
        if value is not None:
            self.pair(value)

    def stated(self, value: DxilValue) -> None:
        self.type(value.type)
        self.same(value)

    def absolute(self, value: DxilValue) -> None:
        self.type(value.type)
        self.out.append(self.numbers.value(value))

    def type(self, type: DxilType) -> None:
        self.out.append(self.numbers.type(type))

    def attributes(self, attributes: AttributeList | None) -> None:
        self.out.append(self.numbers.attribute_list(attributes))

    def align(self, alignment: int) -> None:
        self.out.append(exponent(alignment))

    def block(self, block: BasicBlock) -> None:
        self.out.append(self.numbers.basic_block(block))

    def numbers_(self, numbers: Iterable[int]) -> None:
        self.out += numbers

    def pairs(self, values: Iterable[DxilValue]) -> None:
        for each in values:
            self.pair(each)

    def blocks(self, blocks: Iterable[BasicBlock]) -> None:
        for each in blocks:
            self.block(each)

    # -- operands of single instructions ---------------------------------------------------------

    def otherwise(self, block: BasicBlock | None) -> None:
        if block is not None and self.made.condition is not None:  # type: ignore[attr-defined]
            self.block(block)

    def condition(self, value: DxilValue | None) -> None:
        if value is not None and self.made.false_target is not None:  # type: ignore[attr-defined]
            self.same(value)

    def cases(self, cases: Iterable[tuple[DxilValue, BasicBlock]]) -> None:
        for value, block in cases:
            self.out.append(self.numbers.value(value))
            self.block(block)

    def incoming(self, incoming: Iterable[tuple[DxilValue, BasicBlock]]) -> None:
        for value, block in incoming:
            self.out.append(rotate(self.next - self.numbers.value(value)))
            self.block(block)

    def arguments(self, arguments: Sequence[DxilValue]) -> None:
        type = self.made.function_type  # type: ignore[attr-defined]
        count = len(type.parameters)
        if len(arguments) < count or (len(arguments) > count and not type.vararg):
            raise self.numbers.fail(f"expected {count} arguments, got {len(arguments)}")
        for each in arguments[:count]:
            self.argument(each)
        self.pairs(arguments[count:])

    def argument(self, value: DxilValue) -> None:
        if isinstance(value, MetadataAsValue):
            self.out.append(self.next - self.numbers.node(value.metadata) & MASK)
        elif isinstance(value, BasicBlock):
            self.block(value)
        else:
            self.same(value)

    def clauses(self, clauses: Sequence[DxilValue]) -> None:
        self.out.append(len(clauses))
        kinds = self.made.kinds  # type: ignore[attr-defined]
        for kind, clause in zip(kinds, clauses, strict=True):
            self.out.append(kind)
            self.pair(clause)


W = InstructionWriter
WRITERS: dict[str, Callable[[W, Any], None]] = {
    "absolute": W.absolute,
    "align": W.align,
    "arguments": W.arguments,
    "attributes": W.attributes,
    "block": W.block,
    "blocks": W.blocks,
    "cases": W.cases,
    "clauses": W.clauses,
    "condition": W.condition,
    "function_type": W.type,
    "incoming": W.incoming,
    "maybe": W.pair_or_none,
    "more": W.number,
    "number": W.number,
    "numbers": W.numbers_,
    "otherwise": W.otherwise,
    "pair": W.pair,
    "pairs": W.pairs,
    "same": W.same,
    "stated": W.stated,
    "type": W.type,
}


@cache
def _writers(code: int) -> list[tuple[str, Callable[[W, Any], None]]]:
    """Return the attributes that a record has, with their writers."""
    return [(name, WRITERS[kind]) for name, kind in BY_CODE[code].operands]
