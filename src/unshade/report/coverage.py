"""Columns beside the listing: lanes that ran each line, and the ways that branches went."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..screens.text import visible
from .columns import Columns

if TYPE_CHECKING:
    from ..vm.lockstep.debug import Coverage

__all__ = ["write_coverage"]


def write_coverage(columns: Columns, coverage: "Coverage", line_of: Mapping[int, int]) -> None:
    """Add the counts; `line_of` is the page's line of each line of the program."""
    lines = sorted(coverage.lines.items())
    columns.differences("count.line", [line_of[line] for line, _ in lines])
    columns.numbers("count.lanes", [count for _, count in lines])
    columns.values["branches"] = [
        [line_of[branch.line], [*zip(map(visible, branch.words), branch.ways, strict=True)]]
        for branch in coverage.branches.values()
    ]
    columns.values["source_counts"] = [
        [visible(file), line, count] for (file, line), count in coverage.source_lines.items()
    ]
