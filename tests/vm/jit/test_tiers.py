"""Quick and optimised code: which one runs, and that a call may go from one to the other."""

from typing import Any

import numpy as np
import pytest

from tests.vm.engines import Left, parsed, run, words
from unshade.errors import BudgetError, UnsupportedError
from unshade.ir.kernel import KernelIR
from unshade.vm.jit import Jit, engine, tiers
from unshade.vm.jit.compile import compile_text
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

pytestmark = pytest.mark.heavy

LANES = 1024
PLAIN = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
%0 = source thread_id.x
%1 = imul %0, i32 3
store %u0[%0, i32 0], %1
%2 = atomic_add %u1[i32 0, i32 0], i32 1
"""
LOOPED = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
var @i i32
%0 = source thread_id.x
loop {
  %1 = get @i
  %2 = ult %1, %0
  if %2 {
    %3 = iadd %1, i32 1
    set @i, %3
  } else {
    break
  }
}
%4 = get @i
store %u0[%0, i32 0], %4
"""
GROUPED = """
kernel main compute group 48 1 1
memory %u0 buffer 4 writable
memory %g0 shared 4 count 48 writable
%0 = source thread_id_in_group_flattened
%1 = source thread_id.x
store %g0[%0, i32 0], %1
barrier group
%2 = xor %0, i32 1
%3 = load:i32 %g0[%2, i32 0]
store %u0[%1, i32 0], %3
"""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, int, int]]:
    """What ran: if it was quick code, the first unit, the one after the last."""
    found: list[tuple[bool, int, int]] = []

    def watched(text: str, level: int) -> Any:
        code = compile_text(text, level)
        run = code.run

        def noted(context: int, scratch: int, first: int, last: int) -> None:
            found.append((level == 0, first, last))
            run(context, scratch, first, last)

        code.run = noted
        return code

    monkeypatch.setattr(engine, "compile_text", watched)
    return found


def repaid_by(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "FIXED", work)
    monkeypatch.setattr(tiers, "PER_OPERATION", 0)


def outcome(chosen: Any, kernel: KernelIR, lanes: int = LANES, **options: Any) -> Left:
    memories = {memory.name: bytes(4 * lanes) for memory in kernel.memories if not memory.count}
    groups = lanes // kernel.group[0]
    return run(chosen, kernel, memories, (groups, 1, 1), **options)


def test_little_work_is_run_by_quick_code(calls: list[tuple[bool, int, int]]) -> None:
    outcome(Jit(threads=1, width=16), parsed(PLAIN))
    assert calls == [(True, 0, LANES // 16)]


def test_much_work_is_run_by_optimised_code(
    calls: list[tuple[bool, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(1, monkeypatch)
    outcome(Jit(threads=1, width=16), parsed(PLAIN))
    assert calls == [(False, 0, LANES // 16)]


@pytest.mark.parametrize(("quick", "expected"), [(True, [True] * 3), (False, [False] * 3)])
def test_the_choice_can_be_fixed(
    quick: bool,
    expected: list[bool],
    calls: list[tuple[bool, int, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repaid_by(2000, monkeypatch)
    kernel, chosen = parsed(PLAIN), Jit(threads=1, width=16, quick=quick)
    for _ in expected:
        outcome(chosen, kernel)
    assert [each for each, *_ in calls] == expected


def test_fast_code_is_optimised(calls: list[tuple[bool, int, int]]) -> None:
    outcome(Jit(threads=1, width=16, fast=True), parsed(PLAIN))
    assert [quick for quick, *_ in calls] == [False]


def test_repeated_calls_are_optimised_at_the_same_call_each_time(
    calls: list[tuple[bool, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(6000, monkeypatch)
    for _ in range(2):
        kernel, chosen = parsed(PLAIN), Jit(threads=1, width=16)
        for _ in range(6):
            outcome(chosen, kernel)
    used = [quick for quick, *_ in calls]
    assert used[:6] == used[6:]
    assert used[:6] == sorted(used[:6], reverse=True)
    assert set(used) == {True, False}


@pytest.mark.parametrize("width", [8, 16, 64])
def test_a_call_that_turns_out_to_be_long_is_continued_by_optimised_code(
    width: int, calls: list[tuple[bool, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(20_000, monkeypatch)
    found = outcome(Jit(threads=1, width=width), parsed(LOOPED))
    assert found[0]["u0"] == words(*range(LANES))
    used = [quick for quick, *_ in calls]
    assert used[0]
    assert not used[-1]
    assert [first for _, first, _ in calls] == [0, *(last for *_, last in calls[:-1])]
    assert calls[-1][2] == LANES // width


def test_a_call_goes_on_in_chunks_of_another_width(
    calls: list[tuple[bool, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(20_000, monkeypatch)
    monkeypatch.setattr(engine, "width_of", lambda kernel, native, quick: 8 if quick else 32)
    found = outcome(Jit(threads=1), parsed(LOOPED))
    assert found[0]["u0"] == words(*range(LANES))
    *_, before, after = calls
    assert before[0]
    assert not after[0]
    assert after[1] * 32 == before[2] * 8


@pytest.mark.parametrize("text", [PLAIN, LOOPED, GROUPED])
@pytest.mark.parametrize("work", [1, 500, 5000, 50_000, 1 << 40])
def test_results_do_not_depend_on_the_choice(
    text: str, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(work, monkeypatch)
    lanes, kernel = (LANES // 64 * 48, parsed(text)) if text is GROUPED else (LANES, parsed(text))
    expected = outcome(Lockstep(), kernel, lanes)
    chosen = Jit(threads=1)
    for _ in range(3):
        assert outcome(chosen, kernel, lanes) == expected


def test_reports_count_what_both_codes_did(monkeypatch: pytest.MonkeyPatch) -> None:
    repaid_by(20_000, monkeypatch)
    kernel = parsed(LOOPED)
    memories = {"u0": bytes(400)}
    expected = run(Lockstep(), kernel, memories, (LANES // 64, 1, 1))
    assert expected[2] == {"u0": LANES - 100}
    assert run(Jit(threads=1), kernel, memories, (LANES // 64, 1, 1)) == expected


def test_a_kernel_that_cannot_be_optimised_stays_quick(
    calls: list[tuple[bool, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    repaid_by(20_000, monkeypatch)

    def refusing(text: str, level: int) -> Any:
        if level:
            raise UnsupportedError("not this one")
        return compile_text(text, level)

    monkeypatch.setattr(engine, "compile_text", refusing)
    kernel, chosen = parsed(LOOPED), Jit(threads=1)
    for _ in range(2):
        assert outcome(chosen, kernel)[0]["u0"] == words(*range(LANES))
    assert all(quick for quick, *_ in calls)


def test_the_budget_holds_in_quick_code(calls: list[tuple[bool, int, int]]) -> None:
    with pytest.raises(BudgetError):
        outcome(Jit(threads=1, width=16), parsed(LOOPED), budget=500)
    assert all(quick for quick, *_ in calls)
    assert calls[-1][2] < LANES // 16


def test_no_lanes() -> None:
    report = Jit(threads=1).run(
        parsed(PLAIN), Launch({"u0": np.zeros(4, np.uint8), "u1": np.zeros(4, np.uint8)}, (0, 1, 1))
    )
    assert report.lanes == 0
