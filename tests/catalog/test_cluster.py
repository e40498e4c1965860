"""The same catalogue from the workers of a cluster, whichever of them dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.catalog.places import ask, filled, state
from tests.cli.terminal import unshade
from tests.examples import EXAMPLES
from unshade import catalog
from unshade.catalog import cluster, scanning
from unshade.errors import UsageError

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of processes that are ended

LIMIT = 120  # s
ROOT = Path(__file__).parents[2]  # whose tests workers import, too


@contextmanager
def cluster_of(
    count: int, folder: Path, nanny: bool = False
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Yield the address of a scheduler, and its workers: processes that a nanny starts again.

    With a nanny, Dask gives up a task whose worker dies once.
    """
    log = (folder / "cluster.log").open("wb")
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *more: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", f"distributed.cli.{name}", "--no-dashboard", *more]
        more_of = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "src")))}
        if nanny:
            more_of["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "0"
        started.append(
            subprocess.Popen(line, stdout=log, stderr=log, cwd=folder, env=os.environ | more_of)
        )
        return started[-1]

    try:
        known = folder / "scheduler.json"
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0",
              "--scheduler-file", str(known))  # fmt: skip
        end = time.monotonic() + LIMIT
        while not known.exists() or not known.read_text().strip().endswith("}"):
            assert time.monotonic() < end
            time.sleep(0.05)
        address = json.loads(known.read_text())["address"]
        options = (
            "--nanny" if nanny else "--no-nanny",
            "--nthreads",
            "1",
            "--local-directory",
            str(folder),
        )
        workers = [start("dask_worker", address, *options) for _ in range(count)]
        yield address, workers
    finally:
        for each in reversed(started):
            each.terminate()
        for each in started:
            try:
                each.wait(10)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()
        log.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the catalogue of the examples, made by this process alone."""
    folder = tmp_path_factory.mktemp("whole") / "cat"
    catalog.scan([str(EXAMPLES)], str(folder))
    return folder


def test_a_worker_that_is_killed_costs_its_batches(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes, one of them killed in the middle of the scan: the same bytes."""
    monkeypatch.setattr(cluster.DaskWorkers, "size", 5)
    with cluster_of(2, tmp_path) as (address, workers):
        take = scanning._Reading.take
        taken: list[int] = []

        def kill_one(self: Any, tasks: Sequence[Any], *more: Any) -> None:
            if not taken:
                os.kill(workers[0].pid, signal.SIGKILL)
            taken.append(len(tasks))
            take(self, tasks, *more)

        monkeypatch.setattr(scanning._Reading, "take", kill_one)
        found = catalog.scan([str(EXAMPLES)], str(tmp_path / "cat"), scheduler=address)
        assert workers[0].wait(LIMIT) == -signal.SIGKILL
        assert workers[1].poll() is None
    assert len(taken) > 4
    assert found.run == 1
    assert state(tmp_path / "cat") == state(whole)


def test_workers_read_and_write_a_server_of_s3(
    bucket: str, build: Path, made: Path, tmp_path: Path
) -> None:
    url = filled(f"{bucket}/for-workers", build)
    with cluster_of(2, tmp_path) as (address, _):
        found = catalog.scan([url], f"{bucket}/cat-of-workers", scheduler=address)
    assert found == catalog.ScanResult(1, 7, 7, 0, 4, 1, 0)
    rows = "SELECT name, place, shader FROM places ORDER BY ALL"
    with catalog.Catalog(f"{bucket}/cat-of-workers") as opened:
        assert [*opened.query(rows)] == ask(made, rows)


def test_a_scan_by_a_local_cluster(whole: Path, tmp_path: Path) -> None:
    line = ("catalog", "scan", str(EXAMPLES), "--to", str(tmp_path / "cat"))
    ended = unshade(*line, "--scheduler", "local", "-j", "2")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("; run 1\n")
    assert state(tmp_path / "cat") == state(whole)


def test_contents_that_end_the_workers_get_a_row(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch is cut until the contents are alone."""
    search = cluster.DaskWorkers._search

    def deadly(self: Any, batch: cluster.SearchedBatch) -> None:
        if all(each.content != content for each in batch.tasks):
            search(self, batch)
            return
        future = self.client.submit(end, batch.loaded, pure=False)
        self.batches[future] = batch
        self.completed.add(future)

    content = sha256((build / "saxpy.dxbc").read_bytes()).hexdigest()
    monkeypatch.setattr(cluster.DaskWorkers, "_search", deadly)
    with cluster_of(1, tmp_path, nanny=True) as (address, _):
        found = catalog.scan([str(build)], str(tmp_path / "cat"), scheduler=address)
    assert (found.files, found.failed) == (7, 1)
    assert ask(tmp_path / "cat", "SELECT name, error FROM files WHERE error IS NOT NULL") == [
        ("saxpy.dxbc", "the process that read it ended")
    ]
    assert ask(tmp_path / "cat", "SELECT count(*) FROM places") == [(5,)]


def end(contents: object) -> None:
    """End the process of a worker."""
    os._exit(1)


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with pytest.raises(UsageError, match="expected a scheduler of Dask"):
        catalog.scan([str(EXAMPLES)], str(tmp_path / "cat"), scheduler="tcp://127.0.0.1:9")


def test_a_worker_of_another_version(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "library_version", lambda: "0.0")
    with (
        cluster_of(1, tmp_path) as (address, _),
        pytest.raises(UsageError, match=r"expected unshade .*, got"),
    ):
        catalog.scan([str(build)], str(tmp_path / "cat"), scheduler=address)
