"""Files of the cache on disk, so that the second start of a program compiles nothing.

    <folder>/ab/abcdef….o      sha256 of the contents (32 bytes) | object file
    <folder>/ab/abcdef….k      the same | what is known of a program (entries.py)

A file's name is a hash of everything that determines its contents. Files are written to a temporary
name and renamed, so that several processes can share a folder without locks; two that compile the
same code write the same file. Truncated and damaged files are replaced. When the folder exceeds
`MAX_BYTES`, the least recently used files are removed.

The environment variable `UNSHADE_CACHE` names another folder; empty disables the cache. Since the
files are run as machine code, the folder is used only if it belongs to the user and nobody else may
read or write it (mode 0700).
"""

import hashlib
import os
import random
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from .... import windows

MAX_BYTES = 256 << 20  # bytes
TIDY_EVERY = 32  # check the folder's size after about this many writes
RANDOM = random.SystemRandom()  # the module's own numbers may be seeded by the user
RECENT = 600  # s: the time of the last use of a file is as precise as this
HASH_SIZE = 32  # bytes
OBJECT, ENTRY = ".o", ".k"
PART = re.compile("[0-9a-f]{2}")
# The second form is a temporary file, left behind if a process ends while writing it.
FILE = re.compile(r"[0-9a-f]{64}\.[ok]|\.[0-9a-f]{64}\.[ok]\..*")


def folder() -> str:
    """Return the folder of the cache; "" if it is disabled, or if the user has no home."""
    given = os.environ.get("UNSHADE_CACHE")
    return _default() if given is None else given


def _default() -> str:
    home = os.path.join(os.path.expanduser("~"), ".cache")
    named = os.environ.get("LOCALAPPDATA" if windows.HERE else "XDG_CACHE_HOME", "")
    base = named if os.path.isabs(named) else home  # relative ones are to be ignored
    return os.path.join(base, "unshade", "jit") if os.path.isabs(base) else ""


def key(*parts: str) -> str:
    """Return the name for contents that are determined by these strings."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# ---------------------------------------------------------------- the folder


def refusal(root: str) -> str:
    """Return why a folder is not used; "" if it is, or may be created."""
    try:
        found = os.stat(windows.long_path(root))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return f"it cannot be read: {error}"
    if not stat.S_ISDIR(found.st_mode):
        return "expected a folder, got a file"
    if windows.HERE:  # the user's profile is private, and modes say nothing
        return ""
    user = getattr(os, "geteuid", lambda: found.st_uid)()
    if found.st_uid != user:
        return f"expected a folder of user {user}, got one of user {found.st_uid}"
    mode = stat.S_IMODE(found.st_mode)
    return f"expected mode 0700, got {mode:04o}" if mode & 0o077 else ""


def _usable(root: str) -> bool:
    """Return whether files of a folder may be read."""
    return bool(root) and not refusal(root)


def _place(root: str, name: str, suffix: str) -> str:
    return windows.long_path(os.path.join(root, name[:2], name + suffix))


# ---------------------------------------------------------------- files


def read(name: str, suffix: str = OBJECT) -> bytes | None:
    """Return the contents stored under a name; None if there are none, or damaged ones."""
    root = folder()
    if not _usable(root):
        return None
    place = _place(root, name, suffix)
    try:
        with open(place, "rb", buffering=0) as file:
            known = os.fstat(file.fileno())
            data = file.read()
    except (OSError, ValueError):
        return None
    contents = data[HASH_SIZE:]
    if hashlib.sha256(contents).digest() != data[:HASH_SIZE]:
        return None
    if abs(time.time() - known.st_mtime) > RECENT:
        with suppress(OSError):  # a read-only folder works too
            os.utime(place)
    return contents


def write(name: str, data: bytes, suffix: str = OBJECT) -> None:
    """Store contents under a name; errors are ignored.

    They are not flushed to the disk: after a power failure the hash reveals what is incomplete.
    """
    root = folder()
    if not root:
        return
    place = _place(root, name, suffix)
    inner, base = os.path.split(place)
    made = os.path.join(inner, f".{base}.{os.getpid():x}{RANDOM.getrandbits(32):08x}")
    try:
        if not os.path.isdir(windows.long_path(root)):
            os.makedirs(os.path.dirname(windows.long_path(root)) or ".", exist_ok=True)
            with suppress(FileExistsError):
                os.mkdir(windows.long_path(root), 0o700)
        if not _usable(root):
            return
        with suppress(FileExistsError):
            os.mkdir(inner, 0o700)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with open(os.open(made, flags, 0o600), "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(made, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(made)
            raise
        if not RANDOM.randrange(TIDY_EVERY):
            tidy(MAX_BYTES)
    except (OSError, ValueError):
        pass


def tidy(most: int) -> None:
    """Remove the least recently used files, down to three quarters of `most` bytes."""
    found = sorted(_files())
    total = sum(size for _, size, _ in found)
    if total <= most:
        return
    for _, size, place in found:
        if total <= most * 3 // 4:
            return
        with suppress(OSError):
            os.unlink(place)
            total -= size


class CacheContents(NamedTuple):
    """The contents of the folder: `refused` says why it is not used, if it is not."""

    folder: str
    refused: str
    objects: int
    entries: int
    size: int  # bytes


def usage() -> CacheContents:
    """Return what is in the folder of the cache."""
    root = folder()
    if not root:
        given = os.environ.get("UNSHADE_CACHE")
        reason = "the user has no home folder" if given is None else "UNSHADE_CACHE is empty"
        return CacheContents("", reason, 0, 0, 0)
    refused = refusal(root)
    if refused:
        return CacheContents(root, refused, 0, 0, 0)
    found = [*_files()]
    objects = sum(place.endswith(OBJECT) for _, _, place in found)
    entries = sum(place.endswith(ENTRY) for _, _, place in found)
    return CacheContents(root, "", objects, entries, sum(size for _, size, _ in found))


def clear() -> int:
    """Remove every file of the cache, and return how many bytes they had."""
    root, total = folder(), 0
    if not _usable(root):
        return 0
    for _, size, place in [*_files()]:
        with suppress(OSError):
            os.unlink(place)
            total += size
    for inner in _parts(root):
        with suppress(OSError):  # other files are in it
            os.rmdir(inner)
    return total


def _parts(root: str) -> Iterator[str]:
    """Yield the folders inside the cache's."""
    try:
        names = os.listdir(windows.long_path(root))
    except OSError:
        return
    for name in names:
        part = windows.long_path(os.path.join(root, name))
        if PART.fullmatch(name) and os.path.isdir(part):
            yield part


def _files() -> Iterator[tuple[float, int, str]]:
    """Yield (time of last use, size, path) of each file; foreign files are left alone."""
    for part in _parts(folder()):
        with suppress(OSError):  # another process removed it
            for name in os.listdir(part):
                if FILE.fullmatch(name):
                    place = os.path.join(part, name)
                    with suppress(OSError):
                        known = os.stat(place)
                        yield known.st_mtime, known.st_size, place
