"""Findings of watchers, each reported once with the number of its occurrences."""

from collections.abc import Iterator

from ....dataclass import dataclass
from ....ir.locations import SourceLocation, SymbolName


@dataclass(slots=True)
class Finding:
    """One kind of event in one line; `lane` is the first lane in which it occurred.

    `kind` is one of `out-of-bounds`, `race`, `nan`, `infinity`, `uninitialised` and `barrier`. A
    race includes the line and lane of the other access.
    """

    kind: str
    line: int
    lane: int
    name: SymbolName  # of the register or memory
    message: str
    other_line: int = 0
    other_lane: int = -1
    count: int = 1
    location: SourceLocation | None = None


class FindingLog:
    """The findings of a watcher, merged by kind, place and line."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, SymbolName, int], Finding] = {}

    def add(self, finding: Finding) -> None:
        """Add a finding, or increase the count of an equal one."""
        key = finding.kind, finding.line, finding.name, finding.other_line
        known = self._found.setdefault(key, finding)
        if known is not finding:
            known.count += finding.count

    def known(self, kind: str) -> bool:
        """Return True if there is a finding of this kind."""
        return any(each.kind == kind for each in self._found.values())

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)
