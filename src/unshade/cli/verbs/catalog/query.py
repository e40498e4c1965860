"""`unshade catalog query`: answer a question in SQL."""

import csv
import io
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from .... import catalog
from ....errors import UsageError
from ....files import check_output, write_atomically
from ....screens.blocks import TableBlock
from ....screens.text import visible
from ... import exits
from ...commands import CatalogQueryOptions
from ...output import CommandOutput

NUMBERS = ("INT", "DOUBLE", "FLOAT", "DECIMAL")


WHOLE = [{"*": "any"}]  # a row: the columns are those of the query


def run(given: CatalogQueryOptions) -> int:
    """Print the rows of an answer; return 1 if there are none."""
    if given.as_json + given.csv + (given.parquet is not None) > 1:
        raise UsageError("expected one of --json, --csv and --parquet, got several")
    with catalog.Catalog(given.catalog) as opened:
        if given.parquet is not None:
            check_output(given.parquet)
            return _parquet(opened, given.sql, given.parquet)
        rows = opened.query(given.sql)
        with CommandOutput(given.output, as_json=given.as_json) as out:
            if given.csv:
                seen = _csv(out, rows)
            elif given.as_json:
                found = [dict(zip(rows.columns, map(_plain, row), strict=True)) for row in rows]
                out.json(found)
                seen = bool(found)
            else:
                table = _table(rows)
                out.blocks([table])
                seen = bool(table.rows)
    return exits.FINE if seen else exits.FINDING


def _table(rows: "catalog.CatalogRows") -> TableBlock:
    right = [any(word in kind for word in NUMBERS) for kind in rows.types]
    headings = [
        f"{'>' if each else ''}{visible(name)}"
        for name, each in zip(rows.columns, right, strict=True)
    ]
    return TableBlock("", headings, [[_cell(each) for each in row] for row in rows])


def _cell(value: Any) -> str:
    """Return a value as text: `-` for NULL."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return visible(str(value).lower() if isinstance(value, bool) else str(value))


def _plain(value: Any) -> Any:
    """Return a value that JSON has."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict():
            return {str(name): _plain(each) for name, each in value.items()}
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case bytes():
            return value.hex()
        case date() | datetime() | time():
            return value.isoformat()
        case _:
            return str(value)


def _csv(out: CommandOutput, rows: "catalog.CatalogRows") -> bool:
    """Write lines of CSV; return True if there are rows."""

    def line(cells: list[Any]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        out.text(text.getvalue())

    seen = False
    line(rows.columns)
    for row in rows:
        line(["" if each is None else _flat(each) for each in row])
        seen = True
    return seen


def _flat(value: Any) -> Any:
    plain = _plain(value)
    if isinstance(plain, list | dict):
        from json import dumps

        return dumps(plain, ensure_ascii=False)
    return str(plain).lower() if isinstance(plain, bool) else plain


def _parquet(opened: "catalog.Catalog", sql: str, path: str) -> int:
    data, rows = opened.parquet(sql)
    write_atomically(path, data)
    return exits.FINE if rows else exits.FINDING
