"""What watchers report: each thing once, and how often it happened."""

from collections.abc import Iterator
from dataclasses import dataclass

from ....ir.locations import SourceLocation, SymbolName


@dataclass(slots=True)
class Finding:
    """One thing that happened in a line; `lane` is the first that it happened to.

    `kind` is a word: `out-of-bounds`, `race`, `nan`, `infinity`, `uninitialised`, `barrier`. A
    race has the line and lane of the other access.
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


class Findings:
    """Findings by kind, place and line."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, SymbolName, int], Finding] = {}

    def add(self, finding: Finding) -> None:
        """One more; the same again only counts."""
        key = finding.kind, finding.line, finding.name, finding.other_line
        known = self._found.setdefault(key, finding)
        if known is not finding:
            known.count += finding.count

    def known(self, kind: str) -> bool:
        """Whether there is one of that kind."""
        return any(each.kind == kind for each in self._found.values())

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)
