"""Blocks of functions: how deep they nest, and in which order they are best read.

    %5 header, OpSelectionMerge %14     level 0
    %13, %32 its targets                level 2
    %14 merge block                     level 0
    a continue target                   level 1

A level is two columns. A block that no merge instruction names has the level of the first block
that branches to it.
"""

from collections.abc import Sequence

from ..blocks import BasicBlock

__all__ = ["levels", "reordered"]


def levels(blocks: Sequence[BasicBlock]) -> dict[int, int]:
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
        for each in block.successors:
            found.setdefault(each, level + 2 if block.merge else level)
        stack += [each for each in (block.merge, block.continue_target) if each]
        stack += reversed(block.successors)
    return found


def reordered(blocks: Sequence[BasicBlock]) -> list[BasicBlock]:
    """Return the blocks that can be reached in reverse post order, the others after them."""
    by_label = {each.label: each for each in blocks}
    order: list[BasicBlock] = []
    seen: set[int] = set()
    if blocks:
        stack: list[tuple[BasicBlock, list[int]]] = []

        def enter(label: int) -> None:
            block = by_label.get(label)
            if block is not None and label not in seen:
                seen.add(label)
                ways = [each for each in (block.merge, block.continue_target) if each]
                stack.append((block, [*block.successors, *reversed(ways)]))

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
