"""What a debugger sees: traces, accesses outside, races, NaN, unwritten registers, coverage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import unshade
from tests.run.test_kernel import kernel, vectors
from unshade.ir.builder import Builder
from unshade.ir.kernel import Kernel as Code
from unshade.ir.lowered import Form, Lowered, Resource
from unshade.ir.memory import Space
from unshade.ir.types import F32, I32
from unshade.run import show
from unshade.run.debugger import Debugger
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug import Coverage


def made(write: Callable[[Builder], None], group: int = 4) -> Kernel:
    """A kernel of our own; its lines are the numbers that `write` gives the builder."""
    builder = Builder(Code("main", group=(group, 1, 1)))
    builder.memory("u0", Space.BUFFER, 4, writable=True)
    builder.memory("g0", Space.SHARED, 4, group)
    write(builder)
    resources = {
        "u0": Resource("u0", Form.RAW, 4, True),
        "g0": Resource("g0", Form.SHARED, 4, True),
    }
    lines = [f"line {number}" for number in range(1, 20)]
    return Kernel(Lowered(builder.kernel, resources, lines), None, Lockstep())


def looked_at(write: Callable[[Builder], None], groups: int = 1) -> Debugger:
    debugger = made(write).debug(0, coverage=Coverage())
    debugger.dispatch(groups, u0=np.zeros(16, np.uint32))
    return debugger


def told(debugger: Debugger) -> list[tuple[str, int, tuple[int, ...], int]]:
    return [
        (each.kind, each.line, each.thread, each.finding.other_line) for each in debugger.findings
    ]


# ---------------------------------------------------------------- traces


def test_a_trace_has_registers_before_and_after() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((3, 0, 0))
    debugger.dispatch(1, a=2.0, X=x, Y=y)
    entries = debugger.trace.entries
    assert [entry.line for entry in entries] == list(range(8, 20))
    multiply = entries[4]
    assert debugger.line(multiply.line) == "mul r0.x, cb0[0].xxxx, r0.xxxx"
    assert [(each.name, each.as_float) for each in multiply.reads] == [
        ("cb0[0].x", 2.0),
        ("r0.x", 3.0),
    ]
    (write,) = multiply.writes
    assert (write.name, write.as_float) == ("r0.x", 6.0)
    assert write.before == np.float32(3).view(np.uint32)
    store = entries[-2].writes[0]
    assert (store.name, store.as_float) == ("u1[3]", 7.0)
    assert entries[-1].notes == ["ends"]
    assert len([*debugger.trace.watch("r0")]) == 12
    assert debugger.trace.registers(4)["r0.x"].as_float == 6.0
    assert (y == 2 * x + 1).all()


@pytest.mark.slow
def test_a_trace_follows_its_lane_through_loops() -> None:
    mandel = kernel("mandel.dxbc")
    constants = {"_21_x0": -2.0, "_21_y0": -1.0, "_21_dx": 0.1, "_21_dy": 0.1, "_21_w": 32}
    counts = np.zeros(128, np.uint32)
    mandel.dispatch(2, P=constants, u0=counts)
    for lane in (0, 20, 127):
        debugger = mandel.debug(lane)
        debugger.dispatch(2, P=constants, u0=np.zeros(128, np.uint32))
        rounds = sum(entry.line == 20 for entry in debugger.trace.entries)
        stores = [
            each for each in debugger.trace.entries if debugger.line(each.line).startswith("store")
        ]
        assert rounds - 1 == counts[lane]
        assert stores[0].writes[0].bits == counts[lane]
        leaves = [entry.line for entry in debugger.trace.entries if "leaves" in entry.notes]
        assert len(leaves) == 1


def test_pixels_are_traced_by_place() -> None:
    gyroid = kernel("gyroid.dxbc").debug((5, 2))
    gyroid.shade((8, 6), resolution=[8, 6], time=0.0)
    first = gyroid.trace.entries[0]
    assert {each.name: each.as_float for each in first.reads}["v0.x"] == 5.5
    assert {each.name: each.as_float for each in first.reads}["v0.y"] == 2.5


def test_a_thread_that_is_not_there_is_said() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((64, 0, 0))
    debugger.dispatch(1, a=1, X=x, Y=y)
    with pytest.raises(unshade.UsageError, match=r"no call had the thread .* \(64, 0, 0\)"):
        _ = debugger.trace


# ---------------------------------------------------------------- findings


def test_accesses_outside_have_line_and_thread() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug()
    debugger.dispatch(1, a=2.0, X=x[:60], Y=y)
    (found,) = debugger.findings
    assert (found.kind, found.line, found.thread) == ("out-of-bounds", 11, (60, 0, 0))
    assert str(found) == (
        "out-of-bounds: t0[60] is outside: t0 has 60 elements; thread (60, 0, 0), 4 times\n"
        "    line 11: ld_structured r0.x, r0.xxxy, l(0), t0.xxxx"
    )
    assert [*show.findings(debugger)] == str(found).splitlines()


def test_the_first_nan_and_the_first_infinity_are_found() -> None:
    x, y = vectors()
    x[5], x[9] = np.nan, 3e38
    debugger = kernel("saxpy.dxbc").debug()
    debugger.dispatch(1, a=2.0, X=x, Y=y)
    assert told(debugger) == [("nan", 12, (5, 0, 0), 0), ("infinity", 12, (9, 0, 0), 0)]


def test_registers_that_nobody_wrote_are_found() -> None:
    def write(b: Builder) -> None:
        var = b.var("r0.x")
        lane = b.source("local_index")
        b.line = 1
        with b.when(b.ult(lane, 2)):
            b.set(var, 1)
        b.line = 2
        b.store(b.kernel.memories[0], lane, 0, b.get(var))

    debugger = looked_at(write)
    assert told(debugger) == [("uninitialised", 2, (2, 0, 0), 0)]
    assert debugger.findings[0].finding.count == 2


def racing(barrier: bool, atomic: bool = False) -> Callable[[Builder], None]:
    def write(b: Builder) -> None:
        out, shared = b.kernel.memories
        lane = b.source("local_index")
        b.line = 1
        if atomic:
            b.make("atomic_add", b.i32(0), b.i32(0), lane, attr=shared)
        else:
            b.store(shared, lane, 0, lane)
        b.line = 2
        if barrier:
            b.barrier(attr="group")
        b.line = 3
        if atomic:
            other = b.make("atomic_add", b.i32(0), b.i32(0), lane, attr=shared)
        else:
            other = b.load(shared, b.make("xor", lane, b.i32(1)), 0)
        b.line = 4
        b.store(out, lane, 0, other)

    return write


def test_races_name_both_lines() -> None:
    debugger = looked_at(racing(barrier=False), groups=2)
    assert told(debugger) == [("race", 3, (0, 0, 0), 1)]
    assert debugger.findings[0].other_thread == (1, 0, 0)
    assert "line 1: line 1, thread (1, 0, 0)" in str(debugger.findings[0])
    assert told(looked_at(racing(barrier=True), groups=2)) == []
    assert told(looked_at(racing(barrier=False, atomic=True))) == []


def test_two_lanes_that_write_one_place_race_with_each_other() -> None:
    def write(b: Builder) -> None:
        b.line = 5
        b.store(b.kernel.memories[1], b.i32(0), 0, b.source("local_index"))

    assert told(looked_at(write)) == [("race", 5, (1, 0, 0), 5)]


def test_a_barrier_that_some_lanes_miss_is_found() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        with b.when(b.ult(b.source("local_index"), 2)):
            b.line = 2
            b.barrier(attr="group")

    assert told(looked_at(write)) == [("barrier", 2, (0, 0, 0), 0)]


@pytest.mark.slow
def test_the_tiles_of_a_product_do_not_race() -> None:
    random = np.random.default_rng(1)
    a, b = (random.random((64, 64), np.float32) for _ in range(2))
    debugger = kernel("matmul.dxbc").debug((1, 1))
    debugger.dispatch((1, 1), _54_n=64, t0=a, t1=b, u2=np.zeros((64, 64), np.float32))
    assert debugger.findings == []


# ---------------------------------------------------------------- coverage


def test_coverage_counts_lanes_lines_and_ways() -> None:
    def write(b: Builder) -> None:
        out = b.kernel.memories[0]
        lane = b.source("local_index")
        b.line = 1
        condition = b.ult(lane, 3)
        b.line = 2
        with b.when(condition) as it:
            b.line = 3
            b.store(out, lane, 0, lane)
        with b.within(it.otherwise):
            b.line = 4
            b.store(out, lane, 0, b.i32(9))
        b.line = 5
        switch = b.switch(b.iadd(lane, 0))
        for label in (1, 7):
            with b.case(switch, label):
                b.line = 5 + label
                b.store(out, b.i32(label), 0, lane)
        b.line = 15
        b.make("return")

    debugger = looked_at(write, groups=2)
    assert debugger.coverage is not None
    assert debugger.coverage.lines == {1: 8, 3: 6, 4: 2, 5: 8, 6: 2, 12: 0, 15: 8}
    ways = {line: (each.words, each.ways) for (line, _), each in debugger.coverage.branches.items()}
    assert ways == {2: (["yes", "no"], [6, 2]), 5: (["1", "7", "none"], [2, 0, 6])}


@pytest.mark.slow
def test_coverage_counts_the_lanes_that_leave() -> None:
    coverage = Coverage()
    debugger = kernel("mandel.dxbc").debug(coverage=coverage)
    constants = {"_21_x0": -2.0, "_21_y0": -1.0, "_21_dx": 0.1, "_21_dy": 0.1, "_21_w": 32}
    debugger.dispatch(4, P=constants, u0=np.zeros(256, np.uint32))
    branches = [branch for branch in coverage.branches.values() if branch.ways[0]]
    assert sum(branch.ways[0] for branch in branches) == 256  # each lane leaves once
    for branch in branches:
        assert coverage.lines[branch.line] == sum(branch.ways)
        assert coverage.lines[branch.line + 1] == branch.ways[0]  # the break behind it


def test_types_of_the_ir_are_seen_through() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        value = b.fdiv(b.f32(1.0), b.asfloat(b.source("local_index"), type=F32))
        b.store(b.kernel.memories[0], b.source("local_index"), 0, b.asint(value, type=I32))

    assert told(looked_at(write)) == [("infinity", 1, (0, 0, 0), 0)]
