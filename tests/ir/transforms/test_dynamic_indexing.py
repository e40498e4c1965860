"""Dynamic indexing in lanes that choose differently."""

from dataclasses import replace
from typing import Any

import numpy as np

from tests.ir.library.images import Image, engines
from tests.oracle.verify import check
from tests.vm.engines import same, words
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Switch, Value
from unshade.ir.library.sampling import Address, Filter, SamplerState
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Memory, Space
from unshade.ir.ops import OPS
from unshade.ir.printing import print_kernel
from unshade.ir.textures import Action, Level, Sample, Shape
from unshade.ir.transforms import dynamic_indexing
from unshade.ir.transforms.dynamic_indexing import MemoryPointer, each_of, one_of
from unshade.ir.types import F32
from unshade.vm.launch import Launch
from unshade.vm.prepare import prepare

POINT = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT)


def test_each_lane_runs_its_case() -> None:
    b = Builder(KernelIR(group=(5, 1, 1)))
    own = b.source("thread_id_in_group_flattened")
    memories = [b.memory(f"u{number}", Space.BUFFER, 4, writable=True) for number in range(4)]
    each_of(b, own, (1, 3), lambda number: b.store(memories[number], own, 0, b.i32(number)))
    left = same(print_kernel(check(b.kernel)), {each.name: words(*[9] * 5) for each in memories})
    assert left == {
        "u0": words(9, 9, 9, 9, 9),
        "u1": words(9, 1, 9, 9, 9),
        "u2": words(9, 9, 9, 9, 9),
        "u3": words(9, 9, 9, 3, 9),
    }


def test_a_value_for_each_number_and_a_default() -> None:
    b = Builder(KernelIR(group=(5, 1, 1)))
    own = b.source("thread_id_in_group_flattened")
    out = b.memory("u0", Space.BUFFER, 4, writable=True)

    def make(number: int) -> Value:
        return b.iadd(own, 10 * number)

    first = one_of(b, own, (1, 4), make, b.i32(-1))
    second = one_of(b, b.isub(own, 1), (1, 3), make, first)  # its name is another variable's
    b.store(out, own, 0, second)
    left = same(print_kernel(check(b.kernel)), {"u0": words(*[0] * 5)})
    assert left["u0"] == words(-1, 11, 12, -1, 34)


def pointed(count: int) -> tuple[Builder, dict[int, Memory], Value, Value]:
    """Return a kernel whose lanes select one of memories 2, 3, … by a word of `which`."""
    b = Builder(KernelIR(group=(8, 1, 1)))
    memories = {n: b.memory(f"u{n}", Space.BUFFER, 4 * n, writable=True) for n in range(2, count)}
    lane = b.source("thread_id_in_group_flattened")
    which = b.load(b.memory("which", Space.BUFFER, 4), lane, 0)
    return b, memories, lane, which


WHICH = words(2, 3, 2, 0, 3, 4, -1, 2)


def test_lanes_read_different_memories() -> None:
    b, memories, lane, which = pointed(4)
    place = MemoryPointer(memories, which, b.and_(lane, 1), b.i32(4))
    out = b.memory("out", Space.BUFFER, 8, writable=True)
    b.store(out, lane, 0, dynamic_indexing.load(b, place))
    b.store(out, lane, 4, dynamic_indexing.count(b, place))
    given = {"u2": words(20, 21, 22, 23), "u3": words(*range(30, 39)), "which": WHICH}
    left = same(print_kernel(check(b.kernel)), {**given, "out": bytes(64)})
    # Memory 2 has two elements of two words, memory 3 three of three; the others do not exist.
    assert left["out"] == words(21, 2, 34, 3, 21, 2, 0, 0, 31, 3, 0, 0, 0, 0, 23, 2)


def test_lanes_write_different_memories() -> None:
    b, memories, lane, which = pointed(4)
    place = MemoryPointer(memories, which, lane, b.i32(0))
    dynamic_indexing.store(b, place, b.iadd(lane, 100))
    out = b.memory("out", Space.BUFFER, 4, writable=True)
    changed = place.at(b.i32(0), b.i32(4))
    found = dynamic_indexing.atomic(b, OPS.atomic_umax, changed, b.i32(7))
    b.store(out, lane, 0, found)
    given = {"u2": bytes(64), "u3": bytes(96), "which": WHICH, "out": words(*[9] * 8)}
    left = same(print_kernel(check(b.kernel)), given)
    assert left["u2"] == words(100, 7, 0, 0, 102, 0, *[0] * 8, 107, 0)
    assert left["u3"] == words(0, 7, 0, 101, 0, 0, *[0] * 6, 104, *[0] * 11)
    assert left["out"] == words(0, 0, 7, 0, 7, 0, 0, 7)


def test_a_pointer_is_chosen_and_kept() -> None:
    """Like variable pointers: one of two locations, in memories of different strides."""
    b, memories, lane, _ = pointed(4)
    one = MemoryPointer({2: memories[2]}, b.i32(2), lane, b.i32(4))
    other = MemoryPointer({3: memories[3]}, b.i32(3), b.i32(1), b.i32(8))
    place = dynamic_indexing.chosen(b, b.ult(lane, 2), one, other)
    out = b.memory("out", Space.BUFFER, 4, writable=True)
    b.store(out, lane, 0, dynamic_indexing.load(b, place))
    given = {"u2": words(20, 21, 22, 23), "u3": words(*range(30, 39)), "which": WHICH}
    left = same(print_kernel(check(b.kernel)), {**given, "out": bytes(32)})
    assert left["out"] == words(21, 23, *[35] * 6)


def test_a_constant_number_needs_no_switch() -> None:
    b, memories, lane, _ = pointed(4)
    for number in (3, 9):
        place = MemoryPointer(memories, b.i32(number), lane, b.i32(0))
        dynamic_indexing.store(b, place, dynamic_indexing.load(b, place))
    assert not any(isinstance(each, Switch) for each in b.kernel.body)
    assert [each.attr for each in b.kernel.values() if each.op is OPS.store] == [memories[3]]


def test_code_grows_linearly_with_the_choices() -> None:
    def size(count: int) -> int:
        b, memories, lane, which = pointed(count)
        place = MemoryPointer(memories, which, lane, b.i32(0))
        dynamic_indexing.store(b, place, dynamic_indexing.load(b, place))
        return len([*b.kernel.values()])

    assert size(34) - size(18) == 2 * (size(18) - size(10))


def test_lanes_sample_different_textures() -> None:
    b = Builder(KernelIR(group=(4, 1, 1)))
    textures = {n: b.texture(f"t{n}", Shape.D2, F32) for n in (1, 2)}
    samplers = {n: b.sampler(f"s{n}") for n in (5, 6)}
    lane = b.source("thread_id_in_group_flattened")
    out = b.memory("out", Space.BUFFER, 16, writable=True)
    how = Sample(Action.SAMPLE, textures[1], samplers[5], level=Level.EXPLICIT)
    found = dynamic_indexing.sample(
        b, textures, b.iadd(b.ushr(lane, 1), 1), how, b.f32(2.0), b.f32(0.5), b.f32(0.0),
        samplers=samplers, which_sampler=b.iadd(b.and_(lane, 1), 5),
    )  # fmt: skip
    for at, each in enumerate(found):
        b.store(out, lane, 4 * at, each)
    check(b.kernel)
    images = {n: Image([np.full((1, 4), float(n), np.float32)], (1, 1, 1)) for n in (1, 2)}
    border = replace(POINT, address=(Address.BORDER,) * 3, border=(5.0,) * 4)
    states = {"s5": POINT, "s6": border}
    for name, engine, simplified in engines():
        state = {f"t{n}": image.state for n, image in images.items()}
        kernel = prepare(Lowered(b.kernel), state, states, simplified=simplified)
        memories: dict[str, Any] = {"out": np.zeros(16, np.float32)}
        for n, image in images.items():
            memories |= image.memories(f"t{n}")
        own = {at: np.array(data).view(np.uint8) for at, data in memories.items()}
        engine.run(kernel, Launch(own))
        assert own["out"].view(np.float32).tolist()[::4] == [1.0, 5.0, 2.0, 5.0], name
