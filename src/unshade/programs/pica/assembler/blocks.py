"""Code generation: blocks, the nops at their ends, and the targets of calls and jumps.

    .proc  name … .end             a procedure: start and length
    for iN      … .end             DST is the last word of the body
    ifc cond    … .end             DST is the word after the block
    ifu bN      … .else … .end     DST is the first word of the else part, NUM its length

The hardware detects the end of a block by the next address, one block at a time. As in picasso, a
`nop` is inserted where two blocks would end at the same word, after a call or jump (in a loop, a
break) at the end of a block, and in an empty block. With `-n` there is a warning instead.

Source: 3dbrew on control flow; picasso's output for generated sources.
"""

from enum import Enum

from ....errors import AssembleError
from ....isa.source import Location
from ..tables.fields import Format2, Format3
from ..tables.ops import BY_OPCODE, OPS
from .assembly import DeclaredProcedure, SourceWarning

__all__ = ["DEEPEST", "BlockKind", "CodeBuilder", "OpenBlock"]

DEEPEST = 32
LONGEST = 1023  # NUM as picasso writes it; readers use eight bits
READ = 255
WORDS = 4096  # range of DST
NOP = OPS["nop"].code << 26
TARGET = Format2.target  # the same bits in every format that has one
NUM = Format3.num.mask | Format3.num_high.mask << Format3.num_high.low
JUMPS = frozenset({"call", "jump"})


class BlockKind(Enum):
    """The kinds of blocks that `.end` closes."""

    PROC = ".proc"
    LOOP = "for"
    IF = "if"
    ARRAY = ".constfa"


class OpenBlock:
    """An open block, from its first word on, which for `for` and `if` is the instruction itself."""

    __slots__ = ("else_at", "guessed", "kind", "name", "place", "start")

    def __init__(self, kind: BlockKind, start: int, place: Location, *, guessed: bool) -> None:
        self.kind = kind
        self.start = start
        self.place = place
        self.guessed = guessed  # the line that opens it was invalid
        self.name = ""
        self.else_at: int | None = None


class CodeBuilder:
    """The words of all sources, with the open blocks and the known procedures."""

    def __init__(self, *, nops: bool, exact: bool, warnings: list[SourceWarning]) -> None:
        self.words: list[int] = []
        self.places: list[Location] = []  # of the words
        self.blocks: list[OpenBlock] = []
        self.procedures: dict[str, DeclaredProcedure] = {}
        self.calls: list[tuple[int, str, Location]] = []
        self.nops = nops
        self.exact = exact
        self.warnings = warnings
        self._after_block = False  # a block ended at the previous line

    @property
    def here(self) -> int:
        """The number of the next word."""
        return len(self.words)

    def emit(self, word: int, place: Location) -> None:
        """Append a word."""
        self.words.append(word)
        self.places.append(place)
        self._after_block = False

    def open(
        self, kind: BlockKind, place: Location, *, back: int = 0, guessed: bool = False
    ) -> None:
        """Open a block that begins `back` words before the next one."""
        self.blocks.append(OpenBlock(kind, self.here - back, place, guessed=guessed))
        if len(self.blocks) > DEEPEST:
            raise place.error(f"expected at most {DEEPEST} nested blocks, got more")

    def begin_else(self, place: Location) -> None:
        """Begin the else part of the innermost block."""
        block = self.blocks[-1] if self.blocks else None
        if block is None or block.kind is not BlockKind.IF:
            raise place.error(".else without an ifc or ifu before it")
        if block.else_at is not None:
            raise place.error("this block already has an .else")
        if self._after_block or self._ends_with_jump() or self.here - block.start < 2:
            self._pad(place)
        block.else_at = self.here
        self._target(block.start, self.here)

    def end(self, place: Location) -> OpenBlock:
        """Close the innermost block and return it."""
        if not self.blocks:
            raise place.error(".end without a block")
        block = self.blocks.pop()
        if block.kind is BlockKind.ARRAY:
            return block
        if self._needs_nop(block):
            self._pad(place)
        if block.kind is BlockKind.PROC:
            self._procedure(block)
        elif block.kind is BlockKind.LOOP:
            self._target(block.start, self.here - 1)
        elif block.else_at is None:
            self._target(block.start, self.here)
        else:
            self._length(block.start, self.here - block.else_at, place)
        self._after_block = block.kind is not BlockKind.PROC
        return block

    # ------------------------------------------------------------ ends

    def _needs_nop(self, block: OpenBlock) -> bool:
        if self._after_block:
            return True
        if not self.words:
            return False
        if self._ends_with_jump():
            return True
        if block.kind is BlockKind.LOOP and self._kind_of_last() == "break":
            return True
        return self.here - block.start < (1 if block.kind is BlockKind.PROC else 2)

    def _ends_with_jump(self) -> bool:
        return self._kind_of_last() in JUMPS

    def _kind_of_last(self) -> str:
        op = BY_OPCODE[self.words[-1] >> 26]
        return op.kind if op else ""

    def _pad(self, place: Location) -> None:
        if self.nops:
            self.words.append(NOP)
            self.places.append(place)
        elif not self.exact:
            message = "the hardware needs a nop before this"
            self.warnings.append(SourceWarning("pica.source-nop", place, message))
        self._after_block = False

    def _procedure(self, block: OpenBlock) -> None:
        if block.name:  # otherwise its first line was invalid
            size = self.here - block.start
            self.procedures[block.name] = DeclaredProcedure(block.name, block.start, size)

    # ------------------------------------------------------------ targets

    def _target(self, at: int, target: int) -> None:
        self.words[at] = TARGET.put(self.words[at], target & TARGET.mask)

    def _length(self, at: int, length: int, place: Location) -> None:
        if length > LONGEST:
            raise place.error(f"expected at most {LONGEST} words, got {length}")
        if length > READ:
            message = f"{length} words: hardware and emulators read {length & READ}"
            self.warnings.append(SourceWarning("pica.source-length", place, message))
        self.words[at] = self.words[at] & ~NUM | length

    def jump(self, at: int, target: int) -> None:
        """Set the target of the jump at word `at`."""
        self._target(at, target)

    def resolve_calls(self) -> list[AssembleError]:
        """Set the target of each call; return an error for each unknown procedure."""
        errors = []
        for at, name, place in self.calls:
            known = self.procedures.get(name)
            if known is None:
                errors.append(place.unknown("procedure", name, self.procedures))
                continue
            self._target(at, known.start)
            try:
                self._length(at, known.size, place)
            except AssembleError as error:
                errors.append(error)
        return errors
