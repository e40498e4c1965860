"""Switches whose cases run into the next.

    switch %0 {                          block $0 {
      case 1 { a }       falls             block $1 {
      case 2 { b; break }          ->        switch %0 {
    }                                          case 1 { a }
                                               case 2 { }
                                               default { exit $0 }
                                             }
                                           }
                                           b
                                         }

Each body stands in the text once: lanes that run into a case meet those that begin there.
"""

from collections.abc import Collection

from ..errors import UnsupportedError
from .builder import Builder
from .cfg import ExitGraph, Jump, Multiway, Node, build
from .kernel import DEEPEST, Block, Case, If, Region, Switch, Value, height
from .ops import OPS

__all__ = ["fall_through"]

OWN = 16  # regions for the ends of cases; where these need more, a variable says which is next


def fall_through(b: Builder, switch: Switch, falling: Collection[Case]) -> None:
    """Append a switch, `falling` being cases whose ends lead to the next one's begin.

    UnsupportedError where regions would lie too deep.
    """
    cases = switch.cases
    if max(height(case.body) for case in cases) + OWN >= DEEPEST:
        raise UnsupportedError("cases that run into each other lie too deep in each other")
    following = range(2, len(cases) + 2)  # the nodes: choice, cases, end
    ways = [(case.labels, at - 1) for case, at in zip(cases, following, strict=True)]
    default = next((at for case, (_, at) in zip(cases, ways, strict=True) if case.default), 0)
    nodes = [Node((), Multiway(switch.value, ways, default or len(cases) + 1))]
    with b.block() as block:
        for case, at in zip(cases, following, strict=True):
            _exit(case.body, block)
            nodes.append(Node(case.body, Jump(at) if case in falling else ExitGraph(block)))
        build(b, [*nodes, Node((), ExitGraph(block))], deepest=OWN)


def _exit(region: Region, block: Block) -> None:
    """Let what breaks off the switch leave the block."""
    for statement in region:
        match statement:
            case Value(op=OPS.break_):
                statement.op, statement.attr = OPS.exit, block
            case If():
                _exit(statement.then, block)
                _exit(statement.otherwise, block)
            case Block():
                _exit(statement.body, block)
