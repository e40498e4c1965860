"""How often each line of the listing ran, and which ways its branches went: counts of lanes.

A line counts as often as its first operation is done. What has no operation of its own (loop, else,
declarations) is no line here.
"""

from dataclasses import dataclass, field

import numpy as np

from ....ir.kernel import If, Kernel, Region, Switch, Value, regions
from ...launch import Array
from ..engine import Block
from ..lanes import Lanes, Party
from .watching import living, spread


@dataclass(slots=True)
class Branch:
    """The ways out of one line: lanes that went each."""

    line: int
    ways: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    last: list[int] = field(default_factory=list)  # lanes, the last time

    def add(self, counts: list[int]) -> None:
        """Lanes that go each way."""
        self.last = counts
        self.ways = [old + new for old, new in zip(self.ways, counts, strict=True)]


class Coverage:
    """Counts over any number of calls of one kernel, or of others made from the same program."""

    def __init__(self) -> None:
        self.lines: dict[int, int] = {}
        self.branches: dict[tuple[int, int], Branch] = {}
        self._leaders: set[Value] = set()
        self._asked: dict[Value, list[tuple[If | Switch, Branch]]] = {}
        self._first: dict[Value, tuple[Branch, int]] = {}  # of a region: who comes there, and how
        self._alive: dict[int, int] = {}
        self._kernels: set[int] = set()
        self._kept: list[Kernel] = []  # so that no other gets its number

    def block(self, block: Block) -> None:
        """Learn the kernel when first seen."""
        if id(block.kernel) not in self._kernels:
            self._kernels.add(id(block.kernel))
            self._kept.append(block.kernel)
            self._learn(block.kernel)

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        before = self._alive.get(id(party), party.count)
        now = self._alive[id(party)] = len(living(party))
        if value in self._leaders:
            if value.op.ends:  # they have left by now
                branch, way = self._first.get(value, (None, 0))
                now = branch.last[way] if branch is not None else before
            self.lines[value.line] += now
        for statement, branch in self._asked.get(value, ()):
            taken = spread(result, party)[living(party)]
            _count(statement, branch, taken)

    def _learn(self, kernel: Kernel) -> None:
        seen: set[int] = set()
        for value in kernel.values():
            if value.line and value.line not in seen:
                seen.add(value.line)
                self._leaders.add(value)
                self.lines.setdefault(value.line, 0)
        numbers: dict[int, int] = {}
        self._branches(kernel.body, numbers)

    def _branches(self, region: Region, numbers: dict[int, int]) -> None:
        for statement in region:
            if isinstance(statement, If | Switch) and statement.line:
                number = numbers.get(statement.line, 0)
                numbers[statement.line] = number + 1
                words = _ways(statement)
                branch = self.branches.setdefault(
                    (statement.line, number), Branch(statement.line, [0] * len(words), words)
                )
                asked = statement.condition if isinstance(statement, If) else statement.value
                self._asked.setdefault(asked, []).append((statement, branch))
                for way, inner in enumerate(regions(statement)):
                    if inner and isinstance(inner[0], Value):
                        self._first[inner[0]] = branch, way
            for inner in regions(statement):
                self._branches(inner, numbers)


def _ways(statement: If | Switch) -> list[str]:
    if isinstance(statement, If):
        return ["yes", "no"]
    words = [
        ", ".join([*map(str, case.labels), *(["default"] if case.default else [])])
        for case in statement.cases
    ]
    if not any(case.default for case in statement.cases):
        words.append("none")
    return words


def _count(statement: If | Switch, branch: Branch, taken: Array) -> None:
    if isinstance(statement, If):
        yes = int(np.count_nonzero(taken))
        branch.add([yes, len(taken) - yes])
        return
    left = np.ones(len(taken), np.bool_)
    rest = len(branch.ways) - 1
    counts = [0] * len(branch.ways)
    mask = statement.value.type.mask
    for number, case in enumerate(statement.cases):
        here = np.isin(taken, [label & mask for label in case.labels]) & left
        counts[number] += int(np.count_nonzero(here))
        left &= ~here
        if case.default:
            rest = number
    counts[rest] += int(np.count_nonzero(left))
    branch.add(counts)
