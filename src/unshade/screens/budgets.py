"""The screen of `unshade check`: one table, in descending order of value to limit."""

from collections.abc import Iterable, Iterator

from ..analysis.budgets import BudgetRow, Measured
from ..analysis.metrics import METRICS
from .blocks import PATH, Block, Cell, TableBlock
from .text import visible


def screen(found: Iterable[tuple[str, BudgetRow]]) -> Iterator[Block]:
    """Yield a table: a line for each file and entry point, a column for each limited metric."""
    rows = sorted(found, key=lambda each: -max(map(_share, each[1].measured)))
    if not rows:
        return
    metrics = [name for name in METRICS if any(_of(row, name) for _, row in rows)]
    cells: list[list[Cell]] = []
    for name, row in rows:
        entry = f" {visible(row.entry)}" if row.entry else ""
        line: list[Cell] = [(visible(name) + entry, PATH), row.stage or ""]
        cells.append(line + [_cell(_of(row, metric)) for metric in metrics])
    headings = [f">{metric.replace('-', ' ')}" for metric in metrics]
    yield TableBlock("", ("shader", "stage", *headings), cells)


def _of(row: BudgetRow, metric: str) -> Measured | None:
    return next((each for each in row.measured if each.metric == metric), None)


def _cell(each: Measured | None) -> Cell:
    if each is None:
        return ""
    if each.value is None:
        return f"? of {each.limit:,}", "warn"
    if each.over:
        return f"{each.value:,} > {each.limit:,}", "bad"
    return f"{each.value:,} of {each.limit:,}", "good"


def _share(each: Measured) -> float:
    """Return the used share of a limit as a sort key; unknown values sort last."""
    if each.value is None:
        return -1
    if not each.limit:
        return float(each.value > 0) * 1e9
    return each.value / each.limit
