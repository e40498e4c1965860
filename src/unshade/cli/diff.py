"""`unshade diff`: what differs between two shaders, or between the shaders of two folders.

    unshade diff A B
    unshade diff PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH INFO]

The second is how git calls an external diff driver: it wants 0 for an answer, whatever differs.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UnshadeError, UsageError
from ..files import protect
from ..screens.text import visible
from . import exits
from .inputs import Input, Skipped, expand, is_shader, run_over, summary
from .output import Output, note

if TYPE_CHECKING:
    from ..analysis.diff import Diff
    from ..shader import Shader

CONTEXT = 3  # equal lines around a difference
FROM_GIT = (7, 9)  # arguments; two more for a file that was renamed
WORDS = {**exits.WORDS, exits.FINE: "the same", exits.FINDING: "different"}


class Pair:
    """Two files to compare, None where one of them does not exist."""

    __slots__ = ("after", "at", "before", "label")

    def __init__(self, before: Input | None, after: Input | None, label: str = "") -> None:
        self.before = before
        self.after = after
        self.label = label
        self.at: Input | None = None  # the file that is being read

    @property
    def name(self) -> str:
        """The file being read while one is, for errors; else both, or what they share."""
        if self.at is not None:
            return self.at.name
        both = [each.name for each in (self.before, self.after) if each is not None]
        return self.label or " → ".join(both) or os.devnull

    def named(self) -> dict[str, str | None]:
        """How a JSON document says what it is about."""
        before, after = self.before, self.after
        return {
            "before": None if before is None else before.name,
            "after": None if after is None else after.name,
        }

    def open(self) -> "list[Shader]":
        """The shaders of the files that exist."""
        found = []
        for each in (self.before, self.after):
            if each is not None:
                self.at = each
                found.append(each.open())
        self.at = None
        return found


def run(
    files: Sequence[str],
    as_json: bool = False,
    brief: bool = False,
    unified: int | None = None,
    side_by_side: bool = False,
    only: Sequence[str] = (),
    ignore: Sequence[str] = (),
    output: str | None = None,
) -> int:
    """Compare; exit code 1 for a difference that is not ignored."""
    from ..analysis.diff import diff, selected

    if brief and (unified is not None or side_by_side):
        raise UsageError("--summary shows no code: leave --unified and --side-by-side out")
    chosen, left_out = _several(only), _several(ignore)
    selected(chosen, left_out)  # an unknown category is wrong usage, not a fault of each file
    from_git = len(files) in FROM_GIT
    skipped = Skipped("shader")
    pairs, several = _pairs(files, skipped)
    brief = brief or (several and unified is None and not side_by_side)
    context = CONTEXT if unified is None else unified
    out = Output(output, as_json=as_json, fills_screen=False)
    out.several = several

    def compare(pair: Pair) -> int:
        if not from_git:
            return told(pair)
        try:
            told(pair)
        except UnshadeError as error:  # git gives up for good on a driver that fails
            out.text(f"{visible(pair.label)}: not compared: {visible(str(error))}\n")
        return exits.FINE

    def told(pair: Pair) -> int:
        shaders = pair.open()
        if len(shaders) < 2:
            return _one_sided(pair, shaders, out)
        found = diff(shaders[0], shaders[1], only=chosen, ignore=left_out)
        if as_json:
            out.document(pair, found.to_dict())
        elif found or not several:
            _show(pair, found, out, brief, context, side_by_side)
        return exits.FINDING if found else exits.FINE

    counts = run_over(pairs, compare, out)
    if not counts:
        note(f"no shaders in {' and '.join(files)}")
        return exits.USAGE
    if several:
        note(summary(counts, "shader", WORDS) + str(skipped))
    return max(counts)


def _show(
    pair: Pair, found: "Diff", out: Output, brief: bool, context: int, side_by_side: bool
) -> None:
    if brief:
        out.text(f"{visible(pair.name)}: {found.verdict}\n")
        return
    from ..screens.diff import screen

    width = (out.columns or 0) if side_by_side else None
    out.blocks(screen(pair.name, found, context, width))


def _one_sided(pair: Pair, shaders: "list[Shader]", out: Output) -> int:
    """A shader that only one side has."""
    if not shaders:
        raise UsageError("neither file exists")
    from ..overview import info
    from ..screens.reflection import headline

    found = info(shaders[0])
    what = headline(found.reflection) if found.reflection is not None else found.format
    side = "first" if pair.after is None else "second"
    verdict = f"only the {side} has it: {what}, {found.size:,} bytes"
    if out.as_json:
        out.document(pair, {"verdict": verdict, "different": True})
    else:
        out.text(f"{visible(pair.name)}: {visible(verdict)}\n")
    return exits.FINDING


# ---------------------------------------------------------------- which files


def _several(names: Sequence[str]) -> list[str]:
    """`code,interface` counts as two."""
    return [each for name in names for each in name.split(",")]


def _pairs(files: Sequence[str], skipped: Skipped) -> tuple[list[Pair], bool]:
    """The files to compare, and whether they come from folders."""
    if len(files) in FROM_GIT:
        path, old, new = files[0], files[1], files[4]
        return [Pair(_there(old), _there(new), files[7] if len(files) > 7 else path)], False
    if len(files) != 2:
        raise UsageError(f"two files or two folders are compared, not {len(files)}")
    if list(files) == ["-", "-"]:
        raise UsageError("standard input can be one of the two, not both")
    folders = [file != "-" and os.path.isdir(file) for file in files]
    if all(folders):
        return _in_folders(files, skipped), True
    if any(folders):
        one, other = files if folders[0] else reversed(files)
        raise UsageError(f"{one} is a folder and {other} is not")
    return [Pair(_there(files[0]), _there(files[1]))], False


def _there(path: str) -> Input | None:
    """The file; None for the null device, which stands for none."""
    return None if path == os.devnull else Input(path)


def _in_folders(files: Sequence[str], skipped: Skipped) -> list[Pair]:
    """The shaders below two folders by their place in them."""
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
