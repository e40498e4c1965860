"""Blocks of functions: how deep they nest, and in which order they are best read.

    %5 header, OpSelectionMerge %14     level 0
    %13, %32 its targets                level 2
    %14 merge block                     level 0
    a continue target                   level 1

A level is two columns. A target of OpBranchConditional or OpSwitch is two levels below the block
that ends with it, header or not; the target of another OpBranch has the level of its block. The
first instruction that names a block counts, where the merge block of a header and all that follows
it are seen before the blocks between them.

spirv-dis treats everything between two labels as a block, the last instruction as its branch, and
the instruction before it as its merge. So a block with a line after its branch has no successors:
blocks that only it leads to are listed last, at level 0.

Source: SPIRV-Tools, source/disassemble.cpp (HandleInstruction, EmitCFG and their callees).
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..blocks import BasicBlock, successors
from ..operands import Decoded
from ..tables.numbers import Opcode

__all__ = ["levels", "printed_blocks", "reordered"]


def printed_blocks(
    code: Sequence[tuple[int, ...]], decoded: Sequence[Decoded], first: int
) -> Iterator[BasicBlock]:
    """Iterate over the blocks of one function, each from its label to the next one or the end.

    `first` is the position of the first instruction.
    """
    opcodes = [each[0] & 0xFFFF for each in code]
    ends = [at for at, each in enumerate(opcodes) if each in (Opcode.Label, Opcode.FunctionEnd)]
    for start, end in pairwise([*ends, len(code)]):
        if opcodes[start] != Opcode.Label or decoded[start].problem:
            continue
        last, merge, loop = decoded[end - 1], 0, 0
        words = code[end - 2]
        if end - start > 2 and not decoded[end - 2].problem:
            if opcodes[end - 2] in (Opcode.SelectionMerge, Opcode.LoopMerge):
                merge = words[1]
            if opcodes[end - 2] == Opcode.LoopMerge:
                loop = words[2]
        ways = () if last.problem else successors(last)
        yield BasicBlock(
            code[start][1], first + start, first + end, ways, merge, loop, opcodes[end - 1]
        )


def levels(blocks: Sequence[BasicBlock]) -> dict[int, int]:
    """Return the nesting level of each block that can be reached, by label."""
    found: dict[int, int] = {}
    for block in _walk(blocks, []):
        level = found.setdefault(block.label, 0)
        if block.merge:
            found.setdefault(block.merge, level)
        if block.continue_target:
            found.setdefault(block.continue_target, level + 1)
        inner = block.merge or block.terminator != Opcode.Branch
        for each in block.successors:
            found.setdefault(each, level + 2 if inner else level)
    return found


def reordered(blocks: Sequence[BasicBlock]) -> list[BasicBlock]:
    """Return the blocks that can be reached in reverse post order, the others after them."""
    order: list[BasicBlock] = []
    seen = {each.label for each in _walk(blocks, order)}
    order.reverse()
    return order + [each for each in blocks if each.label not in seen]


def _walk(blocks: Sequence[BasicBlock], left: list[BasicBlock]) -> Iterator[BasicBlock]:
    """Iterate over the blocks that can be reached, depth first; append each to `left` after those
    that it leads to.
    """
    by_label = {each.label: each for each in blocks}
    seen: set[int] = set()
    waiting = [(each, False) for each in blocks[:1]]
    while waiting:
        block, leaves = waiting.pop()
        if leaves:
            left.append(block)
        elif block.label not in seen:
            seen.add(block.label)
            yield block
            waiting.append((block, True))
            ways = (*block.successors, block.continue_target, block.merge)
            waiting += ((by_label[each], False) for each in ways if each in by_label)
