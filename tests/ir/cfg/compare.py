"""Comparison of a graph with its translation, in the interpreter and in lockstep."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from tests.ir.cfg.graphs import (
    LANES,
    Graph,
    Sets,
    forest,
    random_graph,
    run_graph,
    together,
    translated,
)
from tests.ir.generate import Program
from tests.ir.lockstep import lockstep
from tests.oracle.interpret import interpret
from tests.oracle.verify import check
from unshade.ir.cfg.loops import nested
from unshade.ir.kernel import DEEPEST, KernelIR, Value
from unshade.ir.simplify import simplify
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep


class Seen:
    """An observer of the lockstep engine, which records the lanes at each mark."""

    def __init__(self, marks: dict[Value, int]) -> None:
        self.marks = marks
        self.sets: Sets = defaultdict(Counter)

    def begin(self, batch: Any) -> None:
        """Ignore a block."""

    def step(self, batch: Any, active: Any, value: Value, result: Any) -> None:
        """Record the lanes at a mark."""
        if value in self.marks:
            places = active.positions()
            here = places if active.mask is None else places[active.mask]
            if len(here):
                self.sets[self.marks[value]][frozenset(here.tolist())] += 1


def results(data: bytes | bytearray) -> list[tuple[int, int]]:
    """Return x and y of every lane."""
    words = np.frombuffer(data, "<u4").tolist()
    return list(zip(words[::2], words[1::2], strict=True))


def difference(
    graph: Graph, deepest: int = DEEPEST, engine: bool = True, expected: Sets | None = None
) -> str:
    """Return a description of the first difference between graph and translation, or "".

    `expected` are the active sets, if they do not follow from the graph.
    """
    ran = run_graph(graph)
    sets = expected
    if sets is None:
        found = forest(graph.successors, nested(deepest))
        sets = {} if found.folded else together(ran.paths, found)
    kernel, marks = translated(graph, deepest)
    check(kernel)
    message = _interpreted(kernel, marks, ran.results, sets)
    if message or not engine:
        return message
    return _lockstep(kernel, marks, ran.results, sets)


def _interpreted(
    kernel: KernelIR, marks: dict[Value, int], expected: list[tuple[int, int]], sets: Sets
) -> str:
    memories = {"u0": bytearray(8 * LANES)}
    interpret(kernel, memories)
    if results(memories["u0"]) != expected:
        return f"interpreter: {_first(results(memories['u0']), expected)}"
    seen: Sets = defaultdict(Counter)

    def watch(value: Value, lanes: dict[int, int]) -> None:
        if value in marks:
            seen[marks[value]][frozenset(lanes)] += 1

    program = Program(kernel, data={"u0": bytes(8 * LANES)})
    lockstep(kernel, program, program.memories(), None, watch)
    return _other("lanes in lockstep", seen, sets)


def _lockstep(
    kernel: KernelIR, marks: dict[Value, int], expected: list[tuple[int, int]], sets: Sets
) -> str:
    watcher = Seen(marks)
    data = np.zeros(8 * LANES, np.uint8)
    Lockstep().run(kernel, Launch({"u0": data}), watcher)
    if results(data.tobytes()) != expected:
        return f"lockstep: {_first(results(data.tobytes()), expected)}"
    return _other("lockstep", watcher.sets, sets)


def simplified(graph: Graph, deepest: int = DEEPEST) -> str:
    """Return the first difference after all passes; only results, since marks may be removed."""
    ran = run_graph(graph)
    kernel, _ = translated(graph, deepest)
    canonicalise(simplify(kernel))
    check(kernel)
    data = np.zeros(8 * LANES, np.uint8)
    Lockstep().run(kernel, Launch({"u0": data}))
    found = results(data.tobytes())
    return "" if found == ran.results else f"simplified: {_first(found, ran.results)}"


def _first(found: list[tuple[int, int]], expected: list[tuple[int, int]]) -> str:
    lane = next(at for at in range(LANES) if found[at] != expected[at])
    return f"lane {lane} leaves {found[lane]}, expected {expected[lane]}"


def _other(who: str, found: Sets, expected: Sets) -> str:
    for block in expected:
        if found.get(block) != expected[block]:
            one = {tuple(sorted(each)): times for each, times in found.get(block, {}).items()}
            two = {tuple(sorted(each)): times for each, times in expected[block].items()}
            return f"{who}: in block {block} are {one}, expected {two}"
    return ""


def compared(seed: int, size: int = 0) -> str:
    """Compare a random graph by seed, most with the full nesting limit, some with a low one.

    Large graphs do not run in the engine, which writes back many variables at each reconvergence.
    """
    graph = random_graph(seed, size)
    deepest = (DEEPEST, 20, DEEPEST, 34)[seed // 3 % 4]
    message = difference(graph, deepest, engine=seed % 2 == 0 and size < 1000)
    if not message and seed % 5 == 0 and size < 1000:
        message = simplified(graph, deepest)
    return message


def translated_paths(graph: Graph) -> list[list[frozenset[int]]]:
    """Return the active lanes in each block on the path of each lane, in the translation."""
    kernel, marks = translated(graph)
    found: list[list[frozenset[int]]] = [[] for _ in range(LANES)]

    def watch(value: Value, lanes: dict[int, int]) -> None:
        if value in marks:
            for lane in lanes:
                found[lane].append(frozenset(lanes))

    program = Program(kernel, data={"u0": bytes(8 * LANES)})
    lockstep(kernel, program, program.memories(), None, watch)
    return found
