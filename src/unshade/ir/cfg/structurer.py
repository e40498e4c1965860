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
from .loops import AT_LEAST, PER_LOOP, GraphLoop, Successors, find_loops, nested
from .nesting import LoopEntry, NestingLevel, Unit, common_level, find_levels
from .regions import (
    BlockCode,
    BranchStep,
    ContinueLoop,
    IfState,
    LabelledRegion,
    LeaveRegion,
    RepeatedRegion,
    SetState,
    StateVariable,
    SwitchOnState,
    TakenEdge,
    TerminalStep,
    Tree,
)

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
    return Structurer(successors, merges or {}, deepest).run()


@dataclass(frozen=True, slots=True)
class LoopHead:
    """The head of a loop's body, as something that a region falls through to."""

    loop: GraphLoop


@dataclass(slots=True, eq=False)
class FlatSequence:
    """Units that stand in one row, and the variable that says which comes next."""

    state: StateVariable
    numbers: dict[Unit, int]


@dataclass(slots=True)
class InsertPoint:
    """Where steps are put: a tree, its depth, and what it falls through to."""

    tree: Tree
    depth: int
    next: Unit | LoopHead | FlatSequence | None


class Structurer:
    """Makes the tree of one graph."""

    def __init__(self, successors: Successors, merges: Mapping[int, int], deepest: int) -> None:
        self.successors = successors
        self.deepest = deepest
        if deepest < PER_LOOP + AT_LEAST:
            raise LimitError("depth", deepest, PER_LOOP + AT_LEAST)
        loops = find_loops(successors, merges, nested(deepest))
        self.owner = loops.owner
        self.levels = find_levels(successors, loops)
        self.heights: dict[GraphLoop | None, int] = {None: 0}
        self._measure(loops.outer)
        self.behind: dict[
            Unit | LoopHead, LabelledRegion
        ] = {}  # the block at whose end something lies
        self.rows: dict[Unit, FlatSequence] = {}
        self.outlets: dict[GraphLoop, LabelledRegion] = {}  # of a loop in a row: what ends with it
        self.followed: dict[
            GraphLoop, Unit | LoopHead | FlatSequence | None
        ] = {}  # what lies behind a loop
        self.states: dict[GraphLoop, StateVariable] = {}
        self.todo: list[Callable[[], None]] = []

    def _measure(self, outer: list[GraphLoop]) -> None:
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
        self._put(level, level.root, InsertPoint(tree, 0, None))
        while self.todo:
            self.todo.pop()()
        return tree

    # ------------------------------------------------------------ units

    def _put(self, level: NestingLevel, unit: Unit, place: InsertPoint) -> None:
        """A unit and all that it dominates."""
        apart = [each for each in level.below[unit] if each in level.apart]
        needed = PER_LOOP * self.heights[level.loop] + AT_LEAST
        if place.depth + len(apart) + 1 + needed > self.deepest:
            self._row(level, unit, place)
            return
        tree, depth, next = place.tree, place.depth, place.next
        for each in reversed(apart):
            block = self.behind[each] = LabelledRegion()
            tree.append(block)
            self.todo.append(partial(self._put, level, each, InsertPoint(tree, depth, next)))
            tree, depth, next = block.body, depth + 1, each
        self._unit(level, unit, InsertPoint(tree, depth, next))

    def _row(self, level: NestingLevel, unit: Unit, place: InsertPoint) -> None:
        """The same in one row."""
        members = [unit]
        for each in members:
            members += level.below[each]
        members.sort(key=level.numbers.__getitem__)
        row = FlatSequence(StateVariable(), {each: number for number, each in enumerate(members)})
        self.rows.update((each, row) for each in members[1:])
        place.tree.append(SetState(row.state, 0))
        groups = 0
        while groups < GROUPS and SHORT ** (groups + 1) < len(members):
            groups += 1
        trees = [place.tree] * (groups + 1)
        for number, each in enumerate(members):
            for inner in range(1, groups + 1):
                size = SHORT ** (groups + 1 - inner)
                if number % size == 0:
                    last = min(number + size, len(members))
                    group = IfState(row.state, number, last)
                    trees[inner - 1].append(group)
                    trees[inner] = group.body
            when = IfState(row.state, number, number + 1)
            trees[-1].append(when)
            here = InsertPoint(when.body, place.depth + groups + 1, row)
            if isinstance(each, GraphLoop):
                outlet = self.outlets[each] = LabelledRegion()
                when.body.append(outlet)
                here = InsertPoint(outlet.body, here.depth + 1, row)
            self.todo.append(partial(self._unit, level, each, here))

    def _unit(self, level: NestingLevel, unit: Unit, place: InsertPoint) -> None:
        """A unit alone, and how it goes on."""
        if isinstance(unit, GraphLoop):
            again = self.behind[LoopHead(unit)] = LabelledRegion()
            place.tree.append(RepeatedRegion(tuple(unit.headers), [again]))
            self.followed[unit] = place.next
            inner = self.levels[unit]
            body = InsertPoint(again.body, place.depth + 2, LoopHead(unit))
            self.todo.append(partial(self._put, inner, inner.root, body))
        elif isinstance(unit, LoopEntry):
            dispatch = SwitchOnState(self._state(unit.loop))
            place.tree.append(dispatch)
            for header in unit.loop.headers:
                dispatch.arms.append([])
                arm = InsertPoint(dispatch.arms[-1], place.depth + 1, place.next)
                self._go(unit.loop, level, header, arm)
        else:
            place.tree.append(BlockCode(unit))
            self._end(unit, place)

    def _state(self, loop: GraphLoop) -> StateVariable:
        """The variable that says at which header an iteration begins."""
        return self.states.setdefault(loop, StateVariable())

    # ------------------------------------------------------------ the ends of blocks

    def _end(self, block: int, place: InsertPoint) -> None:
        targets = self.successors[block]
        if not targets:
            place.tree.append(TerminalStep(block))
            return
        rest = targets[0] if len(targets) == 1 else self._rest(block, targets, place)
        if len(targets) > 1:
            choice = BranchStep(block)
            place.tree.append(choice)
            for to in targets:
                if to != rest:
                    arm = choice.arms[to] = []
                    next = place.next if rest is None else None
                    self._edge(block, to, InsertPoint(arm, place.depth + 1, next))
        if rest is not None:
            self._edge(block, rest, place)

    def _rest(self, block: int, targets: Sequence[int], place: InsertPoint) -> int | None:
        """Of two targets the one that goes on behind the choice rather than in an arm of it, so
        that regions lie less deep; the other arm then leaves by all its ways.
        """
        if len(targets) != 2 or isinstance(place.next, FlatSequence):
            return None
        here = [to for to in targets if self._here(block, to)]
        if len(here) == 2:
            return here[1] if place.depth > self.deepest // 2 else None
        if not here:
            return None
        (other,) = (to for to in targets if to not in here)
        falls = self._target(block, other)[1] == place.next
        return None if falls and place.depth <= self.deepest // 2 else here[0]

    def _target(self, block: int, to: int) -> tuple[NestingLevel, Unit | LoopHead]:
        """What an edge leads to, in the level that has both its ends."""
        at, _, unit = common_level(self.owner, block, to)
        level = self.levels[at]
        return level, LoopHead(at) if at is not None and to in level.headers else unit

    def _here(self, block: int, to: int) -> bool:
        """Whether a block is what this edge alone leads to."""
        level, target = self._target(block, to)
        return (
            not isinstance(target, LoopHead)
            and level.loop is self.owner[block]
            and target not in level.apart
            and target not in self.rows
        )

    def _edge(self, block: int, to: int, place: InsertPoint) -> None:
        place.tree.append(TakenEdge(block, to))
        level, target = self._target(block, to)
        loop = target.loop if isinstance(target, LoopHead) else target
        if isinstance(loop, GraphLoop) and len(loop.headers) > 1:
            number = self.levels[loop].headers[to]
            place.tree.append(SetState(self._state(loop), number))
        self._go(self.owner[block], level, target, place)

    def _go(
        self,
        inner: GraphLoop | None,
        level: NestingLevel,
        target: Unit | LoopHead,
        place: InsertPoint,
    ) -> None:
        """Go on with something; `inner` is the innermost loop around the place."""
        if target == place.next:
            return
        row = None if isinstance(target, LoopHead) else self.rows.get(target)
        if isinstance(target, LoopHead) and target.loop is inner:
            place.tree.append(ContinueLoop())
        elif row is not None:
            place.tree.append(SetState(row.state, row.numbers[target]))  # type: ignore[index]
            if place.next is not row:  # from a loop inside
                assert inner is not None
                outer = inner
                while outer.parent is not level.loop:
                    assert outer.parent is not None
                    outer = outer.parent
                place.tree.append(LeaveRegion(self.outlets[outer], outer is inner))
        elif target in self.behind:
            breaks = inner is not None and self.followed.get(inner) == target
            place.tree.append(LeaveRegion(self.behind[target], breaks))
        else:
            assert not isinstance(target, LoopHead)
            self.todo.append(partial(self._put, level, target, place))
