"""Uses of values by instructions."""

from collections.abc import Iterator

from ....errors import UsageError
from ..model.instructions import Instruction
from ..model.module import DxilModule
from ..model.values import DxilValue, Function
from ..text.numbering import number_values

__all__ = ["remove", "replace_uses", "users"]


def users(function: Function, value: DxilValue) -> Iterator[Instruction]:
    """Return the instructions of a function that have a value as an operand."""
    return (each for each in function.instructions if any(one is value for one in each.operands))


def replace_uses(where: Function | DxilModule, old: DxilValue, new: DxilValue) -> int:
    """Let the instructions of a function or module use another value; return how often.

    Raises:
        UsageError: The values have different types.
    """
    if old.type is not new.type:
        raise UsageError(f"expected a value of type {old.type!s:.40}, got {new.type!s:.40}")
    functions = [where] if isinstance(where, Function) else where.functions
    count = sum(each.replace(old, new) for function in functions for each in function.instructions)
    for function in functions:
        for local in function.locals:
            if local.value is old:
                local.value = new
                count += 1
    return count


def remove(
    function: Function, instruction: Instruction, replacement: DxilValue | None = None
) -> None:
    """Remove an instruction; uses of its result are replaced.

    Raises:
        UsageError: The instruction is not in the function, or its result is used and there is no
            replacement.
    """
    home = next((each for each in function.blocks if instruction in each.instructions), None)
    if home is None:
        raise UsageError(f"expected an instruction of {function.name!r}, got {instruction!r}")
    if replacement is not None:
        replace_uses(function, instruction, replacement)
    used = any(True for _ in users(function, instruction))
    if used or any(each.value is instruction for each in function.locals):
        number = number_values(function).get(instruction)
        name = instruction.name if number is None else number
        raise UsageError(f"expected a replacement for %{name}, which is used")
    home.instructions.remove(instruction)
    function.use_lists = [each for each in function.use_lists if each.value is not instruction]
