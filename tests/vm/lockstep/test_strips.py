"""Strips of iterations: which loops have them, and the same results as one iteration at a time."""

from typing import Any

import numpy as np
import pytest

from tests.ir.generate_loops import generate_loops
from tests.vm.compare import compared
from tests.vm.engines import parsed
from unshade.errors import BudgetError
from unshade.ir.kernel import Loop
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.strip_code import AGAIN, LoopStrips
from unshade.vm.lockstep.strips import LoopPattern, loop_pattern

KERNEL = """
kernel main compute group {lanes} 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
var @i i32
var @sum f32
var @last f32
%0 = source thread_id.x
%23 = utof:f32 %0
%1 = fadd %23, f32 0.1
set @i, i32 2
loop {{
  %2 = get @i
  %3 = ule i32 {end}, %2
  if %3 {{
    break
  }}
{body}
  %20 = iadd %2, i32 1
  set @i, %20
}}
%21 = get @sum
store %u0[%0, i32 0], %21
"""
SUM = """
  %4 = load:i32 %t0[%2, i32 0]
  %5 = asfloat %4
  %6 = fmul %5, %1
  %7 = get @sum
  %8 = fadd %7, %6
  set @sum, %8
"""
CHAIN = """
  %4 = load:i32 %t0[%2, i32 0]
  %5 = asfloat %4
  %6 = fmul %5, %1
  %7 = fadd %6, %5
  %8 = get @sum
  %9 = fsub %7, %8
  %10 = get @last
  %11 = fmul %10, f32 0.5
  %12 = fadd %9, %11
  set @sum, %12
  set @last, %6
"""
PREVIOUS = """
  %4 = load:i32 %t0[%2, i32 0]
  %5 = asfloat %4
  %6 = fmul %5, %1
  %7 = get @last
  set @sum, %7
  set @last, %6
"""
EXCHANGE = """
  %4 = load:i32 %t0[%2, i32 0]
  %5 = asfloat %4
  %6 = fmul %5, %1
  %7 = get @last
  %8 = get @sum
  %9 = fadd %8, %6
  set @sum, %7
  set @last, %9
"""
STORE = SUM + "  store %u0[%0, i32 0], %6\n"
BRANCH = SUM + "  %9 = ult %2, i32 4\n  if %9 {\n    set @sum, f32 0.0\n  }\n"
CONSTANT = """
  %4 = load:i32 %t0[%2, i32 0]
  %7 = get @sum
  %8 = fadd %1, %7
  set @sum, %8
"""
UNIFORM = """
  %4 = load:i32 %t0[%2, i32 0]
  %5 = asfloat %4
  %7 = get @sum
  %8 = fadd %5, %7
  set @sum, %8
"""


def pattern(body: str) -> LoopPattern | None:
    """Return the pattern of the loop with this body."""
    kernel = parsed(KERNEL.format(lanes=4, end=50, body=body))
    return loop_pattern(next(each for each in kernel.body if isinstance(each, Loop)))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that the rows of every strip are appended to."""
    rows: list[int] = []
    strip = LoopStrips._strip

    def noted(self: LoopStrips, *args: Any) -> int:
        rows.append(strip(self, *args))
        return rows[-1]

    monkeypatch.setattr(LoopStrips, "_strip", noted)
    return rows


def run(body: str, lanes: int, end: int = 50, budget: int = 1 << 16) -> tuple[list[float], Any]:
    """Return the floats of u0 after a call, and its accesses out of bounds; t0 has 40 numbers."""
    kernel = parsed(KERNEL.format(lanes=lanes, end=end, body=body))
    given = np.linspace(0.1, 7, 40, dtype="<f4").view(np.uint8)
    written = np.zeros(4 * lanes, np.uint8)
    launch = Launch({"t0": given, "u0": written}, budget=budget)
    report = Lockstep().run(kernel, launch)
    return written.view("<f4").tolist(), report.out_of_bounds


def one_by_one(monkeypatch: pytest.MonkeyPatch, body: str, lanes: int, end: int = 50) -> Any:
    """Return what `run` returns if no loop has strips."""
    with monkeypatch.context() as patch:
        patch.setattr("unshade.vm.lockstep.compile.loop_strips", lambda *_: None)
        return run(body, lanes, end)


# ---------------------------------------------------------------- which loops


def test_a_sum_needs_no_turns() -> None:
    found = pattern(SUM)
    assert found is not None
    assert [each.var.name for each in found.sums] == ["sum"]
    assert [each.op.name for each in found.head] == ["ule"]
    assert [each.op.name for each in found.rest] == ["load", "asfloat", "fmul"]
    assert not found.turns


def test_what_depends_on_the_iteration_before_is_a_turn() -> None:
    found = pattern(CHAIN)
    assert found is not None
    assert [each.op.name for each in found.turns] == ["fsub", "fmul", "fadd"]
    assert not found.sums


@pytest.mark.parametrize("body", [STORE, BRANCH], ids=["store", "branch"])
def test_loops_without_strips(body: str) -> None:
    assert pattern(body) is None


def test_a_condition_that_is_loaded() -> None:
    text = KERNEL.format(lanes=4, end=50, body=SUM)
    text = text.replace("%3 = ule i32 50, %2", "%9 = load:i32 %t0[%2, i32 0]\n%3 = ule %9, %2")
    loop = next(each for each in parsed(text).body if isinstance(each, Loop))
    assert loop_pattern(loop) is None


# ---------------------------------------------------------------- results


@pytest.mark.parametrize("body", [SUM, CHAIN, CONSTANT, UNIFORM])
@pytest.mark.parametrize("lanes", [1, 3, 64, 1000])
def test_strips_give_the_same_results(
    body: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = one_by_one(monkeypatch, body, lanes)
    rows = counted(monkeypatch)
    assert run(body, lanes) == expected
    assert sum(rows) == 48


@pytest.mark.parametrize("body", [SUM, EXCHANGE])
def test_several_strips_in_a_row(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = one_by_one(monkeypatch, body, 3, 35)
    rows = counted(monkeypatch)
    monkeypatch.setattr("unshade.vm.lockstep.strip_code.MOST_ROWS", 8)
    assert run(body, 3, 35) == expected
    assert rows == [8, 8, 8, 8, 0]


@pytest.mark.parametrize("body", [PREVIOUS, EXCHANGE], ids=["previous", "exchange"])
@pytest.mark.parametrize("lanes", [1, 3])
def test_variables_that_keep_what_others_were(
    body: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = one_by_one(monkeypatch, body, lanes, 33)
    rows = counted(monkeypatch)
    assert run(body, lanes, 33) == expected
    assert sum(rows) == 31


def test_accesses_out_of_bounds_are_counted_in_each_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = counted(monkeypatch)
    assert run(SUM, 6)[1] == {"t0": 60}
    assert sum(rows) == 48


def test_lanes_that_leave_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = KERNEL.replace("ule i32 {end}, %2", "ule %22, %2").replace(
        "set @i, i32 2", "%22 = iadd %0, i32 12\nset @i, i32 2"
    )
    text = kernel.format(lanes=5, end=0, body=SUM)
    results = []
    for apart in (True, False):
        with monkeypatch.context() as patch:
            if apart:
                patch.setattr("unshade.vm.lockstep.compile.loop_strips", lambda *_: None)
            rows = counted(patch)
            written = np.zeros(20, np.uint8)
            given = np.linspace(0.1, 7, 40, dtype="<f4").view(np.uint8)
            Lockstep().run(parsed(text), Launch({"t0": given, "u0": written}))
            results.append(written.tobytes())
            assert sum(rows) == (0 if apart else 10)
    assert results[0] == results[1]


@pytest.mark.parametrize("budget", [3, 4, 20, 47])
def test_the_budget_ends_a_loop(budget: int) -> None:
    with pytest.raises(BudgetError):
        run(SUM, 4, budget=budget)


def test_the_budget_is_that_of_the_loop() -> None:
    assert run(SUM, 4, budget=49) == run(SUM, 4)


def test_loops_of_few_iterations_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = parsed(KERNEL.format(lanes=4, end=4, body=SUM))
    rows = counted(monkeypatch)
    given, written = np.zeros(160, np.uint8), np.zeros(16, np.uint8)
    for _ in range(20):
        Lockstep().run(kernel, Launch({"t0": given, "u0": written}))
    assert rows == [0] * 8


def test_loops_that_become_long_get_strips_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = KERNEL.replace("ule i32 {end}, %2", "ule %22, %2").replace(
        "set @i, i32 2", "%22 = load:i32 %t0[i32 39, i32 0]\nset @i, i32 2"
    )
    kernel = parsed(text.format(lanes=4, body=SUM))
    rows = counted(monkeypatch)
    given, written = np.zeros(160, np.uint8), np.zeros(16, np.uint8)
    for end in [4] * 20 + [36] * AGAIN:
        given[156] = end
        Lockstep().run(kernel, Launch({"t0": given, "u0": written}))
    assert rows[:8] == [0] * 8
    assert {*rows[8:]} == {34}
    assert len(rows) > 10


def test_many_generated_loops_have_strips() -> None:
    kernels = [generate_loops(seed).kernel for seed in range(12)]
    loops = [each for kernel in kernels for each in kernel.body if isinstance(each, Loop)]
    found = [each for each in map(loop_pattern, loops) if each is not None]
    assert len(found) > len(loops) / 3
    assert sum(bool(each.turns) for each in found) > len(found) / 5
    assert sum(bool(each.sums) for each in found) > len(found) / 5


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(40))
def test_generated_loops(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 2:
        monkeypatch.setattr("unshade.vm.lockstep.strip_code.MOST_ROWS", 5)
    assert compared(seed, make=generate_loops) == ""
