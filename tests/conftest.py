"""Lanes by folder, the corpus, and the ratchet's counts in the terminal summary."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus import VARIABLE, corpus_root
from tests.ratchet import PROPERTY, Figure, Ratchet, figures_in, read_ledger, write_ledger

TESTS = Path(__file__).parent
UPDATE = "--ratchet-update"
FAST = "fast"
HEAVY = 0.3  # seconds of processor time: a test of the fast lane that takes more is named
TAKEN = "processor time"
FOLDERS = {"conformance": "conformance", "hostile": "slow", "properties": "slow"}
SLOW = ("test_random", "test_sampling_cubes")  # modules of the slow lane in any folder
# Modules that compile or draw something for each of very many cases: of each of their tests the
# fast lane takes one case in so many, the slow lane the others. Primes, so that the cases of a
# product of parameters come from all along each of its axes.
SAMPLED = {
    "analysis/diff/test_diff.py": 3,
    "screens/test_screens.py": 3,
    "formats/dxcontainer/assemble/test_assemble.py": 3,
    "ir/library/test_anisotropy.py": 29,
    "ir/library/test_sampling.py": 13,
    "ir/test_printing.py": 5,
    "programs/pica/test_text.py": 5,
    "programs/tpf/lower/test_arithmetic.py": 5,
    "programs/tpf/lower/test_flow.py": 3,
    "programs/tpf/lower/test_memory.py": 3,
    "programs/tpf/lower/test_textures.py": 5,
    "run/test_numbers.py": 3,
    "run/test_stages.py": 3,
    "run/test_stores.py": 5,
    "test_documentation.py": 3,
    "testing/test_plugin.py": 3,
    "vm/test_accesses.py": 13,
    "vm/test_flow.py": 11,
    "vm/test_generated.py": 11,
    "vm/test_operations.py": 13,
    "vm/test_size.py": 7,
    "vm/test_subnormals.py": 11,
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(UPDATE, action="store_true", help="record the measured ratchet figures")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The fast lane does not even import what it would leave out as a whole."""
    if config.option.markexpr == FAST and collection_path.parent == TESTS:
        return collection_path.name in FOLDERS or None
    return None


def pytest_collection() -> None:
    gc.disable()  # thousands of items come and none goes: a quarter of the time


def pytest_collection_finish() -> None:
    gc.freeze()  # nor is there any among them while the tests run
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases: Counter[str] = Counter()
    for item in items:
        place = item.location[0].removeprefix("tests/")
        function = item.nodeid.partition("[")[0]
        lane = FOLDERS.get(place.partition("/")[0])
        if lane is not None:
            item.add_marker(lane)
        elif item.path.stem in SLOW or cases[function] % SAMPLED.get(place, 1):
            item.add_marker("slow")
        cases[function] += 1
        if not any(item.iter_markers("conformance")) and not any(item.iter_markers("slow")):
            item.add_marker(FAST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    start = time.process_time()
    yield
    taken = time.process_time() - start
    if taken > HEAVY and item.config.option.markexpr == FAST:
        item.user_properties.append((TAKEN, taken))


@pytest.fixture(scope="session")
def corpus() -> Path:
    root = corpus_root()
    if not root.is_dir():
        pytest.skip(f"no corpus at {root}; {VARIABLE} names another folder")
    return root


@pytest.fixture
def ratchet(request: pytest.FixtureRequest) -> Ratchet:
    updating = bool(request.config.getoption(UPDATE))

    def record(name: str, passed: int, total: int) -> None:
        assert 0 <= passed <= total, f"{name}: {passed} of {total} is no count"
        figure = Figure(name, passed, total)
        request.node.user_properties.append((PROPERTY, (name, passed, total)))
        known = read_ledger().get(name)
        if known is None or updating or known["total"] != total:
            return
        assert passed >= known["passed"], (
            f"{name}: {passed} of {total}, {figure.compared({name: known})}"
        )

    return record


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if hasattr(config, "workerinput"):
        return  # an xdist worker summarises too, but sees only its share
    calls = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
    ]
    for report in calls:
        for name, value in report.user_properties:
            if name == TAKEN:
                told = f"{report.nodeid} takes {value:.1f} s: a test for the slow lane?"
                terminalreporter.line(told, yellow=True)
    figures = [figure for report in calls for figure in figures_in(report.user_properties)]
    if not figures:
        return
    ledger = read_ledger()
    terminalreporter.section("ratchet")
    for figure in sorted(figures, key=lambda each: each.name):
        share = figure.passed / figure.total if figure.total else 1.0
        count = f"{figure.passed} of {figure.total}"
        terminalreporter.line(
            f"{figure.name:<44} {count:>18} {share:8.2%}  {figure.compared(ledger)}"
        )
    if config.getoption(UPDATE):
        write_ledger(figures)
        terminalreporter.line("recorded in tests/conformance/ratchet.json")
