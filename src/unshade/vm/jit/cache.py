"""An object cache on disk, so that the second start of a program compiles nothing.

    <folder>/ab/abcdef….o      sha256 of the object (32 bytes) | object file

The file name is a hash of everything that determines the code: text, LLVM version, processor and
its features, optimisation level. Files are written to a temporary name and renamed, so that several
processes can share a folder; truncated and damaged files are replaced. When the folder exceeds
`MAX_BYTES`, the least recently used files are removed. The environment variable `UNSHADE_CACHE`
names another folder; empty disables the cache.
"""

import hashlib
import os
import random
import re
from collections.abc import Iterator
from contextlib import suppress

from ... import windows
from ...errors import UnshadeError
from ...files import make_folder, write_atomically

MAX_BYTES = 256 << 20  # bytes
TIDY_EVERY = 32  # check the folder's size after about this many writes
HASH_SIZE = 32  # bytes
PART = re.compile("[0-9a-f]{2}")
# The second form is a temporary file, left behind if a process ends while writing it.
OBJECT = re.compile(r"[0-9a-f]{64}\.o|\.[0-9a-f]{64}\.o\..*")


def folder() -> str:
    """Return the folder of the cache; "" if it is disabled."""
    given = os.environ.get("UNSHADE_CACHE")
    if given is not None:
        return given
    home = os.path.join(os.path.expanduser("~"), ".cache")
    base = os.environ.get("LOCALAPPDATA" if windows.HERE else "XDG_CACHE_HOME") or home
    return os.path.join(base, "unshade", "jit")


def key(*parts: str) -> str:
    """Return the name for code that is determined by these strings."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _place(name: str) -> str:
    root = folder()
    return os.path.join(root, name[:2], f"{name}.o") if root else ""


def read(name: str) -> bytes | None:
    """Return the code stored under a name; None if there is none, or if it is damaged."""
    place = _place(name)
    if not place:
        return None
    try:
        with open(windows.long_path(place), "rb") as file:
            data = file.read()
    except OSError:
        return None
    if hashlib.sha256(data[HASH_SIZE:]).digest() != data[:HASH_SIZE]:
        return None
    with suppress(OSError):  # a read-only folder works too
        os.utime(windows.long_path(place))
    return data[HASH_SIZE:]


def write(name: str, code: bytes) -> None:
    """Store code under a name; errors are ignored."""
    place = _place(name)
    if not place:
        return
    try:
        make_folder(os.path.dirname(place))
        write_atomically(place, hashlib.sha256(code).digest() + code)
        if random.random() * TIDY_EVERY < 1:
            tidy(MAX_BYTES)
    except (OSError, UnshadeError):
        pass


def tidy(most: int) -> None:
    """Remove the least recently used files, down to three quarters of `most` bytes."""
    found = sorted(_objects())
    total = sum(size for _, size, _ in found)
    if total <= most:
        return
    for _, size, place in found:
        if total <= most * 3 // 4:
            return
        with suppress(OSError):
            os.unlink(place)
            total -= size


def _objects() -> Iterator[tuple[float, int, str]]:
    """Yield (time of last use, size, path) of each object; other files are left alone."""
    root = folder()
    for inner in os.listdir(windows.long_path(root)):
        part = windows.long_path(os.path.join(root, inner))
        if not PART.fullmatch(inner) or not os.path.isdir(part):
            continue
        for name in os.listdir(part):
            place = windows.long_path(os.path.join(root, inner, name))
            if OBJECT.fullmatch(name):
                with suppress(OSError):  # another process removed it
                    known = os.stat(place)
                    yield known.st_mtime, known.st_size, place
