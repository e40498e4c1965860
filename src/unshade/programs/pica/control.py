"""Control flow of a program, by the hardware's stacks (flow.py); a call leads to the next word."""

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .code import Code
from .flow import ControlFlow
from .structure import structure

__all__ = ["control_flow"]


def control_flow(code: Code) -> ProgramFlow:
    """Return the flow of the words of a program; empty if its blocks are malformed."""
    found = structure(code)
    if not found.sound:
        return ProgramFlow((), ())
    flow = ControlFlow(found)
    steps = [
        FlowStep(f"instructions[{at}]", tuple(_ways(flow, at))) for at in range(len(found.code))
    ]
    regions = [(each.start, each.end - 1) for each in found.procedures]
    for block in found.blocks:
        regions.append((block.at, block.middle - 1))
        if block.has_else:
            regions.append((block.middle, block.end - 1))
    starts = [each.start for each in found.procedures]
    return ProgramFlow(steps, sorted(each for each in regions if each[1] > each[0]), starts)


def _ways(flow: ControlFlow, at: int) -> list[tuple[int, str]]:
    op = flow.found.code[at].op
    kind = op.kind if op is not None else ""
    targets = flow.after(at)
    if kind == "if":
        return list(zip(targets, ("true", "false"), strict=False))
    found = []
    for number, each in enumerate(targets):
        if kind == "break" and number == len(targets) - 1:
            found.append((each, "break"))
        elif each <= at:
            found.append((each, "back"))
        else:
            found.append((each, NEXT if each == at + 1 else "jump"))
    return found
