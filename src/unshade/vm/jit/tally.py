"""What is counted while a kernel runs: 64-bit words at the start of the scratch memory.

    accesses that were not valid, a word for each memory of the kernel | lanes that were discarded

Counting stands beside the way that valid accesses take, so it costs nothing where all are. Each
thread has its own scratch memory; the words are added up behind the call.
"""

from collections.abc import Iterable

import numpy as np

from ...ir.kernel import Kernel
from ..launch import Array
from .addresses import Room
from .text import Text


def size_of(kernel: Kernel) -> int:
    """Bytes of all words."""
    return 8 * (len(kernel.memories) + 1)


def tally(t: Text, pointer: str, mask: str) -> None:
    """Add the number of a mask's lanes to a word."""
    count = f"i{t.width}"
    lanes = t.call(count, f"llvm.ctpop.{count}", f"{count} {t.bits(mask)}")
    if t.width < 64:
        lanes = t.make(f"zext {count} {lanes} to i64")
    old = t.make(f"load i64, ptr {pointer}, align 8")
    t.put(f"store i64 {t.make(f'add i64 {old}, {lanes}')}, ptr {pointer}, align 8")


def tally_one(t: Text, room: Room, mask: str, valid: str) -> str:
    """Count all lanes of a mask where their one place does not exist; gives the block for that."""
    none, done = t.label("none"), t.label("one")
    t.branch(valid, done, none, likely=True)
    t.begin(none)
    tally(t, room.outside, mask)
    t.begin(done)
    return none


def tally_outside(t: Text, room: Room, mask: str, valid: str) -> None:
    """Count the lanes of a mask whose place does not exist."""
    some, done = t.label("outside"), t.label("counted")
    failed = t.without(mask, valid)
    t.branch(t.any(failed), some, done, likely=False)
    t.begin(some)
    tally(t, room.outside, failed)
    t.begin(done)


def words(kernel: Kernel, scratch: Array) -> list[int]:
    """The words that a thread leaves."""
    found: list[int] = scratch[: size_of(kernel)].view(np.int64).tolist()
    return found


def counted(kernel: Kernel, found: Iterable[list[int]]) -> tuple[dict[str, int], int]:
    """(accesses that were not valid by memory, lanes discarded), of all threads."""
    *outside, discarded = map(sum, zip(*found, strict=True))
    both = zip(kernel.memories, outside, strict=True)
    return {memory.name: count for memory, count in both if count}, discarded
