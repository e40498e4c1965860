"""Checks of blocks and procedures: their ends, and jumps and breaks that leave them.

The hardware compares the tops of its stacks with the address after each instruction, whether the
instruction jumps or not, and the if and loop stacks pop one entry at a time; hence the rules about
the last words of blocks.
"""

from collections.abc import Callable

from ....rule import Findings
from ..structure import CodeStructure, ControlBlock, Procedure

JUMPS = frozenset({"jump", "call"})

Add = Callable[..., None]


def check_blocks(found: CodeStructure, findings: Findings) -> None:
    """Check every block, procedure, jump and break."""

    def add(code: str, at: int, message: str, field: str = "") -> None:
        path = f"instructions[{at}]"
        findings.add(code, message, offset=4 * at, path=f"{path}.{field}" if field else path)

    kinds = [op.kind if op else "" for op in (each.op for each in found.code)]
    called = [each for each in found.procedures if each.callers]
    ends: dict[int, int] = {}  # of called procedures: the first word of the longest that ends there
    for each in called:
        ends[each.end] = min(each.start, ends.get(each.end, each.start))
    for block in found.blocks:
        name = found.code[block.at].name
        if block.middle == block.start:
            add("pica.empty-block", block.at, f"{name} contains no instruction", "target")
        last = block.middle - 1
        if last > block.at and kinds[last] in JUMPS:
            message = f"{found.code[last].name} is the last word of {name} at {block.at}"
            add("pica.jump-at-end", last, message)
        elif last > block.at and block.is_loop and kinds[last] == "break":
            message = f"{found.code[last].name} is the last word of the loop at {block.at}"
            add("pica.break-at-end", last, message)
        _check_end(found, block, ends, add)
    for procedure in called:
        _check_procedure(found, procedure, kinds, add)
        _check_inside(found, procedure, add)
    for at, kind in enumerate(kinds):
        if kind == "jump" and at in found.jumps:
            _check_jump(found, at, add)
        elif kind == "break":
            _check_break(found, at, add)


def _check_end(found: CodeStructure, block: ControlBlock, ends: dict[int, int], add: Add) -> None:
    """Check that a block does not end with its parent or procedure, or at an else."""
    outer = block.outer
    if outer is not None:
        limit = outer.middle if block.at < outer.middle else outer.end
        # The end of an else part is on no stack, so a block inside it may end at the same word.
        if block.end == limit and (block.at < outer.middle or outer.is_loop):
            what = f"{found.code[block.at].name} at {block.at} and {found.code[outer.at].name}"
            message = f"{what} at {outer.at} both end before word {block.end}"
            add("pica.shared-end", block.at, message, "target")
            return
    if ends.get(block.end, block.end) <= block.at:
        message = f"{found.code[block.at].name} and its procedure both end before word {block.end}"
        add("pica.shared-end", block.at, message, "target")


def _check_procedure(
    found: CodeStructure, procedure: Procedure, kinds: list[str], add: Add
) -> None:
    if procedure.end == procedure.start:
        message = f"{found.code[procedure.callers[0]].name} calls an empty procedure"
        add("pica.empty-block", procedure.callers[0], message, "num")
        return
    last = procedure.end - 1
    name = found.code[last].name
    if kinds[last] == "jump":
        message = f"{name} is the last word of the procedure at {procedure.start}"
        add("pica.jump-at-end", last, message)
    elif kinds[last] == "call":
        message = f"{name} is the last word of the procedure at {procedure.start}"
        add("pica.tail-call", last, message)


def _check_inside(found: CodeStructure, procedure: Procedure, add: Add) -> None:
    """Check that a procedure inside a block that calls it does not end where the block does."""
    for block, first in _parts(found, procedure.start):
        end = block.middle if first else block.end
        caller = next((at for at in procedure.callers if block.at < at < end), None)
        if procedure.end == end and caller is not None:
            what = f"{found.code[block.at].name} at {block.at} and the procedure at"
            message = f"{what} {procedure.start} both end before word {end}"
            add("pica.shared-end", caller, message, "target")


def _parts(found: CodeStructure, at: int) -> list[tuple[ControlBlock, bool]]:
    """Return the blocks around a word with entries on a stack, and if it is in the first part."""
    return [
        (block, at < block.middle)
        for block in found.around(at)
        if block.is_loop or at < block.middle
    ]


def _check_jump(found: CodeStructure, at: int, add: Add) -> None:
    target = found.jumps[at]
    if _parts(found, at) != _parts(found, target):
        message = f"{found.code[at].name} to word {target} in another block"
        add("pica.jump-out", at, message, "target")


def _check_break(found: CodeStructure, at: int, add: Add) -> None:
    name = found.code[at].name
    inside = found.loop_around(at)
    if inside is None:
        add("pica.break-outside", at, f"{name} is not inside a loop")
        return
    for block in found.around(at):
        if block is inside:
            break
        if at < block.middle:
            message = f"{name} leaves the if at {block.at} before its end"
            add("pica.break-inside-if", at, message)
            break
