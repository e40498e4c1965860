"""A process that ends while it reads costs its contents only."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from tests.cli.terminal import PHONG, SAXPY
from unshade.catalog.workers import ContentResult, ContentTask, ScanSettings, ScanWorkers
from unshade.limits import Limits

pytestmark = pytest.mark.slow  # processes


class Deadly(bytes):
    """Contents that end the process that unpickles them."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (1,)


def test_the_contents_that_end_a_process_get_a_row() -> None:
    results: dict[str, ContentResult] = {}

    def take(tasks: Sequence[ContentTask], found: list[ContentResult]) -> None:
        results.update((task.content, each) for task, each in zip(tasks, found, strict=True))

    batches = [
        [ContentTask("a", PHONG.read_bytes())],
        [ContentTask("b", Deadly()), ContentTask("c", SAXPY.read_bytes())],
        [ContentTask("d", SAXPY.read_bytes())],
    ]
    with ScanWorkers(ScanSettings(True, Limits()), 2, take) as workers:
        for each in batches:
            workers.give(each)
    assert sorted(results) == ["a", "b", "c", "d"]
    row = ("b", 0, "ProcessError", "the process that read it ended")
    assert results["b"].rows == {"contents": [row]}
    assert [results[each].rows["contents"] for each in "acd"] == [
        [(each, 1, None, None)] for each in "acd"
    ]
    assert results["c"].rows.get("shaders") or results["d"].rows.get("shaders")


def test_a_large_file_is_mapped_by_the_process() -> None:
    results: list[ContentResult] = []
    with ScanWorkers(
        ScanSettings(True, Limits()), 1, lambda tasks, found: results.extend(found)
    ) as workers:
        workers.give([ContentTask("", place=str(PHONG)), ContentTask("", place="missing")])
    assert [each.error for each in results] == [None, "No such file or directory"]
    assert len(results[0].rows["shaders"]) == 1
