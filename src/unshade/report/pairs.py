"""The index of the differences of two folders or packs: a row for each path in either."""

from collections import Counter
from collections.abc import Sequence

from ..analysis.diff import Diff
from ..dataclass import dataclass
from ..parts import Category
from ..screens.text import many
from .tables import ColumnHeading, table_page

__all__ = ["PairRow", "pairs_page", "status_of"]

UNKNOWN = -1
SAME, CODE, INTERFACE = "the same", "code differs", "interface differs"
NAMES, OTHER = "names differ", "other data differ"
RENAMED = "renamed"
REMOVED, ADDED, FAILED = "removed", "added", "not opened"
ORDER = (CODE, INTERFACE, NAMES, OTHER, RENAMED, ADDED, REMOVED, FAILED, SAME)
HEADINGS = (
    ColumnHeading("name", "File", "text"),
    ColumnHeading("status", "Status", "word"),
    ColumnHeading("lines", "Lines", "number"),
    ColumnHeading("renumbered", "Renumbered", "number"),
    ColumnHeading("before", "Bytes before", "number"),
    ColumnHeading("after", "Bytes after", "number"),
    ColumnHeading("verdict", "Difference", "text"),
)
ONLY_NAMES = {Category.REFLECTION, Category.DEBUG}
AROUND = {Category.DIGEST, Category.STATISTICS}  # follow from other differences


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two files of one path.

    Attributes:
        name: The path below both folders.
        status: The kind of the difference, as `status_of` returns; or renamed,
            added, removed, not opened.
        page: Link to the page of the difference, relative and percent-encoded; empty without one.
        lines: Lines of code that differ other than in the numbers of registers; -1 if unknown.
        renumbered: Lines that differ in the numbers of registers alone; -1 if unknown.
        before, after: Sizes in bytes; -1 without a file.
        verdict: The difference in one sentence.
        error: Why a file could not be opened.
    """

    name: str
    status: str
    page: str = ""
    lines: int = UNKNOWN
    renumbered: int = UNKNOWN
    before: int = UNKNOWN
    after: int = UNKNOWN
    verdict: str = ""
    error: str = ""

    @classmethod
    def of(cls, found: Diff, name: str, page: str = "") -> "PairRow":
        """Return the row of a difference."""
        renumbered = sum(len(each.alignment.renumbered) for each in found.programs)
        lines = sum(len(each.lines) for each in found.programs)
        return cls(
            name, status_of(found), page, lines - renumbered, renumbered, found.size_before,
            found.size_after, found.verdict,
        )  # fmt: skip


def status_of(found: Diff) -> str:
    """Return the kind of a difference in two words, by its most important category."""
    categories = set(found.categories)
    if not categories:
        return SAME
    if Category.CODE in categories:
        return CODE
    if Category.INTERFACE in categories:
        return INTERFACE
    return NAMES if categories - AROUND <= ONLY_NAMES else OTHER


def pairs_page(rows: Sequence[PairRow], title: str) -> str:
    """Return the index of pairs.

    Args:
        rows: The pairs. Pairs whose code differs come first, equal pairs last.
        title: The name of the folders on the page.
    """
    counts = Counter(row.status for row in rows)
    counted = ", ".join(f"{each} {counts[each]:,}" for each in ORDER if counts[each])
    rows = sorted(rows, key=lambda row: ORDER.index(row.status))
    failed = [row for row in rows if row.status == FAILED]
    return table_page(
        "pairs", title, f"{many(len(rows), 'shader')}: {counted}", HEADINGS, rows, failed
    )
