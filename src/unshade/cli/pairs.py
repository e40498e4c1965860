"""Pairs of files to compare: two files, the shaders of two folders, or files from git."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..files import protect
from . import exits
from .inputs import Input, Skipped, expand, is_shader

if TYPE_CHECKING:
    from ..shader import Shader

FROM_GIT = (7, 9)  # number of arguments; two more for a renamed file
WORDS = {**exits.WORDS, exits.FINE: "the same", exits.FINDING: "different"}


class Pair:
    """Two files to compare; None for a file that does not exist."""

    __slots__ = ("after", "at", "before", "label")

    def __init__(self, before: Input | None, after: Input | None, label: str = "") -> None:
        self.before = before
        self.after = after
        self.label = label
        self.at: Input | None = None  # the file that is being read

    @property
    def name(self) -> str:
        """The file being read, if any, for errors; else the label, or both names."""
        if self.at is not None:
            return self.at.name
        both = [each.name for each in (self.before, self.after) if each is not None]
        return self.label or " → ".join(both) or os.devnull

    def named(self) -> dict[str, str | None]:
        """Return the keys that identify both files in a JSON document."""
        before, after = self.before, self.after
        return {
            "before": None if before is None else before.name,
            "after": None if after is None else after.name,
        }

    def open(self) -> "list[Shader]":
        """Open the files that exist."""
        found = []
        for each in (self.before, self.after):
            if each is not None:
                self.at = each
                found.append(each.open())
        self.at = None
        return found


def categories(names: Sequence[str]) -> list[str]:
    """Split comma-separated names of categories."""
    return [each for name in names for each in name.split(",")]


def pairs_of(files: Sequence[str], skipped: Skipped) -> tuple[list[Pair], bool]:
    """Return the pairs of files to compare, and True if they come from folders."""
    if len(files) in FROM_GIT:
        path, old, new = files[0], files[1], files[4]
        return [Pair(_there(old), _there(new), files[7] if len(files) > 7 else path)], False
    if len(files) != 2:
        raise UsageError(f"expected two files or two folders, got {len(files)}")
    if list(files) == ["-", "-"]:
        raise UsageError("only one of the files can be standard input")
    folders = [file != "-" and os.path.isdir(file) for file in files]
    if all(folders):
        return _in_folders(files, skipped), True
    if any(folders):
        files = _beside(files, folders)
    return [Pair(_there(files[0]), _there(files[1]))], False


def _beside(files: Sequence[str], folders: Sequence[bool]) -> list[str]:
    """Return a file and the file of the same name in a folder, as diff pairs them."""
    folder, file = files if folders[0] else reversed(files)
    found = os.path.join(folder, os.path.basename(file))
    if file in ("-", os.devnull) or not os.path.isfile(found):
        raise UsageError(f"{folder} is a folder without {os.path.basename(file)!r:.80}")
    return [found if each else one for one, each in zip(files, folders, strict=True)]


def _there(path: str) -> Input | None:
    """Return the file; None for the null device, which means no file."""
    return None if path == os.devnull else Input(path)


def _in_folders(files: Sequence[str], skipped: Skipped) -> list[Pair]:
    """Pair the shaders below two folders by their relative paths."""
    listed = [expand([file]) for file in files]
    for item in (item for items in listed for item in items if not item.regular):
        skipped.add(item)
    ours, theirs = ({item.inside: item for item in items if item.regular} for items in listed)
    names = [*ours, *(name for name in theirs if name not in ours)]
    found = []
    for name in names:
        both = [item for item in (ours.get(name), theirs.get(name)) if item is not None]
        if any(map(is_shader, both)):
            for item in both:
                protect(item.path)
            found.append(Pair(ours.get(name), theirs.get(name), name))
    return found
