"""Code put in and taken out: what names a word of the program by its number follows.

    insert 2 words at 5        target 4, 5 → the same      target 6 → 8
                               a block [3, 6) → [3, 8)     a block [2, 5) → the same

A block is known by its first word and the word behind its last; the second of them, as every
target, moves if it lies behind the place of the change.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import EncodeError, UsageError
from .instruction import Instruction

if TYPE_CHECKING:
    from .program import Program


def spliced(program: "Program", at: int, removed: int, inserted: list[Instruction]) -> None:
    """Replaces `removed` words at `at` by others and mends what counts words."""
    code = program.instructions
    if not 0 <= at <= len(code) or not 0 <= removed <= len(code) - at:
        raise UsageError(f"{removed} words at {at}: the program has {len(code)}")
    by = len(inserted) - removed

    def moved(place: int) -> int:
        """Where a place between words is afterwards."""
        if place <= at:
            return place
        return max(place + by, at + len(inserted)) if place < at + removed else place + by

    mended: list[tuple[Instruction, int]] = []
    for i, instruction in enumerate(code):
        if at <= i < at + removed:
            continue
        try:
            mended.append((instruction, _mended(instruction, moved)))
        except EncodeError as error:
            raise error.within(f"instructions[{i}]") from None
    for instruction, word in mended:
        instruction.word = word
    code[at : at + removed] = inserted
    program.entries = [
        entry._replace(main=moved(entry.main), end=moved(entry.end)) for entry in program.entries
    ]
    program.marks = [moved(mark) for mark in program.marks]


def _mended(instruction: Instruction, moved: Callable[[int], int]) -> int:
    """The word of an instruction that stays, with its numbers of words as they will be."""
    op = instruction.op
    found = Instruction(instruction.word)
    for name in op.operands if op else ():
        if name == "last":
            found.target = moved(found.target + 1) - 1
        elif name == "jump":
            found.target = moved(found.target)
        elif name in ("call", "else"):
            start, length = found.target, found.length
            found.target = moved(start)
            if length:
                found.length = moved(start + length) - found.target
    return found.word
