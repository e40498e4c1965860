"""The shaders that have given marks, from the rows of sketches, which are sorted by mark.

    mark 0x3a…   group 17 of 8,192 rows: its least and its greatest mark tell that the mark is there
    mark 0x51…   groups 40 to 62: more rows than a rare mark has, so that none of them is read

The groups of a mark are found by bisection of their statistics, and only those groups are decoded,
from files that are mapped into memory. So the time depends on the rows that are found, not on the
rows that there are.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
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
PLENTY = 1 << 17  # rows of rare marks after which the less rare ones are not read
GroupPlace = tuple[int, int]  # the file, and the group in it


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


class _GroupMarks(Sequence[int]):
    """The least or the greatest mark of each group of a file, read when it is asked for."""

    def __init__(self, metadata: Any, greatest: bool) -> None:
        self._count = int(metadata.num_row_groups)

        @cache
        def edge(group: int) -> int:
            found = metadata.row_group(group).column(COLUMN).statistics
            return int(found.max if greatest else found.min)

        self._edge = edge

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, group: Any) -> Any:
        return self._edge(group if group >= 0 else group + self._count)


class MarkIndex:
    """The rows of sketches of a catalogue.

    Args:
        storage: The place of the catalogue.
        names: The names of the files.
    """

    def __init__(self, storage: CatalogStorage, names: Iterable[str]) -> None:
        from pyarrow import parquet

        self._files = [parquet.ParquetFile(storage.source(each), memory_map=True) for each in names]
        self._least = [_GroupMarks(each.metadata, False) for each in self._files]
        self._greatest = [_GroupMarks(each.metadata, True) for each in self._files]

    def _groups(self, mark: int) -> list[GroupPlace]:
        """Return the groups that may have rows of a mark."""
        found: list[GroupPlace] = []
        for number, (least, greatest) in enumerate(zip(self._least, self._greatest, strict=True)):
            if least and least[0] <= mark <= greatest[-1]:  # mostly of one file of a run
                first, after = bisect_left(greatest, mark), bisect_right(least, mark)
                found += ((number, group) for group in range(first, after))
        return found

    def _sure(self, mark: int, groups: Sequence[GroupPlace]) -> int:
        """Return the number of rows of a mark in the groups that have no other one."""
        return sum(
            self._files[number].metadata.row_group(group).num_rows
            for number, group in groups
            if self._least[number][group] == self._greatest[number][group] == mark
        )

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

        ranked = sorted((self._sure(mark, groups := self._groups(mark)), mark, groups)
                        for mark in marks)  # fmt: skip
        rare = sum(sure <= most for sure, _, _ in ranked)
        wanted: dict[int, set[int]] = {}
        sought: list[int] = []
        read_rows = 0
        for sure, mark, groups in ranked:
            if sure > most and (rare >= enough or read_rows >= ROWS):
                break
            if len(sought) >= enough and read_rows >= PLENTY:
                break
            read_rows += sure
            sought.append(mark)
            for number, group in groups:
                wanted.setdefault(number, set()).add(group)
        common = frozenset(mark for _, mark, _ in ranked[len(sought) :])
        sought.sort()
        values = np.array(sought, np.int64)
        numbers = [np.empty(0, np.int64)]
        keys, words = [numbers[0]], [numbers[0]]
        for number, groups_of in sorted(wanted.items()):
            read = self._files[number].read_row_groups(
                sorted(groups_of), COLUMNS, use_threads=False
            )
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
            each.close()
