"""Counters of a running kernel: 64-bit words at the start of the scratch memory.

    invalid accesses, a word for each memory of the kernel | discarded lanes | work in loops

Counting happens off the usual path, so it costs nothing if all accesses are valid. Kernels with
very many accesses are different: LLVM's time grows with the number of blocks and stores, so they
have no extra blocks, and counters are kept in registers until the end. Each thread has its own
scratch memory; the counters are summed after the call. Only code that may be replaced counts its
work (vm/jit/tiers.py).
"""

from collections.abc import Iterable

import numpy as np

from ....ir.kernel import KernelIR
from ...launch import Array
from .addresses import MemoryRef
from .llvm_text import FunctionText


def size_of(kernel: KernelIR) -> int:
    """Return the size of all counters in bytes."""
    return 8 * (len(kernel.memories) + 2)


def tally(t: FunctionText, pointer: str, mask: str, none: str = "") -> None:
    """Add the number of a mask's lanes to a counter, unless `none` is true."""
    count = f"i{t.width}"
    lanes = t.call(count, f"llvm.ctpop.{count}", f"{count} {t.bits(mask)}")
    lanes = t.to_i64(lanes)
    if none:
        lanes = t.make(f"select i1 {none}, i64 0, i64 {lanes}")
    old = t.make(f"load i64, ptr {pointer}, align 8")
    t.put(f"store i64 {t.make(f'add i64 {old}, {lanes}')}, ptr {pointer}, align 8")


def tally_outside(t: FunctionText, ref: MemoryRef, mask: str, valid: str) -> None:
    """Count the lanes of a mask whose access is invalid."""
    tally(t, ref.outside, t.without(mask, valid))


def tally_uniform(
    t: FunctionText, ref: MemoryRef, mask: str, valid: str, pointer: str, other: str
) -> str:
    """Count all lanes of a mask if their uniform access is invalid.

    Returns:
        The pointer, or `other` if it is invalid.
    """
    if t.few_blocks:
        tally(t, ref.outside, mask, valid)
        return t.make(f"select i1 {valid}, ptr {pointer}, ptr {other}")
    start, none, done = t.block, t.label("none"), t.label("one")
    t.branch(valid, done, none, likely=True)
    t.begin(none)
    tally(t, ref.outside, mask)
    t.begin(done)
    return t.make(f"phi ptr [{pointer}, %{start}], [{other}, %{none}]")


def read_counts(kernel: KernelIR, scratch: Array) -> list[int]:
    """Return the counters of a thread."""
    found: list[int] = scratch[: size_of(kernel)].view(np.int64).tolist()
    return found


def sum_counts(kernel: KernelIR, found: Iterable[list[int]]) -> tuple[dict[str, int], int]:
    """Return the invalid accesses by memory and the number of discarded lanes, of all threads."""
    *outside, discarded, _ = map(sum, zip(*found, strict=True))
    both = zip(kernel.memories, outside, strict=True)
    return {memory.name: count for memory, count in both if count}, discarded
