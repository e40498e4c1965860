"""Control-flow graphs in SSA form: the input of `build`.

    Node(code, end, phis)          block 0 is the entry; blocks are identified by index
      code    a list of statements, or a function that appends them with a builder
      end     the terminator: Jump, Fork, Multiway or ExitGraph
      phis    values that depend on the predecessor

An operand of a terminator or phi is a value, or a function that makes it with the builder at the
end of the block. Values may be used in every block that is dominated by theirs, as usual in SSA
form; values that are used outside of their region become variables (`scopes`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ...dataclass import dataclass, field
from ...errors import UsageError
from ..builder import Builder
from ..kernel import Block, Statement, Value
from ..memory import Var
from ..ops import OPS
from ..types import Type

Operand: TypeAlias = Value | Callable[[Builder], Value]
Code: TypeAlias = Sequence[Statement] | Callable[[Builder], object]


class Phi:
    """A phi: an operand for each predecessor; `value` is the result."""

    __slots__ = ("incoming", "value", "var")

    def __init__(self, type: Type, incoming: Mapping[int, Operand], name: str = "phi") -> None:
        self.incoming = dict(incoming)
        self.var = Var(name, type)
        self.value = Value(OPS.get, type, (), self.var)


@dataclass(slots=True)
class Jump:
    """An unconditional branch."""

    to: int


@dataclass(slots=True)
class Fork:
    """A conditional branch."""

    condition: Operand
    then: int
    otherwise: int


@dataclass(slots=True)
class Multiway:
    """A switch: a branch to the block of the case with the value, or to the default."""

    value: Operand
    cases: Sequence[tuple[tuple[int, ...], int]]
    default: int


@dataclass(slots=True)
class ExitGraph:
    """The end of the graph, by a return or an exit of an enclosing block; also if unreachable."""

    leave: Block | None = None


Terminator: TypeAlias = Jump | Fork | Multiway | ExitGraph


@dataclass(slots=True)
class Node:
    """A basic block."""

    code: Code = ()
    end: Terminator = field(default_factory=ExitGraph)
    phis: Sequence[Phi] = ()


def successors(end: Terminator) -> tuple[int, ...]:
    """Return the successors of a terminator, without duplicates."""
    match end:
        case Jump():
            return (end.to,)
        case Fork():
            return tuple(dict.fromkeys((end.then, end.otherwise)))
        case Multiway():
            return tuple(dict.fromkeys((*(to for _, to in end.cases), end.default)))
    return ()


def check(nodes: Sequence[Node]) -> list[tuple[int, ...]]:
    """Return the successors of all blocks; raise UsageError if the graph is invalid."""
    if not nodes:
        raise UsageError("expected a graph with an entry, got no blocks")
    found = [successors(node.end) for node in nodes]
    coming: list[list[int]] = [[] for _ in nodes]
    for number, targets in enumerate(found):
        for to in targets:
            if not 0 <= to < len(nodes):
                raise UsageError(
                    f"block {number}: expected a successor from 0 to {len(nodes) - 1}, got {to}"
                )
            coming[to].append(number)
    if coming[0] and nodes[0].phis:
        raise UsageError("block 0: phis of the entry have no initial value")
    for number, node in enumerate(nodes):
        for phi in node.phis:
            missing = [each for each in coming[number] if each not in phi.incoming]
            if missing:
                raise UsageError(
                    f"block {number}: a phi has no operand for predecessor {missing[0]}"
                )
    return found
