"""Choose the tests of the fast lane by the lines that they execute: tests/fast.txt.

    python tools/fast_lane.py --record         run all candidates, and keep what each executes
    python tools/fast_lane.py --record --again    run the tests that the lane has now, and no others
    python tools/fast_lane.py --seconds 6      choose from the record
    python tools/fast_lane.py --try 300        put so many faults into lines of the record, and
                                               tell how many the lane notices

A fault in a line that no test of the lane executes is not noticed, and one in a line that a test
executes is noticed with a chance of about 0.4 (measured; those of tests/golden, which compare all
of an answer, notice more, but take as much longer). So the lane takes, again and again, the test
with which most faults more are likely to be noticed by the second, until the tests take so many
seconds. A line has less left to notice with each test of its folder that executes it. Lines count
that `tools/mutants.py` can put a fault into.

Candidates are the tests whose lane neither a mark nor their folder decides; tests marked `fast` are
always in it. Each import executes the lines of tables: tests of tables are not chosen, but marked.
A record of all candidates takes about a quarter of an hour of one idle core (coverage.py measures
lines), and is kept in .fast-lane/, which git ignores. A candidate that takes more than `LONG`
seconds while it is measured is interrupted and not taken.
"""

import argparse
import heapq
import json
import random
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
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
from tests.changes import mirror  # noqa: E402
from tests.conftest import UNDECIDED, lane_of  # noqa: E402
from tests.golden.digests import digest_of  # noqa: E402
from tests.lanes import CHOSEN, FAST, FOLDERS, LANES, sample, size  # noqa: E402
from tools.fast_trials import Trials, import_all, trials  # noqa: E402
from tools.mutants import faults  # noqa: E402

RECORD = ROOT / ".fast-lane"
LINES, TIMES = RECORD / "lines", RECORD / "times.json"
LONG = 0.4  # seconds of processor time, with the overhead of measuring
CASES = 4  # how many times as many cases of a function are candidates as a sample has
OVERHEAD = 0.002  # seconds of pytest for a test
ROUNDS = 4  # of choices, after which no module has many more or fewer tests than before
FOREIGN = 0.05  # chance that a test of another folder notices a fault in a line that it executes
CHANCE = 0.4  # that a test of the folder does


class _TooLongError(BaseException):
    """The measured test has run for LONG; not an Exception, which a test might expect."""


class Recorder:
    """A plugin that notes the lines, the time and the mark of each candidate."""

    def __init__(self, again: bool) -> None:
        self.again = again
        self.coverage = coverage.Coverage(
            data_file=str(LINES), include=[f"{ROOT}/src/*"], config_file=False, messages=False
        )
        self.times: dict[str, float] = {}
        self.opening: dict[str, float] = {}
        self.always: list[str] = []
        self.modules: list[str] = []

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if isinstance(collector, pytest.Module):
            start = process_time()
            with suppress(Exception, pytest.skip.Exception):  # which the collection tells
                _ = collector.obj
            self.opening[collector.nodeid] = process_time() - start

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
            if self.again:
                cases = [item for item in cases if item.get_closest_marker(FAST) is not None]
            self.always += [item.nodeid for item in cases if UNDECIDED not in item.stash]
            values = [item.callspec.indices if hasattr(item, "callspec") else {} for item in cases]
            # Cases of one function execute much the same lines.
            count = CASES * size(len(cases))
            if cases and is_golden(cases[0].nodeid):
                count *= CASES
            kept += (
                cases
                if self.again
                else [cases[at] for at in sample(values, min(count, len(cases)))]
            )
        self.modules = sorted({item.nodeid.partition("::")[0] for item in items})
        items[:] = kept

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


def record(again: bool = False) -> None:
    """Run all candidates in this process, or those that the lane has; write the record."""
    RECORD.mkdir(exist_ok=True)
    LINES.unlink(missing_ok=True)

    def interrupt(*_: object) -> None:
        raise _TooLongError

    signal.signal(signal.SIGVTALRM, interrupt)
    import_all()  # else the first test that imports a module executes its lines
    recorder = Recorder(again)
    left_out = [f"--ignore={ROOT}/tests/{name}" for name, lane in FOLDERS.items() if lane in LANES]
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    compiling = [sys.executable, "-m", "pytest", "--collect-only", *arguments, *left_out]
    subprocess.run([*compiling, str(ROOT / "tests")], stdout=subprocess.DEVNULL, check=True)
    recorder.coverage.start()
    pytest.main([*arguments, "-W", "ignore", *left_out, str(ROOT / "tests")], plugins=[recorder])
    recorder.coverage.stop()
    recorder.coverage.save()
    found = {
        "times": recorder.times,
        "opening": recorder.opening,
        "always": recorder.always,
        "modules": recorder.modules,
    }
    TIMES.write_text(json.dumps(found), encoding="utf-8")


def tell_noticed(count: int) -> None:
    """Put faults into lines that a test of their folder executes, and print what was noticed."""
    in_lane = {f"{module}::{name}" for module, names in lanes.chosen().items() for name in names}
    of_folders = executed().of_folders()
    drawn = random.Random(count).sample(sorted(of_folders), min(count, len(of_folders)))
    by_line = {
        (ROOT / path, line): [test for test in of_folders[path, line] if test in in_lane]
        for path, line in drawn
    }
    wanted = [*trials(by_line, count)]
    made = Trials(wanted)
    arguments = ["-q", "-m", FAST, "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
    pytest.main([*arguments, str(ROOT / "tests")], plugins=[made])
    for trial, noticed in made.made:
        print("noticed" if noticed else "missed ", trial.fault)
    print(
        f"{sum(noticed for _, noticed in made.made)} noticed of {len(made.made)} faults in lines"
        f" that the lane executes; it does not execute {len(drawn) - len(wanted)} of {len(drawn)}"
    )


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
        home = mirror(Path(file).parent).relative_to(ROOT).as_posix() + "/"
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


def is_golden(test: str) -> bool:
    """Return whether a test compares whole answers: tests/golden."""
    return "/test_golden.py::" in test


def choose(lines: Lines, known: Mapping[str, Any], seconds: float) -> list[str]:
    """Return the tests of most worth within so many seconds, those that are marked among them.

    A module must be opened for its first test, which takes longer than most tests. Each test pays a
    share of that: the module's tests in the choice before share it alike.
    """
    always = [test for test in known["always"] if test in known["times"]]
    open_anyway = {module_of(test) for test in known["always"]}
    opening = {
        module: 0.0 if module in open_anyway else took for module, took in known["opening"].items()
    }
    company: Mapping[str, int] = Counter(map(module_of, lines.tests))
    chosen: list[str] = []
    for _ in range(ROUNDS):
        share = {module: took / max(1, company[module]) for module, took in opening.items()}
        chosen = _chosen(lines, known["times"], always, share, seconds)
        company = Counter(map(module_of, chosen))
    return chosen


def module_of(test: str) -> str:
    """Return the module of a test."""
    return test.partition("::")[0]


def _chosen(
    lines: Lines,
    times: Mapping[str, float],
    always: Iterable[str],
    share: Mapping[str, float],
    seconds: float,
) -> list[str]:
    """Return the tests of most worth, where a test of a module also takes its `share`."""
    missed = np.ones(len(lines.numbers))  # the chance that no test of its folder notices a fault
    anywhere = np.ones(len(lines.numbers))  # and none of another folder
    met = np.zeros(len(lines.numbers), np.uint32)
    own: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for test, found in lines.tests.items():
        if test in times:
            own[test] = np.array(sorted(found.own), np.intp)
            others[test] = np.array(sorted(found.lines - found.own), np.intp)

    def gain(test: str) -> float:
        mine, more = own[test], others[test]
        new = CHANCE * missed[mine] / (1 + met[mine])
        return float(new.sum() + FOREIGN * (missed[more] * anywhere[more]).sum())

    def cost(test: str) -> float:
        return times[test] + OVERHEAD + share.get(module_of(test), 0.0)

    chosen: list[str] = []

    def take(test: str) -> None:
        chosen.append(test)
        if test in own:
            mine = own[test]
            # Tests that execute one line often check the same effect of it.
            missed[mine] *= 1 - CHANCE / (1 + met[mine])
            met[mine] += 1
            anywhere[others[test]] *= 1 - FOREIGN

    for test in always:
        take(test)
    taken = set(chosen)
    heap = [
        (-gain(test) / cost(test), test)
        for test in own
        if test not in taken and 0 <= times[test] < LONG
    ]
    heapq.heapify(heap)
    spent = 0.0
    while heap:
        _, test = heapq.heappop(heap)
        now = -gain(test) / cost(test)
        if not now:
            continue
        if heap and now > heap[0][0]:
            heapq.heappush(heap, (now, test))  # others are worth more than it still is
            continue
        spent += cost(test)
        if spent > seconds:
            break
        take(test)
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
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--try", type=int, default=0, dest="faults", metavar="COUNT")
    options = parser.parse_args()
    if options.faults:
        tell_noticed(options.faults)
        return
    if options.record:
        record(options.again)
    known: dict[str, Any] = json.loads(TIMES.read_text(encoding="utf-8"))
    lines = executed()
    chosen = choose(lines, known, options.seconds)
    CHOSEN.write_text(text(chosen, known["modules"]), encoding="utf-8")
    every = set[int]().union(*(found.lines for found in lines.tests.values()))
    taken = set[int]().union(*(lines.tests[test].lines for test in chosen if test in lines.tests))
    print(
        f"{len(chosen):,} of {len(known['times']):,} tests execute {len(taken):,} of"
        f" {len(every):,} lines ({len(taken) / len(every):.1%})"
    )


if __name__ == "__main__":
    main()
