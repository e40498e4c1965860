"""Which word may follow which, as the three stacks of the hardware have it.

    after every instruction, n being the word behind it (not where it jumps to):
      CALL   while the top ends at n: pop, go on at its return, n becomes that; up to four
      IF     if the top's if part ends at n: pop, go on behind the else part
      LOOP   if the top ends at n, or on break: aL += step; start over, or pop and go on behind
    The later overrules the earlier, a jump is overruled by all of them.

Only a program whose structure is sound can be followed. What calls return to is taken for granted
here: the word behind the call. `Work` bounds what hostile code may ask for.

Source: 3dbrew, azahar's interpreter.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from .structure import CodeStructure, ControlBlock, Procedure

WORK, WORK_PER_WORD = 1024, 4  # steps; a program needs a few for each word


class TooMuchWork(Exception):
    """The steps are used up; it never leaves `programs.pica`."""


class Work:
    """Steps that are left."""

    __slots__ = ("left",)

    def __init__(self, left: int = WORK) -> None:
        self.left = left

    @classmethod
    def on(cls, found: CodeStructure) -> Self:
        """As many steps as the program may ask for."""
        return cls(WORK + WORK_PER_WORD * len(found.code))

    def step(self, count: int = 1) -> None:
        """So many more words were looked at."""
        self.left -= count
        if self.left < 0:
            raise TooMuchWork


class Reach(NamedTuple):
    """What a run of code may come to."""

    words: set[int]
    calls: set[tuple[int, int]]  # the bounds of procedures that it calls
    falls: list[int]  # words behind which it leaves the program


class ControlFlow:
    """The successors of every word."""

    __slots__ = ("ends", "found", "parts", "work")

    def __init__(self, found: CodeStructure, work: Work | None = None) -> None:
        self.found = found
        self.work = work or Work.on(found)
        # The innermost block whose if part, or whose body, ends at a word: it is the one on top.
        self.parts: dict[int, ControlBlock] = {}
        self.ends: dict[int, ControlBlock] = {}
        for block in found.blocks:
            (self.ends if block.is_loop else self.parts)[block.middle] = block

    def falls_to(self, at: int) -> tuple[int, ...]:
        """Where the code goes on behind a word that does not jump."""
        following = at + 1
        loop = self.ends.get(following)
        if loop is not None and loop.at <= at:
            return loop.start, loop.end
        block = self.parts.get(following)
        if block is not None and block.at <= at:
            return (block.end,)
        return (following,)

    def after(self, at: int) -> tuple[int, ...]:
        """The words that may follow a word in its own procedure; none behind `end`."""
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

    def reach(self, start: int, within: Procedure | None = None) -> Reach:
        """The words that a run from `start` may come to, calls aside.

        `within` is the called procedure: behind its end the code returns.
        """
        size = len(self.found.code)
        low, high = (within.start, within.end) if within else (0, size)
        found = Reach(set(), set(), [])
        todo = [start]
        while todo:
            at = todo.pop()
            if at in found.words or not low <= at < high:
                continue
            self.work.step()
            found.words.add(at)
            instruction = self.found.code[at]
            op = instruction.op
            if op is not None and op.kind == "call":
                begin = instruction.target
                found.calls.add((begin, begin + instruction.length))
            following = self.after(at)
            if any(each >= size for each in following):
                found.falls.append(at)
            todo += following
        return found

    def reach_all(self, starts: Iterable[int]) -> Reach:
        """The words that runs from there may come to, in procedures that they call too."""
        found = Reach(set(), set(), [])
        procedures = {(p.start, p.end): p for p in self.found.procedures}
        todo: list[tuple[int, Procedure | None]] = [(start, None) for start in starts]
        while todo:
            start, within = todo.pop()
            if within is None and start in found.words:
                continue
            part = self.reach(start, within)
            found.words.update(part.words)
            if within is None:
                found.falls.extend(part.falls)
            todo += [(b[0], procedures.get(b)) for b in part.calls - found.calls]
            found.calls.update(part.calls)
        return found
