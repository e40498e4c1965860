"""Insertion and removal of instructions; comments after the place move with the code."""

from collections.abc import Sequence

from ...errors import UsageError
from .code import Code
from .debug import TAG as DEBUG
from .instruction import Instruction

__all__ = ["replace"]


def replace(code: Code, at: int, out: Sequence[int], given: Sequence[object]) -> list[Instruction]:
    """Replace the instructions numbered `out`, which begin at `at`; return the new ones.

    Raises:
        UsageError: `out` has gaps, or an item is neither an Instruction nor a string.
        AssembleError: A string is not a valid instruction.
    """
    from .assembler import read_instruction

    if [*out] != list(range(at, at + len(out))):
        raise UsageError("expected consecutive instructions, got a slice with a step")
    made: list[Instruction] = []
    for each in given:
        if isinstance(each, str):
            made.append(read_instruction(each, code.version))
        elif isinstance(each, Instruction):
            made.append(Instruction(each.words, code.version))
        else:
            raise UsageError(f"expected an Instruction or its text, got {each!r:.40}")
    code.instructions[at : at + len(out)] = made
    grown = len(made) - len(out)
    code.comments = [each for each in code.comments if each.tag != DEBUG]
    for comment in code.comments:
        if comment.before > at:
            comment.before = max(at, comment.before + grown)
    return made
