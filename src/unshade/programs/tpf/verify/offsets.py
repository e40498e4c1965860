"""Offsets of the instructions of a program and their operands, by path.

instructions[12].operands[0]   ->   offset 0x68 from the start of the part's data
"""

import re
from functools import cached_property
from itertools import accumulate

from ....errors import EncodeError
from ..code import Code

PATH = re.compile(r"instructions\[(\d+)\](?:\.operands\[(\d+)\])?")


def numbers(path: str) -> tuple[int | None, int | None]:
    """Return the indices of the instruction and operand in a path, each None if absent."""
    found = PATH.match(path)
    if found is None:
        return None, None
    return int(found[1]), None if found[2] is None else int(found[2])


class InstructionOffsets:
    """Offsets of a program's instructions and operands from the start of the part's data."""

    def __init__(self, program: Code) -> None:
        self.instructions = program.listed

    @cached_property
    def starts(self) -> list[int]:
        """The start of each instruction up to the first that cannot be encoded, then the end."""
        sizes: list[int] = []
        for instruction in self.instructions:
            try:
                sizes.append(4 * len(instruction.encode()))
            except EncodeError:
                break  # the instructions after it have no offset
        return list(accumulate(sizes, initial=8))

    def offset(self, path: str) -> int | None:
        """Return the offset of the instruction or operand in a path; None if it has none."""
        at, number = numbers(path)
        if at is None or at >= len(self.starts):
            return None
        start = self.starts[at]
        if at >= len(self.instructions) or number is None:
            return start
        instruction = self.instructions[at]
        leading = instruction.op.leading if instruction.op else 0
        before = 1 + len(instruction.extended) + leading
        try:
            before += sum(len(each.words()) for each in instruction.operands[:number])
        except EncodeError:
            return start
        return start + 4 * before
