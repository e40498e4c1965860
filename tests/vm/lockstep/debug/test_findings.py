"""Findings of a run: accesses outside, races, NaN, unwritten registers, missed barriers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import unshade
from tests.run.examples import kernel, vectors
from tests.vm.lockstep.debug.kernels import findings_of, looked_at
from unshade.ir.builder import Builder
from unshade.run.debugging import trace_view


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


@pytest.mark.parametrize(
    ("element", "byte", "place"),
    [
        (0, 0, ""),
        (15, 0, ""),
        (16, 0, "u0[64]"),
        (0, 4, "u0[4]"),
        (15, 4, "u0[64]"),
        (2, 8, "u0[16]"),
    ],
)
def test_what_does_not_lie_in_an_element_is_outside(element: int, byte: int, place: str) -> None:
    def write(b: Builder) -> None:
        b.line = 1
        b.store(b.kernel.memories[0], b.i32(element), b.i32(byte), b.i32(1))

    debugger = looked_at(write)
    found = [each.finding.message for each in debugger.findings]
    expected = [f"{place} is outside: u0 has 64 bytes"] if place else []
    assert [each for each in found if "outside" in each] == expected
    notes = [note for entry in debugger.trace.entries for note in entry.notes]
    assert [each for each in notes if "outside" in each] == expected


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


def test_types_of_the_ir_are_seen_through() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        value = b.fdiv(b.f32(1.0), b.asfloat(b.source("thread_id_in_group_flattened")))
        b.store(b.kernel.memories[0], b.source("thread_id_in_group_flattened"), 0, b.asint(value))

    assert findings_of(looked_at(write)) == [("infinity", 1, (0, 0, 0), 0)]


def test_an_index_below_0_is_shown_as_such() -> None:
    def write(b: Builder) -> None:
        b.line = 1
        b.store(b.kernel.memories[0], 0xFFFFFFF0, 0, b.i32(1))

    debugger = looked_at(write)
    assert "u0[-64] is outside: " in debugger.findings[0].finding.message
