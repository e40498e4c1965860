"""Coverage: how often each line of the listing ran and which way its branches went, in lanes.

The count of a line is the count of its first operation, added over the calls that its function was
inlined at. Lines without an operation (loop, else, declarations) are not counted.

    listing 40, 41      light.hlsl:7      in the call of listing line 55
    listing 80          light.hlsl:7      in another call: both are added

Among the lines of the listing that a source line became, the most frequent counts, added over the
calls that it was inlined at.
"""

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from ....dataclass import dataclass, field
from ....ir.kernel import If, KernelIR, Switch, Value, regions
from ....ir.locations import Call, SourceLocation
from ...launch import Array
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .branches import branches
from .watching import broadcast

FileLine = tuple[str, int]
Part = tuple[Call | None, int]  # what a source line became: in a call, in a line of the listing


@dataclass(slots=True)
class Branch:
    """The exits of one line, and the number of lanes that took each exit."""

    line: int
    ways: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    last: list[int] = field(default_factory=list)  # the counts of the last time
    source: tuple[str, int] | None = None  # file and line

    def add(self, counts: list[int]) -> None:
        """Add the number of lanes that took each way."""
        self.last = counts
        self.ways = [old + new for old, new in zip(self.ways, counts, strict=True)]


class Coverage:
    """Counts over any number of calls of a kernel, or of kernels lowered from the same program.

    `lines` is how often each line of the listing with code ran, `branches` how often each branch
    was taken each way, by the line and the number of the branch in it; both count lanes.
    """

    def __init__(self) -> None:
        self.lines: dict[int, int] = {}
        self._sources: dict[FileLine, dict[Part, int]] = {}
        self._parts: dict[Value, list[tuple[FileLine, Part]]] = {}  # that a value leads
        self.branches: dict[tuple[int, int], Branch] = {}
        self._leaders: set[Value] = set()
        self._branches_on: dict[Value, list[tuple[If | Switch, Branch]]] = {}
        self._first: dict[Value, tuple[Branch, int]] = {}  # first value of a region: its way
        self._alive: WeakKeyDictionary[ActiveLanes, int] = WeakKeyDictionary()
        self._kernels: set[KernelIR] = set()

    def __repr__(self) -> str:
        ran = sum(count > 0 for count in self.lines.values())
        branches = f"{len(self.branches)} branch{'' if len(self.branches) == 1 else 'es'}"
        return f"<Coverage: {ran} of {len(self.lines)} lines ran, {branches}>"

    @property
    def source_lines(self) -> dict[tuple[str, int], int]:
        """The counts of lines of sources, by file and line."""
        found: dict[FileLine, int] = {}
        for place, parts in self._sources.items():
            most: dict[Call | None, int] = {}
            for (call, _), count in parts.items():
                most[call] = max(count, most.get(call, 0))
            found[place] = sum(most.values())
        return found

    def begin(self, batch: LaneBatch) -> None:
        """Collect the lines and branches of a kernel when it is first seen."""
        if batch.kernel not in self._kernels:
            self._kernels.add(batch.kernel)
            self._learn(batch.kernel)

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Count one operation."""
        before = self._alive.get(active, active.count)
        now = self._alive[active] = len(active.indices())
        parts = self._parts.get(value, ())
        if parts or value in self._leaders:
            if value.op.ends:  # its lanes have left already
                branch, way = self._first.get(value, (None, 0))
                now = branch.last[way] if branch is not None else before
            if value in self._leaders:
                self.lines[value.line] += now
            for place, part in parts:
                self._sources[place][part] += now
        for statement, branch in self._branches_on.get(value, ()):
            taken = broadcast(result, active)[active.indices()]
            _count(statement, branch, taken)

    def _learn(self, kernel: KernelIR) -> None:
        seen: set[Part] = set()
        for value in kernel.values():
            here = _call(value.location), value.line
            if value.line and here not in seen:
                seen.add(here)
                self._leaders.add(value)
                self.lines.setdefault(value.line, 0)
            for place, call in _places(value.location) if value.line else ():
                counts = self._sources.setdefault(place, {})
                if (call, value.line) not in counts:
                    counts[call, value.line] = 0
                    self._parts.setdefault(value, []).append((place, (call, value.line)))
        numbers: dict[Part, int] = {}
        for asked, statement in branches(kernel.body):
            here = _call(statement.location or asked.location), statement.line
            number = numbers.get(here, 0)
            numbers[here] = number + 1
            words = _ways(statement)
            source = next(
                (place for place, _ in _places(statement.location or asked.location)), None
            )
            branch = self.branches.setdefault(
                (statement.line, number),
                Branch(statement.line, [0] * len(words), words, source=source),
            )
            self._branches_on.setdefault(asked, []).append((statement, branch))
            for way, inner in enumerate(regions(statement)):
                if inner and isinstance(inner[0], Value):
                    self._first[inner[0]] = branch, way


def _call(location: SourceLocation | None) -> Call | None:
    return location.call if location is not None else None


def _places(
    location: SourceLocation | None,
) -> Iterator[tuple[FileLine, Call | None]]:
    """Yield file, line and call of a location, then of the calls that lead there."""
    while location is not None:
        if location.file and location.line:
            yield (location.file, location.line), location.call
        location = location.call.location if location.call is not None else None


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
