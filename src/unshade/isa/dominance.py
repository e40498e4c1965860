"""Dominators of the basic blocks of a function.

Block a dominates block b if every way from the entry to b leads through a. Blocks that cannot be
reached have no dominator.

Source: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), in the
simple version: time in proportion to m log n, so that no file can make it slow.
"""

from collections.abc import Iterable, Sequence

__all__ = ["Dominance"]


class Dominance:
    """The tree of dominators of a graph, given as successors of each node; node 0 is the entry.

    Attributes:
        order: The nodes that the entry reaches, in depth-first order.
        parents: Immediate dominators, -1 for the entry and for nodes that cannot be reached.
        dominated: The same nodes as in `order`, each before the nodes that it dominates.
    """

    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
        self.successors = successors
        count = len(successors)
        self.order: list[int] = []
        self.number = [-1] * count  # the place of a node in it
        self.tree = [-1] * count  # parents in the depth-first tree
        self._search()
        self.parents = self._dominators()
        self.dominated: list[int] = []
        self.enter = [-1] * count  # the place of a node in it
        self.leave = [-1] * count  # the place after the last node that it dominates
        self._span()

    def reaches(self, node: int) -> bool:
        """Return True if a node can be reached from the entry."""
        return self.number[node] >= 0

    def dominates(self, one: int, other: int) -> bool:
        """Return True if a node dominates another, or both are one node; both must be reachable."""
        return self.enter[one] <= self.enter[other] < self.leave[one]

    def below(self, node: int, without: Iterable[int] = ()) -> list[int]:
        """Return the nodes that a node dominates, itself first, except below `without`.

        All nodes must be reachable. The time is proportional to the size of the result."""
        start, end = self.enter[node], self.leave[node]
        found: list[int] = []
        for first, last in sorted((self.enter[each], self.leave[each]) for each in without):
            if last > start and first < end:
                found += self.dominated[start:first]
                start = last
        return found + self.dominated[start:end]

    def _search(self) -> None:
        if not self.successors:
            return
        waiting = [(0, -1)]
        while waiting:
            node, parent = waiting.pop()
            if self.number[node] >= 0:
                continue
            self.number[node] = len(self.order)
            self.tree[node] = parent
            self.order.append(node)
            waiting += [(each, node) for each in reversed(self.successors[node])]

    def _dominators(self) -> list[int]:
        count = len(self.successors)
        before: list[list[int]] = [[] for _ in range(count)]
        for node in self.order:
            for each in self.successors[node]:
                before[each].append(node)
        semi = list(self.number)
        best = list(range(count))  # of the path up to `above`, the node of least semi-dominator
        above = [-1] * count
        found = [-1] * count
        buckets: list[list[int]] = [[] for _ in range(count)]

        def least(node: int) -> int:
            path = []
            while above[node] >= 0:
                path.append(node)
                node = above[node]
            # Compress: each node of the path hangs below its last one.
            for each in reversed(path[:-1]):
                parent = above[each]
                if semi[best[parent]] < semi[best[each]]:
                    best[each] = best[parent]
                above[each] = above[parent]
            return best[path[0]] if path else node

        for node in reversed(self.order[1:]):
            for each in before[node]:
                semi[node] = min(semi[node], semi[least(each)])
            buckets[self.order[semi[node]]].append(node)
            parent = self.tree[node]
            above[node] = parent
            for each in buckets[parent]:
                lowest = least(each)
                found[each] = lowest if semi[lowest] < semi[each] else parent
            buckets[parent].clear()
        for node in self.order[1:]:
            if found[node] != self.order[semi[node]]:
                found[node] = found[found[node]]
        return found

    def _span(self) -> None:
        """Number the tree of dominators, so that a comparison decides."""
        children: list[list[int]] = [[] for _ in self.successors]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(node)
        waiting = [0] if self.order else []
        while waiting:
            node = waiting.pop()
            self.enter[node] = len(self.dominated)
            self.dominated.append(node)
            waiting += children[node]
        size = [1] * len(self.successors)
        for node in reversed(self.dominated[1:]):
            size[self.parents[node]] += size[node]
        for node in self.dominated:
            self.leave[node] = self.enter[node] + size[node]
