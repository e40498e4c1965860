"""Calls of `dx.op` functions, taken apart by the table of operations."""

from .model.constants import integer_of
from .model.instructions import CallInst, Instruction
from .model.values import DxilValue, Function
from .tables.dxil_operations import Op, operations

__all__ = ["PREFIX", "arguments_of", "operation_of"]

PREFIX = "dx.op."


def operation_of(instruction: Instruction) -> Op | None:
    """Return the operation that a call performs; None if there is none, or it is unknown."""
    if not isinstance(instruction, CallInst) or not instruction.arguments:
        return None
    callee = instruction.callee
    if not isinstance(callee, Function) or not callee.name.startswith(PREFIX):
        return None
    number = integer_of(instruction.arguments[0])
    return None if number is None else operations().get(number & 0xFFFF_FFFF)


def arguments_of(instruction: CallInst, operation: Op) -> dict[str, DxilValue]:
    """Return the arguments of a call by the names of the operation's operands."""
    values = instruction.arguments[1:]
    return dict(zip((each.name for each in operation.operands), values, strict=False))
