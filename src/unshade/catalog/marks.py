"""The shaders that have given marks, from the rows of sketches, which are sorted by mark.

    mark 0x3a…   group 17 of 16,384 rows: its least and greatest mark tell that the mark is there
    mark 0x51…   groups 40 to 62: more rows than a rare mark has, so that none of them is read

The groups of a mark are found by bisection of their statistics, and only those groups are decoded,
from files that are mapped into memory. So the time depends on the rows that are found, not on the
rows that there are.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..tuples import NamedTuple
from .storage import CatalogStorage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["MarkIndex", "MarkRows"]

COLUMNS = ("mark", "key", "words")
COLUMN = 0  # that the rows are sorted by
ROWS = 1 << 18  # rows of common marks that are read
PLENTY = 1 << 16  # rows of rare marks after which the less rare ones are not read


class MarkRows(NamedTuple):
    """Rows of sketches: shaders that have one of some marks, as columns.

    Attributes:
        marks: The marks that were asked for and may be in the rows, in ascending order.
        number: For each row, the number of its mark among these.
        key: The key of the shader.
        words: The number of words of the shader.
        common: The marks that were left out, since more shaders have them.
    """

    marks: list[int]
    number: "npt.NDArray[np.int64]"
    key: "npt.NDArray[np.int64]"
    words: "npt.NDArray[np.int64]"
    common: frozenset[int]


class _MarkFile:
    """A file of rows of sketches, with the marks at the edges of its groups.

    Edges are read when they are asked for.
    """

    def __init__(self, source: Any) -> None:
        from pyarrow import parquet

        self.file = parquet.ParquetFile(source)
        metadata = self.file.metadata
        self.groups = range(int(metadata.num_row_groups))
        self.rows = int(metadata.num_rows)
        self.size = int(metadata.row_group(0).num_rows) if self.groups else 0  # of all but the last

        @cache
        def edges(group: int) -> tuple[int, int]:
            found = metadata.row_group(group).column(COLUMN).statistics
            return int(found.min), int(found.max)

        self.edges = edges

    def groups_of(self, mark: int) -> range:
        """Return the groups that may have rows of a mark."""
        if not self.groups or not self.edges(0)[0] <= mark <= self.edges(self.groups[-1])[1]:
            return range(0)  # mostly of one file of a run
        first = bisect_left(self.groups, mark, key=lambda group: self.edges(group)[1])
        return range(
            first, bisect_right(self.groups, mark, first, key=lambda group: self.edges(group)[0])
        )

    def count(self, groups: range) -> int:
        """Return the number of rows of groups."""
        return min(groups.stop * self.size, self.rows) - groups.start * self.size if groups else 0

    def least(self, mark: int, groups: range) -> int:
        """Return the number of rows of a mark in the groups that have no other one."""
        if groups and self.edges(groups[0])[0] != mark:
            groups = groups[1:]
        if groups and self.edges(groups[-1])[1] != mark:
            groups = groups[:-1]
        return self.count(groups)


class MarkIndex:
    """The rows of sketches of a catalogue.

    Args:
        storage: The place of the catalogue.
        names: The names of the files.
    """

    def __init__(self, storage: CatalogStorage, names: Iterable[str]) -> None:
        self._files = [_MarkFile(storage.source(each)) for each in names]

    def _groups(self, mark: int) -> list[tuple[_MarkFile, range]]:
        """Return the groups that may have rows of a mark."""
        return [(file, groups) for file in self._files if (groups := file.groups_of(mark))]

    def rows(self, marks: Iterable[int], most: int, enough: int) -> MarkRows:
        """Return the rows of rare marks, and of common ones if fewer than `enough` are rare.

        The rarest are read first, until there are `enough` marks and `PLENTY` of rows.

        Args:
            marks: The marks.
            most: The number of rows that a rare mark has at most.
            enough: The number of rare marks that is enough. With fewer, the rows of common marks
                are read, too, the rarest first, until `ROWS` are read.
        """
        import numpy as np

        ranked = []
        for mark in marks:
            groups_of = self._groups(mark)
            sure = sum(file.least(mark, groups) for file, groups in groups_of)
            # The first and the last group have together as many of its rows as a group has.
            likely = sum(file.count(groups[1:]) for file, groups in groups_of)
            ranked.append((sure, max(sure, likely), mark, groups_of))
        ranked.sort(key=itemgetter(0, 1, 2))
        rare = sum(sure <= most for sure, *_ in ranked)
        wanted: dict[_MarkFile, set[int]] = {}
        sought: list[int] = []
        read_rows = 0
        for sure, likely, mark, groups_of in ranked:
            if sure > most and (rare >= enough or read_rows >= ROWS):
                break
            if len(sought) >= enough and read_rows >= PLENTY:
                break
            read_rows += likely
            sought.append(mark)
            for file, groups in groups_of:
                wanted.setdefault(file, set()).update(groups)
        common = frozenset(mark for _, _, mark, _ in ranked[len(sought) :])
        sought.sort()
        values = np.array(sought, np.int64)
        numbers = [np.empty(0, np.int64)]
        keys, words = [numbers[0]], [numbers[0]]
        for file in self._files:
            if file not in wanted:
                continue
            read = file.file.read_row_groups(sorted(wanted[file]), COLUMNS, use_threads=False)
            mark_of, key_of, words_of = (read[each].to_numpy() for each in COLUMNS)
            first = np.searchsorted(mark_of, values)
            after = np.searchsorted(mark_of, values, "right")
            numbers.append(np.repeat(np.arange(len(values)), after - first))
            for start, end in zip(first, after, strict=True):
                if start < end:
                    keys.append(key_of[start:end])
                    words.append(words_of[start:end])
        columns = np.concatenate(numbers), np.concatenate(keys), np.concatenate(words)
        return MarkRows(sought, *columns, common)

    def close(self) -> None:
        """Close the files."""
        for each in self._files:
            each.file.close(force=True)
