"""Attacks on the cache: no code that another user put there is run.

The object of a kernel that multiplies by 5 stands in for foreign code: it is planted under the name
of one that multiplies by 3, and `used` fails if it runs. Where the tests are run by root, the
attacker is the user nobody, in a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vm.jit.cache.test_disk import objects, used
from unshade import windows
from unshade.vm.jit.cache import disk, folders, seal

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(windows.HERE, reason="modes and owners of files"),
]

NOBODY = 65534
two_users = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: -1)() != 0, reason="only root can act as two users"
)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that another user can enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as made:
        os.chmod(made, 0o755)
        yield Path(made)


@pytest.fixture
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNSHADE_CACHE", str(place / "kept"))
    return place / "kept"


BECOME = f"""
import os, sys
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
"""


def as_nobody(program: str, *arguments: object) -> None:
    """Run a program as another user, who may not be able to start this interpreter."""
    line = [sys.executable, "-I", "-S", "-c", BECOME + program, *map(str, arguments)]
    subprocess.run(line, check=True, cwd="/")


def stolen(folder: Path) -> tuple[str, bytes]:
    """Return the path, inside the cache, of the object that is to be replaced, and foreign code."""
    assert not used(5)
    (foreign,) = objects(folder)
    code = foreign.read_bytes()[seal.SIZE :]
    assert not used(3)
    (own,) = {*objects(folder)} - {foreign}
    return str(own.relative_to(folder)), code


def old_style(code: bytes) -> bytes:
    """Return a file as versions wrote it that stored a hash."""
    return hashlib.sha256(code).digest() + code


PLANT = """
folder, inside, key = sys.argv[1:4]
code = bytes.fromhex(sys.argv[4])
os.umask(0)
os.makedirs(os.path.dirname(os.path.join(folder, inside)), 0o700, exist_ok=True)
place = os.path.join(folder, inside)
if os.path.exists(place):
    os.unlink(place)
handle = os.open(place, os.O_WRONLY | os.O_CREAT, 0o600)
os.write(handle, code)
if key:
    if os.path.exists(os.path.join(folder, "key")):
        os.rename(os.path.join(folder, "key"), os.path.join(folder, "old"))
    handle = os.open(os.path.join(folder, "key"), os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(handle, bytes.fromhex(key))
"""


def planted(folder: Path, inside: str, code: bytes, key: bytes = b"") -> None:
    """Plant a file, and a key, as another user."""
    as_nobody(PLANT, folder, inside, key.hex(), code.hex())


MINE = seal.START + bytes(seal.KEY_SIZE)  # the attacker's key


def sealed(inside: str, code: bytes, key: bytes = MINE) -> bytes:
    """Return a file with the seal of a key."""
    return seal.seal(key[len(seal.START) :], os.path.basename(inside), code) + code


@two_users
@pytest.mark.slow
@pytest.mark.parametrize("with_key", [False, True])
@pytest.mark.parametrize("whose", ["empty", "own parts"])
def test_objects_planted_while_the_folder_was_open(
    whose: str, with_key: bool, folder: Path
) -> None:
    """Then its mode was set, as a message used to advise."""
    inside, code = stolen(folder)
    if whose == "empty":
        shutil.rmtree(folder)
        folder.mkdir()
    folder.chmod(0o777)
    for each in folder.glob("??"):
        each.chmod(0o777)
    assert "remove it, since others could write there" in disk.refusal(str(folder))
    data = sealed(inside, code) if with_key else old_style(code)
    planted(folder, inside, data, MINE if with_key else b"")
    assert not used(3)  # nothing is read as long as it is open
    folder.chmod(0o700)
    for each in folder.glob("??"):
        each.chmod(0o700)
    assert not used(3)
    if whose == "own parts":
        assert used(3)  # what was planted has been replaced
        assert (folder / inside).stat().st_uid == os.geteuid()
        assert (folder / "key").stat().st_uid == os.geteuid()


@two_users
@pytest.mark.slow
def test_planted_files_that_now_belong_to_the_user(folder: Path) -> None:
    """As after `chown -R`: they have the right owner and mode, but no seal."""
    inside, code = stolen(folder)
    folder.chmod(0o777)
    (folder / inside).parent.chmod(0o777)
    planted(folder, inside, sealed(inside, code))
    for each in (folder, (folder / inside).parent):
        each.chmod(0o700)
    os.chown(folder / inside, os.geteuid(), -1)
    assert not used(3)
    assert used(3)


@two_users
@pytest.mark.slow
@pytest.mark.parametrize("ancestor", ["owned", "writable"])
def test_ancestors_that_others_can_change(
    ancestor: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They could put another folder in the place of one that was looked at."""
    above = place / "above"
    above.mkdir(mode=0o755)
    monkeypatch.setenv("UNSHADE_CACHE", str(above / "inner" / "kept"))
    if ancestor == "owned":
        os.chown(above, NOBODY, NOBODY)
        expected = f"expected {above} to belong to root, got user {NOBODY}"
    else:
        above.chmod(0o777)
        expected = f"expected {above} to be writable for its owner alone, got mode 0777"
    assert not used(3)
    assert not used(3)
    assert not [*above.iterdir()]
    assert disk.usage().refused == expected
    above.chmod(0o1777)
    os.chown(above, 0, 0)
    assert [used(3), used(3)] == [False, True]  # as /tmp


@two_users
@pytest.mark.slow
def test_a_folder_of_another_user_in_a_sticky_one(place: Path, folder: Path) -> None:
    """Who creates it first owns it."""
    place.chmod(0o1777)
    as_nobody("os.mkdir(sys.argv[1], 0o700)", folder)
    assert [used(3), used(3)] == [False, False]
    assert disk.refusal(str(folder)) == f"expected a folder of user 0, got one of user {NOBODY}"


@two_users
@pytest.mark.slow
def test_links_of_another_user(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even to a folder that is fine: they would choose where files are written."""
    (place / "real").mkdir(mode=0o700)
    (place / "open").mkdir()
    (place / "open").chmod(0o1777)
    as_nobody("os.symlink(sys.argv[1], sys.argv[2])", place / "real", place / "open" / "link")
    monkeypatch.setenv("UNSHADE_CACHE", str(place / "open" / "link" / "kept"))
    assert [used(3), used(3)] == [False, False]
    assert "link to belong to root, got user" in disk.usage().refused
    assert not [*(place / "real").iterdir()]


@two_users
@pytest.mark.slow
def test_the_home_of_another_user(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with `sudo`, which may keep HOME: root neither reads nor writes there."""
    os.chown(place, NOBODY, NOBODY)
    monkeypatch.delenv("UNSHADE_CACHE", raising=False)
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(place))
        assert [used(3), used(3)] == [False, False]
        assert disk.usage().refused == f"expected {place} to belong to root, got user {NOBODY}"
        assert not [*place.iterdir()]


def test_a_link_in_the_place_of_the_folder(place: Path, folder: Path) -> None:
    (place / "other").mkdir(mode=0o700)
    folder.symlink_to(place / "other")
    assert [used(3), used(3)] == [False, False]
    assert disk.refusal(str(folder)) == "expected a folder, got a symbolic link"
    assert not [*(place / "other").iterdir()]


@pytest.mark.parametrize("target", ["real", "{place}/real", "./x/../real", "twice"])
def test_own_links_on_the_way_are_followed(
    target: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "real").mkdir(mode=0o700)
    (place / "x").mkdir(mode=0o700)
    (place / "twice").symlink_to("real")
    (place / "link").symlink_to(target.format(place=place))
    monkeypatch.setenv("UNSHADE_CACHE", str(place / "link" / "kept"))
    disk.write("ab" * 32, b"code")
    assert disk.read("ab" * 32) == b"code"
    assert (place / "real" / "kept" / "key").exists()
    (place / "real").chmod(0o777)
    assert "real to be writable for its owner alone" in disk.usage().refused


def test_links_in_a_circle(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "a").symlink_to("b")
    (place / "b").symlink_to("a")
    monkeypatch.setenv("UNSHADE_CACHE", str(place / "a" / "kept"))
    disk.write("ab" * 32, b"code")
    assert disk.read("ab" * 32) is None
    assert disk.usage().refused == "expected a folder, got a symbolic link"


NAME = "ab" * 32
FILE = f"{NAME}.o"


def test_a_seal_is_that_of_one_name(folder: Path) -> None:
    """A file that was moved to the name of another is not used, nor one of another kind."""
    inside, _ = stolen(folder)
    (own,) = {*objects(folder)} - {folder / inside}
    os.replace(own, folder / inside)
    assert not used(3)
    disk.write(NAME, b"code")
    os.rename(folder / "ab" / FILE, folder / "ab" / f"{NAME}.k")
    assert disk.read(NAME, disk.ENTRY) is None


def test_a_file_with_two_names_is_not_used(folder: Path) -> None:
    disk.write(NAME, b"code")
    os.link(folder / "ab" / FILE, folder / "other")
    assert disk.read(NAME) is None
    (folder / "other").unlink()
    assert disk.read(NAME) == b"code"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_may_open_is_not_used(mode: int, folder: Path) -> None:
    for inside in ("key", f"ab/{FILE}"):
        disk.write(NAME, b"code")
        assert disk.read(NAME) == b"code"
        (folder / inside).chmod(mode)
        assert disk.read(NAME) is None
        (folder / inside).chmod(0o600)
        assert disk.read(NAME) == b"code"


@pytest.mark.parametrize("inside", ["key", "ab", f"ab/{FILE}"])
def test_links_inside_are_not_followed(inside: str, folder: Path, place: Path) -> None:
    disk.write(NAME, b"code")
    os.rename(folder / inside, place / "moved")
    (folder / inside).symlink_to(place / "moved")
    assert disk.read(NAME) is None
    before = sorted(each.read_bytes() for each in place.glob("moved/*"))
    disk.write(NAME, b"code")
    if inside == "ab":  # it stays as it is, and so does what it leads to
        assert sorted(each.read_bytes() for each in place.glob("moved/*")) == before
        disk.tidy(0)
        assert disk.clear() == 0
        assert sorted(each.read_bytes() for each in place.glob("moved/*")) == before
    else:
        assert not (folder / inside).is_symlink()
        assert disk.read(NAME) == b"code"


@pytest.mark.parametrize("inside", ["key", f"ab/{FILE}"])
def test_nothing_waits_for_a_pipe(inside: str, folder: Path) -> None:
    disk.write(NAME, b"code")
    (folder / inside).unlink()
    os.mkfifo(folder / inside, 0o600)
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) == b"code"


@two_users
@pytest.mark.parametrize("inside", ["key", f"ab/{FILE}"])
def test_devices_are_not_read(inside: str, folder: Path) -> None:
    disk.write(NAME, b"code")
    (folder / inside).unlink()
    try:
        os.mknod(folder / inside, 0o020600, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        pytest.skip("this container has no devices")
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) == b"code"


@pytest.mark.parametrize("inside", ["key", f"ab/{FILE}"])
def test_folders_in_the_place_of_files(inside: str, folder: Path) -> None:
    disk.write(NAME, b"code")
    (folder / inside).unlink()
    (folder / inside).mkdir(mode=0o700)
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) is None
    disk.tidy(0)
    disk.clear()
    assert [*folder.rglob(".*")] == []  # no half-written file is left


@pytest.mark.parametrize(
    "key", [b"", MINE[:-1], MINE + b"x", b"x" * len(MINE), MINE[: len(seal.START)]]
)
def test_files_that_are_no_keys_are_replaced(key: bytes, folder: Path) -> None:
    """Such as another file of the user's own, whose contents somebody knows."""
    disk.write(NAME, b"code")
    (folder / "key").write_bytes(key)
    assert disk.read(NAME) is None
    disk.write(NAME, b"other")
    assert disk.read(NAME) == b"other"
    new = (folder / "key").read_bytes()
    assert new.startswith(seal.START)
    assert len(new) == len(MINE)


def test_every_folder_has_a_key_of_its_own(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for name in ("a", "b"):
        monkeypatch.setenv("UNSHADE_CACHE", str(place / name))
        disk.write(NAME, b"code")
        keys.add((place / name / "key").read_bytes())
    assert len(keys) == 2
    os.replace(place / "a" / "ab" / FILE, place / "b" / "ab" / FILE)
    assert disk.read(NAME) is None


def test_another_process_made_a_key(folder: Path) -> None:
    disk.write(NAME, b"code")
    other = seal.START + os.urandom(seal.KEY_SIZE)
    (folder / "key").unlink()
    (folder / "key").write_bytes(other)
    (folder / "key").chmod(0o600)
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) == b"code"
    assert (folder / "key").read_bytes() == other


def test_sizes_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.write(NAME, bytes(1000))
    assert disk.read(NAME) == bytes(1000)
    monkeypatch.setattr(disk, "MAX_FILE", 1000 + seal.SIZE - 1)
    assert disk.read(NAME) is None
    disk.write("cd" * 32, bytes(1000))
    assert not (folder / "cd").exists()
    monkeypatch.undo()


def test_a_sparse_file_takes_no_memory(folder: Path) -> None:
    disk.write(NAME, b"code")
    os.truncate(folder / "ab" / FILE, 1 << 40)
    assert disk.read(NAME) is None
    assert disk.usage().size == 1 << 40


@pytest.mark.parametrize("size", [0, 1, seal.SIZE - 1, seal.SIZE, seal.SIZE + 3, seal.SIZE + 5])
def test_truncated_and_longer_files(size: int, folder: Path) -> None:
    disk.write(NAME, b"code")
    os.truncate(folder / "ab" / FILE, size)
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) == b"code"


@pytest.mark.parametrize("mask", [0, 0o002, 0o022, 0o077])
def test_no_mask_makes_it_public(mask: int, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor the parents that are created with it."""
    monkeypatch.setenv("UNSHADE_CACHE", str(place / "a" / "b" / "kept"))
    before = os.umask(mask)
    try:
        disk.write(NAME, b"code")
    finally:
        os.umask(before)
    found = [*(place / "a").rglob("*"), place / "a"]
    assert len(found) == 6
    assert {each.stat().st_mode & 0o777 for each in found if each.is_dir()} == {0o700}
    assert {each.stat().st_mode & 0o777 for each in found if each.is_file()} == {0o600}


# ---------------------------------------------------------------- a folder that stays open


def test_a_folder_that_was_renamed_meanwhile(folder: Path, place: Path) -> None:
    """Files are opened in the folder that was looked at, not in what has its name by now."""
    disk.write(NAME, b"code")
    seen = folders.opened(str(folder))
    os.rename(folder, place / "moved")
    folder.mkdir(mode=0o755)
    (folder / "ab").mkdir()
    shutil.copytree(place / "moved" / "ab", folder / "ab", dirs_exist_ok=True)
    (folder / "ab" / FILE).write_bytes(b"other")
    assert folders.opened(str(folder)) is seen
    assert disk.read(NAME) == b"code"


def test_a_folder_that_was_removed_is_made_again(folder: Path) -> None:
    disk.write(NAME, b"code")
    shutil.rmtree(folder)
    assert disk.read(NAME) is None
    disk.write(NAME, b"code")
    assert disk.read(NAME) == b"code"


def test_a_handle_that_is_another_file_by_now(folder: Path, place: Path) -> None:
    """A program closed all that was open, as one does that starts a service."""
    disk.write(NAME, b"code")
    handle = folders.opened(str(folder)).handle
    assert handle is not None
    os.close(handle)
    other = place / "other"
    (other / "ab").mkdir(parents=True)
    other.chmod(0o700)
    (other / "ab" / FILE).write_bytes(old_style(b"foreign"))
    taken = os.open(other, os.O_RDONLY)
    os.dup2(taken, handle)
    try:
        assert disk.read(NAME) == b"code"
        assert os.path.sameopenfile(handle, taken)  # which is still open
    finally:
        os.close(taken)
        os.close(handle)


def test_no_handle_is_lost(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Path("/proc/self/fd")
    if not counted.exists():
        pytest.skip("this system does not count what is open")

    def used_once(number: int) -> None:
        monkeypatch.setenv("UNSHADE_CACHE", str(place / str(number)))
        disk.write(NAME, b"code")
        assert disk.read(NAME) == b"code"
        (place / str(number) / "ab").chmod(0o777)
        assert disk.read(NAME) is None
        disk.tidy(0)
        disk.usage()

    used_once(0)
    before = len([*counted.iterdir()])
    for number in range(1, 5):
        used_once(number)
    assert len([*counted.iterdir()]) == before
