"""Widths that are settled by timing: the choice, and that results and calls stay as they are."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.vm.engines import parsed
from unshade.errors import UsageError
from unshade.ir.kernel import KernelIR
from unshade.vm.jit import Jit, engine, width_trials
from unshade.vm.jit.layout import LaneLayout
from unshade.vm.jit.processor import processor
from unshade.vm.jit.tuning import width_of
from unshade.vm.jit.width_trials import GAIN, PAIRS, RIVALS, TURN, WidthTrial
from unshade.vm.launch import Launch, Report

pytestmark = pytest.mark.heavy

LANES = 1 << 14
TEXT = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = load:i32 %u0[%0, i32 0]
%2 = imul %1, i32 3
%3 = iadd %2, %0
store %u0[%0, i32 0], %3
"""
COUNTED = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
%0 = source thread_id.x
%1 = atomic_add %u1[i32 0, i32 0], i32 1
store %u0[%0, i32 0], %1
"""


class Code:
    """Code of a width that takes some seconds a lane."""

    def __init__(self, width: int, per_lane: float, seconds: float = 0.0) -> None:
        self.layout = LaneLayout(width, True, False, True, True, 64, 1)
        self.per_lane = per_lane
        self.seconds = seconds


def settled(own: Code, others: dict[int, Code], noise: Callable[[int], float]) -> list[int]:
    """Return the widths of the turns of calls without an end; the last one is the choice."""
    trial, widths = WidthTrial(own), []
    for number in range(1000):
        code, lanes = trial.next(1 << 30, others.get)
        if not lanes:
            break
        assert lanes % 64 == 0
        widths.append(code.layout.width)
        trial.add(lanes, lanes * code.per_lane * noise(number))
    assert trial.settled
    return [*widths, trial.best.layout.width]


@pytest.mark.parametrize(
    ("times", "chosen"),
    [
        ({8: 2.0, 16: 1.0, 32: 2.0}, 16),
        ({8: 4.0, 16: 2.0, 32: 1.0, 64: 2.0}, 32),
        ({8: 4.0, 16: 3.0, 32: 2.0, 64: 1.0}, 64),
        ({8: 1.0, 16: 2.0, 32: 3.0}, 8),
        ({8: 1.0, 16: 2.0}, 8),  # none is wider
        ({16: 2.0}, 16),
        ({8: 2.0, 16: 1.0, 32: 0.98}, 16),  # not worth it
    ],
)
def test_the_quickest_is_settled(times: dict[int, float], chosen: int) -> None:
    codes = {width: Code(width, time * 1e-8) for width, time in times.items()}
    drift = np.random.default_rng(7).uniform(1.0, 1.04, 1000)
    widths = settled(codes[16], codes, lambda number: drift[number] * (1 + number / 100))
    assert widths[-1] == chosen
    assert len(set(widths)) <= 1 + RIVALS


def test_turns_alternate() -> None:
    codes = {width: Code(width, 1e-8) for width in (16, 32)}
    widths = settled(codes[16], codes, lambda number: 1.0)
    turns = widths[-1 - 2 * PAIRS : -1]
    assert turns[:6] == [16, 32, 32, 16, 16, 32]
    assert turns.count(16) == turns.count(32) == PAIRS


def test_one_slow_turn_decides_nothing() -> None:
    codes = {16: Code(16, 1e-8), 32: Code(32, 1e-8 * GAIN)}
    assert settled(codes[16], codes, lambda number: 50.0 if number == 6 else 1.0)[-1] == 16


def test_little_work_is_not_timed() -> None:
    trial = WidthTrial(Code(16, 1e-8, seconds=1.0))

    def none(width: int) -> Code | None:
        raise AssertionError("nothing is to be compiled")

    for _ in range(50):
        _, lanes = trial.next(LANES, none)
        trial.add(lanes or LANES, TURN) if lanes else trial.add_rest(TURN)
    assert not trial.settled


def called(engine: Jit, kernel: KernelIR, calls: int) -> tuple[bytes, Report]:
    data = np.zeros(4 * LANES, np.uint8)
    other = np.zeros(4, np.uint8)
    memories = {"u0": data, "u1": other}
    bound = {memory.name: memories[memory.name] for memory in kernel.memories}
    for _ in range(calls):
        report = engine.run(kernel, Launch(bound, (LANES // 64, 1, 1)))
    return data.tobytes(), report


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time widths however little work there is, in short turns."""
    monkeypatch.setattr(width_trials, "WORTH", 0)
    monkeypatch.setattr(width_trials, "TURN", 1e-6)


@pytest.mark.slow
@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("threads", [1, 2])
def test_results_are_the_same(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MIN_THREADED_LANES", 256)
    kernel, same = parsed(TEXT), parsed(TEXT)
    timed = Jit(threads=threads, quick=False, tune=True)
    expected = called(Jit(threads=1, quick=False, tune=False), same, 4)[0]
    assert called(timed, kernel, 4)[0] == expected
    code = timed.compile(kernel, True, True)
    assert code.settled
    assert called(timed, kernel, 4)[0] == expected


@pytest.mark.usefixtures("eager")
def test_rules_decide_where_nothing_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(width_trials.ENVIRONMENT, "off")
    kernel = parsed(TEXT)
    chosen = Jit(threads=1, quick=False)
    called(chosen, kernel, 2)
    code = chosen.compile(kernel, True, True)
    assert not code.settled
    assert code.layout.width == width_of(kernel, processor().bits)


@pytest.mark.usefixtures("eager")
def test_order_is_not_timed() -> None:
    kernel = parsed(COUNTED)
    chosen = Jit(threads=1, quick=False, tune=True)
    assert called(chosen, kernel, 2)[1].unrepeatable == ""
    assert not chosen.compile(kernel, True, True).settled


def test_the_report_tells_of_the_order_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MIN_THREADED_LANES", 256)
    _, report = called(Jit(threads=2, quick=True), parsed(COUNTED), 1)
    assert report.unrepeatable == "atomics of u1 depend on the order of 2 threads"


@pytest.mark.usefixtures("eager")
def test_arrays_that_overlap_are_not_timed() -> None:
    kernel = parsed(TEXT.replace("load:i32 %u0", "load:i32 %t0").replace(
        "memory %u0", "memory %t0 buffer 4\nmemory %u0"
    ))  # fmt: skip
    data = np.zeros(4 * LANES + 64, np.uint8)
    chosen = Jit(threads=1, quick=False, tune=True)
    for start, settled in ((64, False), (0, False)):
        memories = {"t0": data[: 4 * LANES], "u0": data[start : start + 4 * LANES]}
        chosen.run(kernel, Launch(memories, (LANES // 64, 1, 1)))
        assert chosen.compile(kernel, True, True).settled == settled
    apart = {"t0": data.copy(), "u0": data}
    chosen.run(kernel, Launch(apart, (LANES // 64, 1, 1)))
    assert chosen.compile(kernel, True, True).settled


def test_other_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(width_trials.ENVIRONMENT, "never")
    with pytest.raises(UsageError, match="expected on or off, got 'never'"):
        Jit(threads=1)
