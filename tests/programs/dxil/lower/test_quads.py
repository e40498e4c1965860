"""Quads of thread groups: 2 x 2 threads since Shader Model 6.6, else four in a row."""

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.run import engines
from unshade.vm.launch import Array

from .support import ENGINES, compute, load, lowered, store

pytestmark = pytest.mark.heavy

PLACE = """
  %w = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %place = shl i32 %w, 2"""
VALUE = PLACE + load("x", "%place", "float")
RESULT = store("%y", "%place", "float")
LANE = "\n  %l = call i32 @dx.op.waveGetLaneIndex(i32 111)\n  %y = uitofp i32 %l to float"
NUMBERS = [3.0 * x + 10.0 * y for y in range(2) for x in range(4)]
NEXT = [3.0, 0.0, 9.0, 6.0, 13.0, 10.0, 19.0, 16.0]
Group = tuple[int, int, int]


def across(way: int) -> str:
    return f"\n  %y = call float @dx.op.quadOp.f32(i32 123, float %x, i8 {way})"


def derivative(code: int) -> str:
    return f"\n  %y = call float @dx.op.unary.f32(i32 {code}, float %x)"


def run(body: str, group: Group = (4, 2, 1), model: int = 6, wave_size: int = 32) -> list[float]:
    """Return the number of each thread by SV_GroupIndex, the same on both engines."""
    code = compute(VALUE + body + RESULT, threads=group, model=model)
    found: list[Array] = []
    for engine in ENGINES:
        made = lowered(code, wave_size=wave_size)
        kernel = kernel_of(made, None, engines.choose(engine, False))
        target = np.zeros(8, "<f4")
        kernel.dispatch(1, t0=np.array(NUMBERS, "<f4"), u1=target)
        found.append(target)
    np.testing.assert_array_equal(found[0], found[1])
    return [float(each) for each in found[0]]


@pytest.mark.parametrize(
    ("body", "square", "row"),
    [
        (across(0), NEXT, NEXT),
        (across(1), [10, 13, 16, 19, 0, 3, 6, 9], [6, 9, 0, 3, 16, 19, 10, 13]),
        (across(2), [13, 10, 19, 16, 3, 0, 9, 6], [9, 6, 3, 0, 19, 16, 13, 10]),
        (derivative(85), [3] * 8, [3] * 8),
        (derivative(86), [10] * 8, [6] * 8),
        (derivative(84), [10] * 8, [6] * 8),
    ],
)
def test_quads_depend_on_group_and_shader_model(
    body: str, square: list[float], row: list[float]
) -> None:
    assert run(body) == square
    assert run(body, model=5) == row


@pytest.mark.parametrize("group", [(8, 1, 1), (1, 8, 1)])
def test_quads_of_other_groups_are_rows(group: Group) -> None:
    assert run(derivative(86), group) == [6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 6.0]


def test_waves_have_whole_quads() -> None:
    read = "\n  %y = call float @dx.op.quadReadLaneAt.f32(i32 122, float %x, i32 2)"
    assert run(read, wave_size=4) == [10, 10, 16, 16, 10, 10, 16, 16]
    sum_ = "\n  %z = call float @dx.op.waveActiveOp.f32(i32 119, float %x, i8 0, i8 0)"
    of_quads = sum_ + across(0).replace("%x", "%z")
    assert run(of_quads, wave_size=4) == [26, 26, 50, 50, 26, 26, 50, 50]


def test_lanes_are_in_the_order_of_threads_unless_quads_are_used() -> None:
    assert run(LANE) == [*range(8)]
    assert run(across(0).replace("%y", "%q") + LANE) == [0, 1, 4, 5, 2, 3, 6, 7]


def test_a_trace_is_that_of_the_thread_in_its_quad() -> None:
    code = compute(VALUE + derivative(86) + RESULT, threads=(4, 2, 1))
    debugger = kernel_of(lowered(code), None, engines.choose("lockstep", False)).debug((1, 1, 0))
    debugger.dispatch(1, t0=np.array(NUMBERS, "<f4"), u1=np.zeros(8, "<f4"))
    numbers = [each.bits for entry in debugger.trace.entries for each in entry.reads]
    assert np.float32(13).view(np.uint32) in numbers  # of thread (1, 1), which is lane 3
