"""Lowering of switches whose cases fall through.

    switch %0 {                          block $0 {
      case 1 { a }  // falls through       block $1 {
      case 2 { b; break }          ->        switch %0 {
    }                                          case 1 { a }
                                               case 2 { }
                                               default { exit $0 }
                                             }
                                           }
                                           b
                                         }

No body is duplicated: lanes that fall through into a case reconverge with those that start there.
"""

from collections.abc import Collection

from ...errors import UnsupportedError
from ..builder import Builder
from ..cfg import ExitGraph, Jump, Multiway, Node, build
from ..kernel import DEEPEST, Block, Case, If, Region, Switch, Value, height
from ..ops import OPS

__all__ = ["fall_through"]

OWN = 16  # nested regions for the ends of cases; beyond that a variable selects the next


def fall_through(b: Builder, switch: Switch, falling: Collection[Case]) -> None:
    """Append a switch with fallthrough.

    Args:
        b: the builder.
        switch: the switch, not part of a region.
        falling: the cases that fall through to the next.

    Raises:
        UnsupportedError: if regions would be nested too deeply.
    """
    cases = switch.cases
    if max(height(case.body) for case in cases) + OWN >= DEEPEST:
        raise UnsupportedError("cases that fall through are nested too deeply")
    following = range(2, len(cases) + 2)  # the nodes: switch, cases, end
    ways = [(case.labels, at - 1) for case, at in zip(cases, following, strict=True)]
    default = next((at for case, (_, at) in zip(cases, ways, strict=True) if case.default), 0)
    nodes = [Node((), Multiway(switch.value, ways, default or len(cases) + 1))]
    with b.block() as block:
        for case, at in zip(cases, following, strict=True):
            _exit(case.body, block)
            nodes.append(Node(case.body, Jump(at) if case in falling else ExitGraph(block)))
        build(b, [*nodes, Node((), ExitGraph(block))], deepest=OWN)


def _exit(region: Region, block: Block) -> None:
    """Replace breaks of the switch by exits of the block, in place."""
    for statement in region:
        match statement:
            case Value(op=OPS.break_):
                statement.op, statement.attr = OPS.exit, block
            case If():
                _exit(statement.then, block)
                _exit(statement.otherwise, block)
            case Block():
                _exit(statement.body, block)
