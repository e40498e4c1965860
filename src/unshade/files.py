"""Reading and writing files, and protection of inputs from being overwritten.

    with files.guarded():                 # around one command
        files.protect("donor.dxbc")       # will be read; reading a file protects it, too
        files.check_output("out.dxbc")    # UsageError if that file is protected
        files.write_atomically("out.dxbc", data)               # the same check
        files.write_atomically("a.dxbc", data, in_place=True)  # overwrites a protected file

No other module accesses the file system. Files are compared by identity: a symbolic link, a hard
link or another spelling of the name refers to the same file. Without `guarded`, as when another
program uses the library, nothing is protected: `shader.save(path)` names the file it replaces.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO, NamedTuple

from . import windows
from .errors import FileError, LimitError, UsageError

Path = str | os.PathLike[str]

# ---------------------------------------------------------------- protection of inputs


Stamp = tuple[int, int, int] | None  # modification time, size, inode; None if there is no file


def stamp(path: Path) -> Stamp:
    """Return a value that changes when the file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Guard:
    """The files that a command reads, and therefore must not overwrite.

    `hint` is appended to the error message. `seen` maps every path that was read to its stamp
    before it was read.
    """

    def __init__(self) -> None:
        self.hint = ""
        self.seen: dict[str, Stamp] = {}
        self._known: set[object] = set()

    def protect(self, path: Path | int) -> None:
        """Protect a file, given its path or a file descriptor."""
        if not isinstance(path, int):
            self.seen[_name(path)] = stamp(path)
        self._known.update(_identities(path))

    def protects(self, path: Path) -> bool:
        """Return True if the path refers to a protected file."""
        return not self._known.isdisjoint(_identities(path))


_guard: ContextVar[Guard | None] = ContextVar("guard", default=None)


@contextmanager
def guarded() -> Iterator[Guard]:
    """Protect files that are read in the block from being overwritten in it."""
    made = Guard()
    token = _guard.set(made)
    try:
        yield made
    finally:
        _guard.reset(token)


def guard() -> Guard | None:
    """Return the active guard, or None."""
    return _guard.get()


def set_hint(hint: str) -> None:
    """Set the hint of the active guard: text appended to its error messages."""
    here = _guard.get()
    if here is not None:
        here.hint = hint


def protect(path: Path | int) -> None:
    """Protect a file, given its path or a file descriptor; do nothing without a guard."""
    here = _guard.get()
    if here is not None:
        here.protect(path)


def is_protected(path: Path) -> bool:
    """Return True if `check_output` would raise for this path."""
    here = _guard.get()
    return here is not None and here.protects(path)


def check_output(path: Path) -> None:
    """Raise UsageError if the path refers to a protected file."""
    here = _guard.get()
    if here is not None and here.protects(path):
        raise UsageError(f"will not overwrite the input {os.fsdecode(path)}{here.hint}")


def _identities(path: Path | int) -> list[object]:
    """Return keys that identify a regular file; empty for anything else.

    These are its device and inode and its real path, since some network file systems have no
    inodes, or unstable ones.
    """
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return []
        known: list[object] = [(found.st_dev, found.st_ino)] if found.st_ino else []
        if not isinstance(path, int):
            known.append(os.path.normcase(os.path.realpath(_name(path))))
    except (OSError, ValueError):
        return []
    return known


# ---------------------------------------------------------------- reading


def opened(path: Path) -> BinaryIO:
    """Open a file or a pipe for reading and protect it; OSError and ValueError pass through."""
    protect(path)
    file = open(_name(path), "rb")  # noqa: SIM115  the caller closes it
    protect(file.fileno())
    return file


def contents(source: Path | BinaryIO) -> bytes:
    """Return the bytes of a path or of a binary file object."""
    given: object = source
    if isinstance(given, str | os.PathLike):
        return read(given)
    if not hasattr(given, "read"):
        kind = type(given).__name__
        raise UsageError(f"expected a path or a binary file, got {kind} (loads() takes bytes)")
    try:
        data: object = given.read()
    except (OSError, ValueError) as error:  # closed, or not readable
        problem = f"the file object cannot be read: {error}"
        if isinstance(error, OSError):
            raise FileError.of(error, message=problem) from error
        raise UsageError(problem) from error
    if not isinstance(data, bytes):
        raise UsageError(f"expected a file opened in binary mode, read {type(data).__name__}")
    return data


def read(path: Path) -> bytes:
    """Return the contents of a file; raise FileError with the system's reason if that fails."""
    try:
        with opened(path) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error


def read_limited(file: BinaryIO, most: int) -> bytes:
    """Return the rest of an open file; LimitError (`file_size`) if it exceeds `most` bytes."""
    try:
        size = os.fstat(file.fileno()).st_size  # 0 for a pipe, and for /dev/zero
    except OSError:  # not backed by a file descriptor
        size = 0
    data = file.read(-1 if 0 < size <= most else most + 1)
    if len(data) > most:
        raise LimitError("file_size", most, "more")
    return data


def head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, or none if it cannot be read; do not protect it."""
    try:
        with open(_name(path), "rb") as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


class FolderEntry(NamedTuple):
    """An entry of a folder.

    `regular` is True for a regular file, not for a pipe, socket or device; a symbolic link counts
    as its target. `folder` is False for a symbolic link.
    """

    name: str
    path: str
    folder: bool
    regular: bool


def entries(folder: str) -> list[FolderEntry]:
    """Return the entries of a folder, unordered; OSError passes through."""
    with os.scandir(windows.long_path(folder)) as found:
        return [
            FolderEntry(
                each.name,
                os.path.join(folder, each.name),
                each.is_dir(follow_symlinks=False),
                _is_file(each),
            )
            for each in found
        ]


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a cycle of symbolic links
        return False


# ---------------------------------------------------------------- writing


def write_atomically(path: Path, data: bytes, *, in_place: bool = False) -> None:
    """Write a temporary file in the same folder, then replace `path` with it.

    A protected file is only replaced with `in_place`. A pipe or a device such as `/dev/null` is
    opened and written to instead: root could replace the device itself.
    """
    import tempfile  # imports much, and most runs write nothing

    given: object = data
    if not isinstance(given, bytes | bytearray | memoryview):
        raise UsageError(f"expected bytes, got {type(given).__name__}")
    if not in_place:
        check_output(_name(path))
    name = ""
    try:
        path = _name(path)
        target = os.path.realpath(path)  # replace the target of a symbolic link, not the link
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as device:
                device.write(data)
            return
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask()
        folder, base = os.path.split(target)
        handle, name = tempfile.mkstemp(prefix=f".{base}.", dir=folder)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, mode)
        _replace(name, target)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error
    finally:
        if name and os.path.exists(name):  # not moved into place
            os.unlink(name)


def _replace(source: str, target: str) -> None:
    """Replace a file; retry on Windows while another process has it open."""
    for pause in windows.PAUSES:
        try:
            os.replace(source, target)
        except OSError as error:
            if not windows.in_use(error):
                raise
            time.sleep(pause)
        else:
            return
    os.replace(source, target)


def make_folder(path: Path) -> None:
    """Create a folder and its parents; raise UsageError if that fails."""
    try:
        os.makedirs(_name(path) or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def _name(path: Path) -> str:
    """Return the path as text of any length; UsageError for a file descriptor or another type."""
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"expected a path, got {type(path).__name__}")
    return windows.long_path(os.fsdecode(path))


def _refusal(path: Path, error: OSError | ValueError) -> UsageError:
    """Return the error with the system's reason; a name with a NUL raises ValueError."""

    if isinstance(error, OSError):
        return FileError.of(error, path)
    return UsageError(f"{path!s}: {error}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
