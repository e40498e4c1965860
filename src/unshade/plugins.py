"""Entry points of other packages: formats, kinds of archives, compilers.

Importing `importlib.metadata` takes a fifth of the time of `--help`. It is imported if an installed
package names the group; `entry_points.txt` of each is read for that.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["entry_points"]


def entry_points(group: str) -> "Iterable[EntryPoint]":
    """Return the entry points of a group."""
    if not _is_named(group):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _is_named(group: str) -> bool:
    """Return True if a package names the group, or if packages are found in another way."""
    own = "importlib.machinery", "_frozen_importlib_external"  # PathFinder, by its module
    for finder in sys.meta_path:
        kind = finder if isinstance(finder, type) else type(finder)
        if hasattr(finder, "find_distributions") and kind.__module__ not in own:
            return True
    for folder in sys.path:
        try:
            if any(group.encode() in each for each in _declared(folder or os.curdir)):
                return True
        except NotADirectoryError:  # an archive
            return True
    return False


def _declared(folder: str) -> Iterator[bytes]:
    """Yield the entry points of each package in a folder, as text."""
    if folder.endswith(".egg"):
        yield from _read(folder, "EGG-INFO")
    try:
        names = os.listdir(folder)
    except NotADirectoryError:
        raise
    except OSError:
        return
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            yield from _read(folder, name)


def _read(folder: str, name: str) -> Iterator[bytes]:
    """Yield the entry points of a package if it has any."""
    with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
        yield file.read()
