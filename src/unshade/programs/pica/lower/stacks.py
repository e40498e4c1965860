"""The three stacks of the hardware while code is lowered, and what they would do otherwise.

    frame      put there by       compared with, after every word
    if         ifc, ifu           DST: the end of the if part; an else part has none
    loop       for                DST + 1
    call       call, callc, …     DST + NUM

Of each kind only the last frame is compared, with the number of the word behind (n), whether that
word jumps or not. Code means what its blocks say where n is the end of the innermost frame and of
no other, and only there. All else is refused by the rule of `verify` that tells of it; here it
is seen with the procedures that run, there word by word.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ....errors import UnsupportedError
from ....vocab.pica import CALL_STACK, IF_STACK, LOOP_STACK
from ..instruction import Instruction

LIMITS = {"if": IF_STACK, "loop": LOOP_STACK, "call": CALL_STACK}


class StackEntry(NamedTuple):
    """An entry of a stack: the word that put it there, and the words that it holds."""

    kind: str
    at: int
    start: int
    end: int
    together: int = 1  # procedures that return with this one


class Stacks:
    """The entries of all three, the innermost last."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self.code = code
        self.frames: list[StackEntry] = []

    def refusal(self, rule: str, at: int, message: str) -> UnsupportedError:
        """Return the error that a word cannot be run."""
        return UnsupportedError(f"{self._name(at)} cannot be run: {message} (pica.{rule})")

    def _name(self, at: int) -> str:
        return f"{self.code[at].name if at < len(self.code) else 'the code'} at word {at}"

    def last(self, kind: str) -> StackEntry | None:
        """Return what lies on top of a stack."""
        return next((each for each in reversed(self.frames) if each.kind == kind), None)

    @contextmanager
    def entered(self, kind: str, at: int, start: int, end: int, behind: int) -> Iterator[None]:
        """Put an entry on its stack meanwhile; `behind` is the word that execution goes on at."""
        many = sum(each.kind == kind for each in self.frames) + 1
        together = 1
        if kind == "call":
            if any((each.kind, each.start, each.end) == (kind, start, end) for each in self.frames):
                told = f"the procedure at {start} is running when {at} calls it"
                raise self.refusal("recursion", at, told)
            outer = self.last(kind)
            if outer is not None and outer.end == at + 1:
                together += outer.together
        elif self.frames and self.frames[-1].end <= behind:
            if self.frames[-1].end == behind:
                raise self._shared(at, self.frames[-1], behind)
            told = f"it runs to word {behind} across the end of {self._what(self.frames[-1])}"
            raise self.refusal("crossing", at, told)
        if many > LIMITS[kind]:
            told = f"{kind}s nest {many} deep, the hardware has {LIMITS[kind]} entries"
            raise self.refusal("nesting", at, told)
        if together >= CALL_STACK:
            told = f"{together} procedures return at once, and the last is not returned from"
            raise self.refusal("tail-call", at, told)
        if start == end and kind != "if":
            raise self.refusal("empty-block", at, "it holds no word, so that its end is missed")
        self.frames.append(StackEntry(kind, at, start, end, together))
        try:
            yield
        finally:
            self.frames.pop()

    def check(self, at: int) -> None:
        """Refuse a word behind which the stacks do something else than its blocks say."""
        n = at + 1
        inner = self.frames[-1] if self.frames else None
        op = self.code[at].op
        kind = op.kind if op else ""
        for name in LIMITS:
            frame = self.last(name)
            if frame is None or frame.end != n:
                continue
            if frame is not inner:
                raise self._shared(inner.at if inner else at, frame, n)
            if kind == "jump" or (kind == "call" and name != "call"):
                what = f"the last word of {self._what(frame)}"
                raise self.refusal("jump-at-end", at, f"{self.code[at].name} is {what}")
        if kind == "break" and (inner is None or inner.kind != "loop"):
            if inner is not None and inner.kind == "if":
                told = f"it leaves the if at {inner.at} without its end"
                raise self.refusal("break-inside-if", at, told)
            raise self.refusal("break-outside", at, "it stands in no loop")

    def _what(self, frame: StackEntry) -> str:
        if frame.kind == "call":
            return f"the procedure at {frame.start}"
        return f"{self.code[frame.at].name} at {frame.at}"

    def _shared(self, at: int, frame: StackEntry, end: int) -> UnsupportedError:
        told = f"it and {self._what(frame)} both end before word {end}"
        return self.refusal("shared-end", at, told)
