"""Exceeded budgets as findings, for reports in JUnit XML and SARIF.

budget.instructions   error   skinning.dxbc: expected at most 300 instructions, got 348
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..analysis.budgets import BudgetRow
    from ..rule import Rule

__all__ = ["budget_findings", "budget_rules"]

CODE = "budget."


def budget_rules() -> "Iterator[Rule]":
    """Yield a rule for each metric that can be limited."""
    from ..analysis.metrics import METRICS
    from ..errors import Severity
    from ..rule import Rule

    for name, metric in METRICS.items():
        words = name.replace("-", " ")
        yield Rule(f"{CODE}{name}", Severity.ERROR, f"more {words} than a budget allows",
                   f"What the budget limits: {metric.doc}.")  # fmt: skip


def budget_findings(rows: "Sequence[BudgetRow]") -> list[dict[str, Any]]:
    """Return a finding for each limit that is exceeded, or that cannot be checked."""
    found = []
    for row in rows:
        for each in (*row.over, *row.unknown):
            words = each.metric.replace("-", " ")
            got = "an unknown number" if each.value is None else f"{each.value:,}"
            lead = "" if row.entry is None else f"{row.entry}: "
            found.append(
                {
                    "code": f"{CODE}{each.metric}", "severity": "error", "offset": None,
                    "path": row.entry or "",
                    "message": f"{lead}expected at most {each.limit:,} {words}, got {got}",
                }
            )  # fmt: skip
    return found
