"""The tree of regions that a graph becomes: it knows the numbers of blocks, not what is in them.

    Code(3)               what block 3 does
    Edge(3, 5)            what going from 3 to 5 means: phis
    Choice(3, arms)       by the end of block 3; an arm that is not there goes on behind
    Stop(3)               block 3 leads nowhere
    Block, Leave          a body, and the way behind it from anywhere inside
    Loop, Again           a body that repeats, and the next iteration of the innermost one
    Select, Dispatch, When   set a variable of the structure; choose by it; do something by it

What emits code, or prints a source for people to read, walks it; regions fall through at their end.
"""

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True, eq=False)
class BlockCode:
    """What a block does, but for its end."""

    block: int


@dataclass(slots=True, eq=False)
class TakenEdge:
    """Lanes go from a block to another."""

    block: int
    to: int


@dataclass(slots=True, eq=False)
class BranchStep:
    """By the end of a block: for each block that it leads to what is done."""

    block: int
    arms: "dict[int, Tree]" = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class TerminalStep:
    """The end of a block that leads nowhere."""

    block: int


@dataclass(slots=True, eq=False)
class LabelledRegion:
    """A body once."""

    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class LeaveRegion:
    """Go behind a block. `breaks`: that is also where the innermost loop ends."""

    block: LabelledRegion
    breaks: bool = False


@dataclass(slots=True, eq=False)
class RepeatedRegion:
    """A body again and again, until it is left."""

    headers: tuple[int, ...]
    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class ContinueLoop:
    """Begin the next iteration of the innermost loop."""


@dataclass(slots=True, eq=False)
class StateVariable:
    """A variable of the structure: a number in each lane."""


@dataclass(slots=True, eq=False)
class SetState:
    """Set a variable of the structure."""

    state: StateVariable
    number: int


@dataclass(slots=True, eq=False)
class SwitchOnState:
    """Choose by a variable of the structure: the arm of its number."""

    state: StateVariable
    arms: "list[Tree]" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class IfState:
    """Do something where the variable is from `low` up to, not including, `high`.

    It is never less than `low` there: what has lesser numbers stands before, and the variable only
    grows meanwhile.
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
