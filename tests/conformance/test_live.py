"""Live values of every program that lowers, against a search of each value's paths.

A value is live after a node if a path from there reads it before it is written again. The search
goes back from each use of one value at a time, where the library computes all sets together.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.conformance.test_cost import SUFFIXES, programs
from tests.ratchet import Ratchet
from tests.sampling import RARE, of_each_kind
from unshade.analysis.cost.live import ControlGraph, Held, RegisterLiveness, control_graph
from unshade.errors import UnshadeError
from unshade.ir.simplify import simplify
from unshade.ir.transforms.copying import copied_kernel

pytestmark = pytest.mark.conformance

MOST_NODES = 20_000


def searched(graph: ControlGraph) -> list[set[Held]]:
    """Return what is live after each node."""
    before: list[list[int]] = [[] for _ in graph.nodes]
    for node, after in enumerate(graph.after):
        for each in after:
            before[each].append(node)
    used: defaultdict[Held, list[int]] = defaultdict(list)
    for node, uses in enumerate(graph.uses):
        for held in uses:
            used[held].append(node)
    live: list[set[Held]] = [set() for _ in graph.nodes]
    for held, places in used.items():
        waiting = [each for place in places for each in before[place]]
        while waiting:
            node = waiting.pop()
            if held in live[node]:
                continue
            live[node].add(held)
            if graph.defines[node] is not held:
                waiting += before[node]
    defined = {each for each in graph.defines if each is not None}
    return [each & defined for each in live]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_live_sets_are_those_of_a_search(corpus: Path, ratchet: Ratchet, suffix: str) -> None:
    paths = sorted(path for path in corpus.rglob(f"*.{suffix}") if path.stat().st_size < 1 << 16)
    fine = total = 0
    chosen = of_each_kind(paths, lambda path: path.relative_to(corpus).parts[:2], RARE)
    for shader, number, name in programs(list(chosen)):
        try:
            kernel = copied_kernel(shader.programs[number].lower(name).kernel)
        except UnshadeError:
            continue
        simplify(kernel)
        graph = control_graph(kernel)
        if len(graph.nodes) > MOST_NODES:
            continue
        total += 1
        live = RegisterLiveness(graph)
        fine += [live.after(node) for node in range(len(graph.nodes))] == searched(graph)
    ratchet(f"live/{suffix}: sets that a search confirms", fine, total)
