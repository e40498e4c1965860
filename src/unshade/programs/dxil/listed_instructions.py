"""Instructions as `Program.instructions` lists them: instructions of the model, with their text.

    %7 = fadd fast float %5, %6          name fadd, results %7, operands %7 %5 %6
    %8 = call i32 @dx.op.threadId.…      name ThreadId: calls of dx.op functions are operations
    %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 1, i8 2, i32 undef)
                                         operands inputSigId=0 rowIndex=1 colIndex=2 …

The text is taken from the listing at the time of the call; an edit makes new objects. The operands
of an operation of DXIL have names, and its number is not among them. Other instructions list all
values in the order of the text, and indices of aggregates, which are numbers.
"""

from collections.abc import Iterator

from ...isa.representation import described
from ...limits import DEFAULT, Limits
from ...tuples import NamedTuple
from .model.instructions import CallInst, Instruction
from .model.module import DxilModule
from .model.values import BasicBlock, DxilValue, Function
from .operation_calls import arguments_of, operation_of
from .text.functions import instruction_line
from .text.writer import TextWriter

__all__ = ["ListedInstruction", "ListedOperand", "listed_instructions", "name_of_operation"]


class ListedOperand(NamedTuple):
    """An operand: its text without type, its value, and, for operations of DXIL, its name."""

    text: str
    value: DxilValue | int
    name: str = ""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return described(self, f"{self.name}={self.text}" if self.name else self.text)


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
        for name, value in _operand_values(instruction)
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


def _operand_values(instruction: Instruction) -> Iterator[tuple[str, DxilValue | int]]:
    """Iterate over name and value of each operand, in the order of the text."""
    operation = operation_of(instruction)
    if operation is not None and isinstance(instruction, CallInst):
        yield from arguments_of(instruction, operation).items()
        yield from (("", each) for each in instruction.arguments[1 + len(operation.operands) :])
        return
    yield from (("", each) for each in instruction.listed)
