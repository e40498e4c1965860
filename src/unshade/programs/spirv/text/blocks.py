"""Blocks of functions: how deep they nest, and in which order they are best read.

    %5 header, OpSelectionMerge %14     level 0
    %13, %32 its targets                level 2
    %14 merge block                     level 0
    a continue target                   level 1

A level is two columns. Blocks that no merge instruction speaks of are as deep as the block that
first leads to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..module import Instruction
from ..tables.numbers import Opcode
from ..tables.sections import TERMINATORS

__all__ = ["CodeBlock", "blocks_of", "levels", "reordered"]


class CodeBlock(NamedTuple):
    """A block: its label, the (start, end) of its instructions, and the blocks that it names."""

    label: int
    start: int
    end: int
    merge: int = 0
    continue_target: int = 0
    targets: tuple[int, ...] = ()


def blocks_of(
    instructions: Sequence[Instruction], targets: "dict[int, tuple[int, ...]]"
) -> list[CodeBlock]:
    """Return the blocks of one function; `targets` has those of each branch by its index."""
    found: list[CodeBlock] = []
    start, label, merge, loop = -1, 0, 0, 0
    for at, each in enumerate(instructions):
        match each.opcode:
            case Opcode.Label if len(each.words) > 1:
                start, label, merge, loop = at, each.words[1], 0, 0
            case Opcode.SelectionMerge if len(each.words) > 1:
                merge = each.words[1]
            case Opcode.LoopMerge if len(each.words) > 2:
                merge, loop = each.words[1], each.words[2]
        if start >= 0 and each.opcode in TERMINATORS:
            found.append(CodeBlock(label, start, at + 1, merge, loop, targets.get(at, ())))
            start = -1
    return found


def levels(blocks: Sequence[CodeBlock]) -> dict[int, int]:
    """Return the nesting level of each block that can be reached, by label."""
    by_label = {each.label: each for each in blocks}
    found: dict[int, int] = {}
    if not blocks:
        return found
    found[blocks[0].label] = 0
    stack = [blocks[0].label]
    done: set[int] = set()
    while stack:
        label = stack.pop()
        block = by_label.get(label)
        if block is None or label in done:
            continue
        done.add(label)
        level = found[label]
        if block.merge:
            found.setdefault(block.merge, level)
        if block.continue_target:
            found.setdefault(block.continue_target, level + 1)
        for each in block.targets:
            found.setdefault(each, level + 2 if block.merge else level)
        stack += [each for each in (block.merge, block.continue_target) if each]
        stack += reversed(block.targets)
    return found


def reordered(blocks: Sequence[CodeBlock]) -> list[CodeBlock]:
    """Return the blocks that can be reached in reverse post order, the others after them."""
    by_label = {each.label: each for each in blocks}
    order: list[CodeBlock] = []
    seen: set[int] = set()
    if blocks:
        stack: list[tuple[CodeBlock, list[int]]] = []

        def enter(label: int) -> None:
            block = by_label.get(label)
            if block is not None and label not in seen:
                seen.add(label)
                ways = [each for each in (block.merge, block.continue_target) if each]
                stack.append((block, [*block.targets, *reversed(ways)]))

        enter(blocks[0].label)
        while stack:
            block, ways = stack[-1]
            if ways:
                enter(ways.pop())
            else:
                order.append(block)
                stack.pop()
    order.reverse()
    return order + [each for each in blocks if each.label not in seen]
