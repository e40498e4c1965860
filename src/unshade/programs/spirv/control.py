"""Control flow of a module: the blocks of its functions; headers fold up to their merge block.

Source: SPIR-V specification, section 2.11 (Structured Control Flow).
"""

from collections.abc import Iterator

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from .blocks import BasicBlock
from .index import FunctionBody, ModuleIndex
from .module import Module
from .tables.numbers import Opcode

__all__ = ["control_flow"]


def control_flow(module: Module) -> ProgramFlow:
    """Return the flow of all functions of a module."""
    functions = list(ModuleIndex(module).functions.values())
    positions = [
        at for each in functions for block in each.blocks for at in range(block.start, block.end)
    ]
    numbers = {at: number for number, at in enumerate(positions)}
    steps: list[FlowStep] = []
    regions: list[tuple[int, int]] = []
    starts: list[int] = []
    for function in functions:
        if not function.blocks:
            continue
        starts.append(numbers[function.blocks[0].start])
        regions.append((starts[-1], numbers[function.blocks[-1].end - 1]))
        labels = {block.label: numbers[block.start] for block in function.blocks}
        for block in function.blocks:
            steps += _steps(block, labels, numbers)
        regions += _constructs(function, labels, numbers)
    return ProgramFlow(steps, sorted(regions), starts)


def _steps(
    block: BasicBlock, labels: dict[int, int], numbers: dict[int, int]
) -> Iterator[FlowStep]:
    for at in range(block.start, block.end - 1):
        yield FlowStep(f"instructions[{at}]", ((numbers[at] + 1, NEXT),))
    last = block.end - 1
    targets = [labels[each] for each in block.successors if each in labels]
    match block.terminator:
        case Opcode.BranchConditional:
            ways = list(zip(targets, ("true", "false"), strict=False))
        case Opcode.Switch:
            kinds = ["default", *["case"] * len(targets)]
            ways = list(zip(targets, kinds, strict=False))
        case _:
            ways = [(each, "back" if each <= numbers[last] else "jump") for each in targets]
    yield FlowStep(f"instructions[{last}]", tuple(ways))


def _constructs(
    function: FunctionBody, labels: dict[int, int], numbers: dict[int, int]
) -> Iterator[tuple[int, int]]:
    for block in function.blocks:
        end = labels.get(block.merge, -1) if block.merge else -1
        if end > (last := numbers[block.end - 1]) + 1:
            yield last, end - 1
