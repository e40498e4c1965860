"""Files of the cache on disk, so that the second start of a program compiles nothing.

    <folder>/key               the user's key (seal.py)
    <folder>/ab/abcdef….o      seal (32 bytes) | object file
    <folder>/ab/abcdef….k      the same | the facts about a program (entries.py)

A file's name is a hash of everything that determines its contents. Files are written to a temporary
name and renamed, so that several processes can share a folder without locks; two that compile the
same code write the same file. Truncated and damaged files are replaced. When the folder exceeds
`MAX_BYTES`, the least recently used files are removed.

The environment variable `UNSHADE_CACHE` names another folder; `off` or empty disables the cache.
Since the files are run as machine code, the folder is used only if nobody but the user can write to
it (folders.py), and a file in it only if it was sealed with the user's key (seal.py).
"""

import hashlib
import os
import random
import re
import stat
from collections.abc import Iterator
from contextlib import suppress

from .... import windows
from ....tuples import NamedTuple
from . import folders, seal
from .folders import Folder, RefusedError

MAX_BYTES = 256 << 20  # bytes
TIDY_EVERY = 32  # check the folder's size after about this many writes
MAX_FILE = MAX_BYTES // 4  # bytes
RANDOM = random.SystemRandom()  # the module's own numbers may be seeded by the user
DISABLED = ("", "off")  # values of the environment variable
OBJECT, ENTRY = ".o", ".k"
PART = re.compile("[0-9a-f]{2}")
# The second form is a temporary file, left behind if a process ends while writing it.
FILE = re.compile(r"[0-9a-f]{64}\.[ok]|\.[0-9a-f]{64}\.[ok]\..*")
KEY_FILE = re.compile(rf"{seal.NAME}|\.{seal.NAME}\..*")


def folder() -> str:
    """Return the folder of the cache; "" if the cache is disabled, or there is no home folder."""
    given = os.environ.get("UNSHADE_CACHE")
    if given is None:
        return _default()
    return "" if given in DISABLED else given


def _default() -> str:
    home = os.path.join(os.path.expanduser("~"), ".cache")
    named = os.environ.get("LOCALAPPDATA" if windows.HERE else "XDG_CACHE_HOME", "")
    base = named if os.path.isabs(named) else home  # relative ones are to be ignored
    return os.path.join(base, "unshade", "jit") if os.path.isabs(base) else ""


def key(*parts: str) -> str:
    """Return the name of the file for contents that these strings determine."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# ---------------------------------------------------------------- the folder


def refusal(root: str) -> str:
    """Return the reason why a folder is not used; "" if it is used, or may be created."""
    try:
        folders.check(root)
    except FileNotFoundError:
        return ""
    except RefusedError as error:
        return str(error)
    except (OSError, ValueError) as error:
        return f"it cannot be read: {error}"
    return ""


# ---------------------------------------------------------------- files


def read(name: str, suffix: str = OBJECT) -> bytes | None:
    """Return the contents stored under a name; None unless the user sealed them."""
    root = folder()
    if not root:
        return None
    base = name + suffix
    try:
        here = folders.opened(root)
        key = seal.key_of(here)
        data = folders.read(here, name[:2], base, MAX_FILE)
    except (OSError, ValueError):
        return None
    contents = data[seal.SIZE :]
    return contents if seal.is_sealed(key, base, data[: seal.SIZE], contents) else None


def write(name: str, data: bytes, suffix: str = OBJECT) -> None:
    """Store contents under a name; errors are ignored.

    Files are not flushed to the disk: after a power failure, the seal reveals incomplete files.
    """
    root = folder()
    if not root or len(data) > MAX_FILE - seal.SIZE:
        return
    base = name + suffix
    try:
        here = folders.opened(root, create=True)
        key = seal.key_of(here, create=True)
        with folders.part(here, name[:2], create=True) as inner:
            inner.write(base, seal.seal(key, base, data) + data)
        if not RANDOM.randrange(TIDY_EVERY):
            tidy(MAX_BYTES)
    except (OSError, ValueError):
        pass


def tidy(most: int) -> None:
    """Remove the least recently used files, down to three quarters of `most` bytes."""
    root = folder()
    if not root:
        return
    with suppress(OSError, ValueError):
        here = folders.opened(root)
        found = sorted(_files(here))
        total = sum(each.size for each in found)
        if total > most:
            _remove(here, found, total - most * 3 // 4)


class CacheContents(NamedTuple):
    """The contents of the folder: `refused` is the reason if the cache is not used."""

    folder: str
    refused: str
    objects: int
    entries: int
    size: int  # bytes


def usage() -> CacheContents:
    """Return the contents of the cache's folder."""
    root = folder()
    if not root:
        given = os.environ.get("UNSHADE_CACHE")
        variable = f"UNSHADE_CACHE is {given or 'empty'}"
        reason = "the user has no home folder" if given is None else variable
        return CacheContents("", reason, 0, 0, 0)
    refused = refusal(root)
    found: list[_Found] = []
    if not refused:
        with suppress(OSError, ValueError):
            found += _files(folders.opened(root))
    objects = sum(each.name.endswith(OBJECT) for each in found)
    entries = sum(each.name.endswith(ENTRY) for each in found)
    return CacheContents(root, refused, objects, entries, sum(each.size for each in found))


def clear() -> int:
    """Remove every file of the cache, and return their total size in bytes, without the key."""
    root, total = folder(), 0
    if not root or refusal(root):
        return 0
    with suppress(OSError, ValueError):
        here = folders.opened(root)
        total = _remove(here, [*_files(here)])
        for name in here.names():
            with suppress(OSError):  # other files are in it
                if PART.fullmatch(name):
                    here.remove_folder(name)
                elif KEY_FILE.fullmatch(name):
                    here.remove(name)
    return total


class _Found(NamedTuple):
    """A file of the cache."""

    used: float  # time of its last use
    size: int
    part: str
    name: str


def _files(root: Folder) -> Iterator[_Found]:
    """Yield each file; skip foreign files, other users' files, and anything that is not a file."""
    for name in root.names():
        if not PART.fullmatch(name):
            continue
        with suppress(OSError), folders.part(root, name) as inner:  # or it was removed
            for each in inner.names():
                if FILE.fullmatch(each):
                    with suppress(OSError):
                        known = inner.stat(each)
                        if not stat.S_ISDIR(known.st_mode):
                            yield _Found(known.st_mtime, known.st_size, name, each)


def _remove(root: Folder, found: list[_Found], enough: float = float("inf")) -> int:
    """Remove files until enough bytes are freed; return the number of bytes."""
    total = 0
    for each in found:
        if total >= enough:
            break
        with suppress(OSError), folders.part(root, each.part) as inner:
            inner.remove(each.name)
            total += each.size
    return total
