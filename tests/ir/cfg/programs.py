"""Random structured programs with SPIR-V merge blocks, and their active sets.

Active sets follow from the program, not from a graph: lanes that diverge in an if or switch
reconverge after it; in a loop they reconverge at the start of its continue construct in each
iteration, and after the loop when all have left it; code before a `break` runs separately in each
iteration. A case may fall through to the next one.
"""

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TypeAlias

from tests.ir.cfg.compare import difference
from tests.ir.cfg.graphs import LANES, Graph, Sets, finished, run_graph


@dataclass(slots=True, eq=False)
class Block:
    """Straight-line code; the graph's block is `number`."""

    number: int = -1


@dataclass(slots=True, eq=False)
class If:
    """A branch at the end of block `head`."""

    head: Block
    then: "Program"
    otherwise: "Program"
    merge: Block


@dataclass(slots=True, eq=False)
class Switch:
    """A switch; a case that does not leave falls through to the next. The last is the default."""

    head: Block
    cases: "list[Program]"
    merge: Block


@dataclass(slots=True, eq=False)
class Loop:
    """A loop: head, body, again and back to head; head and breaks lead to merge."""

    head: Block
    body: "Program"
    again: Block
    merge: Block


@dataclass(slots=True, eq=False)
class Leave:
    """A break (of a loop or switch), continue or return."""

    word: str
    target: Block


Program: TypeAlias = list[Block | If | Switch | Loop | Leave]


class Maker:
    """A generator of one program and its graph."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.left = self.chance.choice((6, 12, 25, 50))
        self.ways: list[list[int]] = []
        self.merges: dict[int, int] = {}
        self.last = Block()  # returns come here
        self.late: list[tuple[Block, int, Loop]] = []
        self.leaves: list[tuple[Block, Block]] = []

    def _block(self) -> Block:
        self.ways.append([])
        return Block(len(self.ways) - 1)

    def program(
        self, depth: int, loop: tuple[Block, Block] | None, broken: Block | None
    ) -> Program:
        """Generate statements; `loop`: again and merge of the loop, `broken`: target of break."""
        chance = self.chance
        made: Program = [self._block()]
        for _ in range(chance.randint(0, 3)):
            if self.left <= 0 or depth > 5:
                break
            self.left -= 1
            head = made[-1]
            assert isinstance(head, Block)
            kind = chance.random()
            if kind < 0.5:
                then = self.program(depth + 1, loop, broken)
                otherwise = self.program(depth + 1, loop, broken) if chance.random() < 0.5 else []
                made += [If(head, then, otherwise, merge := Block()), merge]
            elif kind < 0.65:
                merge = Block()
                cases = [self.program(depth + 1, loop, merge) for _ in range(chance.randint(2, 4))]
                made += [Switch(head, cases, merge), merge]
            else:
                inner, again, merge = self._block(), Block(), Block()
                body = self.program(depth + 1, (again, merge), merge)
                made += [Loop(inner, body, again, merge), merge]
            merge.number = self._block().number
        kind = chance.random()
        if loop is not None and kind < 0.2:
            made.append(Leave("continue", loop[0]))
        elif broken is not None and kind < 0.45:
            made.append(Leave("break", broken))
        elif kind < 0.5:
            made.append(Leave("return", self.last))
        return made

    def connect(self, program: Program, following: Block) -> int:
        """Connect the blocks of a program; return its first block."""
        first: Block | None = None
        at: Block | None = None
        for statement in program:
            match statement:
                case Block():
                    if at is not None:
                        self.ways[at.number] = [statement.number]
                    at = statement
                    first = first or statement
                case If():
                    then = self.connect(statement.then, statement.merge)
                    otherwise = statement.merge.number
                    if statement.otherwise:
                        otherwise = self.connect(statement.otherwise, statement.merge)
                    self.ways[statement.head.number] = [otherwise, then]
                    at = None
                case Switch():
                    ends = [case[0] for case in statement.cases[1:]]
                    ways = []
                    for case, next in zip(statement.cases, [*ends, statement.merge], strict=True):
                        assert isinstance(next, Block)
                        ways.append(self.connect(case, next))
                    self.ways[statement.head.number] = ways
                    at = None
                case Loop():
                    assert at is not None
                    self.ways[at.number] = [statement.head.number]
                    body = self.connect(statement.body, statement.again)
                    statement.again.number = self._block().number
                    self.late.append((statement.head, body, statement))
                    at = None
                case Leave():
                    assert at is not None
                    self.leaves.append((at, statement.target))
                    return first.number if first else -1
        if at is not None:
            self.leaves.append((at, following))
        assert first is not None
        return first.number

    def graph(self) -> tuple[Graph, Program]:
        """Return the program and its graph; block 0 is the entry."""
        program = self.program(0, None, None)
        end = self._block()
        self.connect(program, end)
        self.last.number = self._block().number
        for head, body, loop in self.late:
            self.ways[head.number] = [loop.merge.number, body]
            self.ways[loop.again.number] = [head.number]
            self.merges[head.number] = loop.merge.number
        for block, target in self.leaves:
            self.ways[block.number] = [target.number]
        self.ways[end.number] = []
        self.ways[self.last.number] = []
        graph = Graph([tuple(each) for each in self.ways], self.merges)
        return finished(graph, self.chance), program


class Lanes:
    """An execution of all lanes, with the active set at each position."""

    def __init__(self, paths: list[list[int]]) -> None:
        self.paths = [list(reversed(path)) for path in paths]
        self.sets: Sets = defaultdict(Counter)
        self.waiting: dict[Block, set[int]] = defaultdict(set)  # for who leaves

    def _in(self, block: Block, lanes: set[int]) -> None:
        if lanes:
            self.sets[block.number][frozenset(lanes)] += 1
        for lane in lanes:
            assert self.paths[lane].pop() == block.number

    def _to(self, lane: int) -> int:
        return self.paths[lane][-1]

    def run(self, program: Program, lanes: set[int]) -> set[int]:
        """Return the lanes that reach the end."""
        for statement in program:
            match statement:
                case Block():
                    self._in(statement, lanes)
                case If():
                    first = statement.then[0]
                    assert isinstance(first, Block)
                    then = {lane for lane in lanes if self._to(lane) == first.number}
                    lanes = self.run(statement.then, then) | self.run(
                        statement.otherwise, lanes - then
                    )
                case Switch():
                    falling: set[int] = set()
                    rest = set(lanes)
                    for case in statement.cases:
                        first = case[0]
                        assert isinstance(first, Block)
                        here = {lane for lane in rest if self._to(lane) == first.number}
                        rest -= here
                        falling = self.run(case, here | falling)
                    lanes = falling | self.waiting.pop(statement.merge, set())
                case Loop():
                    lanes = self._loop(statement, lanes)
                case Leave():
                    self.waiting[statement.target] |= lanes
                    return set()
        return lanes

    def _loop(self, loop: Loop, lanes: set[int]) -> set[int]:
        left: set[int] = set()
        while lanes:
            self._in(loop.head, lanes)
            out = {lane for lane in lanes if self._to(lane) == loop.merge.number}
            lanes = self.run(loop.body, lanes - out) | self.waiting.pop(loop.again, set())
            left |= out | self.waiting.pop(loop.merge, set())
            self._in(loop.again, lanes)
        return left


def compared_program(seed: int) -> str:
    """Return the first difference between a program and the translation of its graph."""
    maker = Maker(seed)
    graph, program = maker.graph()
    lanes = Lanes(run_graph(graph).paths)
    lanes.run(program, set(range(LANES)))
    return difference(graph, expected=lanes.sets)
