"""Sums of sets over all paths of a graph, whose nodes may depend on themselves.

    a ── b ── c      sources of c: 4, of b: 0, of a: 1      a: 5, b: 4, c: 4

Nodes that depend on each other have the same sum. Source: Tarjan, "Depth-First Search and Linear
Graph Algorithms" (1972).
"""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

__all__ = ["closure"]

Node = TypeVar("Node", bound=Hashable)


def closure(
    roots: Iterable[Node],
    causes: Callable[[Node], Iterable[Node]],
    source: Callable[[Node], int],
) -> dict[Node, int]:
    """Return, for each reachable node, the union of the sources of its dependences.

    Args:
        roots: The nodes to start from.
        causes: Returns the nodes that a node depends on; called once for each.
        source: Returns the node's own set, as bits.
    """
    found: dict[Node, int] = {}
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    sums: dict[Node, int] = {}
    open_nodes: list[Node] = []
    for root in roots:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        sums[root] = source(root)
        open_nodes.append(root)
        path = [(root, iter(causes(root)))]
        while path:
            node, rest = path[-1]
            for each in rest:
                if each not in number:
                    number[each] = low[each] = len(number)
                    sums[each] = source(each)
                    open_nodes.append(each)
                    path.append((each, iter(causes(each))))
                    break
                if each in found:
                    sums[node] |= found[each]
                else:  # still open: part of a circle
                    low[node] = min(low[node], number[each])
            else:
                path.pop()
                if low[node] == number[node]:
                    total, members = 0, []
                    while True:
                        each = open_nodes.pop()
                        members.append(each)
                        total |= sums.pop(each)
                        if each is node or each == node:
                            break
                    found.update(dict.fromkeys(members, total))
                if path:
                    above = path[-1][0]
                    if node in found:
                        sums[above] |= found[node]
                    else:
                        low[above] = min(low[above], low[node])
    return found
