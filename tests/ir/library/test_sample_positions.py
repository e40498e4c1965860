"""Standard sample positions, their table in a kernel, and samples that do not exist."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.library.sample_positions import POSITIONS, TABLE, of_target, offset
from unshade.ir.lowered import RASTERIZER
from unshade.ir.memory import Space
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

# From the corner of the pixel, as Vulkan's specification lists the standard positions.
STANDARD = {
    1: [(0.5, 0.5)],
    2: [(0.75, 0.75), (0.25, 0.25)],
    4: [(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)],
    8: [
        (0.5625, 0.3125), (0.4375, 0.6875), (0.8125, 0.5625), (0.3125, 0.1875),
        (0.1875, 0.8125), (0.0625, 0.4375), (0.6875, 0.9375), (0.9375, 0.0625),
    ],
    16: [
        (0.5625, 0.5625), (0.4375, 0.3125), (0.3125, 0.625), (0.75, 0.4375),
        (0.1875, 0.375), (0.625, 0.8125), (0.8125, 0.6875), (0.6875, 0.1875),
        (0.375, 0.875), (0.5, 0.0625), (0.25, 0.125), (0.125, 0.75),
        (0.0, 0.5), (0.9375, 0.25), (0.875, 0.9375), (0.0625, 0.0),
    ],
}  # fmt: skip


def kernel() -> KernelIR:
    """Return a kernel in which each lane stores the count of samples and the place of its own."""
    found = KernelIR(group=(20, 1, 1))
    b = Builder(found)
    out = b.memory("out", Space.BUFFER, 12, writable=True)
    lane = b.source("thread_id.x")
    b.store(out, lane, 0, of_target(b))
    for at, value in enumerate(offset(b, lane)):
        b.store(out, lane, 4 + 4 * at, value)
    canonicalise(found)
    return found


@pytest.mark.parametrize("count", STANDARD)
def test_places_are_the_standard_ones(count: int) -> None:
    out = np.zeros((20, 3), np.float32)
    made = kernel()
    samples = np.array([count], np.uint32).view(np.uint8)
    held = {RASTERIZER: samples, "out": out.reshape(-1).view(np.uint8)}
    memories = {each.key: held[each.name] for each in made.memories if each.name in held}
    Lockstep().run(made, Launch(memories, (1, 1, 1)))
    assert out[:, 0].view(np.uint32).tolist() == [count] * 20
    places = [(x - 0.5, y - 0.5) for x, y in STANDARD[count]]
    assert [tuple(each) for each in out[:, 1:].tolist()] == places + [(0.0, 0.0)] * (20 - count)


@pytest.mark.fast
def test_the_table_has_the_samples_of_each_count_after_each_other() -> None:
    table = next(each for each in kernel().memories if each.name == TABLE)
    assert table.data is not None
    rows = list(struct.iter_unpack("<2f", table.data))
    assert (len(rows), table.count, table.stride) == (32, 32, 8)
    assert rows[0] == (0.0, 0.0)
    for count, places in STANDARD.items():
        assert rows[count : 2 * count] == [(x - 0.5, y - 0.5) for x, y in places]
    assert list(POSITIONS) == list(STANDARD)


def test_memories_are_declared_once() -> None:
    found = KernelIR(group=(1, 1, 1))
    b = Builder(found)
    lane = b.source("thread_id.x")
    for _ in range(2):
        offset(b, lane)
    assert sorted(each.name for each in found.memories) == sorted([RASTERIZER, TABLE])
