"""The one place that touches a file system, and the one that decides what may be written over.

    with files.guarded():                 # one command: what it reads is safe from what it writes
        files.keep("donor.dxbc")          # will be read; reading a file keeps it, too
        files.spare("out.dxbc")           # UsageError if that is a file that is kept
        files.write_atomically("out.dxbc", data)               # refuses the same
        files.write_atomically("a.dxbc", data, in_place=True)  # asked for: over what was read

A file is what the system takes for one: a link, a hard link or another spelling of the name is no
other file. Without a guard, which is how the library works for other programs, nothing is refused:
`shader.save(path)` says itself what it replaces.
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

# ---------------------------------------------------------------- what may be written over


Stamp = tuple[int, int, int] | None  # time of the last change, size, number; None for no file


def stamp(path: Path) -> Stamp:
    """Return what changes when a file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Guard:
    """The files that one command reads, which it may not write over.

    `instead` is what a refusal says can be done. `seen` has every path that was to be read, with
    its stamp before that.
    """

    def __init__(self) -> None:
        self.instead = ""
        self.seen: dict[str, Stamp] = {}
        self._known: set[object] = set()

    def keep(self, path: Path | int) -> None:
        """Take note of a file that is read, by its path or its open handle."""
        if not isinstance(path, int):
            self.seen[_name(path)] = stamp(path)
        self._known.update(_identities(path))

    def keeps(self, path: Path) -> bool:
        """Return whether this is a file that is read, by whatever name."""
        return not self._known.isdisjoint(_identities(path))


_guard: ContextVar[Guard | None] = ContextVar("guard", default=None)


@contextmanager
def guarded() -> Iterator[Guard]:
    """Keep what is read in the block from being written over in it."""
    made = Guard()
    token = _guard.set(made)
    try:
        yield made
    finally:
        _guard.reset(token)


def guard() -> Guard | None:
    """Return what guards the files here, if anything does."""
    return _guard.get()


def offer(instead: str) -> None:
    """Say in refusals what can be done instead."""
    here = _guard.get()
    if here is not None:
        here.instead = instead


def keep(path: Path | int) -> None:
    """Take note of a file that will be read, or is open, if anything is guarded here."""
    here = _guard.get()
    if here is not None:
        here.keep(path)


def kept(path: Path) -> bool:
    """Return whether `spare` would refuse this file."""
    here = _guard.get()
    return here is not None and here.keeps(path)


def spare(path: Path) -> None:
    """Raise UsageError for a file that is read."""
    here = _guard.get()
    if here is not None and here.keeps(path):
        raise UsageError(f"not written over {os.fsdecode(path)}, which is read{here.instead}")


def _identities(path: Path | int) -> list[object]:
    """Return what tells a regular file from others; nothing for what is none.

    The number that the file system has for it; the name, too, since some network file systems
    have no such numbers, or change them.
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
    """Open a file or a pipe for reading, and keep it; OSError and ValueError are open's own."""
    keep(path)
    file = open(_name(path), "rb")  # noqa: SIM115  the caller closes it
    keep(file.fileno())
    return file


def contents(source: Path | BinaryIO) -> bytes:
    """Return the bytes of a path or of a binary file object."""
    given: object = source
    if isinstance(given, str | os.PathLike):
        return read(given)
    if not hasattr(given, "read"):
        kind = f"an object of type {type(given).__name__}"
        raise UsageError(f"a path or a binary file is opened, not {kind}: try loads()")
    try:
        data: object = given.read()
    except (OSError, ValueError) as error:  # closed, or not meant for reading
        problem = f"the file object cannot be read: {error}"
        if isinstance(error, OSError):
            raise FileError.of(error, message=problem) from error
        raise UsageError(problem) from error
    if not isinstance(data, bytes):
        raise UsageError("a file object opened in binary mode is needed")
    return data


def read(path: Path) -> bytes:
    """Return all bytes of a file; UsageError, with the system's reason, where that cannot be."""
    try:
        with opened(path) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error


def read_limited(file: BinaryIO, most: int) -> bytes:
    """Return all that an open file holds; LimitError (`file_size`) for more than `most` bytes."""
    try:
        size = os.fstat(file.fileno()).st_size  # 0 for a pipe, and for /dev/zero
    except OSError:  # no file of the system
        size = 0
    data = file.read(-1 if 0 < size <= most else most + 1)
    if len(data) > most:
        raise LimitError("file_size", most, "more")
    return data


def head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, none where it cannot be read; that keeps nothing."""
    try:
        with open(_name(path), "rb") as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


class Entry(NamedTuple):
    """One thing in a folder. `regular` is a file that ends, and no pipe, socket or device.

    A link counts as what it leads to, but as no `folder`.
    """

    name: str
    path: str
    folder: bool
    regular: bool


def entries(folder: str) -> list[Entry]:
    """Return what is in a folder, in no order; OSError is the system's own."""
    with os.scandir(windows.long_path(folder)) as found:
        return [
            Entry(
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
    except OSError:  # a link that leads round in a circle
        return False


# ---------------------------------------------------------------- writing


def write_atomically(path: Path, data: bytes, *, in_place: bool = False) -> None:
    """Write to a temporary file in the same folder, then put it in the place of `path`.

    Where a guard keeps `path`, only with `in_place`. What is there but no file (a pipe,
    `/dev/null`) is written into: putting a file in the place of a device, as root can, would take
    the device from everyone.
    """
    import tempfile  # loads half of the standard library, and most runs write nothing

    given: object = data
    if not isinstance(given, bytes | bytearray | memoryview):
        raise UsageError(f"bytes are written, not an object of type {type(given).__name__}")
    if not in_place:
        spare(_name(path))
    name = ""
    try:
        path = _name(path)
        target = os.path.realpath(path)  # a link stays a link: the file it names is replaced
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
        if name and os.path.exists(name):  # not put in its place, for whatever reason
            os.unlink(name)


def _replace(source: str, target: str) -> None:
    """Put a file in the place of another, also if someone has that open for a moment."""
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
    """Make a folder and those above it; UsageError where that cannot be."""
    try:
        os.makedirs(_name(path) or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def _name(path: Path) -> str:
    """Return the path as the system takes it: text, of any length.

    What Python opens beside paths, such as numbers, is none here.
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"a path is needed, not an object of type {type(path).__name__}")
    return windows.long_path(os.fsdecode(path))


def _refusal(path: Path, error: OSError | ValueError) -> UsageError:
    """The system's words; ValueError is what a name with a NUL in it raises."""
    if isinstance(error, OSError):
        return FileError.of(error, path)
    return UsageError(f"{path!s}: {error}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
