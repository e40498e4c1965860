"""Traces and findings: accesses outside, races, NaN, unwritten registers, coverage."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import numpy as np
import pytest

import unshade
from tests.fixtures.ramp import ramp
from tests.run.examples import kernel, vectors
from unshade import UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.locations import SymbolName
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Space
from unshade.ir.types import F32
from unshade.run.debugging import trace_view
from unshade.run.debugging.breakpoints import hits, parse
from unshade.run.debugging.debugger import Debugger
from unshade.run.kernels import Kernel
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug import Coverage, Trace


def made(write: Callable[[Builder], None], group: int = 4) -> Kernel:
    """A kernel of our own; its lines are the numbers that `write` gives the builder."""
    builder = Builder(Code("main", group=(group, 1, 1)))
    builder.memory("u0", Space.BUFFER, 4, writable=True).raw = True
    builder.memory("g0", Space.SHARED, 4, group).raw = True
    write(builder)
    resources = {
        "u0": LoweredResource("u0", Form.RAW, 4, True),
        "g0": LoweredResource("g0", Form.SHARED, 4, True),
    }
    lines = [f"line {number}" for number in range(1, 20)]
    return Kernel(Lowered(builder.kernel, [*resources.values()], lines), None, Lockstep())


def looked_at(write: Callable[[Builder], None], groups: int = 1) -> Debugger:
    debugger = made(write).debug(0, coverage=Coverage())
    debugger.dispatch(groups, u0=np.zeros(16, np.uint32))
    return debugger


def findings_of(debugger: Debugger) -> list[tuple[str, int, tuple[int, ...], int]]:
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
    debugger = unshade.kernel(unshade.loads(ramp())).debug((5, 2))
    debugger.shade((8, 6))
    first = debugger.trace.entries[0]
    assert {each.name: each.as_float for each in first.reads}["v0.x"] == 5.5
    assert {each.name: each.as_float for each in first.reads}["v0.y"] == 2.5


def test_a_thread_that_does_not_exist_is_refused() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((64, 0, 0))
    debugger.dispatch(1, a=1, X=x, Y=y)
    with pytest.raises(
        unshade.UsageError, match=r"no such thread: \(64, 0, 0\); expected x 0 to 63"
    ):
        _ = debugger.trace
    with pytest.raises(unshade.UsageError, match="no such thread: 3; nothing has run"):
        _ = kernel("saxpy.dxbc").debug(3).trace
    debugger = unshade.kernel(unshade.loads(ramp())).debug((9, 2))
    debugger.shade((9, 3))
    with pytest.raises(
        unshade.UsageError, match=r"no such pixel: \(9, 2\); expected x 0 to 8, y 0 to 2"
    ):
        _ = debugger.trace


def test_places_have_the_names_of_the_source() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug(3)
    debugger.dispatch(1, a=2.0, X=x, Y=y)
    labels = {each.name: each.label for entry in debugger.trace.entries for each in
              (*entry.reads, *entry.writes) if each.label}  # fmt: skip
    assert labels == {"t0[3]": "X[3]", "cb0[0].x": "P.a", "u1[3]": "Y[3]"}
    assert "vThreadID.x" in {each.name for each in debugger.trace.entries[0].reads}
    assert len([*debugger.trace.watch("Y")]) == len([*debugger.trace.watch("u1")]) == 1
    assert len([*debugger.trace.watch("r0.xy")]) == 10
    assert len([*debugger.trace.watch("u1[30]")]) == 0


def test_names_reach_into_structures_arrays_and_matrices() -> None:
    phong = kernel("phong.dxbc")
    places = phong.debug().places
    (memory,) = (each for each in phong.lowered.kernel.memories if each.name == "cb0")
    assert places.label(memory, 2, 4) == ("U.u_l[1].p.y", "float")
    assert places.label(memory, 9, 0) == ("U.u_n", "int")
    assert places.label(memory, 9, 4) == ("", "")
    skinning = kernel("skinning.dxbc")
    (memory,) = (each for each in skinning.lowered.kernel.memories if each.name == "cb0")
    matrix = next(
        each
        for each in skinning.bindings[0].buffer.variables  # type: ignore[union-attr]
        if each.type.rows == 4
    )
    label, kind = skinning.debug().places.label(memory, matrix.offset // 16 + 1, 8)
    assert kind == "float"
    assert label.rpartition(".")[2] in ("_m21", "_m12")


def test_vertices_have_semantics_and_internal_ports_are_hidden() -> None:
    debugger = kernel("billboards.dxbc").debug(1)
    debugger.expand(
        {"POSITION": np.ones((3, 1, 3), "f4"), "SIZE": np.ones((3, 1), "f4"),
         "COLOR": np.ones((3, 1, 4), "f4")},
        Camera={"view_projection": np.eye(4), "right": [1, 0, 0], "up": [0, 1, 0]},
    )  # fmt: skip
    first = debugger.trace.entries[0]
    assert [(each.name, each.label) for each in first.reads] == [("v[0][0].w", "SIZE[0]")]
    emit = next(each for each in debugger.trace.entries if debugger.line(each.line)[:4] == "emit")
    assert emit.notes == []
    names = {each.name.partition(".")[2] for each in (*emit.reads, *emit.writes)}
    assert names <= set("xyzw")


def test_bits_are_shown_in_the_type_of_their_use() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug(3)
    debugger.dispatch(1, a=2.0, X=x, Y=y)
    entries = debugger.trace.entries
    assert {each.kind for each in entries[0].writes} == {"uint"}
    assert [trace_view.value(each) for each in entries[4].writes] == ["6.0"]
    assert [trace_view.kind_of(trace_view.before(each)) for each in entries[3].writes] == ["uint"]  # type: ignore[arg-type]
    assert entries[0].writes[0].before is None


def test_types_of_bits_come_from_later_uses() -> None:
    def write(b: Builder) -> None:
        one, other = b.var("r0.x"), b.var("r1.x")
        b.line = 1
        b.set(one, b.i32(0))
        b.line = 2
        b.set(other, b.get(one))
        b.line = 3
        b.set(other, b.asint(b.fadd(b.asfloat(b.get(other)), 1.0)))
        b.line = 4
        b.store(b.kernel.memories[0], b.i32(0), 0, b.get(other))

    debugger = looked_at(write)
    kinds = [each.kind for entry in debugger.trace.entries for each in entry.writes]
    assert kinds == ["float"] * 4


def turning(times: int) -> Callable[[Builder], None]:
    """A loop of lines 1 to 4 that goes round so often."""

    def write(b: Builder) -> None:
        count = b.var("r0.x")
        b.line = 1
        b.set(count, b.i32(0))
        b.line = 2
        with b.loop():
            b.line = 3
            b.set(count, b.iadd(b.get(count), 1))
            b.line = 4
            condition = b.ieq(b.get(count), times)
            with b.when(condition, branch=True):
                b.line = 5
                b.break_()
        b.line = 7
        b.return_()

    return write


def test_loops_show_their_first_and_last_iterations() -> None:
    debugger = looked_at(turning(20))
    entries = debugger.trace.entries
    assert [each.loops for each in entries[:3]] == [(), ((2, 1),), ((2, 1),)]
    assert entries[-1].loops == ()
    assert entries[2].notes == ["not taken"]
    assert entries[-3].notes == ["taken"]
    lines = [*trace_view.text(trace_view.trace(debugger))]
    heads = [line for line in lines if "// iteration" in line]
    assert heads == [f"    2  line 2    // iteration {number}" for number in (1, 2, 3, 19, 20)]
    assert "       … iterations 4 to 18 of the loop of line 2" in lines
    every = [*trace_view.text(trace_view.trace(debugger, every=True))]
    assert sum("// iteration" in line for line in every) == 20


@pytest.mark.slow
def test_a_loop_without_end_stops_early_and_is_named() -> None:
    debugger = made(turning(-1)).debug(1)
    with pytest.raises(unshade.LimitError) as caught:
        debugger.dispatch(1, u0=np.zeros(16, np.uint32))
    assert caught.value.allowed == 1 << 14
    assert "the loop of line 2 goes on for thread (0, 0, 0)" in str(caught.value)
    assert "--budget N" in str(caught.value)
    assert debugger.trace.entries[-1].loops == ((2, (1 << 14) + 1),)
    own = made(turning(-1))
    own.budget = 100
    assert own.debug().budget == 100


def test_the_end_of_a_long_trace_is_kept() -> None:
    recorded = Trace(0, most=20)
    kernel = made(turning(50))
    debugger = kernel.debug(0)
    debugger._traces[(0, 0, 0)] = recorded
    code = debugger.lowered.kernel
    memories = {"u0": np.zeros(64, np.uint8)}
    Lockstep().run(code, Launch(memories), recorded)
    assert recorded.left_out == 1 + 50 * 2 + 2 - 20
    assert len(recorded.entries) == 20
    assert recorded.registers(recorded.gap)["r0.x"].bits == 47
    lines = [*trace_view.text(trace_view.trace(debugger, every=True))]
    assert f"       … {recorded.left_out} instructions that the trace did not keep" in lines


def test_traces_and_findings_are_plain_data() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((3, 0, 0))
    debugger.dispatch(1, a=np.inf, X=x, Y=y)
    data = trace_view.document(debugger)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["thread"] == [3, 0, 0]
    multiply = data["trace"][4]
    assert multiply["text"] == "mul r0.x, cb0[0].xxxx, r0.xxxx"
    assert multiply["writes"] == [
        {"name": "r0.x", "label": None, "kind": "float", "value": "inf", "bits": 0x7F800000,
         "before": {"value": 3.0, "bits": 0x40400000}}
    ]  # fmt: skip
    assert {each["kind"] for each in data["findings"]} == {"nan", "infinity"}


# ---------------------------------------------------------------- stops


def stopped(debugger: Debugger, text: str) -> list[int]:
    return [debugger.trace.entries[at].line for at in hits(debugger, parse(debugger, text))]


def test_stops_are_lines_opcodes_places_and_conditions() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug(3)
    debugger.dispatch(1, a=2.0, X=x[:3], Y=y)
    assert stopped(debugger, "17") == [17]
    assert stopped(debugger, "mul") == [12]
    assert stopped(debugger, "ld") == [11, 16]
    assert stopped(debugger, "Y[3]") == stopped(debugger, "u1") == [18]
    assert stopped(debugger, "finding") == [11]
    assert stopped(debugger, "r0.x == 3") == [8, 10]
    assert stopped(debugger, "r0.y >= 1.0") == [13, 15, 16]
    assert stopped(debugger, "mul if P.a > 0x1") == [12]
    assert stopped(debugger, "17 if r0.x > r0.y") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99", "no such line: 99; the listing has 19"),
        ("1", "line 1 has no code: 'cs_5_0'; the next line with code is 8"),
        ("muls", "expected a line, opcode, register or place, got 'muls': unknown name 'muls'"),
        ("r0.x > ", "expected a line, opcode, register or place, got 'r0.x >'"),
        ("17 if r0", "expected a condition such as r0.x > 3, got 'r0'"),
        ("r9.x > 3", "unknown name 'r9.x'"),
    ],
)
def test_stops_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(unshade.UsageError, match=re.escape(message)):
        parse(kernel("saxpy.dxbc").debug(3), text)


# ---------------------------------------------------------------- findings


def test_accesses_outside_have_line_and_thread() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug()
    debugger.dispatch(1, a=2.0, X=x[:60], Y=y)
    (found,) = debugger.findings
    assert (found.kind, found.line, found.thread) == ("out-of-bounds", 11, (60, 0, 0))
    assert str(found) == (
        "out-of-bounds: t0[60] is outside: X (t0) has 60 elements; thread (60, 0, 0), 4 times\n"
        "    line 11: ld_structured r0.x, r0.xxxy, l(0), t0.xxxx"
    )
    assert [*trace_view.text(trace_view.findings(debugger))] == str(found).splitlines()


def test_raw_memory_is_named_in_bytes() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        b.store(b.kernel.memories[0], b.i32(100), 0, b.i32(1))

    (found,) = looked_at(write).findings
    assert found.finding.message == "u0[400] is outside: u0 has 64 bytes"


def test_findings_of_one_cause_are_one_paragraph() -> None:
    def write(b: Builder) -> None:
        for line in (1, 3, 4):
            b.line = line
            b.store(b.kernel.memories[0], b.i32(100), 0, b.i32(1))
        b.line = 5
        lane = b.source("thread_id_in_group_flattened")
        value = b.fdiv(b.f32(1.0), b.asfloat(lane))
        b.store(b.kernel.memories[0], lane, 0, b.asint(value))

    debugger = looked_at(write)
    assert len(debugger.findings) == 4
    lines = [*trace_view.text(trace_view.findings(debugger))]
    assert lines[:3] == [
        "out-of-bounds: u0[400] is outside: u0 has 64 bytes; thread (0, 0, 0), 4 times",
        "    line 1: line 1",
        "    and 2 more in lines 3, 4, 8 times",
    ]
    assert [line.partition(":")[0] for line in lines[3:]] == ["infinity", "    line 5"]
    assert len([*trace_view.findings(debugger, ["infinity"])]) == 2


def test_a_lane_that_was_discarded_still_has_its_own_memory() -> None:
    """It writes outside of an array of registers: reported, though nobody else sees the lane."""
    text = """ps_5_0
dcl_indexableTemp x0[2], 4
dcl_input_ps linear v1.x
dcl_output o0.x
dcl_temps 1
discard_nz v1.x
mov x0[r0.x + 9].x, l(1.0)
mov o0.x, x0[0].x
ret
"""
    shader = unshade.assemble(text, "dxcontainer")
    debugger = unshade.kernel(shader, engine="lockstep").debug()
    debugger.shade({next(iter(debugger.inputs)).label: np.ones((3, 1), np.float32)})
    assert ("out-of-bounds", 7) in [(kind, line) for kind, line, _, _ in findings_of(debugger)]


def test_the_first_nan_and_the_first_infinity_are_found() -> None:
    x, y = vectors()
    x[5], x[9] = np.nan, 3e38
    debugger = kernel("saxpy.dxbc").debug()
    debugger.dispatch(1, a=2.0, X=x, Y=y)
    assert findings_of(debugger) == [("nan", 12, (5, 0, 0), 0), ("infinity", 12, (9, 0, 0), 0)]


POWERS = """\
ps_5_0
dcl_input_ps linear v1.x
dcl_output o0.xyz
dcl_temps 1
exp o0.x, v1.x
log r0.x, v1.x
add o0.y, r0.x, l(0)
ret
"""


@pytest.mark.parametrize(
    ("x", "found"),
    [
        (-np.inf, [("nan", "r0.x becomes nan")]),
        (np.inf, [("infinity", "o0.x becomes inf")]),
        (200, [("infinity", "o0.x becomes inf")]),
        (-200, [("nan", "r0.x becomes nan")]),
        (0, [("infinity", "r0.x becomes -inf")]),
        (3, []),
    ],
)  # fmt: skip
def test_what_functions_compute_on_the_way_is_not_found(
    x: float, found: list[tuple[str, str]]
) -> None:
    debugger = unshade.kernel(unshade.assemble(POWERS, "dxcontainer"), engine="lockstep").debug()
    debugger.shade({"TEXCOORD1": np.full((1, 1), x, np.float32)})
    assert [(str(each.kind), each.finding.message) for each in debugger.findings] == found


def test_discarded_pixels_and_helpers_have_no_findings() -> None:
    text = POWERS.replace("exp o0.x", "discard_nz v1.y\nexp o0.x").replace(
        "v1.x\ndcl_o", "v1.xy\ndcl_o"
    )
    kernel = unshade.kernel(unshade.assemble(text, "dxcontainer"), engine="lockstep")
    debugger = kernel.debug()
    debugger.shade({"TEXCOORD1": np.array([[3, 0], [-1, 1]], np.float32)})
    assert debugger.findings == []
    mask = np.array([[True, False], [False, False]])
    inputs = np.array([[[3, 0], [-1, 0]], [[-1, 0], [-1, 0]]], np.float32)
    debugger.shade((2, 2), {"TEXCOORD1": inputs}, mask=mask)
    assert debugger.findings == []


def test_branches_inside_an_instruction_are_not_counted() -> None:
    text = POWERS.replace("ret\n", "if_nz v1.x\nmov o0.z, l(1.0)\nendif\nret\n")
    kernel = unshade.kernel(unshade.assemble(text, "dxcontainer"), engine="lockstep")
    debugger = kernel.debug(coverage=Coverage())
    debugger.shade({"TEXCOORD1": np.array([[0], [3], [200]], np.float32)})
    branches = debugger.coverage.branches.values() if debugger.coverage else ()
    assert [(each.line, each.ways) for each in branches] == [(8, [2, 1])]


def test_reads_of_unwritten_registers_are_found() -> None:
    def write(b: Builder) -> None:
        var = b.var("r0.x")
        lane = b.source("thread_id_in_group_flattened")
        b.line = 1
        with b.when(b.ult(lane, 2)):
            b.set(var, 1)
        b.line = 2
        b.store(b.kernel.memories[0], lane, 0, b.get(var))

    debugger = looked_at(write)
    assert findings_of(debugger) == [("uninitialised", 2, (2, 0, 0), 0)]
    assert debugger.findings[0].finding.count == 2


def racing(barrier: bool, atomic: bool = False) -> Callable[[Builder], None]:
    def write(b: Builder) -> None:
        out, shared = b.kernel.memories
        lane = b.source("thread_id_in_group_flattened")
        b.line = 1
        if atomic:
            b.atomic_add(b.i32(0), b.i32(0), lane, attr=shared)
        else:
            b.store(shared, lane, 0, lane)
        b.line = 2
        if barrier:
            b.barrier(attr="group")
        b.line = 3
        if atomic:
            other = b.atomic_add(b.i32(0), b.i32(0), lane, attr=shared)
        else:
            other = b.load(shared, b.xor(lane, b.i32(1)), 0)
        b.line = 4
        b.store(out, lane, 0, other)

    return write


def test_races_name_both_lines() -> None:
    debugger = looked_at(racing(barrier=False), groups=2)
    assert findings_of(debugger) == [("race", 3, (0, 0, 0), 1)]
    assert debugger.findings[0].other_thread == (1, 0, 0)
    assert "line 1: line 1, thread (1, 0, 0)" in str(debugger.findings[0])
    assert findings_of(looked_at(racing(barrier=True), groups=2)) == []
    assert findings_of(looked_at(racing(barrier=False, atomic=True))) == []


def test_two_lanes_that_write_one_place_race_with_each_other() -> None:
    def write(b: Builder) -> None:
        b.line = 5
        b.store(b.kernel.memories[1], b.i32(0), 0, b.source("thread_id_in_group_flattened"))

    assert findings_of(looked_at(write)) == [("race", 5, (1, 0, 0), 5)]


def test_a_barrier_that_some_lanes_miss_is_found() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        with b.when(b.ult(b.source("thread_id_in_group_flattened"), 2)):
            b.line = 2
            b.barrier(attr="group")

    assert findings_of(looked_at(write)) == [("barrier", 2, (0, 0, 0), 0)]


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
        lane = b.source("thread_id_in_group_flattened")
        b.line = 1
        condition = b.ult(lane, 3)
        b.line = 2
        with b.when(condition, branch=True) as it:
            b.line = 3
            b.store(out, lane, 0, lane)
        with b.within(it.otherwise):
            b.line = 4
            b.store(out, lane, 0, b.i32(9))
        b.line = 5
        switch = b.switch(b.iadd(lane, 0), branch=True)
        for label in (1, 7):
            with b.case(switch, label):
                b.line = 5 + label
                b.store(out, b.i32(label), 0, lane)
        b.line = 15
        b.return_()

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
        value = b.fdiv(b.f32(1.0), b.asfloat(b.source("thread_id_in_group_flattened")))
        b.store(b.kernel.memories[0], b.source("thread_id_in_group_flattened"), 0, b.asint(value))

    assert findings_of(looked_at(write)) == [("infinity", 1, (0, 0, 0), 0)]


@pytest.mark.parametrize("given", [True, {}, "out.info"])
def test_coverage_is_a_coverage(given: object) -> None:
    with pytest.raises(UsageError, match="coverage: expected a Coverage of unshade"):
        kernel("saxpy.dxbc").debug(coverage=given)  # type: ignore[arg-type]
    assert unshade.run.Coverage is Coverage


TYPED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %data
OpExecutionMode %main LocalSize 1 1 1
OpName %word "word"
OpName %low "low"
OpName %same "same"
OpName %sum "sum"
OpName %bits "bits"
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%mask = OpConstant %uint 65535
%one = OpConstant %float 1
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer = OpTypePointer StorageBuffer %block
%place = OpTypePointer StorageBuffer %uint
%data = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%label = OpLabel
%at = OpAccessChain %place %data %zero %zero
%word = OpLoad %uint %at
%low = OpBitwiseAnd %uint %word %mask
%same = OpBitcast %float %word
%sum = OpFAdd %float %same %one
%bits = OpBitcast %uint %sum
OpStore %at %bits
OpReturn
OpFunctionEnd
"""


def test_values_with_a_type_are_shown_in_it() -> None:
    """Bits of a uint that are used as a float stay an integer, under their own name."""
    shader = unshade.assemble(TYPED, format="spirv")
    debugger = unshade.kernel(shader, engine="lockstep").debug(0)
    debugger.dispatch(1, set0_binding0=np.array([2.5], "f4").view("u4"))
    shown = {
        str(each.name): trace_view.value(each)
        for entry in debugger.trace.entries
        for each in entry.writes
    }
    two, three = (str(np.float32(each).view("u4")) for each in (2.5, 3.5))
    assert (shown["%word"], shown["%low"]) == (two, "0")
    assert (shown["%same"], shown["%sum"], shown["%bits"]) == ("2.5", "3.5", three)


def test_a_debugger_and_its_trace_say_what_they_are() -> None:
    shader = unshade.assemble(TYPED, format="spirv")
    program = shader.programs[0]
    count = len(program.instructions)
    assert repr(program) == f"<Program compute main, {count} instructions>"
    debugger = unshade.kernel(shader, engine="lockstep").debug(0)
    debugger.dispatch(1, set0_binding0=np.ones(1, "u4"))
    assert repr(debugger) == "<Debugger: compute, thread 0, 0 findings>"
    count = len(debugger.trace.entries)
    assert repr(debugger.trace) == f"<Trace: lane 0, {count} entries>"


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["gyroid.dxbc", "plasma.skslb"])
def test_a_pixel_alone_has_the_same_trace(name: str) -> None:
    found = []
    for alone in (False, True):
        debugger = kernel(name, engine="lockstep").debug((5, 3), checks=False)
        debugger.alone = alone
        names = {each.name for b in debugger.bindings if b.buffer for each in b.buffer.variables}
        values = {"iTime": 1.0, "time": 1.0, "iResolution": [16, 8, 1], "size": [16, 8],
                  "resolution": [16, 8]}  # fmt: skip
        done = debugger.shade((16, 8), None, {each: values.get(each, 1.0) for each in names})
        lines = [*trace_view.text(trace_view.trace(debugger))]
        picture = np.asarray(next(iter(done.values())))
        assert debugger.report is not None
        found.append((lines, picture[3, 5].tolist(), debugger.report.lanes))
    whole, part = found
    assert part[:2] == whole[:2]
    assert (whole[2], part[2]) == (128, 4)


def test_an_index_below_0_is_shown_as_such() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        b.store(b.kernel.memories[0], 0xFFFFFFF0, 0, b.i32(1))

    debugger = looked_at(write)
    assert "u0[-64] is outside: " in debugger.findings[0].finding.message


def test_a_variable_is_known_by_its_name_alone() -> None:
    """Its value in the listing has the same text, but a single step."""

    def write(b: Builder) -> None:
        var = b.var("sum.x", F32, gives=SymbolName("sum", ".x"))
        b.line = 1
        b.set(var, b.f32(1.0))

    debugger = looked_at(write)
    for name in ("sum", "sum.x"):
        debugger.check_name(name)
    with pytest.raises(UsageError, match=r"^unknown name 'summ'; did you mean sum[?]$"):
        debugger.check_name("summ")
