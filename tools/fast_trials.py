"""Put faults into functions that are loaded, and note which tests notice them.

A trial is a fault of `tools/mutants.py` in a line of a function, and some of the tests of the
folder of its file that execute the line. Each trial has a process of its own, forked behind the
collection of tests: there the code of the function is replaced, and the tests run. Lines that only
imports execute have no trials.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import random
import resource
import select
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.mutants import PACKAGE, Fault, faults  # noqa: E402

TESTS = 14  # of a trial
SECONDS = 0.4  # of processor time that the tests of a trial take without the fault
PATIENCE = 8.0  # seconds of processor time of a trial
MEMORY = 6 << 30  # bytes of address space of a trial, above which it ends


class Trial(NamedTuple):
    """A fault, and the tests that may notice it."""

    fault: Fault
    tests: list[str]


def trials(
    lines: Mapping[tuple[str, int], Iterable[str]],
    times: Mapping[str, float],
    seed: int,
    count: int,
) -> Iterator[Trial]:
    """Yield trials of lines that are drawn by a seed, given the tests that execute each line."""
    chance = random.Random(seed)
    places = sorted(lines)
    for path, line in chance.sample(places, min(count, len(places))):
        of_line = faults(Path(path)).get(line, [])
        tests = _some(lines[path, line], times, chance)
        if of_line and tests:
            yield Trial(chance.choice(of_line), tests)


def _some(tests: Iterable[str], times: Mapping[str, float], chance: random.Random) -> list[str]:
    """Return some of the tests, of different functions first, and cheap ones rather than others."""
    by_function: defaultdict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: times[test] * chance.uniform(0.5, 2.0)):
        by_function[test.partition("[")[0]].append(test)
    ranked = sorted(
        (rank, times[test], test)
        for alike in by_function.values()
        for rank, test in enumerate(alike)
    )
    found: list[str] = []
    spent = 0.0
    for _, seconds, test in ranked:
        if len(found) < TESTS and spent + seconds < SECONDS:
            found.append(test)
            spent += seconds
    return found


class Trials:
    """A plugin that makes trials in place of running tests, and writes what was noticed.

    A line of the file for each trial: path and line of the fault, the tests that ran, and those
    that noticed it.
    """

    def __init__(self, wanted: list[Trial], path: Path) -> None:
        self.wanted = wanted
        self.path = path
        self.items: dict[str, pytest.Item] = {}
        self.functions: defaultdict[tuple[str, str, int], list[types.FunctionType]] = defaultdict(
            list
        )

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        names = {name for trial in self.wanted for name in trial.tests}
        items[:] = [item for item in items if item.nodeid in names]
        self.items = {item.nodeid: item for item in items}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        import_all()
        gc.unfreeze()  # what is frozen is not among the objects
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType):
                self.add(each)
        gc.collect()
        gc.freeze()
        self.path.write_text("", encoding="utf-8")
        for trial in self.wanted:
            found = self._tried(trial)
            if found is not None:
                place = trial.fault.path.relative_to(ROOT).as_posix()
                made = [place, trial.fault.line, str(trial.fault), *found]
                # Not open while a trial runs: a process with a fault may write anywhere.
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(made) + "\n")
        return True

    def add(self, function: types.FunctionType) -> None:
        """Take a function among those whose code may be replaced."""
        self.functions[_key(function.__code__)].append(function)

    def _tried(self, trial: Trial) -> tuple[list[str], list[str]] | None:
        """Return the tests that ran, and those that noticed the fault."""
        changed = self.replaced(trial.fault)
        tests = [test for test in trial.tests if test in self.items]
        if not changed or not tests:
            return None
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            try:
                for function, code in changed:
                    function.__code__ = code
                self._run(tests, writing)
            finally:
                os._exit(0)
        os.close(writing)
        found = _read(reading, child)
        os.close(reading)
        verdicts = dict(zip(tests, found, strict=False))
        # What ends the process, or takes long, is noticed by the test that ran then.
        if len(found) < len(tests):
            verdicts[tests[len(found)]] = "x"
        return [*verdicts], [test for test, verdict in verdicts.items() if verdict == "x"]

    def replaced(self, fault: Fault) -> list[tuple[types.FunctionType, types.CodeType]]:
        """Return the functions whose code the fault changes, with the code that it makes."""
        path = str(fault.path)
        try:
            old = compile(fault.path.read_text(encoding="utf-8"), path, "exec")
            new = compile(fault.applied(), path, "exec")
        except SyntaxError:
            return []
        return [
            (function, code)
            for before, code in _pairs(old, new)
            if before != code
            for function in self.functions[_key(before)]
            if function.__code__.co_freevars == code.co_freevars
        ]

    def _run(self, tests: list[str], writing: int) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nothing = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(nothing, each)
        for test in tests:
            reports = runtestprotocol(self.items[test], log=False, nextitem=None)
            os.write(writing, b"x" if any(each.failed for each in reports) else b".")


def _read(reading: int, child: int) -> str:
    """Return what a child wrote until it ended, or had no more time."""
    found = b""
    start = time.monotonic()
    limit = PATIENCE
    while True:
        ready, _, _ = select.select([reading], [], [], 0.5)
        if ready:
            data = os.read(reading, 4096)
            if not data:
                break
            found += data
        elif _used(child) > limit or time.monotonic() - start > 8 * limit:
            break
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return found.decode()


def _used(child: int) -> float:
    """Return the processor time of a child in seconds."""
    try:
        fields = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _key(code: types.CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _pairs(
    old: types.CodeType, new: types.CodeType
) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    """Yield the codes inside two codes of the same form."""
    inside = [
        [each for each in code.co_consts if isinstance(each, types.CodeType)] for code in (old, new)
    ]
    for before, after in zip(*inside, strict=True):
        yield before, after
        yield from _pairs(before, after)


class Tried(NamedTuple):
    """A trial that was made: its place, the tests that ran, and those that noticed the fault."""

    path: str  # inside the checkout
    line: int
    fault: str
    tests: frozenset[str]
    noticed: frozenset[str]


def read_trials(path: Path) -> Iterator[Tried]:
    """Yield the trials of a file, none if there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for line in text.splitlines():
        place, number, fault, tests, noticed = json.loads(line)
        yield Tried(place, number, fault, frozenset(tests), frozenset(noticed))


def import_all() -> None:
    """Import each module of the package, so that no trial has to."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "unshade.", onerror=lambda _: None):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                importlib.import_module(module.name)
