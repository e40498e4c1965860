"""Control flow: the successors of each word, by the rules of the hardware's three stacks.

    after every instruction, n being the next word (not the target of a jump):
      CALL   while the top ends at n: pop, continue at its return address, which becomes n; up to 4
      IF     if the top's if part ends at n: pop, continue after the else part
      LOOP   if the top ends at n, or on break: aL += step; start over, or pop and continue after it
    A later rule overrules an earlier one; all of them overrule a jump.

Only a program with a sound structure can be followed. Calls are assumed to return to the word after
the call; a search also detects that an unconditional call does not return if every path of the
procedure reaches `end`. `Work` bounds the effort for hostile code.

Source: 3dbrew, azahar's interpreter.
"""

from collections.abc import Iterable
from typing import Self

from ...tuples import NamedTuple
from .structure import CodeStructure, ControlBlock, Procedure

WORK, WORK_PER_WORD = 1024, 4  # steps; a program needs a few for each word
DEEPEST = 4  # entries of the call stack


class TooMuchWork(Exception):
    """The budget of steps is exhausted; this never leaves `programs.pica`."""


class Work:
    """A budget of steps."""

    __slots__ = ("left",)

    def __init__(self, left: int = WORK) -> None:
        self.left = left

    @classmethod
    def on(cls, found: CodeStructure) -> Self:
        """Return the budget for a program, in proportion to its size."""
        return cls(WORK + WORK_PER_WORD * len(found.code))

    def step(self, count: int = 1) -> None:
        """Spend `count` steps; TooMuchWork if none are left."""
        self.left -= count
        if self.left < 0:
            raise TooMuchWork


class Reach(NamedTuple):
    """The result of a reachability search."""

    words: set[int]
    calls: set[tuple[int, int]]  # bounds of the called procedures
    falls: list[int]  # words after which execution leaves the program
    returns: bool = False  # from the called procedure


class ControlFlow:
    """The successors of each word of one program."""

    __slots__ = ("calls", "ends", "followed", "found", "parts", "procedures", "returning", "work")

    def __init__(self, found: CodeStructure, work: Work | None = None) -> None:
        self.found = found
        self.work = work or Work.on(found)
        self.procedures = {(p.start, p.end): p for p in found.procedures}
        self.calls: dict[int, tuple[int, int]] = {}  # bounds of the called procedure, by word
        self.returning: dict[tuple[int, int], bool] = {}  # called procedures, by their bounds
        self.followed: dict[tuple[int, int], Reach] = {}  # the same, of those that were followed
        # The innermost block whose if part, or body, ends at a word: the one on top of the stack.
        self.parts: dict[int, ControlBlock] = {}
        self.ends: dict[int, ControlBlock] = {}
        for block in found.blocks:
            (self.ends if block.is_loop else self.parts)[block.middle] = block

    def falls_to(self, at: int) -> tuple[int, ...]:
        """Return the successors of a word that does not jump."""
        following = at + 1
        loop = self.ends.get(following)
        if loop is not None and loop.at <= at:
            return loop.start, loop.end
        block = self.parts.get(following)
        if block is not None and block.at <= at:
            return (block.end,)
        return (following,)

    def after(self, at: int) -> tuple[int, ...]:
        """Return the successors of a word within its procedure; none for `end`."""
        instruction = self.found.code[at]
        op = instruction.op
        kind = op.kind if op else ""
        if op is None or kind not in ("if", "jump", "break", "end"):
            return self.falls_to(at)
        if kind == "end":
            return ()
        if kind == "break":
            loop = self.found.loop_around(at)
            left = (loop.end,) if loop else ()
            return left if not op.operands else (*self.falls_to(at), *left)
        return (*self.falls_to(at), instruction.target)

    def reach(self, start: int, within: Procedure | None = None, depth: int = 0) -> Reach:
        """Return the words reachable from `start`, without the words of called procedures.

        `within` is the called procedure that `start` belongs to: the code returns at its end.
        `depth` is the number of calls that led to it.
        """
        size = len(self.found.code)
        low, high = (within.start, within.end) if within else (0, size)
        words: set[int] = set()
        calls: set[tuple[int, int]] = set()
        falls: list[int] = []
        returns = False
        todo = [start]
        while todo:
            at = todo.pop()
            if at in words:
                continue
            if not low <= at < high:
                returns = True
                continue
            self.work.step()
            words.add(at)
            instruction = self.found.code[at]
            op = instruction.op
            if op is not None and op.kind == "call":
                bounds = self.called(at)
                calls.add(bounds)
                if op.name == "call" and not self.returns(bounds, depth + 1):
                    continue
            following = self.after(at)
            if any(each >= size for each in following):
                falls.append(at)
            todo += following
        return Reach(words, calls, falls, returns)

    def called(self, at: int) -> tuple[int, int]:
        """Return the bounds of the procedure that a word calls."""
        found = self.calls.get(at)
        if found is None:  # fields are read once: procedures may overlap, which repeats words
            begin = self.found.code[at].target
            found = self.calls[at] = begin, begin + self.found.code[at].length
        return found

    def returns(self, bounds: tuple[int, int], depth: int = 0) -> bool:
        """Return whether a path of a called procedure reaches its end; True if not known."""
        known = self.returning.get(bounds)
        if known is None:
            self.returning[bounds] = known = True  # if it calls itself
            called = self.procedures.get(bounds)
            if called is not None and depth <= DEEPEST:
                followed = self.followed[bounds] = self.reach(called.start, called, depth)
                self.returning[bounds] = known = followed.returns
        return known

    def reach_all(self, starts: Iterable[int]) -> Reach:
        """Return the words reachable from any of `starts`, called procedures included."""
        found = Reach(set(), set(), [])
        todo: list[tuple[int, Procedure | None]] = [(start, None) for start in starts]
        while todo:
            start, within = todo.pop()
            if within is None and start in found.words:
                continue
            known = self.followed.get((within.start, within.end)) if within else None
            part = known or self.reach(start, within)
            found.words.update(part.words)
            if within is None:
                found.falls.extend(part.falls)
            todo += [(b[0], self.procedures.get(b)) for b in part.calls - found.calls]
            found.calls.update(part.calls)
        return found
