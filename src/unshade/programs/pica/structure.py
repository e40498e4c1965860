"""Structure of a program: its blocks and procedures, recovered from the targets of instructions.

    at          ifc                  [at + 1, middle)   the if part; middle is DST
    middle                           [middle, end)      the else part; end is DST + NUM
    end

    at          for                  [at + 1, end)      the body; end is DST + 1
    end

    start       first word           [start, end)       a procedure: what call names, or an entry
    end

The code has no other marks of block ends, and malformed programs may name any word: a block that
leaves the program, or overlaps another block, is recorded in `problems` and left out of the tree.
One pass over the code, without recursion: blocks may nest as deep as there are words.

If the container does not contain the end of an entry, the entry extends as far as its code can
reach.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...tuples import NamedTuple

if TYPE_CHECKING:
    from .code import Code, Entry
    from .instruction import Instruction


class StructureProblem(NamedTuple):
    """A violation found here: the rule of `verify`, the word, a message and a field."""

    rule: str
    at: int
    message: str
    field: str = ""


class ControlBlock:
    """An if with its else part, or a loop.

    `ifs` and `loops` are its nesting depth, itself included. An else part does not count: the
    hardware pushes an entry on its stack for the if part only.
    """

    __slots__ = ("at", "end", "ifs", "inner", "is_loop", "loops", "middle", "outer")

    def __init__(self, at: int, middle: int, end: int, is_loop: bool) -> None:
        self.at = at
        self.middle = middle  # of a loop: its end
        self.end = end
        self.is_loop = is_loop
        self.outer: ControlBlock | None = None
        self.inner: list[ControlBlock] = []
        self.ifs = self.loops = 0

    @property
    def start(self) -> int:
        """The first word of the body."""
        return self.at + 1

    @property
    def has_else(self) -> bool:
        """True if the else part has words."""
        return self.end > self.middle

    def __repr__(self) -> str:
        kind = "loop" if self.is_loop else "if"
        other = f", else {self.middle}" if self.has_else else ""
        return f"<{kind} at {self.at}{other}, to {self.end}>"


class Procedure:
    """A range of words that is called, or that a shader starts with."""

    __slots__ = ("blocks", "callers", "end", "entries", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.entries: list[int] = []  # numbers of the program's entries that start it
        self.callers: list[int] = []  # words that call it
        self.blocks: list[ControlBlock] = []

    def __repr__(self) -> str:
        return f"<procedure {self.start} to {self.end}>"


class CodeStructure:
    """The blocks, procedures and jumps of a program, and the problems among them."""

    __slots__ = ("blocks", "code", "jumps", "labels", "loose", "problems", "procedures", "starts")

    def __init__(self, code: list[Instruction]) -> None:
        self.code = code
        self.procedures: list[Procedure] = []  # by start, the longer first
        self.blocks: list[ControlBlock] = []  # all that fit, by the word that opens them
        self.starts: list[int] = []  # those words
        self.loose: list[ControlBlock] = []  # outermost blocks outside of all procedures
        self.jumps: dict[int, int] = {}  # word of a jump: the word it names
        self.labels: set[int] = set()  # the words that jumps name
        self.problems: list[StructureProblem] = []

    @property
    def sound(self) -> bool:
        """True if all blocks are well-formed, so that control flow can be followed."""
        return not any(each.rule in UNSOUND for each in self.problems)

    def around(self, at: int) -> Iterator[ControlBlock]:
        """Yield the blocks around a word, innermost first, without a block that it opens."""
        place = bisect_right(self.starts, at - 1) - 1
        block = self.blocks[place] if place >= 0 else None
        while block is not None:
            if block.at < at < block.end:
                yield block
            block = block.outer

    def loop_around(self, at: int) -> ControlBlock | None:
        """Return the innermost loop that contains a word."""
        return next((block for block in self.around(at) if block.is_loop), None)

    def procedure(self, start: int, end: int) -> Procedure | None:
        """Return the procedure with these bounds."""
        return next((p for p in self.procedures if (p.start, p.end) == (start, end)), None)


UNSOUND = frozenset({"pica.target", "pica.crossing"})


def structure(program: Code) -> CodeStructure:
    """Recover the blocks and procedures of a program."""
    found = CodeStructure(program.instructions)
    size = len(found.code)
    blocks: list[ControlBlock] = []
    called: dict[tuple[int, int], list[int]] = {}
    for at, instruction in enumerate(found.code):
        op = instruction.op
        if op is None or op.kind not in ("if", "loop", "call", "jump"):
            continue
        target = instruction.target
        if op.kind == "jump":
            if target >= size:
                found.problems.append(_outside(at, f"{op.name} to word {target}", size))
            else:
                found.jumps[at] = target
                found.labels.add(target)
        elif op.kind == "call":
            end = target + instruction.length
            if end > size or target >= size:
                found.problems.append(_outside(at, f"{op.name} of words {target} to {end}", size))
            else:
                called.setdefault((target, end), []).append(at)
        else:
            is_loop = op.kind == "loop"
            middle = target + 1 if is_loop else target
            end = middle if is_loop else middle + instruction.length
            if end > size:
                found.problems.append(_outside(at, f"{op.name} ends at word {end}", size))
            elif middle <= at:
                message = f"{op.name} ends at word {middle}, before its first word"
                found.problems.append(StructureProblem("pica.target", at, message, "target"))
            else:
                blocks.append(ControlBlock(at, middle, end, is_loop))
    procedures = {bounds: Procedure(*bounds) for bounds in called}
    for bounds, callers in called.items():
        procedures[bounds].callers = callers
    starts = sorted({start for start, _ in called} | {e.main for e in program.entries})
    ends = {block.at: block.end for block in blocks}
    stated: dict[int, int] = {}  # by first word: the end that containers state
    for entry in program.entries:
        stated[entry.main] = max(entry.end, stated.get(entry.main, 0))
    for number, entry in enumerate(program.entries):
        if entry.main >= size or entry.main < 0:
            message = (
                f"{entry.name or 'an entry'} starts at word {entry.main}; the program has {size}"
            )
            found.problems.append(StructureProblem("pica.entry", 0, message))
            continue
        bounds = entry.main, _entry_end(entry, stated, found, ends, starts)
        procedures.setdefault(bounds, Procedure(*bounds)).entries.append(number)
    found.procedures = sorted(procedures.values(), key=lambda p: (p.start, -p.end))
    _nest(found, blocks)
    return found


def _outside(at: int, what: str, size: int) -> StructureProblem:
    return StructureProblem("pica.target", at, f"{what}; the program has {size}", "target")


def _nest(found: CodeStructure, blocks: list[ControlBlock]) -> None:
    """Nest the blocks in each other and in procedures; record those that overlap."""
    items: list[tuple[int, int, int, Procedure | ControlBlock]] = [
        (p.start, 0, -p.end, p) for p in found.procedures
    ]
    items += [(block.at, 1, -block.end, block) for block in blocks]
    items.sort(key=lambda item: item[:3])
    around: list[Procedure] = []  # procedures that contain the place
    open_: list[ControlBlock] = []  # blocks that do
    for start, _, _, item in items:
        while around and start >= around[-1].end:
            around.pop()
        while open_ and start >= open_[-1].end:
            open_.pop()
        outer = open_[-1] if open_ else None
        if isinstance(item, Procedure):
            _place_procedure(found, item, around, outer)
            continue
        limit = around[-1].end if around else len(found.code)
        if outer is not None:
            limit = min(limit, outer.middle if start < outer.middle else outer.end)
        if item.end > limit:
            name = found.code[start].name
            message = (
                f"{name} runs to word {item.end}, past the end of the enclosing block at {limit}"
            )
            found.problems.append(StructureProblem("pica.crossing", start, message, "target"))
            continue
        inside_if = outer is not None and not outer.is_loop and start >= outer.middle
        item.ifs = (outer.ifs - inside_if if outer else 0) + (not item.is_loop)
        item.loops = (outer.loops if outer else 0) + item.is_loop
        item.outer = outer
        siblings = outer.inner if outer else around[-1].blocks if around else found.loose
        siblings.append(item)
        found.blocks.append(item)
        open_.append(item)
    found.starts = [block.at for block in found.blocks]


def _place_procedure(
    found: CodeStructure, procedure: Procedure, around: list[Procedure], outer: ControlBlock | None
) -> None:
    """Place a procedure; one that begins inside another, or inside a block, shares its code."""
    start, end = procedure.start, procedure.end
    at = procedure.callers[0] if procedure.callers else start
    if around:
        message = f"words {start} to {end} also belong to the procedure at {around[-1].start}"
        found.problems.append(StructureProblem("pica.shared-code", at, message))
    if outer is not None and end > outer.end:
        message = f"the procedure from {start} to {end} overlaps the block at {outer.at}"
        found.problems.append(StructureProblem("pica.crossing", at, message))
    around.append(procedure)


def _entry_end(
    entry: Entry,
    stated: dict[int, int],
    found: CodeStructure,
    ends: dict[int, int],
    starts: list[int],
) -> int:
    """Return the end of an entry's code: the container's if it is valid, else as far as it reaches.

    If two shaders start at the same word, the container may contain the end of only one.
    """
    size = len(found.code)
    end = entry.end or stated[entry.main]
    if entry.main < end <= size:
        return end
    place = bisect_right(starts, entry.main)
    limit = min(starts[place], size) if place < len(starts) else size
    furthest = at = entry.main  # the furthest word known to be reached
    while at < limit:
        op = found.code[at].op
        furthest = max(furthest, ends.get(at, at), found.jumps.get(at, at))
        if op is not None and op.kind == "end" and at >= furthest:
            return at + 1
        at += 1
    return limit
