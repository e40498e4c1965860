"""Model of the hardware's three stacks during lowering, to refuse code that they misread.

    entry      pushed by          compared with, after every word
    if         ifc, ifu           DST: the end of the if part; an else part has none
    loop       for                DST + 1
    call       call, callc, …     DST + NUM

Only the last entry of each kind is compared with the number of the next word (n), whether the word
jumps or not. Code behaves as its blocks suggest if n is the end of the innermost entry, and of no
other, exactly at the ends of blocks. Everything else is refused, with the rule of `verify`. At this
point the active procedures are known; `verify` looks at single words.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....errors import UnsupportedError
from ....tuples import NamedTuple
from ....vocab.pica import CALL_STACK, IF_STACK, LOOP_STACK
from ..instruction import Instruction

LIMITS = {"if": IF_STACK, "loop": LOOP_STACK, "call": CALL_STACK}


class StackEntry(NamedTuple):
    """An entry of a stack: the word that pushed it, and the words of its block."""

    kind: str
    at: int
    start: int
    end: int
    together: int = 1  # procedures that return together with this one


class Stacks:
    """The entries of all three stacks, innermost last."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self.code = code
        self.frames: list[StackEntry] = []

    def refusal(self, rule: str, at: int, message: str) -> UnsupportedError:
        """Return the error for a word that cannot be run."""
        return UnsupportedError(f"{self._name(at)} cannot be run: {message} (pica.{rule})")

    def _name(self, at: int) -> str:
        return f"{self.code[at].name if at < len(self.code) else 'the code'} at word {at}"

    def last(self, kind: str) -> StackEntry | None:
        """Return the top of a stack."""
        return next((each for each in reversed(self.frames) if each.kind == kind), None)

    @contextmanager
    def entered(self, kind: str, at: int, start: int, end: int, following: int) -> Iterator[None]:
        """Push an entry for the block of a with statement; `following` is the word after it."""
        many = sum(each.kind == kind for each in self.frames) + 1
        together = 1
        if kind == "call":
            if any((each.kind, each.start, each.end) == (kind, start, end) for each in self.frames):
                message = f"the procedure at {start} is active when word {at} calls it"
                raise self.refusal("recursion", at, message)
            outer = self.last(kind)
            if outer is not None and outer.end == at + 1:
                together += outer.together
        elif self.frames and self.frames[-1].end <= following:
            if self.frames[-1].end == following:
                raise self._shared(at, self.frames[-1], following)
            message = f"it runs to word {following}, past the end of {self._what(self.frames[-1])}"
            raise self.refusal("crossing", at, message)
        if many > LIMITS[kind]:
            message = f"{kind}s nest {many} deep; the hardware's stack has {LIMITS[kind]} entries"
            raise self.refusal("nesting", at, message)
        if together >= CALL_STACK:
            message = f"{together} procedures return at once, and the last return is lost"
            raise self.refusal("tail-call", at, message)
        if start == end and kind != "if":
            raise self.refusal(
                "empty-block", at, "it contains no instruction, so its end is missed"
            )
        self.frames.append(StackEntry(kind, at, start, end, together))
        try:
            yield
        finally:
            self.frames.pop()

    def check(self, at: int) -> None:
        """Refuse a word after which the stacks would contradict its blocks."""
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
                message = f"it leaves the if at {inner.at} before its end"
                raise self.refusal("break-inside-if", at, message)
            raise self.refusal("break-outside", at, "it is not inside a loop")

    def _what(self, frame: StackEntry) -> str:
        if frame.kind == "call":
            return f"the procedure at {frame.start}"
        return f"{self.code[frame.at].name} at {frame.at}"

    def _shared(self, at: int, frame: StackEntry, end: int) -> UnsupportedError:
        message = f"it and {self._what(frame)} both end before word {end}"
        return self.refusal("shared-end", at, message)
