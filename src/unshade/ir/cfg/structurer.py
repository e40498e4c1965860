"""Construction of the tree of regions, in which each block appears once.

    a → {b, c} → d        a dominates d, which has several predecessors: it follows a region

    a                               its code precedes the regions that its branch may leave
    LabelledRegion $d {
      BranchStep { b … | c … }      units with one incoming edge are placed at that edge
    }
    d

Units that a unit dominates follow in the order of their level, each at the end of a region that
contains all before it; so every forward edge falls through or leaves regions. Successors of a loop
follow the loop. If that would be nested too deeply, all units that a unit dominates form a flat
sequence instead, in the order of the level, each under a test:

    SetState(s, 2) …    IfState(s, 1) { b … }    IfState(s, 2) { c … }    IfState(s, 3) { d … }

The work is kept on an explicit stack, since graphs may be deeper than Python's recursion limit.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ...dataclass import dataclass
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

SHORT = 16  # units in a flat sequence without groups, or members of a group
GROUPS = 3  # maximum nesting of groups


def structure(
    successors: Sequence[Sequence[int]],
    merges: Mapping[int, int] | None = None,
    deepest: int = DEEPEST,
) -> Tree:
    """Return the tree of regions of a graph.

    Args:
        successors: successors of each block, without duplicates; block 0 is the entry.
        merges: merge blocks of loops, by header.
        deepest: maximum nesting of regions.

    Raises:
        LimitError: if `deepest` is too small for any loop.
    """
    return Structurer(successors, merges or {}, deepest).run()


@dataclass(frozen=True, slots=True)
class LoopHead:
    """The head of a loop's body, as the target of a fallthrough."""

    loop: GraphLoop


@dataclass(slots=True, eq=False)
class FlatSequence:
    """A flat sequence of units, and the state variable that selects the next."""

    state: StateVariable
    numbers: dict[Unit, int]


@dataclass(slots=True)
class InsertPoint:
    """An insertion point: a tree, its depth, and the target of its fallthrough."""

    tree: Tree
    depth: int
    next: Unit | LoopHead | FlatSequence | None


class Structurer:
    """A structurer of one graph."""

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
        self.preceding: dict[
            Unit | LoopHead, LabelledRegion
        ] = {}  # the region that each unit follows
        self.rows: dict[Unit, FlatSequence] = {}
        self.outlets: dict[
            GraphLoop, LabelledRegion
        ] = {}  # of a loop in a flat sequence: the region around it
        self.followed: dict[
            GraphLoop, Unit | LoopHead | FlatSequence | None
        ] = {}  # the fallthrough after a loop
        self.states: dict[GraphLoop, StateVariable] = {}
        self.todo: list[Callable[[], None]] = []

    def _measure(self, outer: list[GraphLoop]) -> None:
        """Compute the height of each loop in the loop nest."""
        found = list(outer)
        for loop in found:
            found += loop.loops
        for loop in reversed(found):
            height = self.heights.setdefault(loop, 0) + 1
            self.heights[loop.parent] = max(self.heights.get(loop.parent, 0), height)

    def run(self) -> Tree:
        """Return the whole tree."""
        tree: Tree = []
        level = self.levels[None]
        self._put(level, level.root, InsertPoint(tree, 0, None))
        while self.todo:
            self.todo.pop()()
        return tree

    # ------------------------------------------------------------ units

    def _put(self, level: NestingLevel, unit: Unit, place: InsertPoint) -> None:
        """Place a unit and all units that it dominates."""
        apart = [each for each in level.below[unit] if each in level.apart]
        needed = PER_LOOP * self.heights[level.loop] + AT_LEAST
        if place.depth + len(apart) + 1 + needed > self.deepest:
            self._row(level, unit, place)
            return
        tree, depth, next = place.tree, place.depth, place.next
        if isinstance(unit, int):  # its code leaves no region: only its end may
            tree.append(BlockCode(unit))
        for each in reversed(apart):
            block = self.preceding[each] = LabelledRegion()
            tree.append(block)
            self.todo.append(partial(self._put, level, each, InsertPoint(tree, depth, next)))
            tree, depth, next = block.body, depth + 1, each
        here = InsertPoint(tree, depth, next)
        if isinstance(unit, int):
            self._end(unit, here)
        else:
            self._unit(level, unit, here)

    def _row(self, level: NestingLevel, unit: Unit, place: InsertPoint) -> None:
        """Place a unit and all units that it dominates as a flat sequence."""
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
        """Place a single unit, and its outgoing edges."""
        if isinstance(unit, GraphLoop):
            again = self.preceding[LoopHead(unit)] = LabelledRegion()
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
        """Return the state variable that selects the header of a loop."""
        return self.states.setdefault(loop, StateVariable())

    # ------------------------------------------------------------ terminators

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
        """Return which of two targets to place after the branch instead of in an arm.

        This reduces nesting; the other arm then leaves on all paths.
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
        """Return the target of an edge in the level of both its blocks."""
        at, _, unit = common_level(self.owner, block, to)
        level = self.levels[at]
        return level, LoopHead(at) if at is not None and to in level.headers else unit

    def _here(self, block: int, to: int) -> bool:
        """Return True if an edge is the only edge to its target, in the same level."""
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
        """Continue at a target; `inner` is the innermost loop around the insertion point."""
        if target == place.next:
            return
        row = None if isinstance(target, LoopHead) else self.rows.get(target)
        if isinstance(target, LoopHead) and target.loop is inner:
            place.tree.append(ContinueLoop())
        elif row is not None:
            place.tree.append(SetState(row.state, row.numbers[target]))  # type: ignore[index]
            if place.next is not row:  # from an inner loop
                assert inner is not None
                outer = inner
                while outer.parent is not level.loop:
                    assert outer.parent is not None
                    outer = outer.parent
                place.tree.append(LeaveRegion(self.outlets[outer], outer is inner))
        elif target in self.preceding:
            breaks = inner is not None and self.followed.get(inner) == target
            place.tree.append(LeaveRegion(self.preceding[target], breaks))
        else:
            assert not isinstance(target, LoopHead)
            self.todo.append(partial(self._put, level, target, place))
