"""Steps forwards and backwards over the columns of a trace, as a page's script takes them."""

from __future__ import annotations

from typing import Any

import unshade
from unshade.report.columns import Columns
from unshade.report.listing import CodeListing
from unshade.report.trace import NEW, WRITES, write_trace
from unshade.report.tree import FieldTree

from .test_columns import read

__all__ = ["trace_columns", "undone"]

State = dict[int, tuple[int, int]]


def trace_columns(shader: unshade.Shader, debugger: Any) -> dict[str, Any]:
    """Return the columns of the first trace, by their names."""
    columns = Columns()
    write_trace(columns, debugger, shader, CodeListing.of(shader, FieldTree.of(shader.spans())))
    _, found = read(columns.packed())
    return {name.removeprefix("trace0."): column for name, column in found.items()}


def undone(columns: dict[str, Any]) -> int:
    """Return the number of writes that a step back undoes: all, or an AssertionError.

    The state before each write, kept on the way forwards, is the one that its bits before lead to.
    Writes to shared memories have none, as another lane may have written there.
    """
    names = ("place", "low", "high", "old_low", "old_high", "flags")
    rows = list(zip(*(columns[f"access.{name}"] for name in names), strict=True))
    writes = [row for row in rows if row[5] & WRITES]
    state: State = {}
    held: list[tuple[int, int] | None] = []
    fresh: list[bool] = []
    for place, low, high, _, _, flags in writes:
        held.append(state.get(place))
        fresh.append(bool(flags & NEW))
        state[place] = low, high
    for at in reversed(range(len(writes))):
        place, low, high, old_low, old_high, _ = writes[at]
        assert state[place] == (low, high)
        if fresh[at]:
            before = held[at]  # a new value, or a memory of all lanes: a keyframe has it
            if before is None:
                del state[place]
            else:
                state[place] = before
        else:
            assert held[at] == (old_low, old_high)
            state[place] = old_low, old_high
    assert state == {}
    return len(writes)
