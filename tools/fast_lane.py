"""Choose the tests of the fast lane by the faults that they notice: tests/fast.txt.

    python tools/fast_lane.py --record         run all candidates, and put faults into the sources
    python tools/fast_lane.py --try            put other faults into them
    python tools/fast_lane.py --seconds 8      choose from the record

A record has the lines that each candidate executes, and trials (`tools/fast_trials.py`): faults of
`tools/mutants.py`, and which tests of their folder noticed them. By the trials each test has a
chance to notice a fault in a line that it executes: tests that compare a whole result have a larger
one than those that look at a number. The lane takes, again and again, the test that makes it most
likely, by the second, that faults are noticed that no chosen test notices, until the tests take so
many seconds. A first test of a module costs the import of the module.

Candidates are the tests whose lane neither a mark nor their folder decides; tests marked `fast` are
always in it. Each import executes the lines of tables: tests of tables are not chosen, but marked.
A record of all candidates takes about half an hour of one idle core (coverage.py measures lines),
and is kept in .fast-lane/, which git ignores. A candidate that takes more than `LONG` seconds while
it is measured is interrupted and not taken.
"""

import argparse
import heapq
import json
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping
from itertools import groupby
from pathlib import Path
from time import process_time  # a test replaces it in its module
from typing import Any, NamedTuple

import coverage
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import lanes  # noqa: E402
from tests.conftest import UNDECIDED, lane_of  # noqa: E402
from tests.golden.digests import digest_of  # noqa: E402
from tests.lanes import CHOSEN, FAST, FOLDERS, LANES, sample, size  # noqa: E402
from tools.fast_trials import Trials, Tried, import_all, read_trials, trials  # noqa: E402
from tools.mutants import faults, tests_of  # noqa: E402

RECORD = ROOT / ".fast-lane"
LINES, TIMES = RECORD / "lines", RECORD / "times.json"
TRIED, TRIED_LANE = RECORD / "tried.jsonl", RECORD / "tried-lane.txt"
LONG = 0.2  # seconds of processor time, with the overhead of measuring
CASES = 4  # how many times as many cases of a function are candidates as a sample has
OVERHEAD = 0.002  # seconds of pytest for a test
CASE = 0.0001  # seconds of pytest to make a test, which most modules have many of
FOREIGN = 0.05  # chance that a test of another folder notices a fault in a line that it executes
DEFAULT = 0.4  # chance of a test of the folder, as long as no trial says more
WEIGHT = 8.0  # trials that the chance of a larger group of tests counts as much as
NOTICED, UNNOTICED = 0.9, 0.4  # chance where a trial noticed a fault in the line; its factor if not
TRIALS = 3000


class _TooLongError(BaseException):
    """The measured test has run for LONG; not an Exception, which a test might expect."""


class Recorder:
    """A plugin that notes the lines, the time and the mark of each candidate."""

    def __init__(self) -> None:
        self.coverage = coverage.Coverage(
            data_file=str(LINES), include=[f"{ROOT}/src/*"], config_file=False, messages=False
        )
        self.times: dict[str, float] = {}
        self.imports: dict[str, float] = {}
        self.always: list[str] = []
        self.modules: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept: list[pytest.Item] = []
        # A name with the folder of this checkout is another one elsewhere.
        functions = [
            item
            for item in items
            if isinstance(item, pytest.Function) and str(ROOT) not in item.nodeid
        ]
        for _, alike in groupby(functions, key=lambda item: (item.path, item.originalname)):
            cases = [item for item in alike if UNDECIDED in item.stash or lane_of(item) == FAST]
            self.always += [item.nodeid for item in cases if UNDECIDED not in item.stash]
            values = [item.callspec.indices if hasattr(item, "callspec") else {} for item in cases]
            # Cases of one function execute much the same lines.
            count = CASES * size(len(cases))
            if cases and test_of_answers(cases[0].nodeid):
                count *= CASES
            kept += [cases[at] for at in sample(values, min(count, len(cases)))]
        self.modules = sorted({item.nodeid.partition("::")[0] for item in items})
        items[:] = kept

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        start = process_time()
        report = yield
        if isinstance(collector, pytest.Module):
            seconds = process_time() - start - len(report.result) * CASE
            self.imports[collector.nodeid] = max(seconds, 0.0)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        digest_of.cache_clear()  # what one test has made, the next one executes, too
        self.coverage.switch_context(item.nodeid)
        start = process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
        try:
            yield
        except _TooLongError:
            start -= LONG
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.times[item.nodeid] = process_time() - start
            self.coverage.switch_context("")


def record() -> None:
    """Run all candidates in this process, and write the record."""
    RECORD.mkdir(exist_ok=True)
    LINES.unlink(missing_ok=True)

    def interrupt(*_: object) -> None:
        raise _TooLongError

    signal.signal(signal.SIGVTALRM, interrupt)
    import_all()  # the first module of tests that imports one is not the only one that needs it
    recorder = Recorder()
    left_out = [f"--ignore={ROOT}/tests/{name}" for name, lane in FOLDERS.items() if lane in LANES]
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    recorder.coverage.start()
    pytest.main([*arguments, "-W", "ignore", *left_out, str(ROOT / "tests")], plugins=[recorder])
    recorder.coverage.stop()
    recorder.coverage.save()
    found = {
        "times": recorder.times, "imports": recorder.imports, "always": recorder.always,
        "modules": recorder.modules,
    }  # fmt: skip
    TIMES.write_text(json.dumps(found), encoding="utf-8")


def make_trials(count: int) -> None:
    """Make trials of lines of the record, in this process and forks of it."""
    known: dict[str, Any] = json.loads(TIMES.read_text(encoding="utf-8"))
    times = {test: seconds for test, seconds in known["times"].items() if 0 <= seconds < LONG}
    of_lines = {
        (str(ROOT / path), line): [test for test in tests if test in times]
        for (path, line), tests in executed().of_folders().items()
    }
    wanted = [*trials(of_lines, times, 1, count)]
    # The lane that is collected is that of all tests of the trials.
    tests = {test for trial in wanted for test in trial.tests}
    TRIED_LANE.write_text(text(tests, known["modules"]), encoding="utf-8")
    lanes.CHOSEN = TRIED_LANE
    arguments = ["-q", "-m", FAST, "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
    pytest.main([*arguments, str(ROOT / "tests")], plugins=[Trials(wanted, TRIED)])


class Executed(NamedTuple):
    """The numbers of the lines that a test executes, and of those in the folder that it tests.

    Only lines that can have a fault count.
    """

    lines: set[int]
    own: set[int]


class Lines(NamedTuple):
    """What the tests of the record execute, and the number of each line."""

    tests: dict[str, Executed]
    numbers: dict[tuple[str, int], int]  # by path inside the checkout, and line

    def of_folders(self) -> dict[tuple[str, int], list[str]]:
        """Return the tests of its folder that execute each line."""
        by_number: defaultdict[int, list[str]] = defaultdict(list)
        for test, found in self.tests.items():
            for number in found.own:
                by_number[number].append(test)
        return {
            place: by_number[number]
            for place, number in self.numbers.items()
            if number in by_number
        }


def executed() -> Lines:
    """Return the lines that each test of the record executes."""
    data = coverage.CoverageData(str(LINES))
    data.read()
    found: defaultdict[str, Executed] = defaultdict(lambda: Executed(set(), set()))
    numbers: dict[tuple[str, int], int] = {}
    for file in data.measured_files():
        if not file.endswith(".py") or not Path(file).exists():  # a template, or gone since
            continue
        home = tests_of(Path(file)).relative_to(ROOT).as_posix() + "/"
        able = faults(Path(file))
        for line, contexts in data.contexts_by_lineno(file).items():
            if line not in able:
                continue
            number = len(numbers)
            numbers[Path(file).relative_to(ROOT).as_posix(), line] = number
            for test in contexts:
                found[test].lines.add(number)
                if test.startswith(home):
                    found[test].own.add(number)
    found.pop("", None)  # executed while modules were imported
    return Lines(found, numbers)


class Chances:
    """How likely a test notices a fault in a line of its folder that it executes.

    The share of the trials of the test in which it noticed one; of a test with few trials, rather
    the share of its function, of its module, and of all tests.
    """

    def __init__(self, tried: Iterable[Tried]) -> None:
        self._noticed: Counter[str] = Counter()
        self._tried: Counter[str] = Counter()
        self.verdicts: defaultdict[tuple[str, int], dict[str, bool]] = defaultdict(dict)
        for each in tried:
            for test in each.tests:
                noticed = test in each.noticed
                self.verdicts[each.path, each.line][test] = noticed
                for group in _groups(test):
                    self._tried[group] += 1
                    self._noticed[group] += noticed

    def of(self, test: str) -> float:
        """Return the chance of a test."""
        chance = DEFAULT
        for group in _groups(test):
            chance = (self._noticed[group] + WEIGHT * chance) / (self._tried[group] + WEIGHT)
        return chance


def _groups(test: str) -> tuple[str, ...]:
    """Return the groups of tests that a test is in, the largest first."""
    module = test.partition("::")[0]
    return "golden" if test_of_answers(test) else "other", module, test.partition("[")[0], test


def test_of_answers(test: str) -> bool:
    """Return whether a test compares whole answers: tests/golden."""
    return "/test_golden.py::" in test


def choose(
    lines: Lines, known: Mapping[str, Any], tried: Iterable[Tried], seconds: float
) -> list[str]:
    """Return the tests of most worth within so many seconds, those that are marked among them."""
    times: Mapping[str, float] = known["times"]
    imports: Mapping[str, float] = known.get("imports", {})
    chances = Chances(tried)
    missed = np.ones(len(lines.numbers))  # the chance that no test of its folder notices a fault
    anywhere = np.ones(len(lines.numbers))  # and none of another folder
    times_met = np.zeros(len(lines.numbers), np.uint32)
    own: dict[str, Any] = {}
    others: dict[str, Any] = {}
    shares: dict[str, Any] = {}
    by_test: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for place, verdicts in chances.verdicts.items():
        for test, noticed in verdicts.items():
            if place in lines.numbers:
                by_test[test][lines.numbers[place]] = noticed
    for test, found in lines.tests.items():
        if test not in times:
            continue
        own[test] = np.array(sorted(found.own), np.intp)
        others[test] = np.array(sorted(found.lines - found.own), np.intp)
        share = np.full(len(own[test]), chances.of(test))
        for number, noticed in by_test[test].items():
            at = np.searchsorted(own[test], number)
            if at < len(share) and own[test][at] == number:
                share[at] = NOTICED if noticed else share[at] * UNNOTICED
        shares[test] = share

    def gain(test: str) -> float:
        mine, more = own[test], others[test]
        new = missed[mine] * shares[test] / (1 + times_met[mine])
        return float(new.sum() + FOREIGN * (missed[more] * anywhere[more]).sum())

    entered: set[str] = set()  # modules

    def cost(test: str) -> float:
        module = test.partition("::")[0]
        return times[test] + OVERHEAD + (0.0 if module in entered else imports.get(module, 0.0))

    chosen: list[str] = []

    def take(test: str) -> None:
        chosen.append(test)
        entered.add(test.partition("::")[0])
        if test in own:
            mine = own[test]
            # Tests that execute one line often check the same effect of it.
            missed[mine] *= 1 - shares[test] / (1 + times_met[mine])
            times_met[mine] += 1
            anywhere[others[test]] *= 1 - FOREIGN

    for test in known["always"]:
        if test in times:
            take(test)
    taken = set(chosen)
    left: defaultdict[str, list[str]] = defaultdict(list)
    for test in own:
        if test not in taken and 0 <= times[test] < LONG:
            left[test.partition("::")[0]].append(test)
    heap = [(-gain(test) / cost(test), test) for tests in left.values() for test in tests]
    heapq.heapify(heap)
    spent = 0.0
    while heap:
        _, test = heapq.heappop(heap)
        if test in taken:
            continue
        now = -gain(test) / cost(test)
        if not now:
            continue
        if heap and now > heap[0][0]:
            heapq.heappush(heap, (now, test))  # others are worth more than it still is
            continue
        spent += cost(test)
        if spent > seconds:
            break
        module = test.partition("::")[0]
        is_first = module not in entered
        take(test)
        taken.add(test)
        if is_first and imports.get(module, 0.0):  # the others cost less from now on
            for other in left[module]:
                if other not in taken:
                    heapq.heappush(heap, (-gain(other) / cost(other), other))
    return chosen


def text(chosen: Iterable[str], modules: Iterable[str]) -> str:
    """Return the text of tests/fast.txt: modules, and below each the names of its tests."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for test in chosen:
        module, _, name = test.partition("::")
        names[module].append(name)
    found = ["# The fast lane, made by tools/fast_lane.py: modules, and the tests that it takes."]
    for module in sorted(modules):
        found.append(module)
        found += [f"    {name}" for name in sorted(names[module])]
    return "\n".join(found) + "\n"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--try", action="store_true", dest="tries", help="make the trials anew")
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    if options.record:
        record()
        # In a process of its own: coverage.py slows down this one, which has run all tests.
        command = [sys.executable, __file__, "--try", "--trials", str(options.trials)]
        subprocess.run([*command, "--seconds", str(options.seconds)], check=True)
        return
    if options.tries:
        make_trials(options.trials)
    known: dict[str, Any] = json.loads(TIMES.read_text(encoding="utf-8"))
    lines = executed()
    tried = [*read_trials(TRIED)]
    chosen = choose(lines, known, tried, options.seconds)
    CHOSEN.write_text(text(chosen, known["modules"]), encoding="utf-8")
    every = set[int]().union(*(found.lines for found in lines.tests.values()))
    taken = set[int]().union(*(lines.tests[test].lines for test in chosen if test in lines.tests))
    by_chosen = sum(not each.noticed.isdisjoint(chosen) for each in tried)
    print(
        f"{len(chosen):,} of {len(known['times']):,} tests execute {len(taken):,} of"
        f" {len(every):,} lines ({len(taken) / len(every):.1%}), and notice {by_chosen:,} of"
        f" {len(tried):,} faults ({sum(bool(each.noticed) for each in tried):,} by any)"
    )


if __name__ == "__main__":
    main()
