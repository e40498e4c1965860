"""A folder is built once, by the first process that needs it."""

from pathlib import Path

import pytest

from tests.once import once


def test_the_second_call_builds_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    built: list[Path] = []

    def build(folder: Path) -> None:
        folder.mkdir()
        built.append(folder)

    first = once(tmp_path_factory, "a-folder", build)
    assert once(tmp_path_factory, "a-folder", build) == first
    assert built == [first]


def test_a_failure_is_told_to_the_others(tmp_path_factory: pytest.TempPathFactory) -> None:
    def build(folder: Path) -> None:
        raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        once(tmp_path_factory, "another-folder", build)
    with pytest.raises(pytest.skip.Exception, match=r"another-folder: .*: no network"):
        once(tmp_path_factory, "another-folder", build)
