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
class Code:
    """What a block does, but for its end."""

    block: int


@dataclass(slots=True, eq=False)
class Edge:
    """Lanes go from a block to another."""

    block: int
    to: int


@dataclass(slots=True, eq=False)
class Choice:
    """By the end of a block: for each block that it leads to what is done."""

    block: int
    arms: "dict[int, Tree]" = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Stop:
    """The end of a block that leads nowhere."""

    block: int


@dataclass(slots=True, eq=False)
class Block:
    """A body once."""

    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Leave:
    """Go behind a block. `breaks`: that is also where the innermost loop ends."""

    block: Block
    breaks: bool = False


@dataclass(slots=True, eq=False)
class Loop:
    """A body again and again, until it is left."""

    headers: tuple[int, ...]
    body: "Tree" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Again:
    """Begin the next iteration of the innermost loop."""


@dataclass(slots=True, eq=False)
class State:
    """A variable of the structure: a number in each lane."""


@dataclass(slots=True, eq=False)
class Select:
    """Set a variable of the structure."""

    state: State
    number: int


@dataclass(slots=True, eq=False)
class Dispatch:
    """Choose by a variable of the structure: the arm of its number."""

    state: State
    arms: "list[Tree]" = field(default_factory=list)


@dataclass(slots=True, eq=False)
class When:
    """Do something where the variable is from `low` up to, not including, `high`.

    It is never less than `low` there: what has lesser numbers stands before, and the variable only
    grows meanwhile.
    """

    state: State
    low: int
    high: int
    body: "Tree" = field(default_factory=list)


Step: TypeAlias = (
    "Code | Edge | Choice | Stop | Block | Leave | Loop | Again | Select | Dispatch | When"
)
Tree: TypeAlias = (
    "list[Code | Edge | Choice | Stop | Block | Leave | Loop | Again | Select | Dispatch | When]"
)


def inside(step: Step) -> "list[Tree]":
    """Return the trees inside a step."""
    match step:
        case Choice():
            return list(step.arms.values())
        case Dispatch():
            return step.arms
        case Block() | Loop() | When():
            return [step.body]
    return []
