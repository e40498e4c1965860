"""The files below the paths that a scan is given, in a fixed order.

    build/shaders           root build/shaders, names ps/sky.cso, vs/sky.cso, …
    game.pak                root ., name game.pak
    s3://dumps/2026         root s3://dumps/2026, names as below a folder

Hidden files and folders are left out, and links to folders are not followed, as in the rest of the
command line. The folder of the catalogue is left out, too.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .. import files
from ..errors import UsageError
from ..tuples import NamedTuple
from .storage import filesystem, is_remote, store_errors
from .store import storable

__all__ = ["ListedFile", "folders_of", "listed", "normal"]

CHANGED = ("mtime", "LastModified", "last_modified", "modified", "updated", "created")


class ListedFile(NamedTuple):
    """A file to read.

    Attributes:
        path: Its path, as text that UTF-8 can express.
        root: The folder that was named, or the folder of the file that was named.
        name: Its path below the root.
        size: Its size in bytes.
        modified: Time of the last change, in nanoseconds.
        raw: The path in the bytes of the file system, if `path` is not the same.
    """

    path: str
    root: str
    name: str
    size: int
    modified: int
    raw: bytes | None = None

    @property
    def place(self) -> str:
        """The path by which the file can be opened."""
        return self.path if self.raw is None else os.fsdecode(self.raw)


def listed(
    paths: Sequence[str], without: str = "", tell: Callable[[str], object] = lambda problem: None
) -> Iterator[ListedFile]:
    """Yield the files below paths, each folder in the order of its names.

    Args:
        paths: Folders and files.
        without: A folder to leave out.
        tell: Takes a sentence about a folder that cannot be read.

    Raises:
        UsageError: A path does not exist.
    """
    hidden = os.path.realpath(without) if without and not is_remote(without) else ""
    for path in paths:
        if is_remote(path):
            yield from _in_store(path, without)
        elif os.path.isdir(path):
            yield from _below(os.path.normpath(path), hidden, tell)
        elif files.stamp(path) is None:
            raise UsageError(f"{path}: no such file or folder{files.similar(path)}")
        else:
            root, name = os.path.split(os.path.normpath(path))
            yield _file(root or os.curdir, name, os.path.join(root, name))


def normal(path: str) -> str:
    """Return a path as it is written in the catalogue."""
    return path.rstrip("/") if is_remote(path) else os.path.normpath(path)


def folders_of(paths: Iterable[str]) -> Iterator[str]:
    """Yield the folders among paths that are given, as they are written in the catalogue.

    All files below them are listed, so that those which are not are gone.
    """
    for path in paths:
        if is_remote(path):
            system, inside = filesystem(path)
            with store_errors(path):
                folder = system.isdir(inside)
            if folder:
                yield storable(path)
        elif os.path.isdir(path):
            yield storable(os.path.normpath(path)).replace(os.sep, "/")


def _in_store(url: str, without: str) -> Iterator[ListedFile]:
    """Yield the objects below a URL, or the object itself."""
    system, inside = filesystem(url)
    hidden = f"{filesystem(without)[1]}/" if is_remote(without) else None
    with store_errors(url):
        if not system.exists(inside):
            raise UsageError(f"{url}: no such file or folder")
        if not system.isdir(inside):
            root, _, name = url.rpartition("/")
            yield _object(root, name, url, system.info(inside))
            return
        for folder, _, found in system.walk(inside, detail=True):
            below = folder.rstrip("/").removeprefix(inside).lstrip("/")
            if any(each.startswith(".") for each in below.split("/")):
                continue
            if hidden is not None and f"{folder.rstrip('/')}/".startswith(hidden):
                continue
            for name in sorted(found):
                if name and not name.startswith("."):
                    whole = f"{below}/{name}" if below else name
                    yield _object(url, whole, f"{url}/{whole}", found[name])


def _object(root: str, name: str, url: str, info: Mapping[str, Any]) -> ListedFile:
    path, root, name = storable(url), storable(root), storable(name)
    raw = None if path == url else os.fsencode(url)
    return ListedFile(path, root, name, int(info.get("size") or 0), _changed(info), raw)


def _changed(info: Mapping[str, Any]) -> int:
    """Return the time of the last change of an object in nanoseconds; 0 if it has none."""
    given = next((info[each] for each in CHANGED if info.get(each) is not None), 0)
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given)
        except ValueError:
            return 0
    if isinstance(given, datetime):
        whole = given if given.tzinfo is not None else given.replace(tzinfo=UTC)
        return int(whole.timestamp()) * 10**9 + whole.microsecond * 1000
    return int(given * 10**9) if isinstance(given, int | float) else 0


def _below(root: str, without: str, tell: Callable[[str], object]) -> Iterator[ListedFile]:
    """Yield the files below a folder, whose path is normal."""

    def failed(folder: str, error: OSError) -> None:
        tell(f"{storable(folder)}: {files.reason(error)}")

    before = len(os.path.join(root, ""))
    for each in files.below(root, str, failed, without):
        if each.regular:
            name = each.path[before:]
            yield _file(root, name, name if root == os.curdir else each.path)


def _file(root: str, name: str, path: str) -> ListedFile:
    """Return the file with a path, which is normal, as are its folder and its name in it."""
    stamp = files.stamp(path)
    modified, size = (0, 0) if stamp is None else stamp[:2]
    text = storable(path)
    return ListedFile(
        text.replace(os.sep, "/"),
        storable(root).replace(os.sep, "/"),
        storable(name).replace(os.sep, "/"),
        size,
        modified,
        None if text == path else os.fsencode(path),
    )
