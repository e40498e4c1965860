"""Lanes by folder, the corpus, and the ratchet's counts in the terminal summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import VARIABLE, corpus_root
from tests.ratchet import PROPERTY, Figure, Ratchet, figures_in, read_ledger, write_ledger

TESTS = Path(__file__).parent
UPDATE = "--ratchet-update"
SLOW = ("test_random", "test_sampling_cubes")  # modules of the slow lane in any folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(UPDATE, action="store_true", help="record the measured ratchet figures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
        if folder == "conformance":
            item.add_marker("conformance")
        elif folder in ("hostile", "properties") or item.path.stem in SLOW:
            item.add_marker("slow")
        if not any(item.iter_markers("conformance")) and not any(item.iter_markers("slow")):
            item.add_marker("fast")


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
    figures = [
        figure
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for figure in figures_in(report.user_properties)
    ]
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
