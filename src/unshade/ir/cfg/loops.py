"""The loop nest of a control-flow graph.

    0 → 1 → 2 → 1        loop {1, 2}, header 1
        1 → 3 → 3        loop {3}, header 3

A loop is a strongly connected set of blocks; its headers are those with a predecessor outside.
Inner loops are the loops of the same blocks without the edges to the headers (Steensgaard,
"Sequentializing program dependence graphs for irreducible programs", 1993). If each has one header,
these are the natural loops, and the graph is reducible.

A merge block (SPIR-V) extends a loop by the blocks before it that are reached only from inside.
"""

from collections.abc import Iterable, Mapping, Sequence

from ...dataclass import dataclass, field
from ...errors import UsageError
from ..kernel import DEEPEST

PER_LOOP = 7  # nested regions that a loop may need in a flat sequence
AT_LEAST = 6  # nested regions inside of the innermost loop

Successors = Sequence[Sequence[int]]


def nested(deepest: int = DEEPEST) -> int:
    """Return the maximum nesting of loops for a maximum nesting of regions."""
    return max(1, (deepest - AT_LEAST) // PER_LOOP)


@dataclass(slots=True, eq=False)
class GraphLoop:
    """A loop; `blocks` excludes the blocks of inner loops."""

    headers: list[int]
    parent: "GraphLoop | None" = None
    depth: int = 1
    blocks: list[int] = field(default_factory=list)
    loops: "list[GraphLoop]" = field(default_factory=list)


@dataclass(slots=True)
class LoopForest:
    """A loop nest: outermost loops, and the innermost loop of each reachable block."""

    outer: list[GraphLoop]
    owner: dict[int, GraphLoop | None]


def find_loops(
    successors: Successors, merges: Mapping[int, int] | None = None, most: int | None = None
) -> LoopForest:
    """Return the loops of the blocks that are reachable from block 0.

    Args:
        successors: successors of each block, without duplicates.
        merges: merge blocks by header; merge blocks of other blocks are ignored.
        most: maximum nesting of loops; deeper loops are merged.
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
        self.mark: dict[int, int] = {}  # the current set of each block
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
        """Mark a set of blocks, and return the mark."""
        self.marks += 1
        for block in blocks:
            self.mark[block] = self.marks
        return self.marks

    def _loops_of(
        self, blocks: list[int], parent: GraphLoop | None
    ) -> list[tuple[list[int], list[int]]]:
        """Return all blocks and the headers of each outermost loop in a set of blocks."""
        cut = set(parent.headers) if parent else set()
        parts = self._parts(blocks, cut)
        part_of = {block: number for number, part in enumerate(parts) for block in part}
        found: list[tuple[list[int], list[int]]] = []
        taken: set[int] = set()
        for number in reversed(range(len(parts))):  # in topological order
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
                        f"block {merge}, the merge block of block {headers[0]}, is part of its loop"
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
        """Return the blocks of a loop extended up to its merge block."""
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
        """Return the strongly connected components, without the edges to the blocks in `cut`.

        The components are in reverse topological order (Tarjan).
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
        """Merge inner loops into a loop: targets of their back edges become headers."""
        here = self._inside(body)
        headers = dict.fromkeys(loop.headers)
        state: dict[int, int] = {}  # 1 active, 2 done
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
