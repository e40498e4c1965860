"""Blocks in SSA form, as a family's reader makes them: the input of `build`.

    Node(code, end, phis)          block 0 is the entry; blocks are told by their place in the list
      code    a list of statements, or a function that appends them with a builder
      end     Jump, Fork, Table or End
      phis    values that depend on the block that lanes come from

An operand of an end or a phi is a value or a function that makes it with the builder, where the end
of the block stands. Values may be used in every block that is dominated by theirs, as in any SSA
form; what does not lie in one region becomes a variable (`scopes`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ...errors import UsageError
from ..builder import Builder
from ..kernel import Block, Statement, Value
from ..memory import Var
from ..ops import OPS
from ..types import Type

Operand: TypeAlias = Value | Callable[[Builder], Value]
Code: TypeAlias = Sequence[Statement] | Callable[[Builder], object]


class Phi:
    """What lanes bring along, by the block that they come from; `value` is the operand to use."""

    __slots__ = ("incoming", "value", "var")

    def __init__(self, type: Type, incoming: Mapping[int, Operand], name: str = "phi") -> None:
        self.incoming = dict(incoming)
        self.var = Var(name, type)
        self.value = Value(OPS.get, type, (), self.var)


@dataclass(slots=True)
class Jump:
    """Go to a block."""

    to: int


@dataclass(slots=True)
class Fork:
    """Go to one of two blocks."""

    condition: Operand
    then: int
    otherwise: int


@dataclass(slots=True)
class Multiway:
    """Go to the block of the case that names the value, or to the default."""

    value: Operand
    cases: Sequence[tuple[tuple[int, ...], int]]
    default: int


@dataclass(slots=True)
class ExitGraph:
    """The lane ends, or leaves a block of the kernel around the graph. Also where nothing comes."""

    leave: Block | None = None


Terminator: TypeAlias = Jump | Fork | Multiway | ExitGraph


@dataclass(slots=True)
class Node:
    """One block."""

    code: Code = ()
    end: Terminator = field(default_factory=ExitGraph)
    phis: Sequence[Phi] = ()


def successors(end: Terminator) -> tuple[int, ...]:
    """Return the blocks that an end leads to, each once."""
    match end:
        case Jump():
            return (end.to,)
        case Fork():
            return tuple(dict.fromkeys((end.then, end.otherwise)))
        case Multiway():
            return tuple(dict.fromkeys((*(to for _, to in end.cases), end.default)))
    return ()


def check(nodes: Sequence[Node]) -> list[tuple[int, ...]]:
    """Return the successors of all blocks; UsageError for ends and phis that lead nowhere."""
    if not nodes:
        raise UsageError("expected a graph with an entry, got no blocks")
    found = [successors(node.end) for node in nodes]
    coming: list[list[int]] = [[] for _ in nodes]
    for number, targets in enumerate(found):
        for to in targets:
            if not 0 <= to < len(nodes):
                raise UsageError(f"block {number} leads to {to}; expected 0 to {len(nodes) - 1}")
            coming[to].append(number)
    if coming[0] and nodes[0].phis:
        raise UsageError("block 0 is the entry: its phis have no value there")
    for number, node in enumerate(nodes):
        for phi in node.phis:
            missing = [each for each in coming[number] if each not in phi.incoming]
            if missing:
                raise UsageError(
                    f"a phi of block {number} has no value for lanes from block {missing[0]}"
                )
    return found
