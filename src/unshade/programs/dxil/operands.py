"""Operands of listed instructions: a value of the model, with its text.

    %7 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 1, i8 2, i32 undef)

    %7                     the result
    0  1  2  undef         inputSigId, rowIndex, colIndex, gsVertexAxis

The operands of an operation of DXIL have names; its number is no operand. Of other instructions all
values are, in the order of the text, and indices of aggregates, which are numbers.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ...isa.representation import described
from .dxop import arguments_of, operation_of
from .model.instructions import (
    BranchInst,
    CallInst,
    ExtractValueInst,
    InsertValueInst,
    Instruction,
    InvokeInst,
)
from .model.values import DxilValue

__all__ = ["ListedOperand", "operand_values"]


class ListedOperand(NamedTuple):
    """An operand: its text without type, the value, and its name, which only DXIL's have."""

    text: str
    value: DxilValue | int
    name: str = ""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return described(self, f"{self.name}={self.text}" if self.name else self.text)


def operand_values(instruction: Instruction) -> Iterator[tuple[str, DxilValue | int]]:
    """Iterate over name and value of each operand, in the order of the text."""
    operation = operation_of(instruction)
    if operation is not None and isinstance(instruction, CallInst):
        yield from arguments_of(instruction, operation).items()
        yield from (("", each) for each in instruction.arguments[1 + len(operation.operands) :])
        return
    values = instruction.operands
    if isinstance(instruction, CallInst | InvokeInst):
        callee = instruction.callee
        values = [callee, *instruction.arguments]
        if isinstance(instruction, InvokeInst):
            values += [instruction.normal, instruction.unwind]
    elif isinstance(instruction, BranchInst):
        parts = (instruction.condition, instruction.target, instruction.false_target)
        values = [each for each in parts if each is not None]
    yield from (("", each) for each in values)
    if isinstance(instruction, ExtractValueInst | InsertValueInst):
        yield from (("", each) for each in instruction.indices)
