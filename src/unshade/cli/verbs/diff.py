"""`unshade diff`: compare two shaders, or the shaders of two folders.

    unshade diff A B
    unshade diff PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH INFO]

The second is how git calls an external diff driver, which must exit with 0 whatever differs.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import UnshadeError, UsageError
from ...files import protect
from ...screens.text import visible
from .. import exits
from ..commands import DiffOptions
from ..inputs import Input, Skipped, expand, is_shader, run_over, summary
from ..output import CommandOutput, note

if TYPE_CHECKING:
    from ...analysis.diff import Diff
    from ...shader import Shader

CONTEXT = 3  # lines of context
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


def run(given: DiffOptions) -> int:
    """Compare two files or folders; return 1 if they differ in more than is ignored."""
    from ...analysis.diff import diff, selected

    if given.brief and (given.unified is not None or given.side_by_side):
        raise UsageError("--summary cannot be combined with --unified or --side-by-side")
    chosen, left_out = _several(given.only), _several(given.ignore)
    selected(chosen, left_out)  # an unknown category is a usage error, not one of each file
    from_git = len(given.files) in FROM_GIT
    skipped = Skipped("shader")
    pairs, several = _pairs(given.files, skipped)
    brief = given.brief or (several and given.unified is None and not given.side_by_side)
    context = CONTEXT if given.unified is None else given.unified
    out = CommandOutput(given.output, as_json=given.as_json, fills_screen=False)
    out.several = several

    def compare(pair: Pair) -> int:
        if not from_git:
            return reported(pair)
        try:
            reported(pair)
        except UnshadeError as error:  # git aborts if a driver fails
            out.text(f"{visible(pair.label)}: not compared: {visible(str(error))}\n")
        return exits.FINE

    def reported(pair: Pair) -> int:
        shaders = pair.open()
        if len(shaders) < 2:
            return _one_sided(pair, shaders, out)
        found = diff(shaders[0], shaders[1], only=chosen, ignore=left_out)
        if given.as_json:
            out.document(pair, found.to_dict())
        elif found or not several:
            _show(pair, found, out, brief, context, given.side_by_side)
        return exits.FINDING if found else exits.FINE

    counts = run_over(pairs, compare, out)
    if not counts:
        note(f"no shaders found in {' and '.join(given.files)}")
        return exits.USAGE
    if several:
        note(summary(counts, "shader", WORDS) + str(skipped))
    return max(counts)


def _show(
    pair: Pair, found: "Diff", out: CommandOutput, brief: bool, context: int, side_by_side: bool
) -> None:
    if brief:
        out.text(f"{visible(pair.name)}: {found.verdict}\n")
        return
    from ...screens.diff import screen

    width = (out.columns or 0) if side_by_side else None
    out.blocks(screen(pair.name, found, context, width))


def _one_sided(pair: Pair, shaders: "list[Shader]", out: CommandOutput) -> int:
    """Report a shader that exists on only one side."""
    if not shaders:
        raise UsageError("neither file exists")
    from ...overview import info
    from ...screens.reflection import headline

    found = info(shaders[0])
    what = headline(found.reflection) if found.reflection is not None else found.format
    side = "first" if pair.after is None else "second"
    verdict = f"only in the {side}: {what}, {found.size:,} bytes"
    if out.as_json:
        out.document(pair, {"verdict": verdict, "different": True})
    else:
        out.text(f"{visible(pair.name)}: {visible(verdict)}\n")
    return exits.FINDING


# ---------------------------------------------------------------- which files


def _several(names: Sequence[str]) -> list[str]:
    """Split comma-separated names."""
    return [each for name in names for each in name.split(",")]


def _pairs(files: Sequence[str], skipped: Skipped) -> tuple[list[Pair], bool]:
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
        one, other = files if folders[0] else reversed(files)
        raise UsageError(f"{one} is a folder and {other} is not")
    return [Pair(_there(files[0]), _there(files[1]))], False


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
