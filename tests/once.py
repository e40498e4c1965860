"""What takes long to build and is built once in a session, by the first process that needs it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

WAIT = 0.2  # seconds between two looks at what another process builds
MOST = 600  # seconds


def once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a folder of the session that `build` has filled.

    Args:
        factory: pytest's fixture.
        name: The name of the folder.
        build: A function that makes the folder that it is given.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, lock, done = (base / f"{name}{each}" for each in ("", ".lock", ".done"))
    try:
        lock.mkdir()
    except FileExistsError:
        return _waited(folder, done)
    try:
        build(folder)
    except BaseException as error:
        _tell(done, str(error) or type(error).__name__)
        raise
    _tell(done, "")
    return folder


def _tell(done: Path, problem: str) -> None:
    part = done.with_suffix(".part")
    part.write_text(problem, "utf-8")
    part.rename(done)


def _waited(folder: Path, done: Path) -> Path:
    until = time.monotonic() + MOST
    while not done.exists():
        if time.monotonic() > until:
            pytest.fail(f"{folder.name}: not built within {MOST} s by another process")
        time.sleep(WAIT)
    problem = done.read_text("utf-8")
    if problem:
        pytest.skip(f"{folder.name}: could not be built by another process: {problem}")
    return folder
