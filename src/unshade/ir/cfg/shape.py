"""From levels to the tree of regions: each block once.

    a → {b, c} → d        a dominates d, and d has several ways to it: it lies behind a block

    Block $d {
      a
      Choice { b … | c … }      what only one edge leads to lies where that edge is
    }
    d

Units that a unit dominates lie behind one another in the order of their level, each at the end of a
block that holds all before it; so every edge that leads forward falls through or leaves blocks.
What a loop leads to lies behind the loop. Where that would lie too deep, all that a unit dominates
stands in one row instead, in the order of the level, each behind a test:

    Select(state, 2) …    When(state, 1) { b … }    When(state, 2) { c … }    When(state, 3) { d … }

All is done from a stack of what is left to do: graphs may be deep where regions are not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ...errors import LimitError
from ..kernel import DEEPEST
from .levels import Entry, Level, Unit, find_levels, meeting
from .loops import AT_LEAST, PER_LOOP, Loop, Successors, find_loops, nested
from .regions import (
    Again,
    Block,
    Choice,
    Code,
    Dispatch,
    Edge,
    Leave,
    Select,
    State,
    Stop,
    Tree,
    When,
)
from .regions import Loop as Repeat

SHORT = 16  # units in a row that stand there without groups, or groups in each other
GROUPS = 3  # inside each other at most


def structure(
    successors: Sequence[Sequence[int]],
    merges: Mapping[int, int] | None = None,
    deepest: int = DEEPEST,
) -> Tree:
    """Return the tree of a graph whose entry is block 0.

    The successors of a block are told once each. `merges` are the merge blocks of loops by header,
    where they are stated. Regions lie at most so deep.
    """
    return Shape(successors, merges or {}, deepest).run()


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a loop's body, as something that a region falls through to."""

    loop: Loop


@dataclass(slots=True, eq=False)
class Row:
    """Units that stand in one row, and the variable that says which comes next."""

    state: State
    numbers: dict[Unit, int]


@dataclass(slots=True)
class Place:
    """Where steps are put: a tree, its depth, and what it falls through to."""

    tree: Tree
    depth: int
    next: Unit | Head | Row | None


class Shape:
    """Makes the tree of one graph."""

    def __init__(self, successors: Successors, merges: Mapping[int, int], deepest: int) -> None:
        self.successors = successors
        self.deepest = deepest
        if deepest < PER_LOOP + AT_LEAST:
            raise LimitError("depth", deepest, PER_LOOP + AT_LEAST)
        loops = find_loops(successors, merges, nested(deepest))
        self.owner = loops.owner
        self.levels = find_levels(successors, loops)
        self.heights: dict[Loop | None, int] = {None: 0}
        self._measure(loops.outer)
        self.behind: dict[Unit | Head, Block] = {}  # the block at whose end something lies
        self.rows: dict[Unit, Row] = {}
        self.outlets: dict[Loop, Block] = {}  # of a loop in a row: what ends with it
        self.followed: dict[Loop, Unit | Head | Row | None] = {}  # what lies behind a loop
        self.states: dict[Loop, State] = {}
        self.todo: list[Callable[[], None]] = []

    def _measure(self, outer: list[Loop]) -> None:
        """How many loops lie in each other inside each."""
        found = list(outer)
        for loop in found:
            found += loop.loops
        for loop in reversed(found):
            height = self.heights.setdefault(loop, 0) + 1
            self.heights[loop.parent] = max(self.heights.get(loop.parent, 0), height)

    def run(self) -> Tree:
        """The whole tree."""
        tree: Tree = []
        level = self.levels[None]
        self._put(level, level.root, Place(tree, 0, None))
        while self.todo:
            self.todo.pop()()
        return tree

    # ------------------------------------------------------------ units

    def _put(self, level: Level, unit: Unit, place: Place) -> None:
        """A unit and all that it dominates."""
        apart = [each for each in level.below[unit] if each in level.apart]
        needed = PER_LOOP * self.heights[level.loop] + AT_LEAST
        if place.depth + len(apart) + 1 + needed > self.deepest:
            self._row(level, unit, place)
            return
        tree, depth, next = place.tree, place.depth, place.next
        for each in reversed(apart):
            block = self.behind[each] = Block()
            tree.append(block)
            self.todo.append(partial(self._put, level, each, Place(tree, depth, next)))
            tree, depth, next = block.body, depth + 1, each
        self._unit(level, unit, Place(tree, depth, next))

    def _row(self, level: Level, unit: Unit, place: Place) -> None:
        """The same in one row."""
        members = [unit]
        for each in members:
            members += level.below[each]
        members.sort(key=level.numbers.__getitem__)
        row = Row(State(), {each: number for number, each in enumerate(members)})
        self.rows.update((each, row) for each in members[1:])
        place.tree.append(Select(row.state, 0))
        groups = 0
        while groups < GROUPS and SHORT ** (groups + 1) < len(members):
            groups += 1
        trees = [place.tree] * (groups + 1)
        for number, each in enumerate(members):
            for inner in range(1, groups + 1):
                size = SHORT ** (groups + 1 - inner)
                if number % size == 0:
                    last = min(number + size, len(members))
                    group = When(row.state, number, last)
                    trees[inner - 1].append(group)
                    trees[inner] = group.body
            when = When(row.state, number, number + 1)
            trees[-1].append(when)
            here = Place(when.body, place.depth + groups + 1, row)
            if isinstance(each, Loop):
                outlet = self.outlets[each] = Block()
                when.body.append(outlet)
                here = Place(outlet.body, here.depth + 1, row)
            self.todo.append(partial(self._unit, level, each, here))

    def _unit(self, level: Level, unit: Unit, place: Place) -> None:
        """A unit alone, and how it goes on."""
        if isinstance(unit, Loop):
            again = self.behind[Head(unit)] = Block()
            place.tree.append(Repeat(tuple(unit.headers), [again]))
            self.followed[unit] = place.next
            inner = self.levels[unit]
            body = Place(again.body, place.depth + 2, Head(unit))
            self.todo.append(partial(self._put, inner, inner.root, body))
        elif isinstance(unit, Entry):
            dispatch = Dispatch(self._state(unit.loop))
            place.tree.append(dispatch)
            for header in unit.loop.headers:
                dispatch.arms.append([])
                arm = Place(dispatch.arms[-1], place.depth + 1, place.next)
                self._go(unit.loop, level, header, arm)
        else:
            place.tree.append(Code(unit))
            self._end(unit, place)

    def _state(self, loop: Loop) -> State:
        """The variable that says at which header an iteration begins."""
        return self.states.setdefault(loop, State())

    # ------------------------------------------------------------ the ends of blocks

    def _end(self, block: int, place: Place) -> None:
        targets = self.successors[block]
        if not targets:
            place.tree.append(Stop(block))
            return
        rest = targets[0] if len(targets) == 1 else self._rest(block, targets, place)
        if len(targets) > 1:
            choice = Choice(block)
            place.tree.append(choice)
            for to in targets:
                if to != rest:
                    arm = choice.arms[to] = []
                    next = place.next if rest is None else None
                    self._edge(block, to, Place(arm, place.depth + 1, next))
        if rest is not None:
            self._edge(block, rest, place)

    def _rest(self, block: int, targets: Sequence[int], place: Place) -> int | None:
        """Of two targets the one that goes on behind the choice rather than in an arm of it, so
        that regions lie less deep; the other arm then leaves by all its ways.
        """
        if len(targets) != 2 or isinstance(place.next, Row):
            return None
        here = [to for to in targets if self._here(block, to)]
        if len(here) == 2:
            return here[1] if place.depth > self.deepest // 2 else None
        if not here:
            return None
        (other,) = (to for to in targets if to not in here)
        falls = self._target(block, other)[1] == place.next
        return None if falls and place.depth <= self.deepest // 2 else here[0]

    def _target(self, block: int, to: int) -> tuple[Level, Unit | Head]:
        """What an edge leads to, in the level that has both its ends."""
        at, _, unit = meeting(self.owner, block, to)
        level = self.levels[at]
        return level, Head(at) if at is not None and to in level.headers else unit

    def _here(self, block: int, to: int) -> bool:
        """Whether a block is what this edge alone leads to."""
        level, target = self._target(block, to)
        return (
            not isinstance(target, Head)
            and level.loop is self.owner[block]
            and target not in level.apart
            and target not in self.rows
        )

    def _edge(self, block: int, to: int, place: Place) -> None:
        place.tree.append(Edge(block, to))
        level, target = self._target(block, to)
        loop = target.loop if isinstance(target, Head) else target
        if isinstance(loop, Loop) and len(loop.headers) > 1:
            number = self.levels[loop].headers[to]
            place.tree.append(Select(self._state(loop), number))
        self._go(self.owner[block], level, target, place)

    def _go(self, inner: Loop | None, level: Level, target: Unit | Head, place: Place) -> None:
        """Go on with something; `inner` is the innermost loop around the place."""
        if target == place.next:
            return
        row = None if isinstance(target, Head) else self.rows.get(target)
        if isinstance(target, Head) and target.loop is inner:
            place.tree.append(Again())
        elif row is not None:
            place.tree.append(Select(row.state, row.numbers[target]))  # type: ignore[index]
            if place.next is not row:  # from a loop inside
                assert inner is not None
                outer = inner
                while outer.parent is not level.loop:
                    assert outer.parent is not None
                    outer = outer.parent
                place.tree.append(Leave(self.outlets[outer], outer is inner))
        elif target in self.behind:
            breaks = inner is not None and self.followed.get(inner) == target
            place.tree.append(Leave(self.behind[target], breaks))
        else:
            assert not isinstance(target, Head)
            self.todo.append(partial(self._put, level, target, place))
