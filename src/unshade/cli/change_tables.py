"""An output that gathers changes of metrics and exceeded budgets, and ends with one report."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .output import CommandOutput, effect

if TYPE_CHECKING:
    from ..analysis.budgets import BudgetRow
    from ..analysis.changes import MetricChange

__all__ = ["ChangeReport"]


class ChangeReport(CommandOutput):
    """A report in Markdown, which is empty if nothing changed and no limit is exceeded."""

    def __init__(self, path: str | None, **options: Any) -> None:
        super().__init__(path, **options)
        self.found: list[MetricChange] = []
        self.rows: list[tuple[str, BudgetRow]] = []
        self.total = 0

    @effect
    def gather(
        self,
        found: "Sequence[MetricChange]",
        rows: "Sequence[tuple[str, BudgetRow]]" = (),
        *,
        total: int = 1,
    ) -> None:
        """Add the changes of a file of so many shaders, and its exceeded limits."""
        self.total += total
        self.found += found
        self.rows += rows

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            from ..screens.markdown import report

            self.text("".join(f"{line}\n" for line in report(self.found, self.total, self.rows)))
        super().__exit__(kind, *rest)
