"""Basic blocks of a function.

    %5 = OpLabel                  start
         OpSelectionMerge %14     merge
         OpBranchConditional …    the last instruction, with the successors

Source: SPIR-V specification, section 2.2.5 (Control Flow).
"""

from collections.abc import Container, Iterator, Sequence

from ...tuples import NamedTuple
from .operands import Decoded
from .tables.numbers import Opcode
from .tables.sections import TERMINATORS

__all__ = ["BasicBlock", "blocks_of", "successors"]

BOUNDS = {Opcode.Label, Opcode.SelectionMerge, Opcode.LoopMerge, *TERMINATORS}  # of a block


class BasicBlock(NamedTuple):
    """A block: (start, end) of its instructions, from its label to its terminator."""

    label: int
    start: int
    end: int
    successors: tuple[int, ...]
    merge: int = 0  # of the merge instruction; 0 without one
    continue_target: int = 0  # of OpLoopMerge
    terminator: int = 0  # opcode of the last instruction


def blocks_of(
    code: Sequence[tuple[int, ...]], decoded: Sequence[Decoded], bad: Container[int], first: int
) -> Iterator[BasicBlock]:
    """Iterate over the blocks of one function.

    `code` are the words of its instructions, the first of which is at the position `first` of
    `decoded`; `bad` are positions of instructions that do not fit the grammar.

    A block without a label or a terminator is left out.
    """
    label, start, merge, loop = 0, -1, 0, 0
    for position, each in enumerate(code, first):
        opcode = each[0] & 0xFFFF
        if opcode not in BOUNDS or position in bad:
            continue
        match opcode:
            case Opcode.Label:
                label, start, merge, loop = each[1], position, 0, 0
            case Opcode.SelectionMerge:
                merge = each[1]
            case Opcode.LoopMerge:
                merge, loop = each[1], each[2]
        if start >= 0 and opcode in TERMINATORS:
            ways = successors(decoded[position])
            yield BasicBlock(label, start, position + 1, ways, merge, loop, opcode)
            start = -1


def successors(branch: Decoded) -> tuple[int, ...]:
    """Return the labels that a terminator leads to, in the order of its operands."""
    op = branch.op
    ids = [each.words[0] for each in branch.operands if each.kind == "IdRef"]
    match op.code if op is not None else None:
        case Opcode.Branch:
            return tuple(ids)
        case Opcode.BranchConditional:
            return tuple(ids[1:3])
        case Opcode.Switch:
            return tuple(ids[1:])
    return ()
