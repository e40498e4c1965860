"""What was found in a program, and where: instruction numbers become offsets at the end.

    tpf.mask   at 12, "operands[0]"   ->   offset 0x68, path instructions[12].operands[0]

Most programs have no finding, so that nothing is measured before there is one. Of one rule at most
`AT_MOST` findings are listed, the last of them counts the rest.
"""

import re
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

from ....errors import Diagnostic, EncodeError
from ....rule import AT_MOST
from .rules import RULES

if TYPE_CHECKING:
    from ..program import Program


class Findings:
    """The findings of one program."""

    __slots__ = ("counts", "found", "total")

    def __init__(self) -> None:
        self.found: list[tuple[str, str, int | None, str]] = []
        self.counts: Counter[str] = Counter()
        self.total = 0

    def add(self, code: str, at: int | None, message: str, where: str = "") -> None:
        """A rule is broken in the instruction numbered `at`, there at the dotted path `where`."""
        self.total += 1
        self.counts[code] += 1
        if self.counts[code] <= AT_MOST:
            self.found.append((code, message, at, where))

    def diagnostics(self, program: "Program") -> list[Diagnostic]:
        """The findings in file order; offsets count from the start of the part's data."""
        if not self.found:
            return []
        places = Places(program)
        last = {code: i for i, (code, *_) in enumerate(self.found)}
        made = []
        for i, (code, message, at, where) in enumerate(self.found):
            more = self.counts[code] - AT_MOST
            text = f"{message} (and {more} more)" if more > 0 and last[code] == i else message
            if at is None:
                made.append(RULES[code].found(text, offset=0, path=where))
                continue
            path = f"instructions[{at}].{where}" if where else f"instructions[{at}]"
            made.append(RULES[code].found(text, offset=places.offset(at, where), path=path))
        made.sort(key=lambda each: (each.offset is None, each.offset))
        return made


class Places:
    """Offsets of a program's instructions and their operands, from the start of the part's data."""

    __slots__ = ("instructions", "starts")

    def __init__(self, program: "Program") -> None:
        self.instructions = program.instructions
        sizes: list[int] = []
        for instruction in self.instructions:
            try:
                sizes.append(4 * len(instruction.encode()))
            except EncodeError:
                break  # nothing behind it has a place
        self.starts = list(accumulate(sizes, initial=8))

    def offset(self, at: int, where: str = "") -> int | None:
        """Where the instruction numbered `at` stands, or its operand that the path begins with."""
        if at >= len(self.starts):
            return None
        start = self.starts[at]
        number = re.match(r"operands\[(\d+)\]", where)
        if at >= len(self.instructions) or number is None:
            return start
        instruction = self.instructions[at]
        leading = instruction.op.leading if instruction.op else 0
        before = 1 + len(instruction.extended) + leading
        try:
            before += sum(len(each.words()) for each in instruction.operands[: int(number[1])])
        except EncodeError:
            return start
        return start + 4 * before
