"""Files are read whole and written whole, or not at all."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from unshade import files, windows
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


def test_a_file_that_is_written_in_pieces_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with files.written_atomically(path) as out:
        out.write(b"one")
        assert not path.exists()
        out.write(b" two")
    assert path.read_bytes() == b"one two"
    with pytest.raises(KeyboardInterrupt), files.written_atomically(path):
        raise KeyboardInterrupt
    with pytest.raises(UsageError, match="No space left"), files.written_atomically(path):
        raise OSError(28, "No space left on device")
    assert path.read_bytes() == b"one two"
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


def test_a_dangling_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("new")
    files.write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").read_bytes() == b"new"


@pytest.mark.parametrize("links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b/c", "b": "a"}])
def test_a_cycle_of_links_is_refused(links: dict[str, str], tmp_path: Path) -> None:
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    with pytest.raises(UsageError, match="a: Too many levels of symbolic links"):
        files.write_atomically(tmp_path / "a", b"new")
    assert {each.name: os.readlink(each) for each in tmp_path.iterdir()} == links


@pytest.mark.parametrize("size", [1, 200, 245, 246, 255])
def test_names_of_every_length(size: int, tmp_path: Path) -> None:
    for name in ("n" * size, "é" * (size // 2) + "n" * (size % 2)):
        files.write_atomically(tmp_path / name, b"new")
        files.write_atomically(tmp_path / name, b"newer")
        assert (tmp_path / name).read_bytes() == b"newer"
    with pytest.raises(UsageError, match="File name too long"):
        files.write_atomically(tmp_path / ("n" * 256), b"new")


def test_another_hard_link_keeps_the_old_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    os.link(tmp_path / "a", tmp_path / "b")
    files.write_atomically(tmp_path / "a", b"new")
    assert (tmp_path / "b").read_bytes() == b"old"


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives files away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o660)
    os.chown(tmp_path / "a", 65534, 65533)
    files.write_atomically(tmp_path / "a", b"new")
    found = (tmp_path / "a").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (65534, 65533, 0o660)


@pytest.mark.skipif(windows.HERE, reason="modes of files")
def test_the_mask_is_never_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that other threads create meanwhile would get a wrong mode."""
    before = os.umask(0o027)
    monkeypatch.setattr(os, "umask", None)
    try:
        files.write_atomically(tmp_path / "a", b"new")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


# ---------------------------------------------------------------- killed processes

KILLED = """
import os, signal, sys
from unshade import files
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
files.write_atomically(sys.argv[1], b"half")
"""


@pytest.mark.slow
@pytest.mark.skipif(windows.HERE, reason="signals")
def test_the_next_save_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"old")
    for _ in range(2):
        ended = subprocess.run([sys.executable, "-c", KILLED, path], check=False)
        assert ended.returncode == -signal.SIGKILL
        assert path.read_bytes() == b"old"
    assert len(left(tmp_path)) == 1  # the second process removed that of the first
    files.write_atomically(tmp_path / "b.dxbc", b"another name")
    assert len(left(tmp_path)) == 1
    files.write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert not left(tmp_path)


def left(folder: Path) -> list[Path]:
    """Return the temporary files in a folder."""
    return [*folder.glob(".unshade-*.tmp")]


def stopped(path: Path, monkeypatch: pytest.MonkeyPatch, during: Callable[[], None]) -> None:
    """Write a file, and do something before it is renamed."""
    real = os.fsync

    def fsync(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", real)
        during()
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    files.write_atomically(path, b"outer")


@pytest.mark.skipif(windows.HERE, reason="locks")
def test_the_file_of_a_process_that_lives_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another save of the same name, which uses another temporary file, ends first."""
    path, seen = tmp_path / "a", []

    def during() -> None:
        seen.extend(left(tmp_path))
        files.write_atomically(path, b"inner")
        assert path.read_bytes() == b"inner"
        assert left(tmp_path) == seen

    stopped(path, monkeypatch, during)
    assert len(seen) == 1
    assert path.read_bytes() == b"outer"
    assert not left(tmp_path)


@pytest.mark.skipif(windows.HERE, reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "hard link", "folder", "pipe", "other"])
def test_what_is_no_temporary_file_stays(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[Path] = []
    stopped(tmp_path / "a", monkeypatch, lambda: names.extend(left(tmp_path)))
    (name,) = names
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    if kind == "link":
        name.symlink_to(victim)
    elif kind == "hard link":
        os.link(victim, name)
    elif kind == "folder":
        name.mkdir()
    elif kind == "pipe":
        os.mkfifo(name)
    else:
        if os.geteuid():
            pytest.skip("only root gives files away")
        name.write_bytes(b"theirs")
        os.chown(name, 65534, -1)
    before = name.lstat()
    files.write_atomically(tmp_path / "a", b"new")
    assert os.path.samestat(name.lstat(), before)
    assert victim.read_bytes() == b"mine"
    assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.skipif(windows.HERE, reason="locks")
def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of other processes there, so nothing is removed."""
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    names: list[Path] = []
    stopped(tmp_path / "a", monkeypatch, lambda: names.extend(left(tmp_path)))
    names[0].write_bytes(b"half")
    monkeypatch.setattr(fcntl, "flock", refuse)
    files.write_atomically(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert left(tmp_path) == names


def test_more_saves_at_once_than_names(tmp_path: Path) -> None:
    """As where somebody else has taken all names in a shared folder."""
    name = tmp_path / "a"
    taken = [tmp_path / f".unshade-{crc32(b'a'):08x}-{slot}.tmp" for slot in range(files.SLOTS)]
    for each in taken:
        each.mkdir()
    files.write_atomically(name, b"new")
    assert name.read_bytes() == b"new"
    assert sorted(left(tmp_path)) == taken


@pytest.mark.slow
def test_threads_save_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "a"
    contents = [bytes([number]) * 5000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(10):
            [*pool.map(lambda data: files.write_atomically(path, data), contents)]
            assert path.read_bytes() in contents
    assert [*tmp_path.iterdir()] == [path]


# ---------------------------------------------------------------- streams


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="the system has no such names")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/dev/../dev/stdout"])
def test_an_open_file_is_written_to_where_it_stands(name: str, tmp_path: Path) -> None:
    """Not replaced: a redirection, `>>` for one, is an open file with a name of its own."""
    program = f"from unshade import files; files.write_atomically({name!r}, b'two')"
    out = tmp_path / "out"
    with out.open("wb", buffering=0) as file:
        file.write(b"one ")
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
        file.write(b" three")
    assert out.read_bytes() == b"one two three"
    assert [*tmp_path.iterdir()] == [out]


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_entries_below_a_folder(tmp_path: Path) -> None:
    """Files first, in order; hidden ones, folders behind links and one folder are left out."""
    for name in ("b/2", "b/.hidden", "b/inner/1", "a", "c/x", ".git/y", "d/z"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "linked").symlink_to(tmp_path / "b")
    (tmp_path / "file").symlink_to(tmp_path / "a")
    failed: list[str] = []
    found = files.below(
        str(tmp_path), str, lambda place, _: failed.append(place), os.path.realpath(tmp_path / "c")
    )
    seen = [(os.path.relpath(each.path, tmp_path), each.regular) for each in found]
    assert seen == [
        ("a", True), ("file", True), ("linked", False), ("b/2", True), ("b/inner/1", True),
        ("d/z", True),
    ]  # fmt: skip
    assert failed == []
    assert [*files.below(str(tmp_path / "gone"), str, lambda place, _: failed.append(place))] == []
    assert failed == [str(tmp_path / "gone")]
