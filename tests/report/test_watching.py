"""Requests that wait for a change of the files of a page."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from unshade import files
from unshade.report.serve import watching
from unshade.report.serve.watching import FileChanges


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileChanges]:
    monkeypatch.setattr(watching, "PAUSE", 0.005)
    monkeypatch.setattr(watching, "PATIENCE", 0.05)
    made = FileChanges()
    yield made
    made.close()


def asked(changes: FileChanges, version: int) -> tuple[Thread, list[int]]:
    """Return a thread that waits, and its answers."""
    answers: list[int] = []
    thread = Thread(target=lambda: answers.append(changes.wait(version)), daemon=True)
    thread.start()
    return thread, answers


def test_a_request_waits_while_its_number_is_the_last(changes: FileChanges) -> None:
    start = time.monotonic()
    assert changes.wait(0) == 0
    assert time.monotonic() - start >= 0.05


def test_a_request_with_another_number_is_answered_at_once(
    changes: FileChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 600.0)
    for version in (-1, 1, 5):
        thread, answers = asked(changes, version)
        thread.join(60)
        assert answers == [0]


def test_a_change_answers_those_who_wait(
    changes: FileChanges, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 600.0)
    path = tmp_path / "a.hlsl"
    path.write_text("1")
    changes.see([(str(path), files.stamp(path))])
    waiting = [asked(changes, 0) for _ in range(3)]
    assert not any(answers for _, answers in waiting)
    path.write_text("another length")
    for thread, _ in waiting:
        thread.join(60)
    assert [answers for _, answers in waiting] == [[1]] * 3
    thread, answers = asked(changes, 0)
    thread.join(60)
    assert answers == [1]


def test_the_end_answers_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 600.0)
    changes = FileChanges()
    waiting = [asked(changes, 0) for _ in range(2)]
    changes.close()
    for thread, _ in waiting:
        thread.join(60)
    assert [answers for _, answers in waiting] == [[0], [0]]
