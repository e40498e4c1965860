"""The tree of regions of a structured graph; it refers to blocks by number.

    BlockCode(3)            the statements of block 3
    TakenEdge(3, 5)         the phis for the edge from 3 to 5
    BranchStep(3, arms)     the branch at the end of 3; without an arm it continues after the branch
    TerminalStep(3)         the end of block 3, which has no successors
    LabelledRegion,         a body, and a jump to its end from anywhere inside
    LeaveRegion
    RepeatedRegion,         a loop, and the next iteration of the innermost one
    ContinueLoop
    SetState, SwitchOnState,  a state variable of the structure is set, switched on, tested
    IfState

Code generators and printers walk it; regions fall through at their end.
"""

from typing import TypeAlias

from ...dataclass import dataclass, field


@dataclass(slots=True, eq=False)
class BlockCode:
    """The statements of a block, without its terminator."""

    block: int


@dataclass(slots=True, eq=False)
class TakenEdge:
    """The edge from a block to another."""

    block: int
    to: int


@dataclass(slots=True, eq=False)
class BranchStep:
    """The branch at the end of a block, with an arm for each successor."""

    block: int
    arms: "dict[int, Tree]" = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class TerminalStep:
    """The end of a block without successors."""

    block: int


@dataclass(slots=True, eq=False)
class LabelledRegion:
    """A region that can be left from inside."""

    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class LeaveRegion:
    """A jump to the end of a region; `breaks`: equivalent to a break of the innermost loop."""

    block: LabelledRegion
    breaks: bool = False


@dataclass(slots=True, eq=False)
class RepeatedRegion:
    """A region that repeats until it is left."""

    headers: tuple[int, ...]
    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class ContinueLoop:
    """The beginning of the next iteration of the innermost loop."""


@dataclass(slots=True, eq=False)
class StateVariable:
    """A state variable of the structure: a number in each lane."""


@dataclass(slots=True, eq=False)
class SetState:
    """An assignment to a state variable."""

    state: StateVariable
    number: int


@dataclass(slots=True, eq=False)
class SwitchOnState:
    """A switch on a state variable, with an arm for each number."""

    state: StateVariable
    arms: "list[Tree]" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class IfState:
    """A region for lanes whose state is from `low` up to, not including, `high`.

    The state is never less than `low` there: regions with lower numbers come before, and the state
    only increases in between.
    """

    state: StateVariable
    low: int
    high: int
    body: "Tree" = field(default_factory=list)


Step: TypeAlias = (
    "BlockCode | TakenEdge | BranchStep | TerminalStep | LabelledRegion | LeaveRegion"
    " | RepeatedRegion | ContinueLoop | SetState | SwitchOnState | IfState"
)
Tree: TypeAlias = "list[Step]"


def inside(step: Step) -> "list[Tree]":
    """Return the trees inside a step."""
    match step:
        case BranchStep():
            return list(step.arms.values())
        case SwitchOnState():
            return step.arms
        case LabelledRegion() | RepeatedRegion() | IfState():
            return [step.body]
    return []
