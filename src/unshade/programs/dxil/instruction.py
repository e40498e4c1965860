"""Instructions as `Program.instructions` lists them: those of the model, with their text.

    %7 = fadd fast float %5, %6          name fadd, results %7, operands %7 %5 %6
    %8 = call i32 @dx.op.threadId.…      name ThreadId: calls of dx.op functions are operations

The text is that of the listing at the time of the call; an edit makes new ones.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ...isa.representation import described
from ...limits import DEFAULT, Limits
from .dxop import operation_of
from .model.instructions import Instruction
from .model.module import DxilModule
from .model.values import BasicBlock, Function
from .operands import ListedOperand, operand_values
from .text.functions import instruction_line
from .text.writer import TextWriter

__all__ = ["ListedInstruction", "listed_instructions", "name_of_operation"]


class ListedInstruction(NamedTuple):
    """An instruction of the model, its place, and its text."""

    name: str
    operands: tuple[ListedOperand, ...]
    results: tuple[ListedOperand, ...]
    text: str
    instruction: Instruction
    block: BasicBlock
    function: Function

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return described(self, self.text)


def name_of_operation(instruction: Instruction) -> str:
    """Return the name of the operation of DXIL that a call performs, else LLVM's opcode."""
    operation = operation_of(instruction)
    return instruction.opcode if operation is None else operation.name


def listed_instructions(
    module: DxilModule, limits: Limits = DEFAULT
) -> Iterator[ListedInstruction]:
    """Iterate over the instructions of all functions, in the order of the listing.

    Raises:
        LimitError: The text is longer than `limits` allow.
    """
    writer = TextWriter(module, limits)
    for function in module.functions:
        writer.enter(function)
        for block in function.blocks:
            for each in block.instructions:
                yield _listed(each, block, function, writer)


def _listed(
    instruction: Instruction, block: BasicBlock, function: Function, writer: TextWriter
) -> ListedInstruction:
    results: tuple[ListedOperand, ...] = ()
    if not instruction.type.is_void:
        results = (ListedOperand(writer.operand(instruction), instruction),)
    operands = tuple(
        ListedOperand(str(value) if isinstance(value, int) else writer.operand(value), value, name)
        for name, value in operand_values(instruction)
    )
    text = instruction_line(instruction, writer)
    writer.budget.spend(len(text))
    return ListedInstruction(
        name_of_operation(instruction),
        results + operands,
        results,
        text,
        instruction,
        block,
        function,
    )
