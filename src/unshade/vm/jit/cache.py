"""Machine code on disk, so that a program's second start compiles nothing.

    <folder>/ab/abcdef….o      sha256 of what follows (32 bytes) | object file

The name is a hash of all that decides what the code is: text, LLVM's version, processor with its
features, level. Files are written beside their place and moved there, so that several processes may
share a folder; one that is cut short or damaged is made anew. When the folder holds more than
`MOST` bytes, what was not read for the longest time goes first. `UNSHADE_CACHE` names another
folder, and is empty for no cache.
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

MOST = 256 << 20  # bytes
SELDOM = 32  # writes: after about so many the folder's size is looked at
CHECK = 32  # bytes of the hash
PART = re.compile("[0-9a-f]{2}")
# Also what a process left that ended while it wrote: its temporary file.
OBJECT = re.compile(r"[0-9a-f]{64}\.o|\.[0-9a-f]{64}\.o\..*")


def folder() -> str:
    """Where objects are kept; empty for nowhere."""
    given = os.environ.get("UNSHADE_CACHE")
    if given is not None:
        return given
    home = os.path.join(os.path.expanduser("~"), ".cache")
    base = os.environ.get("LOCALAPPDATA" if windows.HERE else "XDG_CACHE_HOME") or home
    return os.path.join(base, "unshade", "jit")


def key(*parts: str) -> str:
    """The name for code that these decide."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _place(name: str) -> str:
    root = folder()
    return os.path.join(root, name[:2], f"{name}.o") if root else ""


def read(name: str) -> bytes | None:
    """What is kept under a name; None where that is nothing, or damaged."""
    place = _place(name)
    if not place:
        return None
    try:
        with open(windows.long_path(place), "rb") as file:
            data = file.read()
    except OSError:
        return None
    if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
        return None
    with suppress(OSError):  # a folder that may only be read serves as well
        os.utime(windows.long_path(place))
    return data[CHECK:]


def write(name: str, code: bytes) -> None:
    """Keep code under a name; a cache that cannot be written is none."""
    place = _place(name)
    if not place:
        return
    try:
        make_folder(os.path.dirname(place))
        write_atomically(place, hashlib.sha256(code).digest() + code)
        if random.random() * SELDOM < 1:
            tidy(MOST)
    except (OSError, UnshadeError):
        pass


def tidy(most: int) -> None:
    """Remove what was not read for the longest time, down to three quarters of `most` bytes."""
    found = sorted(_kept())
    total = sum(size for _, size, _ in found)
    if total <= most:
        return
    for _, size, place in found:
        if total <= most * 3 // 4:
            return
        with suppress(OSError):
            os.unlink(place)
            total -= size


def _kept() -> Iterator[tuple[float, int, str]]:
    """(when it was last read, size, place) of each object; other files are not ours."""
    root = folder()
    for inner in os.listdir(windows.long_path(root)):
        part = windows.long_path(os.path.join(root, inner))
        if not PART.fullmatch(inner) or not os.path.isdir(part):
            continue
        for name in os.listdir(part):
            place = windows.long_path(os.path.join(root, inner, name))
            if OBJECT.fullmatch(name):
                with suppress(OSError):  # another process was faster
                    known = os.stat(place)
                    yield known.st_mtime, known.st_size, place
