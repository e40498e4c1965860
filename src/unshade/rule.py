"""Rules that `verify` checks, as data.

    Rule("tpf.mask", ERROR, "a destination writes no component", "What is written is chosen by …")

A folder that verifies lists its rules in one table (`RULES = table(…)`) and reports violations
through it: `RULES["tpf.mask"].found(message, …)`. The documentation is generated from the tables,
and the tests have a file that violates each rule. ERROR: the runtime or a driver may reject the
file. WARNING: no compiler writes this. NOTE: worth knowing; compilers do write it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from .errors import Diagnostic, Severity
from .tuples import NamedTuple

__all__ = ["AT_MOST", "Findings", "Rule", "is_finding", "table"]

AT_MOST = 64  # diagnostics listed for one rule


class Rule(NamedTuple):
    """A rule; `summary` describes the violation, `explanation` why it matters."""

    code: str
    severity: Severity
    summary: str
    explanation: str

    def found(self, message: str = "", *, offset: int | None = None, path: str = "") -> Diagnostic:
        """Return a diagnostic for a violation of this rule; `message` defaults to `summary`."""
        return Diagnostic(
            self.code, self.severity, message or self.summary, offset=offset, path=path
        )


def table(rows: Iterable[Rule]) -> dict[str, Rule]:
    """Return the rules by code; ValueError if two have the same code."""
    rows = tuple(rows)
    found = {row.code: row for row in rows}
    if len(found) != len(rows):
        raise ValueError("two rules have the same code")
    return found


class Findings:
    """A collector of diagnostics that keeps `most` for each rule.

    The last diagnostic of a rule counts those left out.

    `counts` are the violations of each rule, `number` is the total.
    """

    __slots__ = ("counts", "found", "most", "number", "rules")

    def __init__(self, rules: Mapping[str, Rule], most: int | None = AT_MOST) -> None:
        self.rules = rules
        self.most = most
        self.found: list[Diagnostic] = []
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.number = 0

    def add(
        self, code: str, message: str = "", path: str = "", *, offset: int | None = None
    ) -> None:
        """Add a violation of the rule `code`."""
        if self.lists(code):
            self.found.append(self.rules[code].found(message, offset=offset, path=path))
        self.counts[code] += 1
        self.number += 1

    def lists(self, code: str) -> bool:
        """Return True if another violation of this rule would be listed, not only counted."""
        return self.most is None or self.counts[code] < self.most

    def diagnostics(self, locate: Callable[[str], int | None] | None = None) -> list[Diagnostic]:
        """Return the diagnostics sorted by offset, those without one last.

        `locate` returns the offset of a path, for diagnostics that have none. The function is
        called only if there are findings, since offsets are expensive to compute.
        """
        if not self.found:
            return []
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
    """Return True if the diagnostic is an error or a warning, not a note."""

    return diagnostic.severity is not Severity.NOTE
