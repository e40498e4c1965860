"""The last lane that wrote each word of a memory."""

from __future__ import annotations

import numpy as np

from tests.vm.lockstep.debug.kernels import made
from unshade.ir.builder import Builder
from unshade.vm.launch import Launch, by_label
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug.writers import Writers


def test_the_last_writer_of_each_word() -> None:
    """Lane n writes word n + 1; then lanes 2 and 3 write word 0; nothing else is touched."""

    def write(b: Builder) -> None:
        out = b.kernel.memories[0]
        lane = b.source("thread_id.x")
        b.store(out, b.iadd(lane, 1), 0, lane)
        with b.when(b.ule(2, lane)):
            b.store(out, 0, 0, lane)
        b.store(out, 1000, 0, lane)
        b.store(b.kernel.memories[1], b.source("thread_id_in_group_flattened"), 0, lane)

    kernel = made(write).lowered.kernel
    memories = {each.name: np.zeros(4 * 12, np.uint8) for each in kernel.memories[:1]}
    writers = Writers()
    Lockstep().run(kernel, Launch(by_label(kernel.memories, memories), (2, 1, 1)), writers)
    (lanes,) = writers.lanes.values()
    assert lanes[1:].tolist() == [*range(8), -1, -1, -1]
    assert lanes[0] in range(2, 8)
