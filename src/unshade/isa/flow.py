"""Control flow of a program: its instructions, where each one leads, and the regions that fold.

    0   if_nz r0.x        ways (1, true) (3, false)     region 0 to 2
    1   mov r1.x, l(1)    ways (2, next)
    2   else              ways (4, jump)                region 2 to 3
    3   mov r1.x, l(2)    ways (4, next)
    4   endif             ways (5, next)

`blocks_of` joins the instructions to basic blocks.
"""

from collections.abc import Sequence

from ..tuples import NamedTuple

__all__ = ["NEXT", "BasicBlocks", "FlowStep", "ProgramFlow", "blocks_of"]

NEXT = "next"  # the kind of a way to the instruction that follows


class FlowStep(NamedTuple):
    """An instruction: its path in the spans of the program, and (number, kind) of each way.

    Kinds are `next`, `jump`, `true`, `false`, `case`, `default`, `break`, `continue` and `back`.
    """

    path: str
    ways: tuple[tuple[int, str], ...]


class ProgramFlow(NamedTuple):
    """The steps of a program in the order of its text.

    Attributes:
        steps: The instructions that run; declarations are left out.
        regions: The first and the last step of each region, whose first line stays when it folds.
        starts: Steps that begin a function or a phase, which no other step leads to.
    """

    steps: Sequence[FlowStep]
    regions: Sequence[tuple[int, int]]
    starts: Sequence[int] = (0,)


class BasicBlocks(NamedTuple):
    """(first, last) step of each block, and (from, to, kind) of each edge between blocks."""

    blocks: list[tuple[int, int]]
    edges: list[tuple[int, int, str]]


def blocks_of(flow: ProgramFlow) -> BasicBlocks:
    """Return the basic blocks of a program; ways that leave it are left out."""
    count = len(flow.steps)
    leaders = {0, *flow.starts}
    for at, (_, ways) in enumerate(flow.steps):
        if ways != ((at + 1, NEXT),):
            leaders |= {at + 1, *(target for target, _ in ways)}
    firsts = sorted(each for each in leaders if 0 <= each < count)
    ends = [*(each - 1 for each in firsts[1:]), count - 1]
    numbers = {first: number for number, first in enumerate(firsts)}
    edges = [
        (number, numbers[target], kind)
        for number, last in enumerate(ends[: len(firsts)])
        for target, kind in dict.fromkeys(flow.steps[last].ways)
        if target in numbers
    ]
    return BasicBlocks(list(zip(firsts, ends, strict=False)), edges)
