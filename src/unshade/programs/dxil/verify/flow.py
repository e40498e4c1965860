"""Rules of control flow: order in blocks, phis, definitions before uses."""

from ....isa.dominance import Dominance
from ..model.instructions import Instruction, PhiInst
from ..model.values import BasicBlock, DxilValue, Function
from .reports import Reports

__all__ = ["check_flow"]


def check_flow(function: Function, reports: Reports) -> None:
    """Check the blocks of a function."""
    blocks = function.blocks
    if not blocks:
        return
    places = {block: number for number, block in enumerate(blocks)}
    successors = [[places[each] for each in block.successors if each in places] for block in blocks]
    _order(function, reports)
    tree = Dominance(successors)
    homes: dict[DxilValue, tuple[int, int]] = {}
    number = 0
    for at, block in enumerate(blocks):
        for each in block.instructions:
            homes[each] = at, number
            number += 1
    number = 0
    for at, block in enumerate(blocks):
        for each in block.instructions:
            if tree.reaches(at):
                _uses(function, each, number, homes, tree, places, reports)
            number += 1
    _phis(function, successors, tree, places, reports)


def _order(function: Function, reports: Reports) -> None:
    number = 0
    entry = function.blocks[0]
    for block in function.blocks:
        before_phis = True
        last = len(block.instructions) - 1
        for at, each in enumerate(block.instructions):
            problem = ""
            if isinstance(each, PhiInst):
                problem = "" if before_phis else "expected phis at the start of a block"
            else:
                before_phis = False
            if each.is_terminator != (at == last):
                problem = "expected one branch or return, at the end of a block"
            elif at == last and entry in block.successors:
                problem = "expected no branch to the first block"
            if problem:
                reports.instruction("dxil.layout", problem, function, each, number)
            number += 1


def _uses(
    function: Function,
    user: Instruction,
    number: int,
    homes: dict[DxilValue, tuple[int, int]],
    tree: Dominance,
    places: dict[BasicBlock, int],
    reports: Reports,
) -> None:
    """Check that operands are defined before an instruction, or at the end of a phi's block."""
    uses: list[tuple[DxilValue, tuple[int, int]]]
    if isinstance(user, PhiInst):
        uses = [
            (value, (places[block], 1 << 62)) for value, block in user.incoming if block in places
        ]
    else:
        uses = [(value, homes[user]) for value in user.operands]
    for value, (block, at) in uses:
        home = homes.get(value)
        if home is None or not tree.reaches(block):
            continue
        is_before = home[1] < at if home[0] == block else tree.dominates(home[0], block)
        if not tree.reaches(home[0]) or not is_before:
            message = f"the {type(value).__name__} at {home[1]} is not defined before"
            reports.instruction("dxil.dominance", message, function, user, number)


def _phis(
    function: Function,
    successors: list[list[int]],
    tree: Dominance,
    places: dict[BasicBlock, int],
    reports: Reports,
) -> None:
    before: list[list[int]] = [[] for _ in successors]
    for at, targets in enumerate(successors):
        for target in targets:
            before[target].append(at)
    number = 0
    for at, block in enumerate(function.blocks):
        expected = sorted(before[at])
        for each in block.instructions:
            if isinstance(each, PhiInst):
                found = sorted(places.get(one, -1) for _, one in each.incoming)
                if found != expected and tree.reaches(at):
                    message = f"expected values of blocks {expected}, got {found}"
                    reports.instruction("dxil.phi", message, function, each, number)
            number += 1
