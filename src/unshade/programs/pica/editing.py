"""Insertion and removal of instructions: targets, entries and labels are adjusted.

    insert 2 words at 5        target 4, 5 → the same      target 6 → 8
                               a block [3, 6) → [3, 8)     a block [2, 5) → the same

A block is given by its first word and the word after its last; the end word, like every target,
moves if it lies after the place of the change.
"""

from collections.abc import Callable, Sequence

from ...errors import EncodeError, UsageError
from .code import Code
from .descriptors import OperandDescriptor
from .instruction import Instruction


def replace(
    program: Code, at: int, out: Sequence[int], given: Sequence[object]
) -> list[Instruction]:
    """Replace the instructions numbered `out`, which begin at `at`, and adjust word numbers.

    Returns:
        The new instructions, from `given`; strings are assembled.

    Raises:
        UsageError: `out` has gaps, or an item is neither an Instruction nor a string.
        AssembleError: A string is not a valid instruction.
        EncodeError: A target or a length no longer fits its field.
    """
    if [*out] != list(range(at, at + len(out))):
        raise UsageError("expected consecutive instructions, got a slice with a step")
    table = list(program.descriptors)
    new: list[Instruction] = []
    for each in given:
        if isinstance(each, str):
            new += _read(each, at + len(new), table)
        elif isinstance(each, Instruction):
            new.append(each)
        else:
            raise UsageError(f"expected an Instruction or its text, got {each!r:.40}")
    _splice(program, at, len(out), new)
    program.descriptors += table[len(program.descriptors) :]
    for instruction in new:
        instruction.descriptors = program.descriptors
    return new


def _read(text: str, at: int, table: list[OperandDescriptor]) -> list[Instruction]:
    """Assemble a text for the place `at`; descriptors that it needs are appended to `table`.

    Names are not available: a target is the number that the word has afterwards.
    """
    from .assembler import lines  # slow to import

    words, descriptors = lines(text, at, table)
    table += descriptors[len(table) :]
    return [Instruction(word) for word in words]


def _splice(program: Code, at: int, removed: int, inserted: list[Instruction]) -> None:
    code = program.instructions
    by = len(inserted) - removed

    def moved(place: int) -> int:
        """Return the position after the edit of a position between words."""
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
    """Return the word of an instruction that stays, with its target and length adjusted."""
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
