"""Pages that are a table of any length: rows in columns, the first ones also without JavaScript."""

from collections.abc import Sequence
from typing import Any

from ..screens.text import visible
from ..tuples import NamedTuple
from .assembly import markup, rendered
from .columns import Columns, Strings

__all__ = ["ColumnHeading", "table_page"]

SCRIPTS = ("elements", "block", "rows", "table", "table_page")
SHOWN = 300  # rows without JavaScript


class ColumnHeading(NamedTuple):
    """A column of a table.

    `key` is the attribute of a row. `form` is "text", "word" for texts that repeat, or "number",
    where a negative one is unknown.
    """

    key: str
    title: str
    form: str


def table_page(
    script: str,
    title: str,
    headline: str,
    headings: Sequence[ColumnHeading],
    rows: Sequence[Any],
    failed: Sequence[Any],
) -> str:
    """Return the page of a table.

    Args:
        script: Name of the script that makes the table, and of its columns in the block.
        title: The heading of the page.
        headline: A sentence below it.
        headings: The columns. Rows also have `page`, a link or "", and `error`.
        rows: The rows, all of them.
        failed: The rows that are shown separately without JavaScript.
    """
    columns = Columns()
    words = Strings()
    hidden = ColumnHeading("page", "", "text"), ColumnHeading("error", "", "text")
    for key, _, form in (*headings, *hidden):
        values = [getattr(row, key) for row in rows]
        if form == "number":
            columns.numbers(key, values)
        elif form == "word":
            columns.numbers(key, [words.number(visible(each)) for each in values])
        else:
            columns.texts(key, map(visible, values))
    columns.texts("words", words.numbers)
    apart = set(map(id, failed))
    shown = [row for row in rows if id(row) not in apart]
    return rendered(
        "table.html.jinja",
        (*SCRIPTS, script),
        ("common", "table"),
        script=script,
        name=visible(title),
        headline=headline,
        titles=[each.title for each in headings],
        rows=[_cells(row, headings) for row in shown[:SHOWN]],
        left=max(len(shown) - SHOWN, 0),
        failed=[_cells(row, headings) for row in failed[:SHOWN]],
        block=markup(columns.packed()),
    )


def _cells(row: Any, headings: Sequence[ColumnHeading]) -> dict[str, Any]:
    values = (getattr(row, each.key) for each in headings)
    return {
        "page": row.page,
        "error": visible(row.error),
        "cells": [visible(each) if isinstance(each, str) else number(each) for each in values],
    }


def number(value: int) -> str:
    """Return a number for a cell, "" if it is unknown."""
    return f"{value:,}" if value >= 0 else ""
