"""Traces of one lane: registers before and after, their names, and the types of their bits."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.fixtures.ramp import ramp
from tests.run.examples import kernel, vectors
from tests.vm.lockstep.debug.kernels import looked_at
from unshade.ir.builder import Builder
from unshade.run.debugging import trace_view


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


@pytest.mark.parametrize("index", [0, 1, 2])
def test_an_element_of_a_small_array_is_read_where_it_is_chosen(index: int) -> None:
    """The elements are variables; the others are read and kept, but not by the program."""

    def write(b: Builder) -> None:
        places = [b.var(f"x0[{at}].x") for at in range(3)]
        taken = b.var("r0.x")
        for at, place in enumerate(places):
            b.line = at + 1
            b.set(place, b.i32(10 * at))
        chosen = b.source("thread_id.x")
        chosen = b.iadd(chosen, index)
        b.line = 5
        found = b.get(places[0])
        for at in (1, 2):
            found = b.select(b.ieq(chosen, at), b.get(places[at]), found)
        b.set(taken, found)
        b.line = 6
        for at, place in enumerate(places):
            b.set(place, b.select(b.ieq(chosen, at), b.i32(7), b.get(place)))
        b.return_()

    entries = {each.line: each for each in looked_at(write).trace.entries}
    assert [each.name for each in entries[5].reads if each.bits] == (
        [f"x0[{index}].x"] if index else []
    )
    assert {each.name for each in entries[5].reads} == {"x0[0].x", f"x0[{index}].x"}
    assert entries[6].reads == []
    assert [(each.name, each.bits) for each in entries[6].writes] == [(f"x0[{index}].x", 7)]
