"""Which blocks repeat together: the loops of a graph, one inside the other.

    0 → 1 → 2 → 1        loop {1, 2}, header 1
        1 → 3 → 3        loop {3}, header 3

A loop is a strongly connected set of blocks; its headers are those with a predecessor outside.
Loops inside are those of the same blocks without the edges to the headers (Steensgaard,
"Sequentializing program dependence graphs for irreducible programs", 1993). With one header each
these are the natural loops, and the graph is reducible.

A merge block (SPIR-V) lets a loop grow by what is reached from inside only, short of that block.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import UsageError
from ..kernel import DEEPEST

PER_LOOP = 7  # regions that a loop may need where blocks stand in a row
AT_LEAST = 6  # and what stands in it

Successors = Sequence[Sequence[int]]


def nested(deepest: int = DEEPEST) -> int:
    """Return how many loops may lie in each other where regions may lie so deep."""
    return max(1, (deepest - AT_LEAST) // PER_LOOP)


@dataclass(slots=True, eq=False)
class GraphLoop:
    """Blocks that repeat together; those of loops inside belong to these only."""

    headers: list[int]
    parent: "GraphLoop | None" = None
    depth: int = 1
    blocks: list[int] = field(default_factory=list)
    loops: "list[GraphLoop]" = field(default_factory=list)


@dataclass(slots=True)
class LoopForest:
    """`outer` are those in no other; `owner`: the innermost loop of each block that is reached."""

    outer: list[GraphLoop]
    owner: dict[int, GraphLoop | None]


def find_loops(
    successors: Successors, merges: Mapping[int, int] | None = None, most: int | None = None
) -> LoopForest:
    """Return the loops of the blocks that block 0 reaches.

    `merges` names merge blocks by header; those of blocks that begin no loop are not looked at.
    At most so many loops lie in each other.
    """
    finder = _Finder(successors, merges or {}, most or nested())
    return finder.run()


class _Finder:
    def __init__(self, successors: Successors, merges: Mapping[int, int], most: int) -> None:
        self.successors = successors
        self.merges = merges
        self.most = most
        self.predecessors: dict[int, list[int]] = {}
        self.owner: dict[int, GraphLoop | None] = {}
        self.mark: dict[int, int] = {}  # which set of blocks is looked at
        self.marks = 0

    def run(self) -> LoopForest:
        for block in self._reached():
            self.owner[block] = None
            self.predecessors.setdefault(block, [])
            for to in self.successors[block]:
                self.predecessors.setdefault(to, []).append(block)
        outer: list[GraphLoop] = []
        todo: list[tuple[list[int], GraphLoop | None]] = [(list(self.owner), None)]
        while todo:
            blocks, parent = todo.pop()
            for body, headers in self._loops_of(blocks, parent):
                loop = GraphLoop(headers, parent, parent.depth + 1 if parent else 1)
                (parent.loops if parent else outer).append(loop)
                for block in body:
                    self.owner[block] = loop
                if loop.depth == self.most:
                    self._fold(loop, body)
                else:
                    todo.append((body, loop))
        for block, owner in self.owner.items():
            if owner is not None:
                owner.blocks.append(block)
        return LoopForest(outer, self.owner)

    def _reached(self) -> list[int]:
        found = {0: None}
        todo = [0]
        while todo:
            for to in self.successors[todo.pop()]:
                if to not in found:
                    found[to] = None
                    todo.append(to)
        return list(found)

    def _inside(self, blocks: Iterable[int]) -> int:
        """Mark a set of blocks."""
        self.marks += 1
        for block in blocks:
            self.mark[block] = self.marks
        return self.marks

    def _loops_of(
        self, blocks: list[int], parent: GraphLoop | None
    ) -> list[tuple[list[int], list[int]]]:
        """The outermost loops in these blocks: all their blocks, and their headers."""
        cut = set(parent.headers) if parent else set()
        parts = self._parts(blocks, cut)
        part_of = {block: number for number, part in enumerate(parts) for block in part}
        found: list[tuple[list[int], list[int]]] = []
        taken: set[int] = set()
        for number in reversed(range(len(parts))):  # a part comes before what it leads to
            part = parts[number]
            first = part[0]
            if number in taken or (
                len(part) == 1 and (first not in self.successors[first] or first in cut)
            ):
                continue
            headers = [
                block
                for block in part
                if block == 0 or any(part_of.get(p) != number for p in self.predecessors[block])
            ]
            body = part
            merge = self.merges.get(headers[0])
            if len(headers) == 1 and merge is not None:
                if part_of.get(merge) == number:
                    raise UsageError(
                        f"block {merge} lies in the loop of block {headers[0]}, whose merge block "
                        "it is said to be"
                    )
                body = self._grown(number, merge, parts, part_of, cut, taken)
            found.append((body, headers))
        return found

    def _grown(
        self,
        number: int,
        merge: int,
        parts: list[list[int]],
        part_of: dict[int, int],
        cut: set[int],
        taken: set[int],
    ) -> list[int]:
        """The blocks of a loop and those that are reached from them only, short of its merge."""
        body = list(parts[number])
        todo = [number]
        missing: dict[int, int] = {}
        inside = {number}
        while todo:
            for block in parts[todo.pop()]:
                for to in self.successors[block]:
                    other = part_of.get(to)
                    if other is None or other in inside or other in taken or to in cut:
                        continue
                    if other not in missing:
                        missing[other] = sum(
                            part_of.get(before) != other
                            for each in parts[other]
                            for before in self.predecessors[each]
                        )
                    missing[other] -= 1
                    if missing[other] == 0 and merge not in parts[other] and 0 not in parts[other]:
                        inside.add(other)
                        taken.add(other)
                        todo.append(other)
                        body += parts[other]
        return body

    def _parts(self, blocks: list[int], cut: set[int]) -> list[list[int]]:
        """The strongly connected parts without the edges to some blocks, each behind those that it
        leads to (Tarjan).
        """
        here = self._inside(blocks)
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        open_: list[int] = []
        waiting: set[int] = set()
        parts: list[list[int]] = []
        for start in blocks:
            if start in index:
                continue
            work = [(start, iter(self.successors[start]))]
            index[start] = low[start] = len(index)
            open_.append(start)
            waiting.add(start)
            while work:
                block, rest = work[-1]
                for to in rest:
                    if self.mark.get(to) != here or to in cut:
                        continue
                    if to not in index:
                        index[to] = low[to] = len(index)
                        open_.append(to)
                        waiting.add(to)
                        work.append((to, iter(self.successors[to])))
                        break
                    if to in waiting:
                        low[block] = min(low[block], index[to])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[block])
                    if low[block] == index[block]:
                        at = len(open_) - 1
                        while open_[at] != block:
                            at -= 1
                        part = open_[at:]
                        del open_[at:]
                        waiting.difference_update(part)
                        parts.append(part)
        return parts

    def _fold(self, loop: GraphLoop, body: list[int]) -> None:
        """No loops inside any more: what their edges lead back to are headers, too."""
        here = self._inside(body)
        headers = dict.fromkeys(loop.headers)
        state: dict[int, int] = {}  # 1 on the way, 2 done
        for start in loop.headers:
            work = [(start, iter(self.successors[start]))]
            state[start] = 1
            while work:
                block, rest = work[-1]
                for to in rest:
                    if self.mark.get(to) != here or to in loop.headers:
                        continue
                    if to not in state:
                        state[to] = 1
                        work.append((to, iter(self.successors[to])))
                        break
                    if state[to] == 1:
                        headers[to] = None
                else:
                    work.pop()
                    state[block] = 2
        loop.headers = list(headers)
