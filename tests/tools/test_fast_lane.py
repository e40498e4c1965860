"""Which tests the fast lane takes, and the trials that it is chosen by."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tests.corpus import REPOSITORY
from tools.fast_lane import Executed, Lines, choose
from tools.fast_trials import Trials, trials
from tools.mutants import Fault, faults

ONE, TWO, GOLDEN = (
    "tests/a/test_a.py::test_1",
    "tests/a/test_b.py::test_2",
    "tests/a/test_golden.py::test",
)
FOLD = REPOSITORY / "src" / "unshade" / "ir" / "fold.py"


def lines(**executed: set[int]) -> Lines:
    """Return ten lines of a file, and the tests `one`, `two`, `golden` of its folder."""
    names = {"one": ONE, "two": TWO, "golden": GOLDEN}
    tests = {names[name]: Executed({*found}, {*found}) for name, found in executed.items()}
    return Lines(tests, {("src/a.py", number): number for number in range(10)})


def known(
    *,
    always: list[str] | None = None,
    opening: dict[str, float] | None = None,
    **seconds: float,
) -> dict[str, Any]:
    names = {"one": ONE, "two": TWO, "golden": GOLDEN}
    return {
        "times": {names[name]: each for name, each in seconds.items()},
        "opening": {names[name].partition("::")[0]: each for name, each in (opening or {}).items()},
        "always": always or [],
    }


def test_more_lines_a_second_are_worth_more() -> None:
    of = lines(one={0, 1, 2, 3}, two={4, 5, 6, 7})
    assert choose(of, known(one=0.1, two=0.05), 0.06) == [TWO]
    assert choose(of, known(one=0.1, two=0.05), 1) == [TWO, ONE]


def test_lines_that_another_test_executes_are_worth_less() -> None:
    of = lines(one={0, 1, 2, 3, 4, 5}, two={0, 1, 2, 3, 4}, golden={7, 8, 9})
    chosen = choose(of, known(one=0.05, two=0.05, golden=0.05), 1)
    assert chosen == [ONE, GOLDEN, TWO]


def test_a_marked_test_is_taken_without_a_look_at_its_time() -> None:
    of = lines(one={0}, two={1})
    assert choose(of, known(one=9.0, two=0.01, always=[ONE]), 0.1) == [ONE, TWO]


def test_the_tests_of_a_module_share_the_time_that_it_takes_to_open_it() -> None:
    of = lines(one={0, 1, 2, 3}, two={4, 5, 6})
    times = known(one=0.05, two=0.05, opening={"one": 0.02})
    assert choose(of, times, 0.1) == [TWO]
    assert choose(of, known(one=0.05, two=0.05), 0.1) == [ONE]
    opened = known(one=0.05, two=0.05, always=[ONE], opening={"one": 0.02})
    assert choose(of, opened, 0.1) == [ONE, TWO]
    another = ONE.replace("test_1", "test_2")
    more = Lines({**of.tests, another: Executed({7, 8, 9}, {7, 8, 9})}, of.numbers)
    times["times"][another] = 0.05
    assert choose(more, times, 1) == [ONE, TWO, another]  # 0.01 s more each


@pytest.mark.slow
def test_a_trial_has_a_fault_of_its_line() -> None:
    places = {(FOLD, line): [ONE] if line % 2 else [] for line in range(1, 200)}
    made = [*trials(places, 1)]
    assert [trial.fault.line for trial in made] == [
        line for line in range(1, 200, 2) if line in faults(FOLD)
    ]
    assert made == [*trials(places, 1)]


def plain(x: int) -> int:
    return x + 1


def other(x: int) -> int:
    return x + 1


def test_the_code_of_functions_is_replaced() -> None:
    assert isinstance(plain, FunctionType)
    assert isinstance(other, FunctionType)
    path = Path(__file__)
    line = plain.__code__.co_firstlineno + 1
    column = path.read_text(encoding="utf-8").splitlines()[line - 1].index("+")
    made = Trials([])
    made.add(plain)
    made.add(other)
    [(function, code)] = made.replaced(Fault(path, line, column, "+", "-"))
    assert function is plain
    assert plain(3) == 4
    function.__code__, old = code, function.__code__
    assert plain(3) == 2
    function.__code__ = old
