"""Lanes by folder, the corpus, and the ratchet's counts in the terminal summary."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator, Mapping
from dataclasses import astuple
from functools import cache
from itertools import groupby
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tests.changes import CHANGED, LATER, LEFT, changed_sources, has_time, in_order, is_of_change
from tests.corpus import VARIABLE, corpus_root
from tests.lanes import (
    FAST,
    HEAVY,
    LANES,
    SLOW,
    chosen,
    chosen_functions,
    folder_mark,
    sample,
    size,
    starts_process,
)
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
from tests.sampling import FIRST, cases_of, is_sampled, set_sampled

TESTS = Path(__file__).parent
UPDATE, SAMPLED = "--ratchet-update", "--sample"
UNDECIDED = pytest.StashKey[bool]()  # of a test whose lane neither a mark nor its folder decides
LONG = 0.1  # seconds: a test of the fast lane that takes more is named


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(UPDATE, action="store_true", help="record the measured ratchet figures")
    parser.addoption(
        SAMPLED, action="store_true", help="of what is repeated in kind, take about a tenth"
    )


def pytest_configure(config: pytest.Config) -> None:
    set_sampled(bool(config.getoption(SAMPLED)))
    if is_fast(config) and not hasattr(config, "workerinput") and not config.option.collectonly:
        config.stash[CHANGED] = changed_sources()
    # The fast lane has no use for Hypothesis, whose plugin imports all of it.
    if config.option.markexpr == FAST and config.pluginmanager.hasplugin("hypothesispytest"):
        config.pluginmanager.unregister(name="hypothesispytest")
    if has_plain_asserts(config):
        hook: object = config.pluginmanager.rewrite_hook
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not hook]


def has_plain_asserts(config: pytest.Config) -> bool:
    """Return whether asserts are compiled as they are written, so that failures show no values.

    To rewrite the asserts of 450 modules takes as long as to run the fast lane. pytest stores the
    result beside the tests, but not with PYTHONDONTWRITEBYTECODE.
    """
    return sys.dont_write_bytecode and is_fast(config)


def is_fast(config: pytest.Config) -> bool:
    """Return whether the fast lane runs, and no test is asked for by name."""
    return config.option.markexpr == FAST and not any("::" in name for name in config.args)


@cache  # a path is asked for with each name of its module
def module_of(path: Path) -> str:
    """Return the name of a module in tests/fast.txt."""
    return path.relative_to(TESTS.parent).as_posix() if path.is_relative_to(TESTS) else ""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore in the fast lane, without an import, what it would leave out as a whole."""
    if not is_fast(config) or is_of_change(config, collection_path):
        return None
    if collection_path.parent == TESTS and folder_mark(f"{collection_path.name}/") in LANES:
        return True
    if chosen_functions(module_of(collection_path)) != frozenset():
        return None
    # What is marked in a module that has no chosen test is in the lane, too.
    text = collection_path.read_text(encoding="utf-8")
    return not (f"mark.{FAST}" in text or "held_tables(" in text) or None


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Item] | None:
    """Make no cases, in the fast lane, of a function that it leaves out."""
    if not is_fast(collector.config) or is_of_change(collector.config, collector.path):
        return None
    functions = chosen_functions(module_of(collector.path))
    if functions is None or name in functions or not isinstance(obj, FunctionType):
        return None
    marks = {mark.name for mark in getattr(obj, "pytestmark", ())}
    marked = FAST in marks or collector.get_closest_marker(FAST) is not None
    return [] if name.startswith("test_") and not marked else None


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Keep, in the fast lane, only the cases of a listed module that it takes.

    The others would be made only to be deselected. pytest has no public name for the cases; if its
    own name for them changes, they are made and deselected.
    """
    yield
    cases = getattr(metafunc, "_calls", None)
    definition = metafunc.definition
    names = chosen().get(definition.nodeid.partition("::")[0])
    if not cases or names is None or not is_fast(metafunc.config):
        return
    if is_of_change(metafunc.config, definition.path):
        return
    if definition.get_closest_marker(FAST) is not None:
        return
    start = definition.nodeid.partition("::")[2]
    cases[:] = [
        case
        for case in cases
        if f"{start}[{case.id}]" in names or any(mark.name == FAST for mark in case.marks)
    ] or cases[:1]


@pytest.fixture(scope="session", autouse=True)
def unstored() -> None:
    """Store no programs: tests replace functions, which entries of the cache do not know of."""
    from tests.fixtures.storing import stop_storing

    stop_storing()


def pytest_collection() -> None:
    gc.disable()  # thousands of items come and none goes: a quarter of the time


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: module_of(item.path) not in FIRST)
    items[:] = in_order(items, config.stash.get(CHANGED, frozenset()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Run no test of a change for which the lane has no time left."""
    return None if has_time(item) else True


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()  # nor is there any among them while the tests run
    gc.enable()
    # The records of logging are kept for each of three phases of a test: a tenth of pytest's time.
    plugins = session.config.pluginmanager
    if is_fast(session.config) and not any(
        "caplog" in each.fixturenames for each in _functions(session)
    ):
        plugins.unregister(name="logging-plugin")


def _functions(session: pytest.Session) -> Iterator[pytest.Function]:
    return (item for item in session.items if isinstance(item, pytest.Function))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Mark every test of a module with its lane (see lanes.py).

    The fast lane and a sampled run go on without what they leave out, unless a test is asked for by
    name: five of six would be carried to the end of the collection only to be deselected there.
    """
    report = yield
    tests = [each for each in report.result if isinstance(each, pytest.Function)]
    config = collector.config
    mark_lanes(tests, changed=bool(tests) and is_of_change(config, tests[0].path))
    left: set[pytest.Function] = set()
    if is_fast(config):
        left = {test for test in tests if test.get_closest_marker(FAST) is None}
    elif is_sampled() and not any("::" in name for name in config.args):
        left = set(left_out(tests))
    if left:
        report.result = [each for each in report.result if each not in left]
        config.hook.pytest_deselected(items=[*left])
    return report


def left_out(tests: list[pytest.Function]) -> Iterator[pytest.Function]:
    """Iterate over the tests of the slow lane, of one module, that a sampled run leaves out."""
    slow = (test for test in tests if test.get_closest_marker(SLOW) is not None)
    for _, alike in groupby(slow, key=lambda test: test.originalname):
        cases = [*alike]
        taken = set(cases_of([parameters(test) for test in cases], module_of(cases[0].path)))
        yield from (test for at, test in enumerate(cases) if at not in taken)


def parameters(test: pytest.Function) -> Mapping[Any, object]:
    """Return the positions of a test's values in the lists of its parameters."""
    return test.callspec.indices if hasattr(test, "callspec") else {}


def mark_lanes(tests: list[pytest.Function], *, changed: bool = False) -> None:
    """Mark the tests of one module, given in their order; `changed` if its sources have."""
    sampled: list[pytest.Function] = []
    taken: set[pytest.Function] = set()
    names = chosen().get(tests[0].nodeid.partition("::")[0]) if tests else None
    heavy: list[pytest.Function] = []
    for _, alike in groupby(tests, key=lambda test: test.originalname):
        cases = []
        for test in alike:
            lane = lane_of(test)
            if lane is None:
                cases.append(test)
            elif test.get_closest_marker(lane) is None:
                test.add_marker(lane)
        sampled += cases
        if names is not None:
            taken.update(test for test in cases if test.nodeid.partition("::")[2] in names)
        elif cases and is_heavy(cases[0]):
            heavy.append(cases[0])
        else:
            values = [parameters(test) for test in cases]
            taken.update(cases[at] for at in sample(values, size(len(cases))))
    taken.update(heavy[at] for at in sample([{}] * len(heavy), size(len(heavy))))
    for test in sampled:
        test.stash[UNDECIDED] = True
        if changed and test not in taken:
            test.stash[LATER] = True
        test.add_marker(FAST if changed or test in taken else SLOW)


def lane_of(test: pytest.Function) -> str | None:
    """Return the lane of a test, unless the sample decides it."""
    of_folder = folder_mark(test.nodeid.partition("::")[0])
    if of_folder in LANES:
        return of_folder
    marked = [lane for lane in LANES if test.get_closest_marker(lane) is not None]
    if marked:
        return marked[0]
    return SLOW if starts_process(test.function) else None


def is_heavy(test: pytest.Function) -> bool:
    """Return whether a test is of the folders, or marked as of the kind, that costs much."""
    of_folder = folder_mark(test.nodeid.partition("::")[0])
    return of_folder == HEAVY or test.get_closest_marker(HEAVY) is not None


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
    if config.option.markexpr == FAST and not config.stash.get(CHANGED, frozenset()):
        for report in calls:
            if report.duration > LONG:
                message = (
                    f"{report.nodeid} takes {report.duration:.1f} s: a test for the slow lane?"
                )
                terminalreporter.line(message, yellow=True)
    if calls:
        if has_plain_asserts(config) and any(report.failed for report in calls):
            terminalreporter.line("run a failed test by its name (path::name) to see its values")
        terminalreporter.line(
            f"{len(calls):,} tests took {sum(os.times()[:4]):.1f} s of processor time, xdist's"
            f" workers and other children {'not ' if os.name == 'nt' else ''}included"
        )
        if left := config.stash.get(LEFT, 0):
            terminalreporter.line(f"no time was left for {left:,} tests of changed sources")
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
