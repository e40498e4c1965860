"""A process that ends while it reads costs its contents only."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from tests.cli.terminal import PHONG, SAXPY
from unshade.catalog import workers
from unshade.catalog.listing import ListedFile
from unshade.catalog.loading import ContentTask
from unshade.catalog.workers import ContentResult, ScanSettings, ScanWorkers
from unshade.limits import Limits

pytestmark = pytest.mark.slow  # processes


class Deadly(bytes):
    """Contents that end the process that unpickles them."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (1,)


class Book:
    """A book that wants everything."""

    def __init__(self) -> None:
        self.results: dict[str, ContentResult] = {}

    def chosen(self, batch: Sequence[ListedFile], tasks: Sequence[ContentTask]) -> list[int]:
        return [*range(len(tasks))]

    def take(
        self,
        tasks: Sequence[ContentTask],
        results: Sequence[ContentResult],
        written: Sequence[str] = (),
    ) -> None:
        for task, each in zip(tasks, results, strict=True):
            self.results[task.content or task.place] = each


def test_the_contents_that_end_a_process_get_a_row() -> None:
    book = Book()
    batches = [
        [ContentTask("a", PHONG.read_bytes())],
        [ContentTask("b", Deadly()), ContentTask("c", SAXPY.read_bytes())],
        [ContentTask("d", SAXPY.read_bytes())],
    ]
    with ScanWorkers(ScanSettings(True, Limits()), 2, book) as both:
        for each in batches:
            both.give(each)
    results = book.results
    assert sorted(results) == ["a", "b", "c", "d"]
    row = ("b", 0, "process", "the process that read it ended")
    assert results["b"].rows == {"contents": [row]}
    assert [results[each].rows["contents"] for each in "acd"] == [
        [(each, 1, None, None)] for each in "acd"
    ]
    assert results["c"].rows.get("shaders") or results["d"].rows.get("shaders")


def test_a_large_file_is_mapped_by_the_process() -> None:
    book = Book()
    with ScanWorkers(ScanSettings(True, Limits()), 1, book) as one:
        one.give([ContentTask("", place=str(PHONG)), ContentTask("", place="missing")])
    first, second = book.results.values()
    assert [first.error, second.error] == [None, "No such file or directory"]
    assert len(first.rows["shaders"]) == 1


class GivenWorkers(ScanWorkers):
    """Workers that only note what each batch contains."""

    def give(self, tasks: Sequence[ContentTask]) -> None:
        given.append([len(each.data) for each in tasks])


given: list[list[int]] = []


@pytest.mark.fast
@pytest.mark.parametrize(
    ("sizes", "batches"),
    [
        ([10, 20, 70, 5, 1], [[10, 20, 70, 5], [1]]),  # not yet more than 100 bytes at 70
        ([10, 20, 71, 5], [[10, 20, 71], [5]]),
        ([101, 99, 1, 1], [[101], [99, 1, 1]]),
        ([1] * 40, [[1] * 32, [1] * 8]),
        ([], []),
    ],
)
def test_contents_are_given_in_batches(
    sizes: list[int], batches: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    given.clear()
    tasks = [ContentTask(str(at), bytes(size)) for at, size in enumerate(sizes)]
    monkeypatch.setattr(workers, "BATCH_SIZE", 100)
    monkeypatch.setattr(workers, "load", lambda batch: tasks)
    GivenWorkers(ScanSettings(True, Limits()), 1, Book()).read([])
    assert given == batches
