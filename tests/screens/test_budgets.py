"""The table of budgets: a column for each metric, the fullest shader first."""

from __future__ import annotations

from unshade.analysis.budgets import BudgetRow, Measured
from unshade.screens.blocks import TableBlock
from unshade.screens.budgets import screen


def test_cells_are_those_of_their_metric() -> None:
    rows = [
        ("a.dxbc", BudgetRow(None, "pixel", [Measured("bytes", 4000, 1000)])),
        ("b.spv", BudgetRow("main", "vertex", [Measured("temps", 8, 9), Measured("bytes", 10, 4)])),
        ("c.spv", BudgetRow("other", None, [Measured("temps", 8, None)])),
        ("d.spv", BudgetRow(None, None, [Measured("temps", 0, 0), Measured("samples", 0, 1)])),
    ]
    (table,) = screen(rows)
    assert isinstance(table, TableBlock)
    assert list(table.headings) == ["shader", "stage", ">bytes", ">temps", ">samples"]
    assert [[cell if isinstance(cell, str) else cell[0] for cell in row] for row in table.rows] == [
        ["d.spv", "", "", "0 of 0", "1 > 0"],
        ["b.spv main", "vertex", "4 of 10", "9 > 8", ""],
        ["a.dxbc", "pixel", "1,000 of 4,000", "", ""],
        ["c.spv other", "", "", "? of 8", ""],
    ]
    styles = [cell[1] for row in table.rows for cell in row[2:] if not isinstance(cell, str)]
    assert styles == ["good", "bad", "good", "bad", "good", "warn"]


def test_nothing_measured_is_no_table() -> None:
    assert list(screen([])) == []
