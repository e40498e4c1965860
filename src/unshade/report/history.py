"""The history of a pixel on its page: a table whose rows lead to the traces of the fragments.

A row leads to a trace by the address of the page, so that the table needs no script.
"""

import math
from typing import TYPE_CHECKING

from ..run.raster.history_table import COLUMNS, rows
from ..screens.text import visible
from .assembly import fragment

if TYPE_CHECKING:
    from ..run.debugging.debugger import Debugger
    from ..run.raster import Fragment, PixelHistory

__all__ = ["history_section"]


def history_section(history: "PixelHistory", debugger: "Debugger") -> str:
    """Return the heading and the table of a history; a debugger has the traces of fragments."""
    found = list(rows(history))
    shown = [each for each in COLUMNS if any(each in row for _, row in found)]
    if history.draws < 2 and found:
        shown.remove("draw")
    threads = {thread: number for number, thread in enumerate(debugger.traced)}
    table = []
    before = -1
    for number, row in found:
        one = history.fragments[number]
        thread = threads.get((history.x, history.y, one.primitive)) if one.shaded else None
        table.append(
            {
                "cells": [visible(row.get(name, "")) for name in shown],
                "link": f"#thread={thread}&step=0" if thread is not None else "",
                "first": number != before,
                "colour": _colour(one, row.get("target", "")),
            }
        )
        before = number
    title = f"History of pixel ({history.x}, {history.y})"
    linked = shown.index("primitive") if shown else 0
    return fragment(
        "history.html.jinja", title=title, heads=shown, rows=table, linked=linked,
        after=shown.index("after") if "after" in shown else -1,
    )  # fmt: skip


def _colour(one: "Fragment", target: str) -> str:
    """Return the colour that a target holds after a fragment, for a style; "" for other values."""
    array = one.after.get(target)
    if array is None or array.ndim < 2 or array.shape[1] < 3 or not one.written:
        return ""
    scale = 1.0 if array.dtype.kind == "f" else 255.0
    colour = [min(max(float(each) / scale, 0.0), 1.0) * 255 for each in array[0, :3]]
    if any(math.isnan(each) for each in colour):
        return ""
    return "#" + "".join(f"{round(each):02x}" for each in colour)
