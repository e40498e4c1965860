"""`unshade report --diff`: pages of differences.

unshade report --diff A B -o page.html       two files
unshade report --diff A B -o pages           two folders or packs: an index, a page of each pair
"""

import os
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import files as system
from ..errors import UsageError
from . import exits
from .commands import ReportOptions
from .inputs import Skipped, run_over, summary
from .output import Collected, CommandOutput, note
from .pairs import MOVED, WORDS, Pair, categories, pairs_of
from .targets import INDEX, PAGE, link, portable, refuse_name_of_file

if TYPE_CHECKING:
    from ..analysis.diff import Diff
    from ..shader import Shader


def run(given: ReportOptions) -> int:
    """Write the page, or the pages of two folders; return 1 if anything differs."""
    if len(given.files) != 2:
        raise UsageError(f"--diff: expected two files, got {len(given.files)}")
    from ..analysis.diff import selected

    selected(categories(given.only), categories(given.ignore))  # before any file is compared
    skipped = Skipped("shader")
    pairs, several = pairs_of(given.files, skipped)
    if several:
        return _folders(given, pairs, skipped)
    for file in given.files:
        system.protect(file)
    out = CommandOutput(given.output, fills_screen=False)

    def compare(pair: Pair) -> int:
        before, after = _both(pair)
        found, text = _compared(pair, before, after, given)
        out.binary(text.encode())
        return exits.FINDING if found else exits.FINE

    return max(run_over(pairs, compare, out))


def _both(pair: Pair) -> "tuple[Shader, Shader]":
    shaders = pair.open()
    if len(shaders) < 2:
        raise UsageError(f"--diff: expected two files, got {os.devnull}")
    return shaders[0], shaders[1]


def _compared(
    pair: Pair, before: "Shader", after: "Shader", given: ReportOptions, index: str = ""
) -> "tuple[Diff, str]":
    """Return the difference and its page."""
    from ..analysis.diff import diff
    from ..report.difference import difference_page

    found = diff(before, after, only=categories(given.only), ignore=categories(given.ignore))
    return found, difference_page(before, after, _names(pair), found, index)


def _names(pair: Pair) -> tuple[str, str]:
    """Return the names of both files, absolute ones from the first folder that differs: the page
    is sent to others, whom the folders above do not concern.
    """
    old, new = (name or "" for name in pair.named().values())
    if not (os.path.isabs(old) and os.path.isabs(new)):
        return old, new
    before, after = list(Path(old).parts), list(Path(new).parts)
    while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
        del before[0], after[0]
    return "/".join(before), "/".join(after)


def _folders(given: ReportOptions, pairs: list[Pair], skipped: Skipped) -> int:
    """Write the index of two folders, and a page of each pair that differs."""
    if given.output in (None, "-"):
        raise UsageError("several inputs need a folder: give -o FOLDER")
    folder = given.output or ""
    refuse_name_of_file(folder, [re.escape(PAGE)])
    index = os.path.join(folder, INDEX + PAGE)
    title = " → ".join(given.files)
    sources = ((os.path.splitext(pair.label)[0], pair.label) for pair in pairs)
    names = portable(sources, (INDEX,))
    pages = {pair.label: name + PAGE for pair, name in zip(pairs, names, strict=True)}
    out = Collected(index, partial(_write_index, title=title, folders=given.files))

    def compare(pair: Pair) -> int:
        from ..report.pairs import ADDED, REMOVED, RENAMED, PairRow

        if pair.before is None or pair.after is None:
            (shader,) = pair.open()
            size = len(shader.to_bytes())
            if pair.after is None:
                out.collect(PairRow(pair.label, REMOVED, before=size))
            else:
                out.collect(PairRow(pair.label, ADDED, after=size))
            return exits.FINDING
        before, after = pair.open()
        if pair.moved:
            size = len(after.to_bytes())
            out.collect(PairRow(pair.label, RENAMED, before=size, after=size, verdict=MOVED))
            return exits.FINDING
        place = os.path.join(folder, pages[pair.label])
        found, text = _compared(pair, before, after, given, link(index, place))
        if not found:
            out.collect(PairRow.of(found, pair.label))
            return exits.FINE
        system.make_folder(os.path.dirname(place))
        system.check_output(place)
        with CommandOutput(place) as one:
            one.binary(text.encode())
        out.collect(PairRow.of(found, pair.label, link(place, index)))
        return exits.FINDING

    if pairs:
        system.make_folder(folder)
    counts = run_over(pairs, compare, out)
    if not counts:
        note(f"no shaders found in {' and '.join(given.files)}")
        return exits.USAGE
    note(summary(counts, "shader", WORDS) + str(skipped))
    return max(counts)


def _inside(file: str, folder: str) -> str:
    """Return the path of a file in a folder, or of a shader in a pack."""
    packed = file.startswith(f"{folder}!")
    return file.removeprefix(f"{folder}!") if packed else os.path.relpath(file, folder)


def _write_index(out: Collected, title: str, folders: Sequence[str]) -> None:
    from ..report.pairs import FAILED, PairRow, pairs_page

    def row(document: dict[str, Any]) -> PairRow:
        there = zip((document["before"], document["after"]), folders, strict=True)
        name = next(_inside(file, folder) for file, folder in there if file is not None)
        return PairRow(name, FAILED, error=document["error"]["message"])

    if out.documents:
        rows = [each if isinstance(each, PairRow) else row(each) for each in out.documents]
        out.data(pairs_page(rows, title).encode())
