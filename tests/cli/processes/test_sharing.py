"""When the inputs of a command line are worth other processes."""

import time

import pytest

from unshade.cli.processes import sharing


class Clock:
    """A machine on which each input takes some time, and the process has a part of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, own: float = 1.0) -> None:
        self.now, self.used, self.part = 100.0, 0.4, own
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(time, "process_time", lambda: self.used)

    def work(self, seconds: float) -> None:
        self.now += seconds
        self.used += seconds * self.part


def alone_for(clock: Clock, total: int, each: float, count: int = 2, patience: float = 0.0) -> int:
    """Return the number of inputs that are processed before workers start."""
    progress = sharing.Progress(total, count)
    for number in range(1, total + 1):
        clock.work(each)
        if progress.asks_for_workers(patience):
            return number
    return total


def test_many_inputs_start_workers_after_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alone_for(Clock(monkeypatch), 1000, 0.01) == 2


def test_few_inputs_start_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of 1.6 s is what two workers save, and twice their start of 0.4 s."""
    assert alone_for(Clock(monkeypatch), 150, 0.01) == 150
    assert alone_for(Clock(monkeypatch), 170, 0.01) == 2


def test_more_workers_save_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alone_for(Clock(monkeypatch), 120, 0.01) == 120
    assert alone_for(Clock(monkeypatch), 120, 0.01, count=4) == 2


def test_without_the_option_a_process_is_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alone_for(Clock(monkeypatch), 1000, 0.01, patience=0.3) in (30, 31)


def test_a_machine_without_a_processor_to_spare_starts_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert alone_for(Clock(monkeypatch, own=0.5), 1000, 0.01) == 1000


def test_workers_start_when_a_processor_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, own=0.5)
    progress = sharing.Progress(10_000, 2)
    for _ in range(10):
        clock.work(0.01)
        assert not progress.asks_for_workers(0.0)
    clock.part = 1.0
    asked: list[bool] = []
    while not asked or not asked[-1]:
        clock.work(0.01)
        asked.append(progress.asks_for_workers(0.0))
    assert 9 <= len(asked) <= 12  # then it had three quarters of the time


def test_a_slow_first_input_says_little_about_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It imports and compiles what a worker has to, too."""
    clock = Clock(monkeypatch)
    progress = sharing.Progress(200, 2)
    clock.work(2.0)
    assert not progress.asks_for_workers(0.0)
    clock.work(0.01)
    assert not progress.asks_for_workers(0.0)  # 0.99 s are saved, 2.4 s is a start
