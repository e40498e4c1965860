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

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import crc32

from . import windows
from .errors import FileError, LimitError, UsageError, did_you_mean
from .limits import DEFAULT
from .tuples import NamedTuple

if TYPE_CHECKING:
    from mmap import mmap

Path = str | os.PathLike[str]

CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
STREAMS = ("stdin", "stdout", "stderr")
MOST_NAMES = 4096  # of a folder, compared with the name of a missing file
# Patterns, which most commands do not need.
SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"  # of a URL; also a drive of Windows
DESCRIPTOR = f"/dev/({'|'.join(STREAMS)})|(?:/dev|/proc/self)/fd/([0-9]{{1,9}})"

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

    These are its device and inode and its real path, since inodes are missing or unstable on some
    network file systems.
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


def opened(path: Path, *, protected: bool = True) -> BinaryIO:
    """Open a file or a pipe for reading and protect it; OSError and ValueError pass through.

    Without `protected`, it may be overwritten: for millions of files that no output is named after.
    """
    if protected:
        protect(path)
    file = open(_name(path), "rb")  # noqa: SIM115  the caller closes it
    if protected:
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


def has_beside(path: Path, suffix: str) -> bool:
    """Return True if there is a file, not empty, named like `path` with a suffix appended."""
    try:
        return os.stat(_name(f"{os.fsdecode(path)}{suffix}")).st_size > 0
    except (OSError, ValueError):
        return False


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


def mapped(file: BinaryIO) -> "bytes | mmap":
    """Return the contents of an open file, memory-mapped if possible.

    The contents of a pipe are read; LimitError (`file_size`) if they are too large.
    """
    from mmap import ACCESS_READ, mmap

    try:
        return mmap(file.fileno(), 0, access=ACCESS_READ)
    except (OSError, ValueError):  # a pipe, or an empty file
        return read_limited(file, DEFAULT.file_size)


def head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, or none if it cannot be read; do not protect it."""
    try:
        with open(_name(path), "rb") as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


def read_below(folder: str, name: str, most: int) -> bytes:
    """Return the contents of a file named by another, which must be below a folder.

    Raises:
        UsageError: The name is a URL, absolute, leads out of the folder, also by a symbolic link,
            or the file cannot be read.
        LimitError: It has more than `most` bytes (`file_size`).
    """
    outside = UsageError(f"expected a file below the folder, got {name!r:.100}")
    if re.match(SCHEME, name) or "\0" in name or "\\" in name or name.startswith("/") or not name:
        raise outside
    try:
        base = os.path.realpath(folder)
        path = os.path.realpath(os.path.join(base, name))
        if os.path.commonpath([base, path]) != base or path == base:
            raise outside
        with opened(path) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise outside
            return read_limited(file, most)
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from error


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


def below(
    folder: str,
    key: Callable[[str], Any],
    failed: Callable[[str, OSError], object],
    without: str = "",
) -> Iterator[FolderEntry]:
    """Yield the entries below a folder that are not folders, without hidden files and folders.

    Links to files are followed, links to folders are not: such a link is an entry.

    Args:
        folder: The folder.
        key: Returns the sort key of a name; each folder is in this order, files first.
        failed: Takes a folder that cannot be read, and the error.
        without: The real path of a folder to leave out.
    """
    ahead = [folder]
    while ahead:
        place = ahead.pop()
        try:
            found = entries(place)
        except OSError as error:
            failed(place, error)
            continue
        shown = sorted(
            (each for each in found if not each.name.startswith(".")),
            key=lambda each: (key(each.name), each.name),
        )
        yield from (each for each in shown if not each.folder)
        inner = [each.path for each in reversed(shown) if each.folder]
        ahead += [each for each in inner if not without or os.path.realpath(each) != without]


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a cycle of symbolic links
        return False


# ---------------------------------------------------------------- writing


def write_atomically(path: Path, data: bytes | memoryview, *, in_place: bool = False) -> None:
    """Write a temporary file in the same folder, then replace `path` with it.

    A protected file is only replaced with `in_place`. The target of a symbolic link is replaced,
    not the link; another hard link to the old file keeps the old contents. Mode and owner are kept,
    the owner if the system permits it. A pipe, a device such as `/dev/null`, and an open file such
    as `/dev/stdout` are written to instead: root could replace the device itself.
    """
    given: object = data
    if not isinstance(given, bytes | bytearray | memoryview):
        raise UsageError(f"expected bytes, got {type(given).__name__}")
    if not in_place:
        check_output(_name(path))
    made = ""
    try:
        path = _name(path)
        found = _state(path)
        stream = _descriptor(path)
        if stream is not None or (found is not None and not stat.S_ISREG(found.st_mode)):
            with open(path if stream is None else os.dup(stream), "wb") as device:
                device.write(data)
            return
        target = os.path.realpath(path)
        handle, made = _temporary(target, 0o666 if found is None else 0o600)
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            if found is not None:
                _keep(made, handle, found)
            os.fsync(handle)
            if not windows.HERE:  # where an open file cannot be renamed
                os.replace(made, target)  # before the lock ends
                made = ""
        if made:
            _replace(made, target)
            made = ""
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error
    finally:
        if made:  # not moved into place
            with suppress(OSError):
                os.unlink(made)


@contextmanager
def written_atomically(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file, which replaces `path` when the block ends, unless by an error.

    It is for paths that the program makes, not for those that a user names.
    """
    target = os.path.realpath(_name(path))
    made = ""
    try:
        handle, made = _temporary(target, 0o666)
        with open(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(handle)
        _replace(made, target)
        made = ""
    except OSError as error:
        raise _refusal(path, error) from error
    finally:
        if made:  # not moved into place
            with suppress(OSError):
                os.unlink(made)


def _state(path: str) -> os.stat_result | None:
    """Return the state of a file; None if there is none. A cycle of links raises OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _descriptor(path: str) -> int | None:
    """Return the file descriptor of a path such as /dev/fd/3; None for other paths."""
    if windows.HERE:
        return None
    found = re.fullmatch(DESCRIPTOR, os.path.abspath(path))
    if found is None:
        return None
    return STREAMS.index(found[1]) if found[1] else int(found[2])


def _keep(place: str, handle: int, found: os.stat_result) -> None:
    """Give a new file the owner and the mode of the file that it replaces."""
    if hasattr(os, "fchown"):
        now = os.fstat(handle)
        if (now.st_uid, now.st_gid) != (found.st_uid, found.st_gid):
            with suppress(OSError):  # only root may give files away
                os.fchown(handle, found.st_uid, found.st_gid)
    os.chmod(place if windows.HERE else handle, found.st_mode & 0o777)


# A process that is killed leaves its temporary file. The name depends on that of the output, so
# that the next save of the same name finds it; the writer holds a lock on it, so that the file of a
# process that lives is told from that of a dead one, in another container too.
SLOTS = 8  # processes and threads that save the same name at once; others get random names
LEFT = 60  # s: on Windows, where nothing is locked, a file of this age belongs to nobody


def _temporary(target: str, mode: int) -> tuple[int, str]:
    """Create and lock a temporary file beside an output; return its handle and its path."""
    folder, base = os.path.split(target)
    stem = os.path.join(folder, f".unshade-{crc32(os.fsencode(base)):08x}-")
    places = [f"{stem}{slot}.tmp" for slot in range(SLOTS)]
    for place in places:
        with suppress(OSError):
            _remove_left(place)
    for place in (*places, f"{stem}{os.urandom(8).hex()}.tmp"):
        try:
            handle = os.open(place, CREATE, mode)
        except FileExistsError:
            continue
        if _locked(handle) and os.fstat(handle).st_nlink:  # nobody took it for an old one
            return handle, place
        os.close(handle)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), folder)


def _remove_left(place: str) -> None:
    """Remove a temporary file if its process has ended; OSError passes through."""
    found = os.lstat(place)
    own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if not own or not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        return
    if windows.HERE:
        if time.time() - found.st_mtime > LEFT:
            os.unlink(place)  # fails if a process has it open
        return
    handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _locked(handle, needed=True) and os.path.samestat(os.fstat(handle), os.lstat(place)):
            os.unlink(place)
    finally:
        os.close(handle)


def _locked(handle: int, needed: bool = False) -> bool:
    """Lock a file unless another process holds its lock; OSError if a `needed` lock fails."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        return True
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        if needed:
            raise
    return True


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


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock on a file, which is created; yield False if another process holds it.

    The lock ends with the process. Where nothing is locked, True is yielded.
    """
    try:
        handle = os.open(_name(path), os.O_RDWR | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error
    try:
        yield _locked(handle)
    finally:
        os.close(handle)


def remove_folder(path: Path) -> None:
    """Remove a folder and everything in it; do nothing if there is none."""
    from shutil import rmtree

    try:
        rmtree(_name(path))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error


def remove_file(path: Path) -> None:
    """Remove a file; do nothing if there is none."""
    try:
        os.unlink(_name(path))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error


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


def reason(error: OSError | ValueError) -> str:
    """Return the reason of an error of the system, without the path."""
    return str(getattr(error, "strerror", None) or error)


def _refusal(path: Path, error: OSError | ValueError) -> UsageError:
    """Return the error with the system's reason; a name with a NUL raises ValueError."""
    if isinstance(error, FileNotFoundError):
        return FileError.of(error, path, f"{path}: {error.strerror}{similar(os.fsdecode(path))}")
    if isinstance(error, OSError):
        return FileError.of(error, path)
    return UsageError(f"{path!s}: {error}")


def similar(path: str) -> str:
    """Return "; did you mean X?" if a name in the folder is close to the name of a missing file."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(_name(folder or os.curdir)) as listed:
            names = [each.name for each in islice(listed, MOST_NAMES)]
    except OSError:
        return ""
    return did_you_mean(name, names)
