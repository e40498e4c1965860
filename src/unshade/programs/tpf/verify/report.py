"""What was found in a program, and where: instruction numbers become offsets at the end.

    tpf.mask   at 12, "operands[0]"   ->   offset 0x68, path instructions[12].operands[0]

Most programs have no finding, so that nothing is measured before there is one. Of one rule at most
`AT_MOST` findings are listed, the last of them counts the rest.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from ....errors import Diagnostic, EncodeError
from ..instruction import Instruction
from .rules import RULES

if TYPE_CHECKING:
    from ..program import Program

AT_MOST = 64


class Report:
    """The findings of one program."""

    __slots__ = ("counts", "found")

    def __init__(self) -> None:
        self.found: list[tuple[str, str, int | None, str]] = []
        self.counts: Counter[str] = Counter()

    def add(self, code: str, at: int | None, message: str, where: str = "") -> None:
        """A rule is broken in the instruction numbered `at`, there at the dotted path `where`."""
        self.counts[code] += 1
        if self.counts[code] <= AT_MOST:
            self.found.append((code, message, at, where))

    def diagnostics(self, program: "Program") -> list[Diagnostic]:
        """The findings in file order; offsets count from the start of the part's data."""
        if not self.found:
            return []
        offsets = _offsets(program)
        last = {code: i for i, (code, *_) in enumerate(self.found)}
        made = []
        for i, (code, message, at, where) in enumerate(self.found):
            more = self.counts[code] - AT_MOST
            text = f"{message} (and {more} more)" if more > 0 and last[code] == i else message
            if at is None:
                made.append(RULES[code].found(text, offset=0, path=where))
                continue
            path = f"instructions[{at}].{where}" if where else f"instructions[{at}]"
            offset = offsets[at]
            if offset is not None:
                offset += _inside(program.instructions[at], where)
            made.append(RULES[code].found(text, offset=offset, path=path))
        made.sort(key=lambda each: (each.offset is None, each.offset))
        return made


def _offsets(program: "Program") -> list[int | None]:
    """Where each instruction starts; None behind one that cannot be written."""
    sizes: list[int] = []
    for instruction in program.instructions:
        try:
            sizes.append(4 * len(instruction.encode()))
        except EncodeError:
            break
    found: list[int | None] = list(accumulate(sizes, initial=8))
    return found + [None] * (len(program.instructions) - len(sizes))


def _inside(instruction: Instruction, where: str) -> int:
    """How far behind the instruction's start the operand that `where` begins with stands."""
    number = where.removeprefix("operands[").partition("]")[0] if where[:9] == "operands[" else ""
    if not number:
        return 0
    row = instruction.op
    leading = row.leading if row else 0
    try:
        before = sum(_sizes(instruction, int(number)))
    except EncodeError:
        return 0
    return 4 * (1 + len(instruction.extended) + leading + before)


def _sizes(instruction: Instruction, count: int) -> Iterator[int]:
    for operand in instruction.operands[:count]:
        yield len(operand.words())
