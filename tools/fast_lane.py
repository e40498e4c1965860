"""Choose the tests of the fast lane by the lines that they execute: tests/fast.txt.

    python tools/fast_lane.py --record         run all candidates, and keep what each executes
    python tools/fast_lane.py --seconds 4      choose from the record

A fault in a line that no test of the lane executes is not noticed. So the lane takes, again and
again, the test that executes most lines a second that no chosen test executes, until the tests
take so many seconds. A line counts three times as much where a test of its own folder executes it:
such a test is more likely to look at what the line does.

Candidates are the tests whose lane neither a mark nor their folder decides; tests marked `fast` are
always in it. Each import executes the lines of tables: tests of tables are not chosen, but marked.
A record of all candidates takes about ten minutes of one idle core (coverage.py measures lines),
and is kept in .fast-lane/, which git ignores. A candidate that takes more than `LONG` seconds while
it is measured is interrupted and not taken.
"""

import argparse
import heapq
import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import UNDECIDED, lane_of  # noqa: E402
from tests.lanes import CHOSEN, FAST, FOLDERS, LANES, sample, size  # noqa: E402
from tools.mutants import tests_of  # noqa: E402

RECORD = ROOT / ".fast-lane"
LINES, TIMES = RECORD / "lines", RECORD / "times.json"
LONG = 0.2  # seconds of processor time, with the overhead of measuring
CASES = 4  # how many times as many cases of a function are candidates as a sample has
OVERHEAD = 0.002  # seconds of pytest for a test


class _TooLongError(BaseException):
    """The measured test has run for LONG; not an Exception, which a test might expect."""


class Recorder:
    """A plugin that notes the lines, the time and the mark of each candidate."""

    def __init__(self) -> None:
        self.coverage = coverage.Coverage(
            data_file=str(LINES), include=[f"{ROOT}/src/*"], config_file=False, messages=False
        )
        self.times: dict[str, float] = {}
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
            kept += [cases[at] for at in sample(values, CASES * size(len(cases)))]
        self.modules = sorted({item.nodeid.partition("::")[0] for item in items})
        items[:] = kept

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
        try:
            yield
        except _TooLongError:
            start -= LONG
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.times[item.nodeid] = time.process_time() - start
            self.coverage.switch_context("")


def record() -> None:
    """Run all candidates in this process, and write the record."""
    RECORD.mkdir(exist_ok=True)
    LINES.unlink(missing_ok=True)

    def interrupt(*_: object) -> None:
        raise _TooLongError

    signal.signal(signal.SIGVTALRM, interrupt)
    recorder = Recorder()
    left_out = [f"--ignore={ROOT}/tests/{name}" for name, lane in FOLDERS.items() if lane in LANES]
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    recorder.coverage.start()
    pytest.main([*arguments, "-W", "ignore", *left_out, str(ROOT / "tests")], plugins=[recorder])
    recorder.coverage.stop()
    recorder.coverage.save()
    found = {"times": recorder.times, "always": recorder.always, "modules": recorder.modules}
    TIMES.write_text(json.dumps(found), encoding="utf-8")


def executed() -> dict[str, set[int]]:
    """Return numbers of the lines that each test of the record executes.

    A line has three: one of all tests, two of those in its own folder.
    """
    data = coverage.CoverageData(str(LINES))
    data.read()
    found: defaultdict[str, set[int]] = defaultdict(set)
    number = 0
    for file in data.measured_files():
        home = tests_of(Path(file)).relative_to(ROOT).as_posix() + "/"
        for contexts in data.contexts_by_lineno(file).values():
            number += 3
            for test in contexts:
                found[test].add(number)
                if test.startswith(home):
                    found[test].update((number - 2, number - 1))
    found.pop("", None)  # executed while modules were imported
    return found


def choose(
    lines: Mapping[str, set[int]], times: Mapping[str, float], always: Iterable[str], seconds: float
) -> list[str]:
    """Return the tests that execute most lines within so many seconds, `always` among them."""

    def cost(test: str) -> float:
        return times[test] + OVERHEAD

    chosen = [test for test in always if test in times]
    left: set[int] = set().union(*lines.values())
    for test in chosen:
        left -= lines.get(test, set())
    heap = [
        (-len(found) / cost(test), test)
        for test, found in lines.items()
        if test in times and test not in chosen and times[test] < LONG
    ]
    heapq.heapify(heap)
    spent = 0.0
    while heap:
        _, test = heapq.heappop(heap)
        new = lines[test] & left
        rate = -len(new) / cost(test)
        if not new:
            continue
        if heap and rate > heap[0][0]:
            heapq.heappush(heap, (rate, test))  # others execute more than it still does
            continue
        spent += cost(test)
        if spent > seconds:
            break
        chosen.append(test)
        left -= new
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
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    if options.record:
        record()
    known: dict[str, Any] = json.loads(TIMES.read_text(encoding="utf-8"))
    lines = executed()
    chosen = choose(lines, known["times"], known["always"], options.seconds)
    CHOSEN.write_text(text(chosen, known["modules"]), encoding="utf-8")
    every = {each for found in lines.values() for each in found if not each % 3}
    taken = {each for test in chosen for each in lines.get(test, ()) if not each % 3}
    print(
        f"{len(chosen):,} of {len(known['times']):,} tests execute {len(taken):,} of"
        f" {len(every):,} lines ({len(taken) / len(every):.1%})"
    )


if __name__ == "__main__":
    main()
