"""The folder of the cache, opened so that nobody else can put files in it.

    /home/me/.cache/unshade/jit
    │    │  │      │       └ of the user, mode 0700, no link
    └────┴──┴──────┴──────── of the user or root; others may not write, or the folder is sticky

Each folder of the path is opened relative to its parent, and checked once it is open: the folder
that is checked is the folder that is used, even if somebody renames folders meanwhile. Links on the
way are followed, since `/tmp` and `~/.cache` often are links, if they belong to the user or root;
their targets are checked in the same way. Files are then opened inside the folder by their names
alone. The folder stays open, so a process walks the path once.

Windows has neither such calls nor such modes: there, paths are used, and nothing is checked.

Source: Kupsch and Miller, "How to Open a File and Not Get Hacked" (2008), for the rules on paths.
"""

import os
import random
import stat
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from .... import windows

RANDOM = random.SystemRandom()  # the module's own numbers may be seeded by the user
RECENT = 600  # s: the time of the last use of a file is as precise as this
MAX_LINKS = 40  # of one path, as in Linux
CLOSED = -1
# Linux opens folders without permission to list them: /home often has mode 0711.
_TRAVERSE = getattr(os, "O_PATH", os.O_RDONLY)
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
# Pipes and devices are opened without waiting for anybody, and then refused.
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_FILE |= getattr(os, "O_BINARY", 0)


class RefusedError(OSError):
    """A folder or file that is not used, and why."""


class Folder:
    """An open folder, which is closed when the object is collected; on Windows only its path.

    `kept` is the key that seal.py has read from the folder, and the stamp of its file.
    """

    __slots__ = ("_identity", "handle", "kept", "path")

    def __init__(self, path: str, handle: int | None) -> None:
        self.path = path
        self.handle = handle
        self.kept: tuple[object, bytes] | None = None
        if handle is not None:
            found = os.fstat(handle)
            self._identity = _identity(found)
            _check_private(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder, unless its handle has been reused."""
        if self.handle is not None:
            handle, self.handle = self.handle, CLOSED
            with suppress(OSError):
                if _identity(os.fstat(handle)) == self._identity:
                    os.close(handle)

    @property
    def usable(self) -> bool:
        """True if the folder still exists, and is private to the user."""
        if self.handle is None:
            return False
        try:
            found = os.fstat(self.handle)
            _check_private(found)
        except OSError:  # a program that starts a service closes all that is open
            return False
        return _identity(found) == self._identity and found.st_nlink > 0

    def at(self, name: str) -> str:
        """Return the path to pass with `dir_fd=handle` for a name inside."""
        return name if self.handle is not None else windows.long_path(f"{self.path}{os.sep}{name}")

    def names(self) -> list[str]:
        """Return the names of the entries."""
        if self.handle is None:
            return os.listdir(windows.long_path(self.path))
        handle = os.open(".", os.O_RDONLY, dir_fd=self.handle)  # with a separate position
        try:
            return os.listdir(handle)
        finally:
            os.close(handle)

    def stat(self, name: str) -> os.stat_result:
        """Return the stat of the entry of this name, without following links."""
        return os.stat(self.at(name), dir_fd=self.handle, follow_symlinks=False)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self.at(name), dir_fd=self.handle)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(self.at(name), dir_fd=self.handle)

    def read(self, name: str, most: int) -> bytes:
        """Return the contents of a file, and note the time of its use.

        Raises:
            RefusedError: The file is not private to the user, or is larger than `most` bytes.
            OSError: The file cannot be read.
        """
        return _contents(self.at(name), self.handle, most)

    def write(self, name: str, data: bytes) -> None:
        """Write a file under another name, readable for nobody else, then rename it."""
        made = f".{name}.{os.getpid():x}{RANDOM.getrandbits(32):08x}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
        try:
            with open(os.open(self.at(made), flags, 0o600, dir_fd=self.handle), "wb") as file:
                file.write(data)
            os.replace(self.at(made), self.at(name), src_dir_fd=self.handle, dst_dir_fd=self.handle)
        except BaseException:
            with suppress(OSError):
                self.remove(made)
            raise


_LAST: list[Folder] = []  # the one that was opened last


def opened(path: str, create: bool = False) -> Folder:
    """Return the folder of the cache, which stays open.

    Args:
        path: Its path.
        create: Create it and its parents where they are missing, for nobody but the user.

    Raises:
        RefusedError: The folder is not safe to use.
        OSError: The folder does not exist, or cannot be opened.
    """
    for found in _LAST:
        if (found.path == path or found.path == os.path.abspath(path)) and found.usable:
            return found
    path = os.path.abspath(path)
    found = Folder(path, _walked(path, create))
    _LAST[:] = [found]
    return found


def check(path: str) -> None:
    """Raise RefusedError, or another OSError, if a folder is not used."""
    path = os.path.abspath(path)
    Folder(path, _walked(path, create=False)).close()


def part(root: Folder, name: str, create: bool = False) -> Folder:
    """Open a folder inside the cache's, under the same rules."""
    path = f"{root.path}{os.sep}{name}"
    if root.handle is None:
        if create:
            with suppress(FileExistsError):
                os.mkdir(windows.long_path(path), 0o700)
        return Folder(path, None)
    return Folder(path, _inside(root.handle, name, os.O_RDONLY, create))


def read(root: Folder, inner: str, name: str, most: int) -> bytes:
    """Return `part(root, inner).read(name, most)`, computed faster."""
    if root.handle is None:
        return part(root, inner).read(name, most)
    handle = os.open(inner, os.O_RDONLY | _FOLDER, dir_fd=root.handle)
    try:
        _check_private(os.fstat(handle))
        return _contents(name, handle, most)
    finally:
        os.close(handle)


def _contents(name: str, folder: int | None, most: int) -> bytes:
    handle = os.open(name, os.O_RDONLY | _FILE, dir_fd=folder)
    try:
        found = os.fstat(handle)
        _check_file(found, most)
        if abs(time.time() - found.st_mtime) > RECENT:
            with suppress(OSError):  # a read-only folder works too
                os.utime(handle if os.utime in os.supports_fd else name)
        return os.read(handle, found.st_size)
    finally:
        os.close(handle)


# ---------------------------------------------------------------- paths


def _walked(path: str, create: bool) -> int | None:
    """Open each folder of an absolute path relative to its parent; return the last.

    Returns:
        None on Windows.
    """
    if windows.HERE:
        _found_on_windows(windows.long_path(path), create)
        return None
    names, links = _reversed_names(path), 0
    handle, here = os.open("/", _TRAVERSE | _FOLDER), "/"
    try:
        _check_above(os.fstat(handle), here)
        while names:
            name = names.pop()
            last = not names
            try:
                inner = _inside(handle, name, os.O_RDONLY if last else _TRAVERSE, create)
            except FileNotFoundError:
                raise
            except OSError:
                target = _link(handle, name, os.path.join(here, name))
                if target is None:
                    raise
                links += 1
                if last or links > MAX_LINKS:
                    raise RefusedError("expected a folder, got a symbolic link") from None
                names += _reversed_names(target)
                if not target.startswith("/"):
                    continue
                inner, name = os.open("/", _TRAVERSE | _FOLDER), "/"
            os.close(handle)
            handle, here = inner, os.path.join(here, name)
            if names:  # the last is checked as all folders of the cache are
                _check_above(os.fstat(handle), here)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _found_on_windows(place: str, create: bool) -> None:
    if create and not os.path.isdir(place):
        os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(place, 0o700)  # which newer versions of Python make an access list of
    if not stat.S_ISDIR(os.stat(place).st_mode):
        raise RefusedError("expected a folder, got a file")


def _reversed_names(path: str) -> list[str]:
    return [each for each in reversed(path.split("/")) if each]


def _inside(handle: int, name: str, flags: int, create: bool) -> int:
    """Open a folder inside another, but follow no link."""
    try:
        return os.open(name, flags | _FOLDER, dir_fd=handle)
    except FileNotFoundError:
        if not create:
            raise
    with suppress(FileExistsError):  # another process made it
        os.mkdir(name, 0o700, dir_fd=handle)
    return os.open(name, flags | _FOLDER, dir_fd=handle)


def _link(handle: int, name: str, place: str) -> str | None:
    """Return where a link leads; None if this is a folder."""
    found = os.stat(name, dir_fd=handle, follow_symlinks=False)
    if stat.S_ISDIR(found.st_mode):
        return None
    if not stat.S_ISLNK(found.st_mode):
        raise RefusedError("expected a folder, got a file")
    _check_owner(found, f"the link {place}")
    return os.readlink(name, dir_fd=handle)


# ---------------------------------------------------------------- checks


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _check_owner(found: os.stat_result, what: str) -> None:
    user = _user()
    if found.st_uid not in (user, 0):
        whose = "root" if user == 0 else f"user {user} or root"
        raise RefusedError(f"expected {what} to belong to {whose}, got user {found.st_uid}")


def _check_above(found: os.stat_result, place: str) -> None:
    """Raise RefusedError if others could replace the contents of a folder."""
    _check_owner(found, place)
    mode = found.st_mode
    if mode & 0o022 and not mode & stat.S_ISVTX:
        raise RefusedError(
            f"expected {place} to be writable for its owner alone, got mode {mode & 0o7777:04o}"
        )


def _check_private(found: os.stat_result) -> None:
    """Raise RefusedError if a folder is not the user's alone."""
    user, mode = _user(), found.st_mode & 0o7777
    if found.st_uid != user:
        raise RefusedError(f"expected a folder of user {user}, got one of user {found.st_uid}")
    if mode & 0o077:
        # What others put there stays when they are locked out.
        advice = "; remove it, since others could write there" if mode & 0o022 else ""
        raise RefusedError(f"expected mode 0700, got {mode:04o}{advice}")


def _check_file(found: os.stat_result, most: int) -> None:
    """Raise RefusedError unless only the user can have changed an open file."""
    if not stat.S_ISREG(found.st_mode):
        raise RefusedError("expected a regular file")
    if found.st_size > most:
        raise RefusedError(f"expected at most {most} bytes, got {found.st_size}")
    if windows.HERE:
        return
    user = _user()
    if found.st_uid != user:
        raise RefusedError(f"expected a file of user {user}, got one of user {found.st_uid}")
    if found.st_mode & 0o077 or found.st_nlink != 1:
        raise RefusedError("expected a file that others cannot read, with a single name")
