"""Outline of a program: the procedures, blocks and labels of its text.

    0   .proc main              opens
    1       ifu b0              opens, by itself
    3       .else               the middle of that
    5       .end                closes
    5   label5:                 a jump leads here
    9   .end                    closes

A block that a text cannot express (it overlaps another, nests too deep, leaves the program) is left
out, and its first instruction is printed with numbers. Procedures take precedence over blocks.
Words outside of procedures are put into additional procedures, since a text has no other place for
code: one up to each `end`, and never with instructions of both a vertex and a geometry shader.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ....tuples import NamedTuple
from ....vocab.pica import OUTPUTS, PIPELINE_OUTPUTS
from ..structure import ControlBlock, structure

if TYPE_CHECKING:
    from ..code import Code
    from ..instruction import Instruction

__all__ = ["DEEPEST", "CodeRange", "Outline", "stages_of"]

DEEPEST = 32  # picasso's limit on nested procedures and blocks


class CodeRange(NamedTuple):
    """A range of words, of a procedure."""

    start: int
    end: int


class Outline:
    """The outline of one program; `tops`, the outermost procedures, cover all words in order."""

    __slots__ = ("blocks", "by_start", "empty", "entries", "jumps", "procedures", "tops")

    def __init__(self, program: Code, without_code: Iterable[int] = ()) -> None:
        """Make the outline; `without_code` are the numbers of entries without any word."""
        found = structure(program)
        size = len(program.instructions)
        self.jumps = dict(_jumps(program.instructions))  # targets of jumps, by word
        self.entries = {
            number: CodeRange(procedure.start, procedure.end)
            for procedure in found.procedures
            for number in procedure.entries
        }
        wanted = [CodeRange(p.start, p.end) for p in found.procedures]
        wanted += _empty(program.instructions)
        for number in without_code:
            main = program.entries[number].main
            if main <= size:
                self.entries[number] = CodeRange(main, main)
                wanted.append(self.entries[number])
        self.by_start: dict[int, list[CodeRange]] = {}  # the longer first
        self.empty: dict[int, CodeRange] = {}
        self.tops: list[CodeRange] = []
        blocks = {block.at: block for block in found.blocks}
        self._procedures(wanted, _parts(program.instructions, blocks))
        self.procedures = {each for some in self.by_start.values() for each in some}
        self.procedures |= set(self.empty.values())
        self.blocks: dict[int, ControlBlock] = {}
        self._blocks(blocks, size)

    def _procedures(self, wanted: list[CodeRange], parts: list[int]) -> None:
        """Nest the procedures; leave out procedures that overlap an earlier one.

        `parts` are the words where code outside of procedures may be split, and the end.
        """
        ends: list[int] = []
        covered = 0
        for bounds in wanted:
            start, end = bounds
            if start == end:
                self.empty[start] = bounds
                continue
            while ends and ends[-1] <= start:
                ends.pop()
            if (ends and end > ends[-1]) or len(ends) >= DEEPEST - 1:
                continue
            if not ends:
                self._rest(covered, start, parts)
                self.tops.append(bounds)
                covered = end
            self.by_start.setdefault(start, []).append(bounds)
            ends.append(end)
        self._rest(covered, parts[-1], parts)

    def _rest(self, start: int, end: int, parts: list[int]) -> None:
        """Add procedures for words outside of procedures."""
        while start < end:
            part = parts[bisect_right(parts, start)]
            bounds = CodeRange(start, min(part, end))
            self.tops.append(bounds)
            self.by_start.setdefault(start, []).insert(0, bounds)
            start = bounds.end

    def _blocks(self, wanted: dict[int, ControlBlock], size: int) -> None:
        furthest = [0] * size  # the end of the longest procedure that begins at a word
        for start, some in self.by_start.items():
            furthest[start] = some[0].end
        open_: list[tuple[int, int]] = []  # middle and end of each open block
        for at in range(size):
            while open_ and open_[-1][1] == at:
                open_.pop()
            open_ += [(end, end) for _, end in self.by_start.get(at, ())]
            block = wanted.get(at)
            if block is None or len(open_) >= DEEPEST:
                continue
            middle, end = open_[-1]
            limit = middle if at < middle else end
            first = max(furthest[at + 1 : block.middle], default=0)
            second = max(furthest[block.middle : block.end], default=0)
            if block.end <= limit and first <= block.middle and second <= block.end:
                self.blocks[at] = block
                open_.append((block.middle, block.end))


def stages_of(instruction: Instruction) -> set[str]:
    """Return the only stage that an instruction is valid in; empty if it is valid in both."""
    op = instruction.op
    if op is None:
        return set()
    if op.name == "setemit":
        return {"geometry"}
    # In a geometry shader all outputs reach the rasteriser, which has seven.
    beyond = "dst" in op.operands and PIPELINE_OUTPUTS <= instruction.dst < OUTPUTS
    return {"vertex"} if beyond else set()


def _parts(instructions: Sequence[Instruction], blocks: Mapping[int, ControlBlock]) -> list[int]:
    """Return the words outside of blocks where code can be split, and the end."""
    parts: list[int] = []
    stages: set[str] = set()
    at = 0
    while at < len(instructions):
        block = blocks.get(at)
        following = block.end if block else at + 1
        here = set[str]().union(*map(stages_of, instructions[at:following]))
        if len(stages | here) > 1 and stages:
            parts.append(at)
            stages = set()
        stages |= here
        op = instructions[at].op
        if op is not None and op.kind == "end":
            parts.append(following)
            stages = set()
        at = following
    return [*parts, len(instructions)]


def _empty(instructions: Sequence[Instruction]) -> Iterator[CodeRange]:
    """Yield the called procedures without words; one may be after the last word."""
    for each in instructions:
        op = each.op
        called = op is not None and op.kind == "call" and not each.length
        if called and each.target <= len(instructions):
            yield CodeRange(each.target, each.target)


def _jumps(instructions: Sequence[Instruction]) -> Iterator[tuple[int, int]]:
    """Yield the jumps to a word of the program, or to its end: (word, target)."""
    for at, each in enumerate(instructions):
        op = each.op
        if op is not None and op.kind == "jump" and each.target <= len(instructions):
            yield at, each.target
