"""Put faults into functions that are loaded, and note which tests notice them.

A trial is a fault of `tools/mutants.py` in a line of a function, and some of the tests of the
folder of its file that execute the line. Each trial has a process of its own, forked after the
collection of tests: there the code of the function is replaced, and the tests run. Lines that only
imports execute have no trials.
"""

from __future__ import annotations

import gc
import importlib
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
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.mutants import PACKAGE, Fault, faults  # noqa: E402

PATIENCE = 8.0  # seconds of processor time of a trial
MEMORY = 6 << 30  # bytes of address space of a trial, above which it ends


class Trial(NamedTuple):
    """A fault, and the tests that may notice it."""

    fault: Fault
    tests: list[str]


def trials(lines: Mapping[tuple[Path, int], list[str]], seed: int) -> Iterator[Trial]:
    """Yield a trial for each line that has tests, given these."""
    chance = random.Random(seed)
    for (path, line), tests in lines.items():
        of_line = faults(path).get(line, [])
        if of_line and tests:
            yield Trial(chance.choice(of_line), sorted(tests))


class Trials:
    """A plugin that makes trials in place of running tests, and keeps whether tests noticed."""

    def __init__(self, wanted: list[Trial]) -> None:
        self.wanted = wanted
        self.made: list[tuple[Trial, bool]] = []
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
        for trial in self.wanted:
            noticed = self._tried(trial)
            if noticed is not None:
                self.made.append((trial, noticed))
        return True

    def add(self, function: types.FunctionType) -> None:
        """Take a function among those whose code may be replaced."""
        self.functions[_key(function.__code__)].append(function)

    def _tried(self, trial: Trial) -> bool | None:
        """Return whether a test noticed the fault; None for one that no function has."""
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
        # What ends the process, or takes long, is noticed.
        return "x" in found or len(found) < len(tests)

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
            failed = any(each.failed for each in reports)
            os.write(writing, b"x" if failed else b".")
            if failed:
                break


def _read(reading: int, child: int) -> str:
    """Return what a child wrote until it ended, or had no more time."""
    found = b""
    start = time.monotonic()
    while True:
        ready, _, _ = select.select([reading], [], [], 0.5)
        if ready:
            data = os.read(reading, 4096)
            if not data:
                break
            found += data
        elif _used(child) > PATIENCE or time.monotonic() - start > 8 * PATIENCE:
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


def import_all() -> None:
    """Import each module of the package, so that no trial has to."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "unshade.", onerror=lambda _: None):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                importlib.import_module(module.name)
