"""Files are read whole and written whole, or not at all."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from unshade import files
from unshade.errors import UsageError


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"abc")
    assert files.read(path) == files.read(str(path)) == b"abc"


def test_reading_a_missing_file_names_path_and_reason(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.dxbc: No such file or directory"):
        files.read(tmp_path / "nothing.dxbc")
    with pytest.raises(UsageError, match="directory"):
        files.read(tmp_path)
    with pytest.raises(UsageError):
        files.read("a\0b")


def test_write_creates_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    files.write_atomically(path, b"one")
    assert path.read_bytes() == b"one"
    files.write_atomically(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path], "no temporary file stays"


def test_the_mode_is_kept_and_new_files_have_the_default(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"")
    path.chmod(0o640)
    files.write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    usual = tmp_path / "usual"
    usual.write_bytes(b"")
    made = tmp_path / "made"
    files.write_atomically(made, b"")
    assert made.stat().st_mode == usual.stat().st_mode


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(UsageError, match="No space left on device"):
                files.write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("given", [None, "text", 5])
def test_only_bytes_are_written(tmp_path: Path, given: Any) -> None:
    with pytest.raises(UsageError, match="expected bytes, got"):
        files.write_atomically(tmp_path / "a", given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("given", [None, 1, ["a"]])
def test_invalid_paths(given: Any) -> None:
    with pytest.raises(UsageError, match="expected a path"):
        files.write_atomically(given, b"")
    with pytest.raises(UsageError, match="expected a path"):
        files.read(given)


def test_an_interrupted_write_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        files.write_atomically(tmp_path / "a", b"new")
    assert not list(tmp_path.iterdir())


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        files.write_atomically(tmp_path / "no" / "a.dxbc", b"")


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(UsageError):
        files.write_atomically(tmp_path / "a", b"")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(real)
    files.write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_writing_to_a_pipe_keeps_the_pipe(tmp_path: Path) -> None:
    """Only regular files are replaced: otherwise `-o /dev/null` as root would remove the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write_atomically(pipe, b"new")
        assert os.read(reader, 16) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]
