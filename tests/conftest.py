"""Lanes by folder, the corpus, and the ratchet's counts in the terminal summary."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from dataclasses import astuple
from pathlib import Path

import pytest

from tests.corpus import VARIABLE, corpus_root
from tests.lanes import CONFORMANCE, FAST, FOLDERS, HEAVY, SLOW, folder_lane, sample, size
from tests.ratchet import (
    PROPERTY,
    SAMPLE,
    WHOLE,
    Figure,
    Ratchet,
    corpus_name,
    figures_in,
    read_ledger,
    write_ledger,
)
from tests.sampling import is_sampled, set_sampled

TESTS = Path(__file__).parent
UPDATE, SAMPLED = "--ratchet-update", "--sample"
LONG = 0.2  # seconds: a test of the fast lane that takes more is named


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(UPDATE, action="store_true", help="record the measured ratchet figures")
    parser.addoption(
        SAMPLED, action="store_true", help="of what is repeated in kind, take about a fifth"
    )


def pytest_configure(config: pytest.Config) -> None:
    set_sampled(bool(config.getoption(SAMPLED)))
    # The fast lane has no use for Hypothesis, whose plugin imports all of it.
    if config.option.markexpr == FAST and config.pluginmanager.hasplugin("hypothesispytest"):
        config.pluginmanager.unregister(name="hypothesispytest")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore in the fast lane, without an import, what it would leave out as a whole."""
    if config.option.markexpr == FAST and collection_path.parent == TESTS:
        return collection_path.name in FOLDERS or None
    return None


def pytest_collection() -> None:
    gc.disable()  # thousands of items come and none goes: a quarter of the time


def pytest_collection_finish() -> None:
    gc.freeze()  # nor is there any among them while the tests run
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test with its lane (see lanes.py)."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        lane = folder_lane(item.nodeid)
        if lane is not None:
            item.add_marker(lane)
        elif item.get_closest_marker(SLOW) is None and item.get_closest_marker(CONFORMANCE) is None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one in cases.values():
        values = [item.callspec.indices if hasattr(item, "callspec") else {} for item in of_one]
        heavy = of_one[0].get_closest_marker(HEAVY) is not None
        taken = set(sample(values, 1 if heavy else size(len(of_one))))
        for at, item in enumerate(of_one):
            item.add_marker(FAST if at in taken else SLOW)


@pytest.fixture(scope="session")
def corpus() -> Path:
    root = corpus_root()
    if not root.is_dir():
        pytest.skip(f"no corpus at {root}; {VARIABLE} names another folder")
    return root


@pytest.fixture
def ratchet(request: pytest.FixtureRequest) -> Ratchet:
    updating = bool(request.config.getoption(UPDATE))
    root = corpus_root()
    corpus = corpus_name(root) if root.is_dir() else ""

    def record(name: str, passed: int, total: int) -> None:
        assert 0 <= passed <= total, f"{name}: {passed} of {total} is no count"
        figure = Figure(name, passed, total, corpus)
        request.node.user_properties.append((PROPERTY, astuple(figure)))
        whole = read_ledger(WHOLE).get(name)
        known = read_ledger(SAMPLE).get(name) if is_sampled() else whole
        fault = figure.fault(known, whole if is_sampled() else None)
        assert updating or not fault, fault

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
    if config.option.markexpr == FAST:
        for report in calls:
            if report.duration > LONG:
                told = f"{report.nodeid} takes {report.duration:.1f} s: a test for the slow lane?"
                terminalreporter.line(told, yellow=True)
    if calls:
        terminalreporter.line(
            f"{len(calls):,} tests took {sum(os.times()[:4]):.1f} s of processor time, xdist's"
            f" workers and other children {'not ' if os.name == 'nt' else ''}included"
        )
    figures = [figure for report in calls for figure in figures_in(report.user_properties)]
    if not figures:
        return
    path = SAMPLE if is_sampled() else WHOLE
    ledger = read_ledger(path)
    terminalreporter.section("ratchet of a sample" if is_sampled() else "ratchet")
    for figure in sorted(figures, key=lambda each: each.name):
        share = figure.passed / figure.total if figure.total else 1.0
        count = f"{figure.passed} of {figure.total}"
        terminalreporter.line(
            f"{figure.name:<44} {count:>18} {share:8.2%}  "
            f"{figure.compared(ledger.get(figure.name))}"
        )
    if config.getoption(UPDATE):
        write_ledger(figures, path)
        terminalreporter.line(f"recorded in tests/conformance/{path.name}")
