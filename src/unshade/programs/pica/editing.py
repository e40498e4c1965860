"""Code put in and taken out: what names a word of the program by its number follows.

    insert 2 words at 5        target 4, 5 → the same      target 6 → 8
                               a block [3, 6) → [3, 8)     a block [2, 5) → the same

A block is known by its first word and the word behind its last; the second of them, as every
target, moves if it lies behind the place of the change.
"""

from collections.abc import Callable, Sequence

from ...errors import EncodeError, UsageError
from .code import Code
from .descriptors import OperandDescriptor
from .instruction import Instruction


def replace(
    program: Code, at: int, out: Sequence[int], given: Sequence[object]
) -> list[Instruction]:
    """Put words, at `at`, in the place of those numbered `out`, and mend what counts words.

    Return the new ones.
    """
    if [*out] != list(range(at, at + len(out))):
        raise UsageError("a run of instructions can be replaced, not a slice with a step")
    table = list(program.descriptors)
    new: list[Instruction] = []
    for each in given:
        if isinstance(each, str):
            new += _read(each, at + len(new), table)
        elif isinstance(each, Instruction):
            new.append(each)
        else:
            raise UsageError(f"an instruction is an Instruction or its text, not {each!r:.40}")
    _splice(program, at, len(out), new)
    program.descriptors += table[len(program.descriptors) :]
    for instruction in new:
        instruction.descriptors = program.descriptors
    return new


def _read(text: str, at: int, table: list[OperandDescriptor]) -> list[Instruction]:
    """The words of a text that are to stand at `at`; descriptors that they need join the table.

    There are no names: a target is the number that the word has afterwards.
    """
    from .assembler import lines  # who edits by words needs none

    words, descriptors = lines(text, at, table)
    table += descriptors[len(table) :]
    return [Instruction(word) for word in words]


def _splice(program: Code, at: int, removed: int, inserted: list[Instruction]) -> None:
    code = program.instructions
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
