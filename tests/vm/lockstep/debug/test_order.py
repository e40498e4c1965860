"""Accesses whose order may decide what a kernel writes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.vm.lockstep.debug.kernels import made
from unshade.ir.builder import Builder
from unshade.ir.memory import Memory
from unshade.run.execution import Execution
from unshade.run.kernels import Kernel
from unshade.vm.lockstep.debug.order import TouchedWords, WatchedLockstep

Write = Callable[[Builder, Memory, Memory], None]


def matters(write: Write, groups: int = 1) -> bool:
    """Whether the order of four lanes a group matters to what `write` makes of u0 and g0."""

    def body(b: Builder) -> None:
        buffer, shared = b.kernel.memories
        write(b, buffer, shared)

    watched = WatchedLockstep()
    Kernel(Execution(made(body).program, watched)).dispatch(groups, u0=np.zeros(16, np.uint32))
    return watched.matters


LANE = "thread_id_in_group_flattened"


def own(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.store(buffer, b.source(LANE), 0, b.i32(1))


def one_place(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.store(buffer, b.i32(3), 0, b.source(LANE))


def one_lane(b: Builder, buffer: Memory, shared: Memory) -> None:
    with b.when(b.ieq(b.source(LANE), 2)):
        b.store(buffer, b.i32(3), 0, b.i32(1))


def read_by_others(b: Builder, buffer: Memory, shared: Memory) -> None:
    one_lane(b, buffer, shared)
    b.store(shared, b.source(LANE), 0, b.load(buffer, b.i32(3), 0))


def read_only(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.store(shared, b.source(LANE), 0, b.load(buffer, b.i32(3), 0))


def added(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.atomic_add(b.i32(0), b.i32(0), b.i32(1), attr=buffer)


def added_and_read(b: Builder, buffer: Memory, shared: Memory) -> None:
    old = b.atomic_add(b.i32(0), b.i32(0), b.i32(1), attr=buffer)
    b.store(shared, b.source(LANE), 0, old)


def exchanged(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.atomic_xchg(b.i32(0), b.i32(0), b.source(LANE), attr=buffer)


def passed_on(b: Builder, buffer: Memory, shared: Memory) -> None:
    lane = b.source(LANE)
    b.store(shared, lane, 0, lane)
    b.barrier(attr="group")
    b.store(buffer, lane, 0, b.load(shared, b.xor(lane, b.i32(1)), 0))


def passed_on_too_early(b: Builder, buffer: Memory, shared: Memory) -> None:
    lane = b.source(LANE)
    b.store(shared, lane, 0, lane)
    b.store(buffer, lane, 0, b.load(shared, b.xor(lane, b.i32(1)), 0))


def outside(b: Builder, buffer: Memory, shared: Memory) -> None:
    b.store(buffer, b.i32(999), 0, b.source(LANE))


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (own, False), (one_place, True), (one_lane, False), (read_by_others, True),
        (read_only, False), (added, False), (added_and_read, True), (exchanged, True),
        (passed_on, False), (passed_on_too_early, True), (outside, False),
    ],
)  # fmt: skip
def test_the_order_of_lanes_matters(write: Write, expected: bool) -> None:
    assert matters(write) is expected


def test_lanes_of_two_groups_that_write_one_element() -> None:
    assert matters(own, groups=2)
    assert not matters(passed_on_in_a_group, groups=2)


def passed_on_in_a_group(b: Builder, buffer: Memory, shared: Memory) -> None:
    """Shared memory is each group's own, and the element each thread's."""
    lane = b.source(LANE)
    b.store(shared, lane, 0, lane)
    b.barrier(attr="group")
    place = b.iadd(lane, b.imul(b.source("thread_group_id.x"), b.i32(4)))
    b.store(buffer, place, 0, b.load(shared, b.xor(lane, b.i32(1)), 0))


def test_words_between_two_lanes() -> None:
    words = TouchedWords()
    load, store = words.bit("load", used=False), words.bit("store", used=False)
    words.add(np.array([5, 6]), np.array([0, 1]), store)
    assert not words.matter()
    words.add(np.array([5]), np.array([0]), load)
    assert not words.matter()
    words.add(np.array([6]), np.array([2]), load)
    assert words.matter()


def test_memory_that_is_touched_further_and_further_is_seldom_copied() -> None:
    """Growing by one word for each step would copy the whole at each of them."""
    touched = TouchedWords()
    sizes = set()
    for word in range(1000):
        touched.add(np.array([word]), np.array([word % 2]), np.uint64(1))
        sizes.add(len(touched.lane))
    assert len(sizes) <= 11
    assert touched.lane[:1000].tolist() == [0, 1] * 500
