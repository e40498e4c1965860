"""The lines of a program's text that each instruction takes.

1   ps_5_0
2   dcl_globalFlags refactoringAllowed       instructions[0]
3   dcl_immediateConstantBuffer { { 1, …},   instructions[1], its rows[0]
4                                 { 2, …} }                   its rows[1]
5   dcl_temps 1                              instructions[2]
"""

from collections.abc import Sequence

from .instruction import CUSTOMDATA, Instruction
from .tables.enumerations import CustomClass

__all__ = ["is_constant_table", "line_numbers"]

ROW = 4  # words


def line_numbers(instructions: Sequence[Instruction]) -> list[int]:
    """Return the first line of each instruction, from 1 for the profile's."""
    line = 2
    found = []
    for instruction in instructions:
        found.append(line)
        if is_constant_table(instruction):
            line += max(1, -(-len(instruction.payload or ()) // ROW))
        else:
            line += 1
    return found


def is_constant_table(instruction: Instruction) -> bool:
    """Return whether an instruction is an immediate constant buffer, with a line for each row."""
    return (
        instruction.opcode == CUSTOMDATA
        and instruction.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER
    )
