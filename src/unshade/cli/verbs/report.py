"""`unshade report`: make an HTML page of each shader; several pages get an index.

unshade report FILE -o page.html
unshade report FOLDER -o pages               pages/index.html  pages/skin.html  …
unshade report --diff A B -o PATH            differences.py
"""

import os
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...errors import UsageError
from ...screens.text import many
from ..commands import ReportOptions
from ..inputs import Input, several, tell_damage
from ..inputs import run as run_on
from ..output import Collected, CommandOutput
from ..sources import use_if_asked
from ..targets import INDEX, PAGE, Targets, link, portable


def run(given: ReportOptions) -> int:
    """Write a page for each file, and the index of several."""
    use_if_asked(given.sources, given.stage, given.entry)
    if given.diff:
        from ..differences import run as run_diff

        return run_diff(given)
    if given.only or given.ignore:
        raise UsageError("--only and --ignore choose what --diff compares: expected --diff")
    namer = partial(portable, taken=(INDEX,))
    targets = Targets(given.output, [re.escape(PAGE)], given.files, one_each=True, namer=namer)
    index = os.path.join(given.output or "", INDEX + PAGE)
    out = CommandOutput(fills_screen=False)
    if several(given.files):
        out = Collected(index, lambda each: _write_index(each, given.files))

    def show(item: Input) -> int:
        from ...report.page import page

        shader = item.open(strict=False)
        place = targets.place(item, PAGE)
        above = link(index, place) if place is not None and isinstance(out, Collected) else ""
        text = page(shader, item.inside, index=above)
        if place is None:
            out.binary(text.encode())
        else:
            with CommandOutput(place) as one:
                one.binary(text.encode())
            if isinstance(out, Collected):
                from ...report.folder import FolderRow

                out.collect(FolderRow.of(shader, item.inside, link(place, index)))
        return tell_damage(item, shader)

    return run_on(given.files, show, out, targets=targets)


def _write_index(out: Collected, files: Sequence[str]) -> None:
    """Write the index: a row of each page, and the errors of inputs without a page."""
    from ...report.folder import FolderRow, folder_page

    folder = files[0] if len(files) == 1 else None

    def row(document: dict[str, Any]) -> FolderRow:
        file = document["file"]
        name = os.path.relpath(file, folder) if folder else os.path.basename(file)
        return FolderRow(name, error=document["error"]["message"])

    rows = [each if isinstance(each, FolderRow) else row(each) for each in out.documents]
    title = os.path.basename(os.path.abspath(folder)) if folder else many(len(files), "input")
    out.data(folder_page(rows, title).encode())
