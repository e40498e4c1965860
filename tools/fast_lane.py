"""Choose the tests of the fast lane by the lines that they execute: tests/fast.txt.

    python tools/fast_lane.py --record         run all candidates, and keep what each executes
    python tools/fast_lane.py --seconds 4      choose from the record

A fault in a line that no test of the lane executes is not noticed. So the lane takes, again and
again, the test that executes most lines a second that no chosen test executes, until the tests
take so many seconds. Lines count that `tools/mutants.py` can put a fault into. A line counts more
where tests of its own folder execute it: they are more likely to check its effect. A second and a
third of them count, too, since one test seldom checks all effects of a line. Those of tests/golden
check them all, and count more.

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
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import UNDECIDED, lane_of  # noqa: E402
from tests.golden.digests import digest_of  # noqa: E402
from tests.lanes import CHOSEN, FAST, FOLDERS, LANES, sample, size  # noqa: E402
from tools.mutants import faults, tests_of  # noqa: E402

RECORD = ROOT / ".fast-lane"
LINES, TIMES = RECORD / "lines", RECORD / "times.json"
LONG = 0.2  # seconds of processor time, with the overhead of measuring
CASES = 4  # how many times as many cases of a function are candidates as a sample has
OVERHEAD = 0.002  # seconds of pytest for a test
OWN = (2.0, 1.0, 0.5, 0.0)  # worth of a line, by how many tests of its folder execute it already
FOREIGN = 0.5  # worth of a line that no chosen test executes, for a test of any folder
CHECKED = 3.0  # times the worth of the lines of a test whose digests hold all that they do


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
        digest_of.cache_clear()  # what one test has made, the next one executes, too
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


class Executed(NamedTuple):
    """The numbers of the lines that a test executes, and of those in the folder that it tests.

    Only lines that can have a fault count.
    """

    lines: set[int]
    own: set[int]

    def worth(self, times: Counter[int], own: Counter[int]) -> float:
        """Return the worth of the test, by how many chosen tests execute each line."""
        new = FOREIGN * sum(not times[line] for line in self.lines)
        return new + sum(OWN[min(own[line], len(OWN) - 1)] for line in self.own)


def executed() -> dict[str, Executed]:
    """Return the lines that each test of the record executes."""
    data = coverage.CoverageData(str(LINES))
    data.read()
    found: defaultdict[str, Executed] = defaultdict(lambda: Executed(set(), set()))
    number = 0
    for file in data.measured_files():
        if not file.endswith(".py") or not Path(file).exists():  # a template, or gone since
            continue
        home = tests_of(Path(file)).relative_to(ROOT).as_posix() + "/"
        able = faults(Path(file))
        for line, contexts in data.contexts_by_lineno(file).items():
            if line not in able:
                continue
            number += 1
            for test in contexts:
                found[test].lines.add(number)
                if test.startswith(home):
                    found[test].own.add(number)
    found.pop("", None)  # executed while modules were imported
    return found


def choose(
    lines: Mapping[str, Executed], times: Mapping[str, float], always: Iterable[str], seconds: float
) -> list[str]:
    """Return the tests of most worth within so many seconds, `always` among them."""

    def cost(test: str) -> float:
        return times[test] + OVERHEAD

    def rate(test: str) -> float:
        factor = CHECKED if "/test_golden.py::" in test else 1.0
        return factor * lines[test].worth(count, own) / cost(test)

    chosen: list[str] = []
    count: Counter[int] = Counter()
    own: Counter[int] = Counter()

    def take(test: str) -> None:
        chosen.append(test)
        if test in lines:
            count.update(lines[test].lines)
            own.update(lines[test].own)

    for test in always:
        if test in times:
            take(test)
    taken = set(chosen)
    heap = [
        (-rate(test), test)
        for test in lines
        if test in times and test not in taken and times[test] < LONG
    ]
    heapq.heapify(heap)
    spent = 0.0
    while heap:
        _, test = heapq.heappop(heap)
        now = -rate(test)
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
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    if options.record:
        record()
    known: dict[str, Any] = json.loads(TIMES.read_text(encoding="utf-8"))
    lines = executed()
    chosen = choose(lines, known["times"], known["always"], options.seconds)
    CHOSEN.write_text(text(chosen, known["modules"]), encoding="utf-8")
    every = set[int]().union(*(found.lines for found in lines.values()))
    taken = set[int]().union(*(lines[test].lines for test in chosen if test in lines))
    print(
        f"{len(chosen):,} of {len(known['times']):,} tests execute {len(taken):,} of"
        f" {len(every):,} lines ({len(taken) / len(every):.1%})"
    )


if __name__ == "__main__":
    main()
