"""The files below the paths that a scan is given, in a fixed order.

    build/shaders           root build/shaders, names ps/sky.cso, vs/sky.cso, …
    game.pak                root ., name game.pak

Hidden files and folders are left out, and links to folders are not followed, as in the rest of the
command line. The folder of the catalogue is left out, too.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .. import files
from ..errors import UsageError
from .store import storable

__all__ = ["ListedFile", "listed"]


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
    hidden = os.path.realpath(without) if without else ""
    for path in paths:
        if os.path.isdir(path):
            yield from _below(path, hidden, tell)
        elif files.stamp(path) is None:
            raise UsageError(f"{path}: no such file or folder{files.similar(path)}")
        else:
            root, name = os.path.split(path)
            yield _file(root or os.curdir, name, path)


def _below(root: str, without: str, tell: Callable[[str], object]) -> Iterator[ListedFile]:
    def failed(folder: str, error: OSError) -> None:
        tell(f"{storable(folder)}: {files.reason(error)}")

    for each in files.below(root, str, failed, without):
        if each.regular:
            yield _file(root, os.path.relpath(each.path, root), each.path)


def _file(root: str, name: str, place: str) -> ListedFile:
    stamp = files.stamp(place)
    modified, size = (0, 0) if stamp is None else stamp[:2]
    path = os.path.normpath(place)
    text = storable(path)
    return ListedFile(
        text.replace(os.sep, "/"),
        storable(os.path.normpath(root)).replace(os.sep, "/"),
        storable(name).replace(os.sep, "/"),
        size,
        modified,
        None if text == path else os.fsencode(path),
    )
