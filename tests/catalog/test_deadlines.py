"""Files that take too long, or too much memory, are rows, and the scan goes on."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.catalog.places import ask
from tests.catalog.test_workers import Book
from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade import archives, catalog
from unshade.catalog import deadlines, facts
from unshade.catalog.deadlines import OutOfTime, watched
from unshade.catalog.loading import ContentTask
from unshade.catalog.workers import ScanSettings, ScanWorkers
from unshade.errors import UnshadeError
from unshade.limits import Limits
from unshade.search import Found

# The recorder of the fast lane cannot interrupt what runs in a thread.
pytestmark = pytest.mark.slow


def forever() -> None:
    """Run until something from outside ends it; an error of the library does not."""
    while True:
        with suppress(UnshadeError, MemoryError, RecursionError, Exception):
            sum(range(100))


@pytest.mark.parametrize("other", [False, True])
def test_a_block_that_is_late_ends(other: bool) -> None:
    """In this thread and in others, as those of a worker of Dask."""
    ended: list[str] = []

    def run() -> None:
        with watched() as watch:
            watch.until = watch.now() + 0.05
            try:
                forever()
            except OutOfTime:
                ended.append("late")
            watch.until = watch.now() + 60
            ended.append("next")

    thread = threading.Thread(target=run)
    if other:
        thread.start()
        thread.join()
    else:
        run()
    assert ended == ["late", "next"]


def test_a_block_that_has_ended_is_not_interrupted() -> None:
    """Whatever another thread does at that moment."""
    over = threading.Event()
    with watched() as watch:

        def look() -> None:
            while not over.is_set():
                watch.look()

        thread = threading.Thread(target=look)
        thread.start()
        late = 0
        for number in range(300):
            try:
                watch.until = watch.now()
                sum(range(number * 500))
                watch.until = None
            except OutOfTime:
                watch.until = None
                late += 1
            sum(range(2000))
        over.set()
        thread.join()
    assert late


def looking() -> bool:
    return deadlines._looking is not None


def test_nothing_looks_at_the_clock_afterwards() -> None:
    with watched():
        assert looking()
    end = time.monotonic() + 5
    while looking() and time.monotonic() < end:
        time.sleep(0.01)
    assert not looking()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make facts about saxpy take for ever, and times short."""
    read = facts.shader_rows

    def never(found: Found, **options: bool) -> facts.Rows:
        if found.data == SAXPY.read_bytes():
            forever()
        return read(found, **options)

    monkeypatch.setattr(facts, "shader_rows", never)


def test_a_shader_that_takes_too_long_is_a_row(slow: None, tmp_path: Path) -> None:
    """What comes after it in the file is read."""
    (tmp_path / "two.bin").write_bytes(SAXPY.read_bytes() + PHONG.read_bytes())
    limits = Limits(scan_seconds=1)
    found = catalog.scan([str(tmp_path / "two.bin")], str(tmp_path / "cat"), limits=limits)
    assert (found.shaders, found.failed) == (2, 0)
    assert ask(
        tmp_path / "cat", "SELECT format, profile, missing FROM shaders ORDER BY size"
    ) == [
        ("dxcontainer", None, "limit scan_seconds = 1 exceeded: the data needs more"),
        ("dxcontainer", "ps_5_0", None),
    ]  # fmt: skip


def test_a_search_that_takes_too_long_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(data: bytes, **options: object) -> object:
        forever()
        return iter(())

    (tmp_path / "a.bin").write_bytes(b"words")
    with monkeypatch.context() as patch:
        patch.setattr(archives, "find", find)
        patch.setattr(facts, "SHADERS", 0.1)
        found = catalog.scan(
            [str(tmp_path / "a.bin")], str(tmp_path / "cat"), limits=Limits(scan_seconds=1)
        )
    assert found.failed == 1
    assert ask(tmp_path / "cat", "SELECT name, error FROM files") == [
        ("a.bin", "limit scan_seconds = 1 exceeded: the data needs more")
    ]


def test_limits_are_options(tmp_path: Path) -> None:
    line = ("catalog", "scan", str(PHONG), "--to", str(tmp_path / "cat"), "--limit")
    assert unshade(*line, "scan_seconds=9").code == 0
    ended = unshade(*line, "scan_hours=1")
    assert ended.code == 2
    assert "entries, layers, file_size, scan_seconds, scan_memory" in ended.err


@pytest.mark.slow
def test_a_file_that_needs_too_much_memory_is_a_row() -> None:
    """A process may not have more than the limit, whatever is in the file."""
    from gzip import compress

    book = Book()
    tasks = [
        ContentTask("large", compress(bytes(200 << 20), 1)),
        ContentTask("a", PHONG.read_bytes()),
    ]
    limits = Limits(scan_memory=192 << 20)
    with ScanWorkers(ScanSettings(True, limits), 2, book) as workers:
        workers.give(tasks)
    assert book.results["large"].rows["contents"][0][2] == "MemoryError"
    assert book.results["a"].rows["contents"] == [("a", 1, None, None)]


PROFILED = """
import sys
from unshade.catalog.deadlines import OutOfTime, watched

def forever():
    while True:
        sum(range(100))

for late in (True, False):
    with watched() as watch:
        watch.until = watch.now() + (0.05 if late else 60)
        try:
            forever() if late else sum(range(100))
        except OutOfTime:
            print("late")
        watch.until = None
sys.setprofile(lambda *_: None)
(lambda: print("begun"))()
"""


def test_functions_begin_under_a_profiler_after_a_late_block() -> None:
    """An exception that is taken back keeps the threads of CPython 3.11 at their next function."""
    done = subprocess.run(
        [sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["late", "begun"]
