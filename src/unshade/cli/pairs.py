"""Pairs of files to compare: two files, the shaders of two folders or packs, or files from git."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import archives, formats
from ..errors import UnshadeError, UsageError
from ..files import protect
from ..limits import DEFAULT
from . import exits
from .inputs import Input, Skipped, expand, is_shader

if TYPE_CHECKING:
    from ..search import Found
    from ..shader import Shader

MOVED = "the same, byte for byte, under another name"
FROM_GIT = (7, 9)  # number of arguments; two more for a renamed file
WORDS = {**exits.WORDS, exits.FINE: "the same", exits.FINDING: "different"}


class Contained(Input):
    """A shader inside a larger file, such as a game's pack."""

    __slots__ = ("shader",)

    def __init__(self, path: str, shader: "Found") -> None:
        super().__init__(path, shader.path, found=True)
        self.shader = shader

    @property
    def name(self) -> str:
        return f"{self.path}!{self.inside}"

    def read(self) -> bytes:
        return self.shader.data


class Pair:
    """Two files to compare; None for a file that does not exist.

    `moved` is True for a file of a folder that has another name in the other folder.
    """

    __slots__ = ("after", "at", "before", "label", "moved")

    def __init__(
        self,
        before: Input | None,
        after: Input | None,
        label: str = "",
        *,
        moved: bool = False,
    ) -> None:
        self.before = before
        self.after = after
        self.label = label
        self.moved = moved
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
    """Return the pairs of files to compare, and True if they come from folders or packs."""
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
    elif not {"-", os.devnull} & {*files}:
        packed = _in_packs(files)
        if packed:
            return packed, True
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
    renamed = _renamed(ours, theirs)
    gone = {*renamed.values()}
    names = [*ours, *(name for name in theirs if name not in ours and name not in gone)]
    found = []
    for name in names:
        if name in renamed:
            old, new = ours[name], theirs[renamed[name]]
            protect(old.path)
            protect(new.path)
            found.append(Pair(old, new, f"{name} → {renamed[name]}", moved=True))
            continue
        both = [item for item in (ours.get(name), theirs.get(name)) if item is not None]
        if any(map(is_shader, both)):
            for item in both:
                protect(item.path)
            found.append(Pair(ours.get(name), theirs.get(name), name))
    return found


def _renamed(ours: Mapping[str, Input], theirs: Mapping[str, Input]) -> dict[str, str]:
    """Return the new names of shaders that the second folder has under another name only."""
    new: dict[bytes, list[str]] = {}
    gone = [name for name in ours if name not in theirs and is_shader(ours[name])]
    if gone:
        for name, item in theirs.items():
            if name not in ours and is_shader(item):
                new.setdefault(_digest(item), []).append(name)
    found = {}
    for name in gone if new else ():
        same = new.get(_digest(ours[name]))
        if same:
            found[name] = same.pop(0)
    return found


def _digest(item: Input) -> bytes:
    """Return the hash of a file; a different one for each file that cannot be read."""
    from hashlib import sha256

    try:
        return sha256(item.read()).digest()
    except UnshadeError:
        return item.path.encode("utf-8", "surrogateescape")


def _in_packs(files: Sequence[str]) -> list[Pair]:
    """Pair the shaders inside two files that are no shaders; empty if one contains none."""
    from .found import searched
    from .matching import matched
    from .sources import is_asked

    items = [Input(file) for file in files]
    if is_asked() or not all(map(_may_contain, items)):
        return []
    found = []
    for item in items:
        with suppress(UnshadeError):
            found.append([*archives.find(bytes(searched(item, DEFAULT)))])
    if len(found) < 2 or not all(found):
        return []
    for file in files:
        protect(file)
    pairs = []
    for old, new in matched(*found):
        before = None if old is None else Contained(files[0], old)
        after = None if new is None else Contained(files[1], new)
        names = dict.fromkeys(each.inside for each in (before, after) if each is not None)
        pairs.append(Pair(before, after, " → ".join(names)))
    return pairs


def _may_contain(item: Input) -> bool:
    return os.path.isfile(item.path) and formats.identify(item.head()) is None
