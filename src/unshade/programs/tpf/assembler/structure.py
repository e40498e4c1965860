"""Checks of the nesting of blocks.

    if … else … endif      loop … endloop      switch  case … default …  endswitch
    break inside a loop or switch, continue inside a loop, case directly in a switch

Blocks end before the next label or hull shader phase.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Generic, TypeVar

from ....tuples import NamedTuple
from ..instruction import Instruction
from ..tables.ops import OPS
from ..text import AT_MARGIN, OPENS

ENDS = {
    OPS[end].code: frozenset(OPS[name].code for name in names)
    for end, names in (
        ("else", ("if",)), ("endif", ("if", "else")), ("endloop", ("loop",)),
        ("endswitch", ("switch",)),
    )
}  # fmt: skip
CASES = frozenset(OPS[name].code for name in ("case", "default"))
BREAKS = frozenset(OPS[name].code for name in ("break", "breakc"))
CONTINUES = frozenset(OPS[name].code for name in ("continue", "continuec"))
CHECKED = frozenset(ENDS) | OPENS | CASES | BREAKS | CONTINUES | AT_MARGIN
IF = OPS["if"].code
ELSE = OPS["else"].code
LOOP = OPS["loop"].code
SWITCH = OPS["switch"].code
CLOSERS = {OPS[name].code: f"end{name}" for name in ("if", "loop", "switch")} | {ELSE: "endif"}

END = "the end of the program"

W = TypeVar("W")  # the location of an instruction


class Problem(NamedTuple, Generic[W]):
    """A violation at an instruction, and the instruction that opened the block, if any."""

    text: str
    where: W
    opened: W | None = None


class Blocks(Generic[W]):
    """The blocks that are open."""

    __slots__ = ("counts", "open")

    def __init__(self) -> None:
        self.open: list[tuple[int, W]] = []
        self.counts: Counter[int] = Counter()  # open blocks by opcode

    def step(self, instruction: Instruction, where: W) -> list[Problem[W]]:
        """Return the violations by the next instruction."""
        code = instruction.token & 0x7FF
        if code not in CHECKED:
            return []
        name = OPS[code].name
        found: list[Problem[W]] = []
        if code in AT_MARGIN:
            return self.end(name)
        if code in ENDS:
            found = self._close(code, name, where)
        if found and code == ELSE and self.open and self.open[-1][0] == ELSE:
            return found  # the endif of the first else also ends this one
        if code in OPENS:
            self.open.append((code, where))
            self.counts[code] += 1
        elif code in CASES:
            if not self.open or self.open[-1][0] != SWITCH:
                opened = self.open[-1][1] if self.open else None
                found.append(Problem(f"{name} not directly inside a switch", where, opened))
        elif code in BREAKS:
            if not self._inside(LOOP, SWITCH):
                found.append(Problem(f"{name} outside a loop or switch", where))
        elif code in CONTINUES and not self._inside(LOOP):
            found.append(Problem(f"{name} outside a loop", where))
        return found

    def _inside(self, *codes: int) -> bool:
        return any(self.counts[code] for code in codes)

    def _close(self, code: int, name: str, where: W) -> list[Problem[W]]:
        """Close the innermost block that this operation can close, and all blocks inside it."""
        wanted = ENDS[code]
        if not self._inside(*wanted):
            opened = self.open[-1][1] if self.open else None
            opener = "if" if IF in wanted else name.removeprefix("end")
            return [Problem(f"{name} without an open {opener}", where, opened)]
        found: list[Problem[W]] = []
        while True:
            inner, at = self.open.pop()
            self.counts[inner] -= 1
            if inner in wanted:
                return found
            found.append(Problem(f"{OPS[inner].name} has no {CLOSERS[inner]} before {name}", at))

    def end(self, what: str) -> list[Problem[W]]:
        """Return a violation for each block that is open at the end of a program or phase."""
        found = [
            Problem(f"{OPS[code].name} has no {CLOSERS[code]} before {what}", where)
            for code, where in self.open
        ]
        self.open.clear()
        self.counts.clear()
        return found


def balanced(instructions: Iterable[Instruction]) -> bool:
    """Return True if the blocks of a program are nested correctly."""
    blocks: Blocks[None] = Blocks()
    return not any(blocks.step(each, None) for each in instructions) and not blocks.end(END)
