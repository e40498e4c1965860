"""What is counted while a kernel runs: 64-bit words at the start of the scratch memory.

    accesses that were not valid, a word for each memory of the kernel | lanes that were discarded

Counting stands beside the way that most valid accesses take, so it costs nothing where all are; but
not in kernels with very many accesses: blocks and stores are what LLVM takes long for, so there are
none, and the words are registers until the end. Each thread has its own scratch memory; the words
are added up behind the call.
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


def tally(t: Text, pointer: str, mask: str, none: str = "") -> None:
    """Add the number of a mask's lanes to a word, but nothing where `none` is true."""
    count = f"i{t.width}"
    lanes = t.call(count, f"llvm.ctpop.{count}", f"{count} {t.bits(mask)}")
    lanes = t.long(lanes)
    if none:
        lanes = t.make(f"select i1 {none}, i64 0, i64 {lanes}")
    old = t.make(f"load i64, ptr {pointer}, align 8")
    t.put(f"store i64 {t.make(f'add i64 {old}, {lanes}')}, ptr {pointer}, align 8")


def tally_outside(t: Text, room: Room, mask: str, valid: str) -> None:
    """Count the lanes of a mask whose place does not exist."""
    tally(t, room.outside, t.without(mask, valid))


def tally_one(t: Text, room: Room, mask: str, valid: str, pointer: str, other: str) -> str:
    """Count all lanes of a mask where their one place does not exist; gives the pointer, or the
    other one there.
    """
    if t.plain:
        tally(t, room.outside, mask, valid)
        return t.make(f"select i1 {valid}, ptr {pointer}, ptr {other}")
    start, none, done = t.block, t.label("none"), t.label("one")
    t.branch(valid, done, none, likely=True)
    t.begin(none)
    tally(t, room.outside, mask)
    t.begin(done)
    return t.make(f"phi ptr [{pointer}, %{start}], [{other}, %{none}]")


def words(kernel: Kernel, scratch: Array) -> list[int]:
    """The words that a thread leaves."""
    found: list[int] = scratch[: size_of(kernel)].view(np.int64).tolist()
    return found


def counted(kernel: Kernel, found: Iterable[list[int]]) -> tuple[dict[str, int], int]:
    """(accesses that were not valid by memory, lanes discarded), of all threads."""
    *outside, discarded = map(sum, zip(*found, strict=True))
    both = zip(kernel.memories, outside, strict=True)
    return {memory.name: count for memory, count in both if count}, discarded
