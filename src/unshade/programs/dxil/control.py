"""Control flow of a module: the blocks of its functions and the branches between them."""

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .code import Code
from .lines import record_paths
from .model.instructions import BranchInst, Instruction, SwitchInst
from .model.values import BasicBlock, DxilValue

__all__ = ["control_flow"]


def control_flow(code: Code) -> ProgramFlow:
    """Return the flow of all functions of a module; a function is a region."""
    known = record_paths(code)
    functions = [each for each in code.read_module().functions if not each.is_declaration]
    blocks = [block for each in functions for block in each.blocks]
    firsts: dict[DxilValue, int] = {}
    count = 0
    for block in blocks:
        firsts[block] = count
        count += len(block.instructions)
    steps: list[FlowStep] = []
    for block in blocks:
        for each in block.instructions:
            is_last = each is block.instructions[-1]
            ways = _ways(block, firsts, len(steps)) if is_last else ((len(steps) + 1, NEXT),)
            steps.append(FlowStep(_path(each, known), ways))
    starts = [firsts[each.blocks[0]] for each in functions if each.blocks]
    ends = [*(each - 1 for each in starts[1:]), count - 1]
    return ProgramFlow(steps, list(zip(starts, ends, strict=False)), starts)


def _path(each: Instruction, known: dict[int, str]) -> str:
    return known.get(id(each.record), "") if each.record is not None else ""


def _ways(block: BasicBlock, firsts: dict[DxilValue, int], at: int) -> tuple[tuple[int, str], ...]:
    """Return where the last instruction of a block leads, in the order of the text."""
    match block.instructions[-1]:
        case BranchInst(condition=None, target=target):
            found = [(target, "jump")]
        case BranchInst(target=target, false_target=BasicBlock() as other):
            found = [(target, "true"), (other, "false")]
        case SwitchInst(default=default, cases=cases):
            found = [(default, "default"), *((each, "case") for _, each in cases)]
        case _:
            found = [(each, "jump") for each in block.successors]
    ways = ((firsts[each], kind) for each, kind in found if each in firsts)
    return tuple((to, "back" if kind == "jump" and to <= at else kind) for to, kind in ways)
