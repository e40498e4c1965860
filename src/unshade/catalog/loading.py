"""The bytes of files that a scan reads: of this machine, or of an object store.

    load(files)      a batch: the bytes of small files and their hash, before anybody searches them
    whole(place)     a large file, mapped into memory by the process that searches it

Many objects of a store are fetched at once, since each takes its time on the way.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from .. import files
from ..tuples import NamedTuple
from .listing import ListedFile
from .storage import filesystem, is_remote, store_errors

if TYPE_CHECKING:
    from mmap import mmap

__all__ = ["ContentTask", "load", "whole"]

SMALL = 1 << 20  # bytes of a file that is read before its copies are left out


class ContentTask(NamedTuple):
    """Contents to read: the bytes, the path of a large file, or the reason why there are none."""

    content: str  # SHA-256; empty if it is not known yet
    data: bytes = b""
    place: str = ""
    error: str | None = None


def load(batch: Sequence[ListedFile]) -> list[ContentTask]:
    """Return the contents of files, large ones unread."""
    remote = [each.place for each in batch if each.size <= SMALL and is_remote(each.place)]
    fetched = _fetched(remote) if remote else {}
    return [_loaded(each, fetched.get(each.place)) for each in batch]


def _loaded(file: ListedFile, fetched: bytes | Exception | None) -> ContentTask:
    if file.size > SMALL:
        return ContentTask("", place=file.place)
    if isinstance(fetched, Exception):
        return ContentTask("", error=reason(fetched))
    if fetched is None:
        try:
            with files.opened(file.place, protected=False) as opened:
                fetched = opened.read(SMALL + 1)
        except (OSError, ValueError) as error:
            return ContentTask("", error=files.reason(error))
        if len(fetched) > SMALL:  # it has grown
            return ContentTask("", place=file.place)
    return ContentTask(sha256(fetched).hexdigest(), fetched)


def _fetched(places: Sequence[str]) -> dict[str, bytes | Exception]:
    """Return the bytes of objects of one store or several, or the errors."""
    found: dict[str, bytes | Exception] = {}
    stores: dict[str, list[str]] = {}
    for each in places:
        stores.setdefault(each.partition("://")[0], []).append(each)
    for listed in stores.values():
        system, _ = filesystem(listed[0])
        paths = [str(system._strip_protocol(each)) for each in listed]
        try:
            got = system.cat_ranges(paths, None, None, on_error="return")
        except Exception as error:  # a store may raise anything
            got = [error] * len(paths)
        found.update(zip(listed, got, strict=True))
    return found


def reason(error: Exception) -> str:
    """Return the reason why contents cannot be read, without their path."""
    return files.reason(error) if isinstance(error, OSError | ValueError) else repr(error)


@contextmanager
def whole(place: str) -> "Iterator[bytes | mmap]":
    """Yield the contents of a file, memory-mapped; OSError and ValueError pass through."""
    if not is_remote(place):
        with files.opened(place, protected=False) as file:
            yield files.mapped(file)
        return
    with TemporaryDirectory(prefix="unshade-") as folder:
        copy = f"{folder}/copy"
        system, path = filesystem(place)
        with store_errors(place):
            system.get_file(path, copy)
        with files.opened(copy, protected=False) as file:
            yield files.mapped(file)
