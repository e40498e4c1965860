"""Rules that a `verify` can find broken: stated once, as data.

    Rule("tpf.mask", ERROR, "a destination writes no component", "What is written is chosen by …")

A folder that verifies lists its rules in one table (`RULES = table(…)`) and reports through it:
`RULES["tpf.mask"].found(message, …)`. The documentation lists the tables, and the tests want one
file for every row that breaks the rule. ERROR: the runtime or a driver may refuse the file.
WARNING: no compiler writes this. NOTE: worth knowing; compilers are seen to do it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from .errors import Diagnostic, Severity

__all__ = ["AT_MOST", "Findings", "Rule", "is_finding", "table"]

AT_MOST = 64  # findings of one rule that are listed


class Rule(NamedTuple):
    """One rule; `summary` says what was found, `explanation` why it matters."""

    code: str
    severity: Severity
    summary: str
    explanation: str

    def found(self, message: str = "", *, offset: int | None = None, path: str = "") -> Diagnostic:
        """The rule, broken at a place."""
        return Diagnostic(
            self.code, self.severity, message or self.summary, offset=offset, path=path
        )


def table(rows: Iterable[Rule]) -> dict[str, Rule]:
    """The rules by code."""
    rows = tuple(rows)
    found = {row.code: row for row in rows}
    if len(found) != len(rows):
        raise ValueError("two rules have one code")
    return found


class Findings:
    """Broken rules as they are found; of one rule `most` are kept, the last counts the rest."""

    __slots__ = ("counts", "found", "most", "rules")

    def __init__(self, rules: Mapping[str, Rule], most: int | None = AT_MOST) -> None:
        self.rules = rules
        self.most = most
        self.found: list[Diagnostic] = []
        self.counts: Counter[str] = Counter()

    def add(
        self, code: str, message: str = "", path: str = "", *, offset: int | None = None
    ) -> None:
        """A rule is broken, there."""
        if self.lists(code):
            self.found.append(self.rules[code].found(message, offset=offset, path=path))
        self.counts[code] += 1

    def lists(self, code: str) -> bool:
        """Whether another finding of this rule would be listed, not only counted."""
        return self.most is None or self.counts[code] < self.most

    def diagnostics(self, locate: Callable[[str], int | None] | None = None) -> list[Diagnostic]:
        """The findings by offset, those without one last.

        `locate` gives offsets by path to those that have none: late, for most files have no
        finding, and then nothing has to be measured.
        """
        if locate is not None:
            for finding in self.found:
                if finding.offset is None:
                    finding.offset = locate(finding.path)
        last = {each.code: each for each in self.found}
        for code, finding in last.items():
            more = 0 if self.most is None else self.counts[code] - self.most
            if more > 0:
                finding.message += f" (and {more} more)"
        self.counts.clear()
        return sorted(self.found, key=lambda each: (each.offset is None, each.offset or 0))


def is_finding(diagnostic: Diagnostic) -> bool:
    """Whether something is wrong with the file: notes only tell."""
    return diagnostic.severity is not Severity.NOTE
